internal import Announcing
internal import AudioTools
internal import HTTPTransport
internal import SpokenText
internal import VoiceAudio

/// Debian's espeak-ng as a process for each sentence.
struct EspeakVoice: SpeechVoice {
  let timeoutSeconds: Int

  let signature = "espeak-ng 150 1"

  func sound(_ phrase: Phrase, locale: SpokenLocale) async throws(VoiceFailure) -> [UInt8] {
    var text = EngineText.words(phrase, locale: locale)
    if locale == .zhCN || locale == .zhTW {
      // espeak-ng 1.51 spells characters as English letters; it reads numbered pinyin well.
      guard let pinyin = Pinyin.numbered(text) else { throw .cannotSay }
      text = pinyin
    }
    let engine = EspeakEngine(locale: locale.tag)
    let spoken = text
    let result = await Thread.run("aloud-espeak") { Result { () throws(AudioToolsError) in try engine.speak(spoken) } }
    guard case .success(let speech) = result else { throw .engineFailed }
    return try EngineSound.file(speech.sound)
  }
}

/// Any program: arguments with `{text}`, `{locale}` and `{output}`, run without a shell.
///
/// Without `{text}` the text goes to standard input; without `{output}` the sound is read from standard output.
struct CommandVoice: SpeechVoice {
  private let arguments: [String]
  private let scratchFolder: String
  private let timeoutSeconds: Int

  var signature: String { "command " + arguments.joined(separator: "\u{1F}") }

  /// Makes a voice.
  ///
  /// - Throws: ``AudioToolsError`` when the template is empty or a quote is not closed.
  init(template: String, scratchFolder: String, timeoutSeconds: Int) throws(AudioToolsError) {
    arguments = try CommandEngine.split(template)
    (self.scratchFolder, self.timeoutSeconds) = (scratchFolder, timeoutSeconds)
  }

  func sound(_ phrase: Phrase, locale: SpokenLocale) async throws(VoiceFailure) -> [UInt8] {
    let text = EngineText.words(phrase, locale: locale)
    let output = "\(scratchFolder)/speech-\(Crypto.hex(Crypto.randomBytes(8))).wav"
    let usesFile = arguments.contains { $0.contains("{output}") }
    let takesText = arguments.contains { $0.contains("{text}") }
    // One pass over the template's own words: a text that holds “{output}” stays the text it is.
    let filled = arguments.map { Self.filled($0, ["text": text, "locale": locale.tag, "output": output]) }
    let seconds = timeoutSeconds
    let spoken = await Thread.run("aloud-command") { () -> Sound? in
      defer { if usesFile { Files.remove(output) } }
      guard
        let result = try? ChildProcess.run(
          filled, input: takesText ? [] : Array(text.utf8), seconds: seconds, limit: 32 << 20),
        result.status == 0
      else { return nil }
      if usesFile { return try? SoundReader.read(path: output).sound }
      return (try? SoundFile.decode(result.output, isStream: true)).map { Sound($0.pcm) }
    }
    guard let spoken else { throw .engineFailed }
    return try EngineSound.file(spoken)
  }

  private static func filled(_ part: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = part[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      result += rest[..<open]
      result += values[String(name)] ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

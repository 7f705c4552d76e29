internal import Glibc
internal import SpokenText
package import VoiceAudio

/// Something that turns text into sound.
package protocol SpeechEngine: Sendable {
  /// What tells this engine with these settings from others: part of the key under which rendered clips are kept.
  var signature: String { get }
  /// Who speaks, for the manifest.
  var voice: String { get }
  /// The licence of what it says, for the manifest.
  var licence: String { get }
  /// Speaks a text.
  func speak(_ text: String) throws(AudioToolsError) -> Speech
}

/// Debian's espeak-ng, run as a process.
///
/// The same text gives the same bytes every time, because each text has a process of its own.
package struct EspeakEngine: SpeechEngine {
  private let voiceName: String
  private let speed: Int
  private let pitch: Int

  /// Makes an engine for a language.
  ///
  /// - Parameters:
  ///   - locale: The language tag; Mandarin is spoken by `cmn-latn-pinyin`, because `cmn` of version 1.51 spells
  ///     characters as English letters.
  ///   - voice: Another of espeak-ng's voices.
  ///   - speed: Words a minute.
  ///   - pitch: 0 to 99.
  package init(locale: String, voice: String? = nil, speed: Int = 150, pitch: Int = 50) {
    self.voiceName = voice ?? EspeakEngine.voices[locale] ?? String(locale.prefix { $0 != "-" }).lowercased()
    self.speed = speed
    self.pitch = pitch
  }

  private static let voices = [
    "zh-CN": "cmn-latn-pinyin", "zh-TW": "cmn-latn-pinyin", "yue-HK": "yue", "en-US": "en-us", "en-GB": "en-gb",
    "en-IN": "en-gb", "es-MX": "es-419", "pt-BR": "pt-br", "pt-PT": "pt",
  ]

  package var signature: String { "espeak-ng \(voiceName) \(speed) \(pitch)" }
  package var voice: String { "espeak-ng, voice \(voiceName)" }
  // The program is under the GPL; what it says is its output, not a copy of it.
  package var licence: String { "no rights reserved (spoken by espeak-ng)" }

  package func speak(_ text: String) throws(AudioToolsError) -> Speech {
    let result = try ChildProcess.run(
      ["espeak-ng", "-v", voiceName, "-s", "\(speed)", "-p", "\(pitch)", "--stdin", "--stdout"],
      input: Array(text.utf8), seconds: 20)
    return Speech(sound: try decodedWave(result, text, program: "espeak-ng"))
  }
}

/// Any program that reads text and writes a WAV file.
package struct CommandEngine: SpeechEngine {
  private let arguments: [String]
  package let voice: String
  package let licence: String

  /// Makes an engine from a command line, which is split at blanks (quotes keep a part together) and run without a
  /// shell.
  ///
  /// `{text}` in an argument is replaced by the text; without it the text goes to standard input. `{timings}` is
  /// replaced by the path of a file into which the program writes a line for each word: start and end in seconds and
  /// the word, separated by tabs.
  /// - Throws: ``AudioToolsError`` if the line is empty or a quote is not closed.
  package init(commandLine: String, voice: String, licence: String) throws(AudioToolsError) {
    arguments = try CommandEngine.split(commandLine)
    self.voice = voice
    self.licence = licence
  }

  package var signature: String { "command " + arguments.joined(separator: "\u{1F}") }

  package func speak(_ text: String) throws(AudioToolsError) -> Speech {
    let usesTimings = arguments.contains { $0.contains("{timings}") }
    let timings = "/tmp/aloud-timings-\(getpid())-\(UInt64.random(in: 0 ... .max)).tsv"
    let takesText = arguments.contains { $0.contains("{text}") }
    let filled = arguments.map { $0.replacing("{timings}", with: timings).replacing("{text}", with: text) }
    defer { if usesTimings { Files.remove(timings) } }
    let result = try ChildProcess.run(filled, input: takesText ? [] : Array(text.utf8))
    let sound = try decodedWave(result, text, program: arguments[0])
    guard usesTimings else { return Speech(sound: sound) }
    return Speech(sound: sound, words: try CommandEngine.timings(Files.read(timings)))
  }

  /// Splits a command line at blanks outside quotes.
  package static func split(_ line: String) throws(AudioToolsError) -> [String] {
    var parts: [String] = []
    var current: String?
    var quote: Character?
    for character in line {
      switch character {
      case quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil:
        quote = character
        current = current ?? ""
      case _ where character.isWhitespace && quote == nil:
        if let part = current { parts.append(part) }
        current = nil
      default: current = (current ?? "") + String(character)
      }
    }
    guard quote == nil else { throw AudioToolsError(.badInput, "A quote in the command is not closed: \(line)") }
    if let part = current { parts.append(part) }
    guard !parts.isEmpty else { throw AudioToolsError(.badInput, "The command of the engine is empty.") }
    return parts
  }

  private static func timings(_ bytes: [UInt8]) throws(AudioToolsError) -> [TimedWord] {
    var words: [TimedWord] = []
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: "\t", maxSplits: 2)
      guard fields.count == 3, let start = Double(fields[0]), let end = Double(fields[1]), start >= 0, end.isFinite
      else {
        throw AudioToolsError(.programFailed, "The engine wrote a timing that is not \"start, end, word\": \(line)")
      }
      words.append(TimedWord(text: String(fields[2]), start: start, end: end))
    }
    return words
  }
}

/// The sound that a program wrote to its standard output.
private func decodedWave(
  _ result: ChildProcess.Result, _ text: String, program: String
) throws(AudioToolsError) -> Sound {
  guard result.status == 0 else {
    throw AudioToolsError(.programFailed, "\(program) could not say \"\(text)\": \(result.firstComplaint)")
  }
  do throws(SoundFileError) {
    return Sound(try SoundFile.decode(result.output, isStream: true).pcm)
  } catch {
    throw AudioToolsError(.programFailed, "\(program) wrote no usable WAV for \"\(text)\": \(error)")
  }
}

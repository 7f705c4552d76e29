import Announcing
import ExactJSON
import HTTPTransport
import PhoneSandbox
import SpokenText
import VoiceAudio

extension Subcommand {
  /// `aloud simulate`: a story on a virtual iPhone.
  static let simulate = Subcommand(
    "simulate", summary: "Play a story on a virtual iPhone, and see and hear what comes out",
    discussion: """
      STORY is a JSON file, or - for standard input:
        {"phone": {"locale": "zh-CN", "locked": true, "app": "suspended", "watch": false, "mute": false, "focus": false},
         "settings": {"privacy": false},
         "steps": [{"at": 0, "event": {"id": "e1", "kind": "payment.received", "amount": "28.50", "currency": "CNY"}},
                   {"at": 0.4, "push": {"aps": {…}, "aloud": {…}}}, {"at": 3, "phone": {"app": "force-quit"}},
                   {"at": 5, "network": "offline"}, {"at": 9, "kill": "extension"}]}
      The clock is simulated: an hour takes milliseconds. docs/hearing.md explains the keys.
      With "expect" in the story, --check exits with 1 when it came out otherwise.
      """,
    options: [
      .flag("json", "Print the result as JSON: heard, shown, silent, receipts"),
      .value("output", short: "o", "FILE.wav", "Write what was heard"),
      .value("pack", short: "p", "DIR", "A voice pack folder in place of the story's"),
      .flag("tones", "Let every word be a tone, for languages without a pack"),
      .flag("check", "Compare the result with the story's \"expect\""),
    ],
    operands: [Operand("STORY", help: "A story, or - for standard input")],
    body: .immediate { call in
      do { return try simulateStory(call) } catch let error as StoryError {
        throw CommandFailure(error.description)
      }
    })

  private static func simulateStory(_ call: Invocation) throws -> ExitCode {
    let path = call.arguments.operands.first ?? "-"
    let bytes = path == "-" ? call.io.readAllInput() : try FileBytes.read(path: path)
    let json: JSON
    do { json = try JSON.parse(bytes) } catch { throw CommandFailure("\(path): \(error)") }
    let story = try Story(json)
    var run = try StoryRun(story, voice: storyVoices(call))
    let phone = try run.play()
    let report = phone.outcome
    call.io.print(call.arguments.flag("json") ? report.json.serialized(pretty: true) : report.timeline)
    if let output = call.arguments.value("output") {
      try FileBytes.write(
        try SoundFile.encode(phone.track(until: story.until), container: .wav, codec: .lpcm), path: output)
    }
    guard call.arguments.flag("check") else { return .success }
    guard let expect = story.expect else { throw CommandFailure("\(path) has no \"expect\" to check.", code: .usage) }
    let differences = StoryCheck.differences(expect, report)
    for difference in differences { call.io.complain("aloud simulate: \(difference)") }
    return differences.isEmpty ? .success : .findings
  }

  /// Opens packs as a story asks for them, each once; a folder that is named wins over all.
  static func storyVoices(_ call: Invocation) -> @Sendable (String) -> Joiner? {
    let opened = Locked<[String: Joiner?]>([:])
    let library = VoiceLibrary(environment: call.io.environment)
    let named = call.arguments.value("pack")
    let usesTones = call.arguments.flag("tones")
    return { name in
      opened.withLock { opened in
        if let known = opened[name] { return known }
        let joiner: Joiner?
        if usesTones || name == "tones" {
          joiner = (try? SpokenLocale(name == "tones" ? "zh-CN" : name)).flatMap { try? ToneVoice.joiner($0) }
        } else if let pack = try? named.map(VoiceLibrary.open) {
          joiner = pack.locale == name || name.contains("/") ? Joiner(pack: pack) : nil
        } else if name.contains("/") {
          joiner = (try? VoiceLibrary.open(name)).map { Joiner(pack: $0) }
        } else {
          joiner = (try? library.pack(for: name)).map { Joiner(pack: $0) }
        }
        opened[name] = .some(joiner)
        return joiner
      }
    }
  }
}

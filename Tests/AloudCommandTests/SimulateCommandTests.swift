import AloudCommand
import ExactJSON
import Testing
import VoiceAudio

/// `aloud simulate` as a person calls it.
struct SimulateCommandTests {
  private func run(_ story: String, _ options: String...) async -> (ExitCode, Streams) {
    let streams = Streams(input: story)
    let command = AloudCommand(subcommands: AloudCommand.standard)
    return (await command.run(["simulate", "--tones"] + options + ["-"], io: streams.io), streams)
  }

  private let payment = """
    {"steps": [{"at": 0, "event": {"id": "e1", "kind": "payment.received", "brand": "微信", "amount": "28.50", "currency": "CNY"}}]%@}
    """

  private func story(_ rest: String = "") -> String { payment.split(separator: "%@").joined(separator: rest) }

  @Test func `prints a timeline that a person can read`() async {
    let (code, streams) = await run(story())
    #expect(code == .success)
    let lines = streams.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("0.3 s  banner “微信收款” for e1, sound aloud-"))
    #expect(lines[1] == "0.3 s  ♪ “微信收款二十八点五元”")
    #expect(lines[2] == "0.5 s  receipt for e1: played, A100")
  }

  @Test func `prints heard, shown, silent and receipts as JSON`() async throws {
    let (code, streams) = await run(story(), "--json")
    #expect(code == .success)
    let json = try JSON.parse(streams.output)
    #expect(json.objectValue?.keys == ["heard", "shown", "silent", "receipts"])
    #expect(json["heard"]?[0]?.objectValue?.keys == ["start", "end", "text", "events", "file"])
    #expect(json["shown"]?[0]?.objectValue?.keys == ["at", "event", "title", "sound"])
    #expect(json["heard"]?[0]?["text"]?.stringValue == "微信收款二十八点五元")
    #expect(json["heard"]?[0]?["events"] == ["e1"])
    #expect(json["silent"] == [])
    #expect(json["receipts"] == [["event": "e1", "state": "played", "code": "A100", "at": 0, "route": "clips"]])
  }

  @Test func `--check answers with the exit code`() async {
    let (good, _) = await run(story(#", "expect": {"heard": [{"text": "微信收款二十八点五元"}]}"#), "--check")
    #expect(good == .success)
    let (bad, streams) = await run(story(#", "expect": {"heard": []}"#), "--check")
    #expect(bad == .findings && streams.errors.contains("heard: 0 expected, 1 came"))
    let (none, _) = await run(story(), "--check")
    #expect(none == .usage)
  }

  @Test(arguments: [
    ("{", "line 1"), ("{}", "steps"), (#"{"steps": [{"at": 1}]}"#, "Step 1 must have one of"),
    (#"{"steps": [{"push": {}}]}"#, "Step 1 needs \"at\""), (#"{"phone": {"lockd": true}, "steps": []}"#, "lockd"),
    (#"{"steps": [], "stage": 1}"#, "stage"), (#"{"steps": [{"at": 0, "event": {"kind": "x"}}]}"#, "\"id\""),
    (#"{"steps": [{"at": 0, "phone": {"app": "asleep"}}]}"#, "Step 1"),
    (#"{"steps": [{"at": 0, "schedule": {"every": 7}}]}"#, "60, 30 or 15"),
  ])
  func `a story that cannot be played says what is wrong`(text: String, hint: String) async {
    let (code, streams) = await run(text)
    #expect(code == .failure)
    #expect(streams.errors.contains(hint), "\(streams.errors)")
    #expect(streams.output.isEmpty)
  }
}

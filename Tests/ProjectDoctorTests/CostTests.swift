import ProjectDoctor
import Testing

/// Input that is made to cost much: the work must stay in proportion to the size.
///
/// Nothing is measured here. Work that grew with the square of these sizes would take hours, so ten minutes tell the two apart.
@Suite(.timeLimit(.minutes(10)))
struct CostTests {

  @Test func `settings that double each other do not go on for ever`() {
    let names = (0..<30).map { "N\($0) = $(N\($0 + 1))$(N\($0 + 1))" }.joined(separator: "\n")
    let files = TestFiles.shop.editing([
      .write("Config/Base.xcconfig", names + "\nN30 = x\nAPP_ID = $(N0)\nGROUP_ID = group.a\n")
    ])
    #expect(files.report().filesChecked > 0)
  }

  @Test func `sources with endless braces, one line and many literals`() {
    let open = String(repeating: "func a() { ", count: 20_000) + "AVAudioPlayer"
    let literals =
      "import UserNotifications; class S: UNNotificationServiceExtension { func containerURL() { write() }"
      + String(repeating: "x(\"a.caf\", AVSpeechSynthesizer(), contentHandler);", count: 8_000)
    for text in [open, literals] {
      let files = TestFiles(files: ["A.swift": Array(text.utf8)])
      #expect(files.report("A.swift").subject == "fixture")
    }
  }

  @Test func `payloads with many findings`() {
    let members = (0..<4_000).map { "\"k\($0)\": 1" }.joined(separator: ",\n")
    let one = "{\"aps\":{\(members)}}"
    let many = String(repeating: "{\"alert\":1}\n", count: 4_000)
    for text in [one, many] {
      #expect(PayloadLinter(now: 0).lint(Array(text.utf8), file: "f").findings.count > 40)
    }
  }
}

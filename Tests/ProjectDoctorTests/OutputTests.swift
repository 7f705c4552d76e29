import ExactJSON
import ProjectDoctor
import Testing

struct OutputTests {
  private let report = PayloadLinter(now: 1_800_000_000).lint(
    Array("{\n  \"aps\": {\"alert\": \"a\", \"sound\": \"a.mp3\", \"badge\": \"1\"}\n}".utf8), file: "a b.json")

  @Test func `for people: grouped, with place, advice and a summary`() {
    let text = PeopleRenderer().render(report)
    #expect(text.hasPrefix("a b.json\n  a b.json:2:"))
    #expect(
      text.contains(
        "error ALD114\n    iOS does not play this kind of file as a notification sound. (a.mp3)\n    → Use .caf"))
    #expect(text.hasSuffix("\na b.json: 1 file checked, 2 errors.\n"))
    #expect(!text.contains("\u{1B}"))
    #expect(PeopleRenderer(usesColour: true).render(report).contains("\u{1B}[31merror ALD114\u{1B}[0m"))
    #expect(PeopleRenderer(isChinese: true).render(report).hasSuffix("检查了 1 个文件，2 个错误。\n"))
  }

  @Test func `for machines: counts, findings and sources`() {
    let json = report.json()
    #expect(json["errors"]?.intValue == 2)
    #expect(json["findings"]?[0]?["line"]?.intValue == 2)
    #expect(json["findings"]?[0]?["source"]?.stringValue?.hasPrefix("https://") == true)
  }

  @Test func `SARIF names rules by index and encodes paths`() {
    let run = report.sarif(toolVersion: "1")["runs"]?[0]
    let rules = run?["tool"]?["driver"]?["rules"]?.arrayValue ?? []
    #expect(rules.map { $0["id"]?.stringValue } == ["ALD114", "ALD132"])
    for result in run?["results"]?.arrayValue ?? [] {
      let index = result["ruleIndex"]?.intValue ?? -1
      #expect(rules[index]["id"] == result["ruleId"])
      #expect(result["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"]?.stringValue == "a%20b.json")
      #expect(result["level"]?.stringValue == "error")
    }
    #expect(report.sarif(toolVersion: "1")["version"]?.stringValue == "2.1.0")
  }

  @Test func `silencing needs a known code and a reason, and may name paths`() {
    let file = SilenceFile("# note\nALD114: we ship mp3\nALD132 other/*: elsewhere\nALD000: no\nALD114 x:\n")
    #expect(file.problems.map(\.place.line) == [4, 5])
    #expect(file.problems.map { $0.detail(isChinese: true) } == ["ALD000: no：没有这个代码", "ALD114 x:：没有写理由"])
    let silenced = report.silenced(by: file)
    #expect(silenced.codes == [.wrongType, .badSilence])
    #expect(silenced.silenced.map(\.reason) == ["we ship mp3"])
    let suppressed = silenced.sarif(toolVersion: "1")["runs"]?[0]?["results"]?.arrayValue?.compactMap {
      $0["suppressions"]
    }
    #expect(suppressed?.count == 1)
  }
}

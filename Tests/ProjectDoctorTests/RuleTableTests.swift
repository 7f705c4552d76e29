import ProjectDoctor
import Testing

#if canImport(Glibc)
  import Glibc
#endif

struct RuleTableTests {
  @Test(arguments: RuleCode.allCases)
  func `every code has a rule with texts in both languages and a source`(_ code: RuleCode) {
    let rule = code.rule
    #expect(rule.code == code)
    #expect(rule.english.wrong.count > 15 && rule.english.todo.count > 5)
    #expect(rule.chinese.wrong.count > 5 && rule.chinese.todo.count > 2)
    #expect(rule.english.wrong.hasSuffix(".") && rule.english.todo.hasSuffix("."))
    #expect(rule.chinese.wrong.hasSuffix("。") && rule.chinese.todo.hasSuffix("。"))
    #expect(rule.source.hasPrefix("https://"))
  }

  @Test func `codes are unique and there is one rule for each`() {
    #expect(Rule.all.count == RuleCode.allCases.count)
    #expect(Set(Rule.all.map(\.code)).count == Rule.all.count)
  }

  @Test func `codes are read as people type them`() {
    #expect(RuleCode(typed: "ald110") == .notMutable)
    #expect(RuleCode(typed: " 110 ") == .notMutable)
    #expect(RuleCode(typed: "ALD999") == nil)
  }

  @Test func `the page of rules is made from the table`() throws {
    let page = #filePath.components(around: "Tests/ProjectDoctorTests")[0] + "docs/rules.md"
    let file = open(page, O_RDONLY)
    try #require(file >= 0, "docs/rules.md is missing")
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &chunk, chunk.count)
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    #expect(String(decoding: bytes, as: UTF8.self) == RulesPage.markdown, "run: aloud explain --page > docs/rules.md")
  }
}

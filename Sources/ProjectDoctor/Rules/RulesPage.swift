/// The page docs/rules.md, made from the table so that it cannot lag behind.
package enum RulesPage {
  /// The whole page.
  package static var markdown: String {
    var lines = [
      "# Rules of `aloud lint` and `aloud doctor`", "",
      "Made from the table in `Sources/ProjectDoctor/Rules`; a test compares them. Silence a code with a reason in `.aloud-doctor`:",
      "`ALD301 App/Info.plist: the app is a radio`.", "",
    ]
    for (digit, title) in groups {
      lines += ["## ALD\(digit)xx: \(title)", ""]
      lines += ["| Code | Severity | What is wrong | What to do |", "|---|---|---|---|"]
      for rule in Rule.all where rule.code.rawValue.dropFirst(3).hasPrefix(digit) {
        let wrong = "\(rule.english.wrong)<br>\(rule.chinese.wrong)"
        let todo = "\(rule.english.todo)<br>\(rule.chinese.todo) [source](\(rule.source))"
        lines.append("| `\(rule.code.rawValue)` | \(rule.severity.rawValue) | \(wrong) | \(todo) |")
      }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  private static let groups = [
    ("1", "payload"), ("2", "headers"), ("3", "Info.plist and entitlements"), ("4", "targets and signing"),
    ("5", "sound files"), ("6", "source code"), ("7", "review"),
  ]
}

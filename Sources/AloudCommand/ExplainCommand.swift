import Announcing
import ExactJSON
import ProjectDoctor

extension Subcommand {
  /// `aloud explain`: what a code means, of the rules and of the phone.
  static let explain = Subcommand(
    "explain", summary: "Say what a code such as ALD110 or A117 means and what to do",
    discussion: "ALD codes come from lint and doctor, A codes from the phone. Without CODE it lists them all.",
    options: [
      .flag("json", "Print as JSON"),
      .flag("page", "Print the page of all rules, docs/rules.md"),
      ReportOutput.language,
    ],
    operands: [Operand("CODE", help: "The code", isRequired: false, isRepeated: true)],
    body: .immediate { call in
      let isChinese = try ReportOutput.isChinese(call)
      if call.arguments.flag("page") {
        call.io.print(RulesPage.markdown, terminator: "")
        return .success
      }
      guard !call.arguments.operands.isEmpty else {
        for rule in Rule.all { call.io.print("\(rule.code.rawValue)  \(rule.text(isChinese: isChinese).wrong)") }
        for code in ReasonCode.allCases {
          call.io.print("\(code.rawValue)  \(code.entry.title.text(isChinese ? "zh" : "en"))")
        }
        return .success
      }
      for text in call.arguments.operands {
        guard let entry = explanation(text, isChinese: isChinese) else {
          throw CommandFailure("there is no code “\(text)”; “aloud explain” lists them all", code: .usage)
        }
        let plain = entry.map { $0.0 == "code" ? $0.1 : $0.0 == "advice" ? "  → \($0.1)" : "  \($0.1)" }
          .joined(separator: "\n")
        call.io.print(
          call.arguments.flag("json")
            ? JSON.object(JSONObject(entry.map { ($0.0, JSON.string($0.1)) })).serialized() : plain)
      }
      return .success
    })

  private static func explanation(_ text: String, isChinese: Bool) -> [(String, String)]? {
    if let reason = ReasonCode(typed: text) {
      let locale = isChinese ? "zh" : "en"
      return [
        ("code", "\(reason.rawValue)  \(reason.entry.title.text(locale))"),
        ("cause", reason.entry.cause.text(locale)), ("advice", reason.entry.advice.text(locale)),
      ]
    }
    guard let code = RuleCode(typed: text) else { return nil }
    let rule = code.rule
    return [
      ("code", "\(code.rawValue)  (\(rule.severity.rawValue))"), ("cause", rule.text(isChinese: isChinese).wrong),
      ("advice", rule.text(isChinese: isChinese).todo), ("source", rule.source),
    ]
  }
}

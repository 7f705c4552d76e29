/// The reasons as a page for people: `docs/reasons.md`.
package enum ReasonPage {
  private static let groups: [(ClosedRange<String>, String)] = [
    ("A100"..."A109", "Spoken · 已播报"), ("A110"..."A119", "Silent on purpose · 有意静音"),
    ("A120"..."A129", "The payload cannot be said · 推送内容无法播报"),
    ("A130"..."A149", "The sound could not be made · 声音无法生成"),
    ("A150"..."A159", "Time and life of the extension · 扩展的时限"),
    ("A160"..."A179", "The phone and iOS · 手机与系统"), ("A180"..."A189", "Speech in the running app · 应用内朗读"),
    ("A190"..."A199", "The talking clock · 报时"),
  ]

  /// The whole page.
  package static var markdown: String {
    var lines = [
      "# Why it was silent · 为什么没有出声", "",
      "Every notification that is not spoken has a code. It stands in the app's self-test, in the console and in receipts;",
      "`aloud explain A117` prints it. This page is made from the table in `Sources/Announcing/Reasons` and checked by a test.",
      "", "每条没有播报的通知都有一个代码：应用的自检页、控制台和回执里都能看到，也可以用 `aloud explain A117` 查询。",
    ]
    for (range, title) in groups {
      lines += ["", "## \(title)", "", "| code | what · 情况 | why · 原因 | what to do · 处理 |", "|---|---|---|---|"]
      for code in ReasonCode.allCases where range.contains(code.rawValue) {
        let entry = code.entry
        let cells = [entry.title, entry.cause, entry.advice].map { "\($0.english)<br>\($0.chinese)" }
        lines.append("| \(code.rawValue) | \(cells.joined(separator: " | ")) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

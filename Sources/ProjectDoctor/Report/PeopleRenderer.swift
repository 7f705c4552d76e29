/// Prints a report for people: grouped by file, worst first, with what to do and a summary.
package struct PeopleRenderer {
  /// Whether escape sequences for colour may be used.
  package var usesColour: Bool
  /// The language: Chinese or, for every other tag, English.
  package var isChinese: Bool

  package init(usesColour: Bool = false, isChinese: Bool = false) {
    (self.usesColour, self.isChinese) = (usesColour, isChinese)
  }

  /// The text, ending with a line break.
  package func render(_ report: Report) -> String {
    var lines: [String] = []
    var file: String?
    for finding in report.findings {
      if finding.place.file != file {
        if file != nil { lines.append("") }
        file = finding.place.file
        lines.append(paint(finding.place.file, "1"))
      }
      lines += render(finding)
    }
    if !report.findings.isEmpty { lines.append("") }
    lines.append(summary(report))
    return lines.joined(separator: "\n") + "\n"
  }

  private func render(_ finding: Finding) -> [String] {
    let rule = finding.code.rule
    let text = rule.text(isChinese: isChinese)
    let evidence = finding.detail(isChinese: isChinese)
    let detail = evidence.isEmpty ? "" : (isChinese ? "（\(evidence)）" : " (\(evidence))")
    let label = paint("\(word(finding.severity)) \(finding.code.rawValue)", colour(finding.severity))
    return [
      "  \(finding.place): \(label)",
      "    \(text.wrong)\(detail)",
      "    → \(text.todo)",
    ]
  }

  private func summary(_ report: Report) -> String {
    let counts = Severity.allCases.map { ($0, report.count($0)) }
    var parts: [String]
    if isChinese {
      parts = counts.filter { $0.1 > 0 }.map { "\($0.1) 个\(word($0.0))" }
      if parts.isEmpty { parts = ["没有发现问题"] }
    } else {
      parts = counts.filter { $0.1 > 0 }.map { "\($0.1) \(word($0.0))\($0.1 == 1 ? "" : "s")" }
      if parts.isEmpty { parts = ["nothing found"] }
    }
    if !report.silenced.isEmpty {
      parts.append(isChinese ? "\(report.silenced.count) 个已静默" : "\(report.silenced.count) silenced")
    }
    return isChinese
      ? "\(report.subject)：检查了 \(report.filesChecked) 个文件，\(parts.joined(separator: "，"))。"
      : "\(report.subject): \(report.filesChecked) file\(report.filesChecked == 1 ? "" : "s") checked, "
        + parts.joined(separator: ", ") + "."
  }

  private func word(_ severity: Severity) -> String {
    guard isChinese else { return severity.rawValue }
    return switch severity {
    case .error: "错误"
    case .warning: "警告"
    case .hint: "提示"
    }
  }

  private func colour(_ severity: Severity) -> String {
    switch severity {
    case .error: "31"
    case .warning: "33"
    case .hint: "36"
    }
  }

  private func paint(_ text: String, _ code: String) -> String {
    usesColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

package import ExactJSON

extension Report {
  /// The report as one JSON object: subject, counts, findings and what was silenced.
  package func json(isChinese: Bool = false) -> JSON {
    [
      "subject": .string(subject), "filesChecked": .int(filesChecked),
      "errors": .int(count(.error)), "warnings": .int(count(.warning)), "hints": .int(count(.hint)),
      "findings": .array(findings.map { Report.json($0, isChinese) }),
      "silenced": .array(
        silenced.map {
          [
            "code": .string($0.finding.code.rawValue), "file": .string($0.finding.place.file),
            "reason": .string($0.reason),
          ]
        }),
    ]
  }

  private static func json(_ finding: Finding, _ isChinese: Bool) -> JSON {
    let rule = finding.code.rule
    let text = rule.text(isChinese: isChinese)
    var members: [(String, JSON)] = [
      ("code", .string(rule.code.rawValue)), ("severity", .string(finding.severity.rawValue)),
      ("file", .string(finding.place.file)),
    ]
    if let line = finding.place.line { members.append(("line", .int(line))) }
    if let column = finding.place.column { members.append(("column", .int(column))) }
    members += [
      ("message", .string(text.wrong)), ("detail", .string(finding.detail(isChinese: isChinese))),
      ("advice", .string(text.todo)),
    ]
    members += [("source", .string(rule.source)), ("fixable", .bool(finding.fix != nil))]
    return .object(JSONObject(members))
  }

  /// The report as a SARIF 2.1.0 log for code-scanning services.
  ///
  /// Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
  package func sarif(toolVersion: String, isChinese: Bool = false) -> JSON {
    let used = Set((findings + silenced.map(\.finding)).map(\.code)).sorted { $0.rawValue < $1.rawValue }
    let indexes = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    let driver: JSON = [
      "name": "aloud", "version": .string(toolVersion),
      "rules": .array(used.map { Report.sarifRule($0.rule, isChinese) }),
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
          "language": .string(isChinese ? "zh-CN" : "en"),
          "results": .array(
            findings.map { Report.sarifResult($0, isChinese, index: indexes[$0.code], suppressedFor: nil) }
              + silenced.map {
                Report.sarifResult($0.finding, isChinese, index: indexes[$0.finding.code], suppressedFor: $0.reason)
              }),
        ]
      ],
    ]
  }

  private static func sarifRule(_ rule: Rule, _ isChinese: Bool) -> JSON {
    let text = rule.text(isChinese: isChinese)
    return [
      "id": .string(rule.code.rawValue), "shortDescription": ["text": .string(text.wrong)],
      "help": ["text": .string(text.todo)], "helpUri": .string(rule.source),
      "defaultConfiguration": ["level": .string(sarifLevel(rule.severity))],
    ]
  }

  private static func sarifResult(
    _ finding: Finding, _ isChinese: Bool, index: Int?, suppressedFor reason: String?
  ) -> JSON {
    let text = finding.code.rule.text(isChinese: isChinese)
    let detail = finding.detail(isChinese: isChinese)
    var physical: [(String, JSON)] = [("artifactLocation", ["uri": .string(percentEncoded(finding.place.file))])]
    if let line = finding.place.line {
      var region: [(String, JSON)] = [("startLine", .int(line))]
      if let column = finding.place.column { region.append(("startColumn", .int(column))) }
      physical.append(("region", .object(JSONObject(region))))
    }
    let message = text.wrong + (detail.isEmpty ? "" : " (\(detail))") + " " + text.todo
    var members: [(String, JSON)] = [
      ("ruleId", .string(finding.code.rawValue)), ("level", .string(sarifLevel(finding.severity))),
      ("message", ["text": .string(message)]),
      ("locations", [["physicalLocation": .object(JSONObject(physical))]]),
    ]
    if let index { members.append(("ruleIndex", .int(index))) }
    if let reason { members.append(("suppressions", [["kind": "external", "justification": .string(reason)]])) }
    return .object(JSONObject(members))
  }

  private static func sarifLevel(_ severity: Severity) -> String { severity == .hint ? "note" : severity.rawValue }

  // RFC 3986 section 2.3: unreserved characters and the slash stay.
  private static func percentEncoded(_ path: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126, 47: output.append(byte)
      default: output += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

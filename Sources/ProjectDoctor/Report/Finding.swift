/// How bad a finding is.
package enum Severity: String, CaseIterable, Sendable, Comparable {
  /// It does not work, or Apple refuses it.
  case error
  /// It works now and then, or a reviewer may object.
  case warning
  /// Worth knowing; a clean project may have it.
  case hint

  private var rank: Int { self == .error ? 2 : self == .warning ? 1 : 0 }
  package static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }
}

/// Where something was found: a file relative to what was checked, and if known a line and a column, from 1.
package struct Place: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var column: Int?

  package init(_ file: String, line: Int? = nil, column: Int? = nil) {
    (self.file, self.line, self.column) = (file, line, column)
  }

  /// `file:line:column`, as editors and terminals understand it.
  package var description: String {
    ([file] + [line, column].compactMap { $0 }.map(String.init)).joined(separator: ":")
  }
}

/// One breach of one rule at one place.
package struct Finding: Hashable, Sendable {
  /// The rule.
  package var code: RuleCode
  /// Where.
  package var place: Place
  /// The evidence: names and values from the input, in English where it needs words; may be empty.
  package var detail: String
  /// The evidence in Chinese, where it needs words.
  package var chineseDetail: String?
  /// What could be changed without asking, or `nil`.
  package var fix: Fix?
  /// The severity here, where it differs from the rule's.
  package var severity: Severity

  package init(
    _ code: RuleCode, _ place: Place, _ detail: String = "", _ chineseDetail: String? = nil, severity: Severity? = nil,
    fix: Fix? = nil
  ) {
    (self.code, self.place, self.detail, self.chineseDetail, self.fix) = (code, place, detail, chineseDetail, fix)
    self.severity = severity ?? code.rule.severity
  }

  /// The evidence in one of the two languages.
  package func detail(isChinese: Bool) -> String { isChinese ? chineseDetail ?? detail : detail }
}

/// A safe change of a file: bytes that are replaced.
package struct Fix: Hashable, Sendable {
  /// The bytes to replace.
  package var range: Range<Int>
  /// What comes in their place.
  package var replacement: [UInt8]

  package init(_ range: Range<Int>, _ replacement: String) {
    (self.range, self.replacement) = (range, Array(replacement.utf8))
  }
}

/// Everything that one check found.
package struct Report: Sendable {
  /// What was checked, as the user named it.
  package var subject: String
  /// The findings: worst first, then by place.
  package private(set) var findings: [Finding]
  /// Findings that the silence file took out, with its reasons.
  package private(set) var silenced: [(finding: Finding, reason: String)] = []
  /// How many files were looked at.
  package var filesChecked: Int

  package init(subject: String, findings: [Finding], filesChecked: Int = 1) {
    self.subject = subject
    self.filesChecked = filesChecked
    var seen: Set<Finding> = []
    self.findings = findings.filter { seen.insert($0).inserted }.sorted(by: Report.isBefore)
  }

  /// Takes out what `silence` names, and adds what is wrong with the silence file itself.
  ///
  /// - Parameters:
  ///   - folder: Where the silence file lies; its paths are relative to it.
  ///   - isWhole: Whether everything below the folder was checked, so that an entry without use is told.
  package func silenced(by silence: SilenceFile, relativeTo folder: String = "", isWhole: Bool = false) -> Report {
    let prefix = folder.isEmpty || folder == "." ? "" : folder + "/"
    func local(_ finding: Finding) -> Finding {
      guard !prefix.isEmpty, finding.place.file.hasPrefix(prefix) else { return finding }
      var finding = finding
      finding.place.file = String(finding.place.file.dropFirst(prefix.count))
      return finding
    }
    let unused = isWhole ? silence.unused(for: findings.map(local)) : []
    var result = Report(subject: subject, findings: [], filesChecked: filesChecked)
    result.silenced = silenced
    for finding in findings {
      if let reason = silence.reason(for: local(finding)) {
        result.silenced.append((finding, reason))
      } else {
        result.findings.append(finding)
      }
    }
    result.findings = (result.findings + silence.problems + unused).sorted(by: Report.isBefore)
    return result
  }

  /// One report of several.
  package static func joined(_ reports: [Report]) -> Report {
    guard reports.count != 1 else { return reports[0] }
    let names = reports.map(\.subject)
    var result = Report(
      subject: names.count > 3 ? "\(names[0]) … \(names[names.count - 1])" : names.joined(separator: ", "),
      findings: reports.flatMap(\.findings), filesChecked: reports.reduce(0) { $0 + $1.filesChecked })
    result.silenced = reports.flatMap(\.silenced)
    return result
  }

  /// The report with every place as it is seen from elsewhere: `folder` stands in front of each file.
  package func relocated(to folder: String) -> Report {
    guard !folder.isEmpty, folder != "." else { return self }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    func moved(_ finding: Finding) -> Finding {
      var finding = finding
      finding.place.file = prefix + finding.place.file
      return finding
    }
    var result = self
    result.findings = findings.map(moved)
    result.silenced = silenced.map { (moved($0.finding), $0.reason) }
    return result
  }

  /// How many findings have `severity`.
  package func count(_ severity: Severity) -> Int { findings.filter { $0.severity == severity }.count }
  /// Whether the command should fail: an error was found.
  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  private static func isBefore(_ a: Finding, _ b: Finding) -> Bool {
    if a.place.file != b.place.file { return a.place.file < b.place.file }
    if a.severity != b.severity { return a.severity > b.severity }
    let (left, right) = ((a.place.line ?? 0, a.place.column ?? 0), (b.place.line ?? 0, b.place.column ?? 0))
    if left != right { return left < right }
    return (a.code.rawValue, a.detail) < (b.code.rawValue, b.detail)
  }
}

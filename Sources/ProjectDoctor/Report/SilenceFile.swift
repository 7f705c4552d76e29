/// The file `.aloud-doctor`: codes that a project has decided to live with, each with its reason.
///
/// One entry a line: `ALD301 Info.plist: the app is a radio`. The part between code and colon is a path, or a pattern
/// with `*`; without it the code is silenced everywhere. A line that begins with `#` is a comment. An entry without a
/// reason silences nothing and is reported.
package struct SilenceFile: Sendable {
  struct Entry: Sendable {
    var code: RuleCode
    var pattern: String?
    var reason: String
    var line: Int
  }

  private(set) var entries: [Entry] = []
  /// What is wrong with lines of the file.
  package private(set) var problems: [Finding] = []
  /// The name of the file.
  package static let name = ".aloud-doctor"

  private let file: String

  /// Silences nothing.
  package init() { file = SilenceFile.name }

  /// Reads the text of a silence file; lines that make no sense become findings.
  package init(_ text: String, file: String = SilenceFile.name) {
    self.file = file
    for (index, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = raw.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      read(line, number: index + 1)
    }
  }

  private mutating func read(_ line: String, number: Int) {
    let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" || $0 == ":" || $0 == "：" }
    guard let name = words.first, let code = RuleCode(typed: String(name)) else {
      return refuse(line, number, "no known code", "没有这个代码")
    }
    // The colon that ends the path is the last one before a space, so that a path may hold one.
    let rest = String(line.dropFirst(name.count))
    guard let colon = SilenceFile.colon(in: rest) else { return refuse(line, number, "no reason", "没有写理由") }
    let pattern = rest[..<colon].trimmed
    let reason = rest[rest.index(after: colon)...].trimmed
    if reason.isEmpty { return refuse(line, number, "no reason", "没有写理由") }
    entries.append(Entry(code: code, pattern: pattern.isEmpty ? nil : pattern, reason: reason, line: number))
  }

  private static func colon(in text: String) -> String.Index? {
    var found: String.Index?
    for index in text.indices where text[index] == ":" || text[index] == "：" {
      let next = text.index(after: index)
      if next == text.endIndex || text[next] == " " || text[index] == "：" { return index }
      if found == nil { found = index }
    }
    return found
  }

  private mutating func refuse(_ line: String, _ number: Int, _ english: String, _ chinese: String) {
    problems.append(
      Finding(.badSilence, Place(file, line: number), "\(line): \(english)", "\(line)：\(chinese)"))
  }

  /// Entries that silenced none of `findings`, as hints: what they were for may have been repaired.
  func unused(for findings: [Finding]) -> [Finding] {
    entries.filter { entry in !findings.contains { entry.matches($0) } }.map { entry in
      Finding(
        .badSilence, Place(file, line: entry.line), "\(entry.code.rawValue): nothing to silence",
        "\(entry.code.rawValue)：没有要静默的内容", severity: .hint)
    }
  }

  /// The reason for which `finding` is silenced, or `nil`.
  func reason(for finding: Finding) -> String? { entries.first { $0.matches(finding) }?.reason }
}

extension SilenceFile.Entry {
  func matches(_ finding: Finding) -> Bool {
    guard code == finding.code, code != .badSilence else { return false }
    return pattern.map { Glob.matches($0, finding.place.file) } ?? true
  }
}

/// Patterns with `*` for any run of characters.
enum Glob {
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let (pattern, text) = (Array(pattern.utf8), Array(text.utf8))
    var (p, t, star, mark) = (0, 0, -1, 0)
    while t < text.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        (star, mark) = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == text[t] {
        p += 1
        t += 1
      } else if star >= 0 {
        p = star + 1
        mark += 1
        t = mark
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

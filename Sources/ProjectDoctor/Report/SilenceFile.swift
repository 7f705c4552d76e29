/// The file `.aloud-doctor`: codes that a project has decided to live with, each with its reason.
///
/// One entry a line: `ALD301 Info.plist: the app is a radio`. The part between code and colon is a path, or a pattern
/// with `*`; without it the code is silenced everywhere. `#` begins a comment. An entry without a reason is refused.
package struct SilenceFile: Sendable {
  struct Entry: Sendable {
    var code: String
    var pattern: String?
    var reason: String
  }

  private(set) var entries: [Entry] = []
  /// What is wrong with lines of the file.
  package private(set) var problems: [Finding] = []
  /// The name of the file.
  package static let name = ".aloud-doctor"

  /// Silences nothing.
  package init() {}

  /// Reads the text of a silence file; lines that make no sense become findings.
  package init(_ text: String, file: String = SilenceFile.name) {
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        .trimmed
      if line.isEmpty { continue }
      let place = Place(file, line: index + 1)
      guard let colon = line.firstIndex(of: ":") else {
        problems.append(Finding(.badSilence, place, line))
        continue
      }
      let head = line[..<colon].split(separator: " ", maxSplits: 1).map { String($0).trimmed }
      let reason = String(line[line.index(after: colon)...]).trimmed
      guard let code = head.first, RuleCode(rawValue: code) != nil, !reason.isEmpty else {
        problems.append(Finding(.badSilence, place, line))
        continue
      }
      entries.append(Entry(code: code, pattern: head.count > 1 ? head[1] : nil, reason: reason))
    }
  }

  /// The reason for which `finding` is silenced, or `nil`.
  func reason(for finding: Finding) -> String? {
    entries.first { entry in
      guard entry.code == finding.code.rawValue else { return false }
      guard let pattern = entry.pattern else { return true }
      return Glob.matches(pattern, finding.place.file)
    }?.reason
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

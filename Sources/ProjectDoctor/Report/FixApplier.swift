/// Applies the safe fixes of a report to a file and shows them as a unified diff.
package enum FixApplier {
  /// The bytes after every fix whose place is in `file`; overlapping fixes: the first one stands.
  package static func apply(_ findings: [Finding], file: String, to bytes: [UInt8]) -> [UInt8] {
    let fixes = findings.filter { $0.place.file == file }.compactMap(\.fix)
      .sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    var output: [UInt8] = []
    var position = 0
    for fix in fixes where fix.range.lowerBound >= position && fix.range.upperBound <= bytes.count {
      output += bytes[position..<fix.range.lowerBound]
      output += fix.replacement
      position = fix.range.upperBound
    }
    return output + bytes[position...]
  }

  /// A unified diff with three lines of context, or an empty text if nothing changed.
  package static func diff(from old: [UInt8], to new: [UInt8], file: String) -> String {
    if old == new { return "" }
    let (before, after) = (lines(old), lines(new))
    // Fixes are few and local, so the common head and tail frame one hunk.
    var head = 0
    while head < min(before.count, after.count), before[head] == after[head] { head += 1 }
    var tail = 0
    while tail < min(before.count, after.count) - head, before[before.count - 1 - tail] == after[after.count - 1 - tail]
    {
      tail += 1
    }
    let start = max(0, head - 3)
    let ends = (min(before.count, before.count - tail + 3), min(after.count, after.count - tail + 3))
    var output = "--- \(file)\n+++ \(file)\n"
    output += "@@ -\(start + 1),\(ends.0 - start) +\(start + 1),\(ends.1 - start) @@\n"
    for line in before[start..<head] { output += " \(line)\n" }
    for line in before[head..<(before.count - tail)] { output += "-\(line)\n" }
    for line in after[head..<(after.count - tail)] { output += "+\(line)\n" }
    for line in before[(before.count - tail)..<ends.0] { output += " \(line)\n" }
    return output
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// Applies the safe fixes of a report to a file and shows them as a unified diff.
package enum FixApplier {
  /// The fixes for `file` in order; of overlapping ones the first stands.
  private static func fixes(_ findings: [Finding], file: String, size: Int) -> [Fix] {
    var end = 0
    return findings.filter { $0.place.file == file }.compactMap(\.fix)
      .sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
      .filter { fix in
        guard fix.range.lowerBound >= end, fix.range.upperBound <= size else { return false }
        end = fix.range.upperBound
        return true
      }
  }

  /// The bytes after every fix whose place is in `file`.
  package static func apply(_ findings: [Finding], file: String, to bytes: [UInt8]) -> [UInt8] {
    replaced(bytes, 0..<bytes.count, by: fixes(findings, file: file, size: bytes.count))
  }

  private static func replaced(_ bytes: [UInt8], _ range: Range<Int>, by fixes: [Fix]) -> [UInt8] {
    var output: [UInt8] = []
    var position = range.lowerBound
    for fix in fixes {
      output += bytes[position..<fix.range.lowerBound]
      output += fix.replacement
      position = fix.range.upperBound
    }
    return output + bytes[position..<range.upperBound]
  }

  /// Whole lines that change together.
  private struct Change {
    /// Lines of the file, from 0.
    var lines: Range<Int>
    var new: [[UInt8]]
  }

  /// A unified diff with three lines of context that `patch` takes, or an empty text if nothing changes.
  ///
  /// - Parameter name: How the diff calls the file.
  package static func diff(_ findings: [Finding], file: String, of bytes: [UInt8], name: String? = nil) -> String {
    let old = lines(bytes)
    let changes = changes(fixes(findings, file: file, size: bytes.count), bytes, old)
    if changes.isEmpty { return "" }
    let name = name ?? file
    var output = "--- \(name)\n+++ \(name)\n"
    var (index, shift) = (0, 0)
    while index < changes.count {
      var last = index
      while last + 1 < changes.count, changes[last + 1].lines.lowerBound - changes[last].lines.upperBound <= 6 {
        last += 1
      }
      output += hunk(Array(changes[index...last]), old, &shift)
      index = last + 1
    }
    return output
  }

  private static func hunk(_ changes: [Change], _ old: [[UInt8]], _ shift: inout Int) -> String {
    let start = max(0, changes[0].lines.lowerBound - 3)
    let end = min(old.count, changes[changes.count - 1].lines.upperBound + 3)
    let growth = changes.reduce(0) { $0 + $1.new.count - $1.lines.count }
    // An empty side is named by the line before it.
    func span(_ start: Int, _ count: Int) -> String { "\(count == 0 ? start : start + 1),\(count)" }
    var output = "@@ -\(span(start, end - start)) +\(span(start + shift, end - start + growth)) @@\n"
    var line = start
    for change in changes {
      for text in old[line..<change.lines.lowerBound] { output += row(" ", text) }
      for text in old[change.lines] { output += row("-", text) }
      for text in change.new { output += row("+", text) }
      line = change.lines.upperBound
    }
    for text in old[line..<end] { output += row(" ", text) }
    shift += growth
    return output
  }

  private static func row(_ mark: String, _ line: [UInt8]) -> String {
    let text = String(decoding: line, as: UTF8.self)
    return line.last == 10 ? mark + text : mark + text + "\n\\ No newline at end of file\n"
  }

  private static func changes(_ fixes: [Fix], _ bytes: [UInt8], _ old: [[UInt8]]) -> [Change] {
    let index = LineIndex(bytes)
    var groups: [(lines: Range<Int>, fixes: [Fix])] = []
    for fix in fixes {
      let first = min(index.line(at: fix.range.lowerBound) - 1, old.count)
      let last = index.line(at: max(fix.range.lowerBound, fix.range.upperBound - 1))
      if let previous = groups.last, first < previous.lines.upperBound {
        groups[groups.count - 1] = (
          previous.lines.lowerBound..<max(last, previous.lines.upperBound), previous.fixes + [fix]
        )
      } else {
        groups.append((first..<last, [fix]))
      }
    }
    return groups.compactMap { group in
      let lines = group.lines.clamped(to: 0..<old.count)
      let start = old.isEmpty ? 0 : index.start(ofLine: group.lines.lowerBound + 1)
      let end = start + old[lines].reduce(0) { $0 + $1.count }
      let new = FixApplier.lines(replaced(bytes, start..<max(start, end), by: group.fixes))
      return new == Array(old[lines]) ? nil : Change(lines: lines, new: new)
    }
  }

  /// Lines with the line break that ends them.
  private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == 10 {
      lines.append(Array(bytes[start...index]))
      start = index + 1
    }
    if start < bytes.count { lines.append(Array(bytes[start...])) }
    return lines
  }
}

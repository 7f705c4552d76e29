import ProjectDoctor
import TestSupport
import Testing

/// Applies a unified diff as `patch` does, strictly: every context line must fit.
private struct Patch {
  static func apply(_ diff: String, to old: String) -> String? {
    let source = lines(old)
    var (output, position) = ([String](), 0)
    var rows = lines(diff)[...]
    guard rows.popFirst()?.hasPrefix("--- ") == true, rows.popFirst()?.hasPrefix("+++ ") == true else { return nil }
    while let row = rows.popFirst() {
      if row.hasPrefix("@@ -") {
        let numbers = row.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 4 else { return nil }
        let start = numbers[1] == 0 ? numbers[0] : numbers[0] - 1
        guard start >= position, start <= source.count else { return nil }
        output += source[position..<start]
        position = start
        guard (numbers[3] == 0 ? numbers[2] : numbers[2] - 1) == output.count else { return nil }
        continue
      }
      var text = String(row.dropFirst())
      if rows.first?.hasPrefix("\\") == true {
        rows.removeFirst()
        text.removeLast()
      }
      if row.first != "+" {
        guard position < source.count, source[position] == text else { return nil }
        position += 1
      }
      if row.first != "-" { output.append(text) }
    }
    return (output + source[position...]).joined()
  }

  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for scalar in text.unicodeScalars {
      line.unicodeScalars.append(scalar)
      if scalar == "\n" {
        lines.append(line)
        line = ""
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

struct FixDiffTests {
  @Test func `distant fixes give hunks of their own`() {
    let middle = (0..<30).map { "  \"n\($0)\": \($0),\n" }.joined()
    let text = "{\n  \"aps\": {\"alert\": \"a\", \"mutable_content\": 1},\n\(middle)  \"end\": [1,],\n  \"x\": 1\n}"
    let report = PayloadLinter(now: 0).lint(Array(text.utf8), file: "p.json")
    let diff = FixApplier.diff(report.findings, file: "p.json", of: Array(text.utf8), name: "dir/p.json")
    #expect(diff.hasPrefix("--- dir/p.json\n+++ dir/p.json\n@@ -1,5 +1,5 @@\n {\n-"))
    #expect(diff.components(around: "@@ -").count == 3)
    #expect(diff.hasSuffix(" }\n\\ No newline at end of file\n"))
    #expect(
      Patch.apply(diff, to: text)
        == text.components(around: "mutable_").joined(separator: "mutable-")
        .components(around: "[1,]").joined(separator: "[1]"))
  }

  @Test(arguments: 0..<40)
  func `any set of fixes gives a diff that patch takes`(_ seed: Int) {
    var chance = SeededChance(seed: UInt64(seed))
    let ends = ["\n", "\r\n", "", "\n\n"]
    let text = (0..<Int.random(in: 0...30, using: &chance))
      .map { "line \($0) é" + (ends.randomElement(using: &chance) ?? "") }.joined()
    let bytes = Array(text.utf8)
    let findings = (0..<Int.random(in: 1...6, using: &chance)).map { _ in
      let start = Int.random(in: 0...bytes.count, using: &chance)
      let end = min(bytes.count, start + Int.random(in: 0...25, using: &chance))
      let replacement = ["", "x", "a\nb", "\n"].randomElement(using: &chance) ?? ""
      return Finding(
        .misspeltKey, Place("f"), "\(start)", fix: Fix(whole(start, bytes)..<whole(end, bytes), replacement))
    }
    let after = String(decoding: FixApplier.apply(findings, file: "f", to: bytes), as: UTF8.self)
    let diff = FixApplier.diff(findings, file: "f", of: bytes)
    #expect(diff.isEmpty ? after == text : Patch.apply(diff, to: text) == after, "\(diff)")
  }

  // The start of the character at a byte, so that texts stay whole.
  private func whole(_ place: Int, _ bytes: [UInt8]) -> Int {
    var place = place
    while place < bytes.count, bytes[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }
}

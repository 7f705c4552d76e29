import Glibc

/// A source file whose comments and text literals have been blanked, so that words are found in code only.
struct SourceText: Sendable {
  /// The code; same length and lines as the file.
  let code: [UInt8]
  /// The text literals with the place of their first byte.
  let literals: [(offset: Int, text: String)]
  /// Whether it is Swift; otherwise Objective-C.
  let isSwift: Bool
  private let lines: LineIndex

  init(_ bytes: [UInt8], isSwift: Bool) {
    var blanker = SourceBlanker(bytes, isSwift: isSwift)
    blanker.run()
    code = blanker.code
    literals = blanker.literals
    self.isSwift = isSwift
    lines = LineIndex(bytes)
  }

  /// The line of a byte, from 1.
  func line(_ offset: Int) -> Int { lines.line(at: offset) }

  /// Every place where `word` stands as a whole word.
  func places(_ word: String, in range: Range<Int>? = nil) -> [Int] {
    let needle = Array(word.utf8)
    var found: [Int] = []
    var start = range?.lowerBound ?? 0
    let end = range?.upperBound ?? code.count
    while let place = ByteSearch.first(needle, in: code, from: start, to: end) {
      start = place + needle.count
      let before = place > 0 ? code[place - 1] : 0
      let after = start < code.count ? code[start] : 0
      let head = needle[0]
      let tail = needle[needle.count - 1]
      if SourceText.isWord(head), SourceText.isWord(before) { continue }
      if SourceText.isWord(tail), SourceText.isWord(after) { continue }
      found.append(place)
    }
    return found
  }

  /// Whether `word` stands in the code as a whole word.
  func has(_ word: String, in range: Range<Int>? = nil) -> Bool { !places(word, in: range).isEmpty }
  /// Whether any of the words does.
  func hasAny(_ words: [String]) -> Bool { words.contains { has($0) } }

  /// The code of the line before `offset`, at most 400 bytes of it.
  func head(_ offset: Int) -> String {
    String(decoding: code[max(lines.start(ofLineAt: offset), offset - 400)..<offset], as: UTF8.self)
  }

  /// The literal that begins within `distance` bytes after `offset`, if only code of one call lies between.
  func literal(after offset: Int, within distance: Int = 24) -> String? {
    var (low, high) = (0, literals.count)
    while low < high {
      let middle = (low + high) / 2
      if literals[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    guard low < literals.count, literals[low].offset <= offset + distance else { return nil }
    return literals[low].text
  }

  /// The code from `offset` to the end of its line, at most 400 bytes of it.
  func restOfLine(_ offset: Int) -> String {
    let limit = min(code.count, offset + 400)
    let end = code[offset..<limit].firstIndex(of: 10) ?? limit
    return String(decoding: code[offset..<end], as: UTF8.self)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte >= 0x80
  }
}

/// Finding bytes quickly.
enum ByteSearch {
  /// The first place of `needle` in `[start, end)`.
  static func first(_ needle: [UInt8], in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
    guard let head = needle.first, start >= 0, end <= bytes.count, end - start >= needle.count else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var index = start
      while index <= end - needle.count {
        guard let hit = memchr(base + index, Int32(head), end - needle.count - index + 1) else { return nil }
        index = UnsafeRawPointer(hit) - base
        if memcmp(base + index, needle, needle.count) == 0 { return index }
        index += 1
      }
      return nil
    }
  }

  /// Whether any of the words of `table` stands in `bytes`; one pass, for files that mostly hold none.
  static func containsAny(_ table: WordTable, in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      guard buffer.count > 3 else { return false }
      return table.starts.withUnsafeBufferPointer { starts in
        for index in 0..<(buffer.count - 1) where starts[Int(buffer[index]) << 8 | Int(buffer[index + 1])] {
          for word in table.words where word.count <= buffer.count - index {
            if word.indices.allSatisfy({ buffer[index + $0] == word[$0] }) { return true }
          }
        }
        return false
      }
    }
  }
}

/// Words with a table of their first two bytes.
struct WordTable: Sendable {
  let words: [[UInt8]]
  let starts: [Bool]

  init(_ words: [String]) {
    self.words = words.map { Array($0.utf8) }
    var starts = [Bool](repeating: false, count: 65_536)
    for word in self.words where word.count > 1 { starts[Int(word[0]) << 8 | Int(word[1])] = true }
    self.starts = starts
  }
}

/// Blanks comments and text literals of Swift and Objective-C: nested comments, raw and multi-line literals, `@"…"`.
struct SourceBlanker {
  private(set) var code: [UInt8]
  private(set) var literals: [(offset: Int, text: String)] = []
  private let isSwift: Bool
  private var index = 0

  init(_ bytes: [UInt8], isSwift: Bool) {
    code = bytes
    self.isSwift = isSwift
  }

  mutating func run() {
    while index < code.count {
      switch code[index] {
      case UInt8(ascii: "/"): comment()
      case UInt8(ascii: "\""): literal(hashes: 0)
      case UInt8(ascii: "#") where isSwift: hash()
      case UInt8(ascii: "'") where !isSwift: character()
      default: index += 1
      }
    }
  }

  private func byte(_ place: Int) -> UInt8 { place < code.count ? code[place] : 0 }

  private mutating func blank(_ range: Range<Int>) {
    for place in range where code[place] != 10 { code[place] = 32 }
  }

  private mutating func comment() {
    let start = index
    if byte(index + 1) == UInt8(ascii: "/") {
      while index < code.count, code[index] != 10 { index += 1 }
    } else if byte(index + 1) == UInt8(ascii: "*") {
      var depth = 0
      while index < code.count {
        if code[index] == UInt8(ascii: "/"), byte(index + 1) == UInt8(ascii: "*"), isSwift || depth == 0 {
          depth += 1
          index += 2
        } else if code[index] == UInt8(ascii: "*"), byte(index + 1) == UInt8(ascii: "/") {
          depth -= 1
          index += 2
          if depth == 0 { break }
        } else {
          index += 1
        }
      }
      index = min(index, code.count)
    } else {
      index += 1
      return
    }
    blank(start..<index)
  }

  private mutating func hash() {
    let start = index
    while byte(index) == UInt8(ascii: "#") { index += 1 }
    if byte(index) == UInt8(ascii: "\"") { literal(hashes: index - start) }
  }

  private mutating func character() {
    let start = index + 1
    index = start
    while index < code.count, code[index] != UInt8(ascii: "'"), code[index] != 10 {
      index += code[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index, code.count)
    blank(start..<index)
    index = min(index + 1, code.count)
  }

  private mutating func literal(hashes: Int) {
    let quote = UInt8(ascii: "\"")
    let isLong = isSwift && byte(index + 1) == quote && byte(index + 2) == quote
    let start = index + (isLong ? 3 : 1)
    index = start
    while index < code.count {
      if code[index] == UInt8(ascii: "\\"), hashes == 0 {
        if isSwift, byte(index + 1) == UInt8(ascii: "(") { skipInterpolation() } else { index += 2 }
        continue
      }
      if code[index] == 10, !isLong { break }
      if code[index] == quote, closes(isLong: isLong, hashes: hashes) { break }
      index += 1
    }
    index = min(index, code.count)
    literals.append((start, String(decoding: code[start..<index], as: UTF8.self)))
    // What stands inside an interpolation is blanked too: keeping it would cost more than it finds.
    blank(start..<index)
    index = min(index + (isLong ? 3 : 1) + hashes, code.count)
  }

  private func closes(isLong: Bool, hashes: Int) -> Bool {
    let quote = UInt8(ascii: "\"")
    let end = index + (isLong ? 3 : 1)
    if isLong, byte(index + 1) != quote || byte(index + 2) != quote { return false }
    return (0..<hashes).allSatisfy { byte(end + $0) == UInt8(ascii: "#") }
  }

  /// Skips `\( … )` with balanced parentheses and the literals inside.
  private mutating func skipInterpolation() {
    index += 2
    var depth = 1
    while index < code.count, depth > 0, code[index] != 10 {
      switch code[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\""):
        index += 1
        while index < code.count, code[index] != UInt8(ascii: "\""), code[index] != 10 {
          index += code[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      default: break
      }
      index += 1
    }
  }
}

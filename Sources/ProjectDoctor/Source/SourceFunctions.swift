/// A function or method with the place of its body.
struct SourceFunction: Sendable {
  /// Everything from `func` or the minus sign to the opening brace, without line breaks.
  var signature: String
  /// The bytes between the braces.
  var body: Range<Int>

  /// The word that a call of it holds: a Swift name, or the first part of a selector.
  var name: String? {
    let head = signature.hasPrefix("func") ? signature.dropFirst(4) : signature.drop { $0 != ")" }.dropFirst()
    let word = head.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return word.isEmpty ? nil : String(word)
  }
}

extension SourceText {
  /// The functions and methods that have a body; a light reading by words and braces.
  func functions() -> [SourceFunction] {
    let braces = braces()
    return isSwift ? swiftFunctions(braces) : methods(braces)
  }

  /// The closing brace of each opening one; those without are closed by the end of the file.
  private func braces() -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var open: [Int] = []
    for (index, byte) in code.enumerated() {
      if byte == UInt8(ascii: "{") { open.append(index) }
      if byte == UInt8(ascii: "}"), let last = open.popLast() { pairs[last] = index }
    }
    return pairs
  }

  private func swiftFunctions(_ braces: [Int: Int]) -> [SourceFunction] {
    places("func").compactMap { start in
      guard let open = opening(after: start, limit: 1_500) else { return nil }
      return function(from: start, open: open, braces)
    }
  }

  private func methods(_ braces: [Int: Int]) -> [SourceFunction] {
    var found: [SourceFunction] = []
    var lineStart = 0
    while lineStart < code.count {
      let end = code[lineStart...].firstIndex(of: 10) ?? code.count
      var first = lineStart
      while first < end, code[first] == 32 || code[first] == 9 { first += 1 }
      if first < end, code[first] == UInt8(ascii: "-") || code[first] == UInt8(ascii: "+"),
        code[first..<end].contains(UInt8(ascii: "(")), let open = opening(after: first, limit: 1_000)
      {
        found.append(function(from: first, open: open, braces))
      }
      lineStart = end + 1
    }
    return found
  }

  /// The brace that opens a body, unless a semicolon or a closing brace comes first: then there is none.
  private func opening(after start: Int, limit: Int) -> Int? {
    var depth = 0
    for index in start..<min(code.count, start + limit) {
      switch code[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{") where depth <= 0: return index
      case UInt8(ascii: ";") where depth <= 0: return nil
      case UInt8(ascii: "}") where depth <= 0: return nil
      default: break
      }
    }
    return nil
  }

  private func function(from start: Int, open: Int, _ braces: [Int: Int]) -> SourceFunction {
    let head = String(decoding: code[start..<open].map { $0 == 10 ? 32 : $0 }, as: UTF8.self)
    return SourceFunction(signature: head, body: (open + 1)..<max(open + 1, braces[open] ?? code.count))
  }
}

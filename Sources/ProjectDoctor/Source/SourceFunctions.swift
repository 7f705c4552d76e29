/// A function or method with the place of its body.
struct SourceFunction: Sendable {
  /// Everything from `func` or the minus sign to the opening brace, without line breaks.
  var signature: String
  /// The bytes between the braces.
  var body: Range<Int>
}

extension SourceText {
  /// The functions and methods that have a body; a light reading by words and braces.
  func functions() -> [SourceFunction] { isSwift ? swiftFunctions() : methods() }

  private func swiftFunctions() -> [SourceFunction] {
    places("func").compactMap { start in
      guard let open = opening(after: start, limit: 1_500) else { return nil }
      return function(from: start, open: open)
    }
  }

  private func methods() -> [SourceFunction] {
    var found: [SourceFunction] = []
    var lineStart = 0
    while lineStart < code.count {
      let end = code[lineStart...].firstIndex(of: 10) ?? code.count
      var first = lineStart
      while first < end, code[first] == 32 || code[first] == 9 { first += 1 }
      if first < end, code[first] == UInt8(ascii: "-") || code[first] == UInt8(ascii: "+"),
        code[first..<end].contains(UInt8(ascii: "(")), let open = opening(after: first, limit: 1_000)
      {
        found.append(function(from: first, open: open))
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

  private func function(from start: Int, open: Int) -> SourceFunction {
    let head = String(decoding: code[start..<open].map { $0 == 10 ? 32 : $0 }, as: UTF8.self)
    return SourceFunction(signature: head, body: (open + 1)..<closing(open))
  }

  /// The brace that closes the one at `open`, or the end of the file.
  func closing(_ open: Int) -> Int {
    var depth = 0
    for index in open..<code.count {
      if code[index] == UInt8(ascii: "{") { depth += 1 }
      if code[index] == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return code.count
  }
}

/// The OpenStep text form that project.pbxproj and .strings files are written in: `{ key = value; }`, `( a, b )`, `<0f>`,
/// quoted and bare words, both kinds of comment.
struct OpenStepParser {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var keyLines: [String: Int] = [:]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a whole document; a file of `"key" = "value";` lines without braces (strings) is a dictionary too.
  mutating func parseDocument() throws(PropertyListError) -> PropertyList {
    try skipBlanks()
    guard index < bytes.count else { throw fail("The file is empty.") }
    let start = bytes[index]
    if start != UInt8(ascii: "{"), start != UInt8(ascii: "("), start != UInt8(ascii: "<") {
      return PropertyList(root: try parseMembers(until: nil, depth: 0), keyLines: keyLines)
    }
    let root = try parseValue(depth: 0)
    try skipBlanks()
    guard index == bytes.count else { throw fail("Something follows after the last brace.") }
    return PropertyList(root: root, keyLines: keyLines)
  }

  private mutating func parseValue(depth: Int) throws(PropertyListError) -> PropertyValue {
    guard depth < PropertyList.maximumDepth else { throw fail("The lists are nested too deeply.") }
    try skipBlanks()
    guard index < bytes.count else { throw fail("The file ends inside a value.") }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      index += 1
      return try parseMembers(until: UInt8(ascii: "}"), depth: depth + 1)
    case UInt8(ascii: "("):
      index += 1
      return try parseArray(depth: depth + 1)
    case UInt8(ascii: "<"): return try parseData()
    default: return .string(try parseWord())
    }
  }

  private mutating func parseMembers(until close: UInt8?, depth: Int) throws(PropertyListError) -> PropertyValue {
    var members: [String: PropertyValue] = [:]
    while true {
      try skipBlanks()
      guard index < bytes.count else {
        guard close == nil else { throw fail("The file ends inside a dictionary.") }
        return .dictionary(members)
      }
      if let close, bytes[index] == close {
        index += 1
        return .dictionary(members)
      }
      let keyLine = line
      let key = try parseWord()
      if keyLines[key] == nil { keyLines[key] = keyLine }
      try skipBlanks()
      guard index < bytes.count else { throw fail("The file ends after the key “\(key)”.") }
      if bytes[index] == UInt8(ascii: ";") {  // a strings file's shorthand: the key is its own value
        index += 1
        members[key] = .string(key)
        continue
      }
      guard bytes[index] == UInt8(ascii: "=") else { throw fail("“=” is missing after the key “\(key)”.") }
      index += 1
      let value = try parseValue(depth: depth)
      if members[key] == nil { members[key] = value }
      try skipBlanks()
      guard index < bytes.count, bytes[index] == UInt8(ascii: ";") else {
        throw fail("“;” is missing after the value of “\(key)”.")
      }
      index += 1
    }
  }

  private mutating func parseArray(depth: Int) throws(PropertyListError) -> PropertyValue {
    var elements: [PropertyValue] = []
    while true {
      try skipBlanks()
      guard index < bytes.count else { throw fail("The file ends inside a list.") }
      if bytes[index] == UInt8(ascii: ")") {
        index += 1
        return .array(elements)
      }
      elements.append(try parseValue(depth: depth))
      try skipBlanks()
      guard index < bytes.count else { throw fail("The file ends inside a list.") }
      if bytes[index] == UInt8(ascii: ",") {
        index += 1
      } else if bytes[index] != UInt8(ascii: ")") {
        throw fail("“,” or “)” is missing in a list.")
      }
    }
  }

  private mutating func parseData() throws(PropertyListError) -> PropertyValue {
    index += 1
    var digits: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      let byte = bytes[index]
      if let digit = Hex.digit(byte) {
        digits.append(digit)
      } else if byte == 10 {
        line += 1
      } else if byte != 32, byte != 9, byte != 13 {
        throw fail("Data may only hold hexadecimal digits.")
      }
      index += 1
    }
    guard index < bytes.count else { throw fail("The file ends inside data.") }
    index += 1
    return .data(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private mutating func parseWord() throws(PropertyListError) -> String {
    let byte = bytes[index]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try parseQuoted(byte) }
    let start = index
    while index < bytes.count, OpenStepParser.isBare(bytes[index]) {
      // A comment may touch a bare word; a slash inside a path may not begin one.
      if bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") { break }
      index += 1
    }
    guard index > start else {
      throw fail("“\(String(decoding: [byte], as: UTF8.self))” cannot begin a key or a value.")
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func parseQuoted(_ quote: UInt8) throws(PropertyListError) -> String {
    index += 1
    var text: [UInt8] = []
    var units: [UInt16] = []
    func flushed() -> [UInt8] { Array(String(decoding: units, as: UTF16.self).utf8) }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte != UInt8(ascii: "\\"), !units.isEmpty {
        text += flushed()
        units = []
      }
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == 10 { line += 1 }
      guard byte == UInt8(ascii: "\\"), index < bytes.count else {
        text.append(byte)
        continue
      }
      let escape = bytes[index]
      index += 1
      if escape | 0x20 == UInt8(ascii: "u"), let unit = hexUnit() {
        units.append(unit)
      } else {
        if !units.isEmpty {
          text += flushed()
          units = []
        }
        text += unescaped(escape)
      }
    }
    throw fail("A quote is not closed.")
  }

  private mutating func hexUnit() -> UInt16? {
    guard index + 4 <= bytes.count else { return nil }
    var value: UInt16 = 0
    for byte in bytes[index..<(index + 4)] {
      guard let digit = Hex.digit(byte) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    index += 4
    return value
  }

  private mutating func unescaped(_ escape: UInt8) -> [UInt8] {
    switch escape {
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = Int(escape - 48)
      for _ in 0..<2 where index < bytes.count && (48...55).contains(bytes[index]) {
        value = value * 8 + Int(bytes[index] - 48)
        index += 1
      }
      return Array(String(Unicode.Scalar(UInt8(truncatingIfNeeded: value))).utf8)
    default:
      if escape == 10 { line += 1 }
      return [escape]
    }
  }

  private mutating func skipBlanks() throws(PropertyListError) {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 10 {
        line += 1
        index += 1
      } else if byte == 32 || (9...13).contains(byte) {
        index += 1
      } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") {
        while index < bytes.count, bytes[index] != 10 { index += 1 }
      } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") {
        index += 2
        while true {
          guard index + 1 < bytes.count else { throw fail("A comment is not closed.") }
          if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { break }
          if bytes[index] == 10 { line += 1 }
          index += 1
        }
        index += 2
      } else {
        return
      }
    }
  }

  // Xcode leaves these unquoted; other writers add `-`, `:` and `@`.
  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 95, 46, 47, 36, 45, 58, 64, 43, 126: true
    default: byte >= 0x80
    }
  }

  private func fail(_ message: String) -> PropertyListError { PropertyListError(message: message, line: line) }
}

/// Hexadecimal digits.
enum Hex {
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}

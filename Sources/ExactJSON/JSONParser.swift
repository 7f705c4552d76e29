/// What the parser tolerates.
public struct JSONParseOptions: Hashable, Sendable {
  /// Arrays and objects inside one another; the parser's stack use is bounded by this.
  public var maximumDepth: Int
  /// Whether a repeated key is let through (the last value stands), for tools that report it themselves.
  public var allowsDuplicateKeys: Bool

  /// Makes options; the defaults take RFC 8259 texts without repeated keys, 128 levels deep.
  public init(maximumDepth: Int = 128, allowsDuplicateKeys: Bool = false) {
    self.maximumDepth = maximumDepth
    self.allowsDuplicateKeys = allowsDuplicateKeys
  }
}

/// A strict recursive-descent parser over bytes.
///
/// It looks at each byte once and allocates only what it returns.
struct JSONParser {
  let bytes: [UInt8]
  let options: JSONParseOptions
  let recordsPositions: Bool
  private(set) var index = 0
  private var depth = 0
  private var path: [JSONPathElement] = []
  private(set) var marks: [JSONDocument.Mark] = []
  private(set) var duplicates: [JSONDocument.Mark] = []

  init(bytes: [UInt8], options: JSONParseOptions, recordsPositions: Bool) {
    self.bytes = bytes
    self.options = options
    self.recordsPositions = recordsPositions
  }

  mutating func parseDocument() throws(JSONError) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(.byteOrderMark, at: 0) }
    skipWhiteSpace()
    if index == bytes.count { throw error(.empty, at: index) }
    let value = try parseValue(keyOffset: nil)
    skipWhiteSpace()
    if index < bytes.count {
      let usual = usualMistake()
      throw error(usual == .unexpectedCharacter ? .trailingContent : usual, at: index)
    }
    return value
  }

  mutating func parseValue(keyOffset: Int?) throws(JSONError) -> JSON {
    let start = index
    let value: JSON
    switch peek {
    case UInt8(ascii: "{"): value = .object(try nested { parser throws(JSONError) in try parser.parseObject() })
    case UInt8(ascii: "["): value = .array(try nested { parser throws(JSONError) in try parser.parseArray() })
    case UInt8(ascii: "\""): value = .string(try parseString())
    case nil: throw error(.unexpectedEnd, at: index)
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: value = .number(try parseNumber())
    case let byte? where byte.isLetter: value = try parseLiteral()
    default: throw error(usualMistake(), at: index)
    }
    if recordsPositions {
      marks.append(.init(path: path, key: keyOffset, value: start..<index))
    }
    return value
  }

  private mutating func nested<T>(
    _ body: (inout JSONParser) throws(JSONError) -> T
  ) throws(JSONError) -> T {
    depth += 1
    defer { depth -= 1 }
    guard depth <= options.maximumDepth else { throw error(.tooDeep, at: index) }
    return try body(&self)
  }

  private mutating func parseObject() throws(JSONError) -> JSONObject {
    var object = JSONObject()
    index += 1
    skipWhiteSpace()
    if eats(UInt8(ascii: "}")) { return object }
    object.reserveUsual()
    while true {
      let keyOffset = index
      let key = try parseKey()
      if recordsPositions { path.append(.key(key)) }
      let value = try parseValue(keyOffset: keyOffset)
      if !object.insert(key, value) {
        guard options.allowsDuplicateKeys else { throw error(.duplicateKey, at: keyOffset, detail: "“\(key)”") }
        if recordsPositions { duplicates.append(.init(path: path, key: keyOffset, value: keyOffset..<index)) }
        object[key] = value
      }
      if recordsPositions { path.removeLast() }
      if try endOfMembers(UInt8(ascii: "}")) { return object }
    }
  }

  /// A key, its colon and what stands between that and the value.
  mutating func parseKey() throws(JSONError) -> String {
    guard peek == UInt8(ascii: "\"") else { throw keyError() }
    let key = try parseString()
    skipWhiteSpace()
    guard peek == UInt8(ascii: ":") else { throw separatorError(.missingColon) }
    index += 1
    skipWhiteSpace()
    return key
  }

  /// Steps over `byte` if it stands here.
  mutating func eats(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  private mutating func parseArray() throws(JSONError) -> [JSON] {
    var array: [JSON] = []
    index += 1
    skipWhiteSpace()
    if eats(UInt8(ascii: "]")) { return array }
    while true {
      if recordsPositions { path.append(.index(array.count)) }
      array.append(try parseValue(keyOffset: nil))
      if recordsPositions { path.removeLast() }
      if try endOfMembers(UInt8(ascii: "]")) { return array }
    }
  }

  /// After a member: eats the comma and what follows it, or the closing bracket; says whether it was the bracket.
  mutating func endOfMembers(_ close: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    if peek == close {
      index += 1
      return true
    }
    guard peek == UInt8(ascii: ",") else { throw separatorError(.missingComma) }
    let comma = index
    index += 1
    skipWhiteSpace()
    if peek == UInt8(ascii: "}") || peek == UInt8(ascii: "]") { throw error(.trailingComma, at: comma) }
    return false
  }

  mutating func parseNumber() throws(JSONError) -> JSONNumber {
    switch JSONNumber.scan(bytes, from: index) {
    case .failure(let at, let reason): throw error(reason, at: at)
    case .success(let end):
      defer { index = end }
      return JSONNumber(trusted: text(index..<end))
    }
  }

  /// A plain whole number of up to 18 digits, if that is what stands here; nothing is read otherwise.
  mutating func parseShortInteger() -> Int? {
    var value = 0
    var end = index
    while end < bytes.count, end - index < 18, bytes[end].isDigit {
      value = value * 10 + Int(bytes[end] - UInt8(ascii: "0"))
      end += 1
    }
    let isPlain = end > index && (bytes[index] != UInt8(ascii: "0") || end == index + 1)
    let next = end < bytes.count ? bytes[end] : 0
    guard isPlain, !next.isDigit, next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e") else { return nil }
    index = end
    return value
  }

  private mutating func parseLiteral() throws(JSONError) -> JSON {
    let start = index
    while let byte = peek, byte.isLetter { index += 1 }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: throw error(.badLiteral, at: start, detail: "“\(word.prefix(24))”")
    }
  }
}

// MARK: Strings

extension JSONParser {
  mutating func parseString() throws(JSONError) -> String {
    let start = index
    index += 1
    let first = index
    let bits = skipPlain()
    guard let stop = peek else { throw error(.unexpectedEnd, at: start, detail: "a text") }
    if stop == UInt8(ascii: "\"") {
      defer { index += 1 }
      return bits < 0x80 ? text(first..<index) : try decoded(bytes[first..<index], from: first)
    }
    if stop < 0x20 { throw controlError(stop, textStart: start) }
    var buffer = Array(bytes[first..<index])
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return try decoded(buffer[...], from: first)
      case UInt8(ascii: "\\"): try parseEscape(into: &buffer)
      case 0..<0x20: throw controlError(byte, textStart: start)
      default:
        buffer.append(byte)
        index += 1
      }
    }
    throw error(.unexpectedEnd, at: start, detail: "a text")
  }

  /// Steps over what stands for itself in a text; gives all its bits together, so that ASCII is known by the eighth.
  private mutating func skipPlain() -> UInt8 {
    let start = index
    let (end, bits) = bytes.withUnsafeBufferPointer { bytes in
      var place = start
      var bits: UInt8 = 0
      while place < bytes.count {
        let byte = bytes[place]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
        bits |= byte
        place += 1
      }
      return (place, bits)
    }
    index = end
    return bits
  }

  /// Bytes that are known to be ASCII; an array's slice would count references.
  private func text(_ range: Range<Int>) -> String {
    bytes.withUnsafeBytes { bytes in
      // Cheaper than decoding for the short texts that nearly all are.
      String(unsafeUninitializedCapacity: range.count) { room in
        UnsafeMutableRawBufferPointer(room).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
        return range.count
      }
    }
  }

  // A line break in a text mostly means that its closing quote is missing.
  private func controlError(_ byte: UInt8, textStart: Int) -> JSONError {
    let isLineBreak = byte == 0x0A || byte == 0x0D
    return isLineBreak ? error(.unclosedText, at: textStart) : error(.controlCharacter, at: index)
  }

  private func decoded(_ slice: ArraySlice<UInt8>, from offset: Int) throws(JSONError) -> String {
    // Decoding repairs what is not UTF-8, so a text that differs from its bytes was not. (`String(validating:as:)` needs
    // iOS 18.)
    var text = String(decoding: slice, as: UTF8.self)
    let isWhole = text.withUTF8 { decoded in
      slice.withUnsafeBufferPointer { sent in
        decoded.count == sent.count && decoded.indices.allSatisfy { decoded[$0] == sent[$0] }
      }
    }
    guard isWhole else { throw error(.invalidUTF8, at: offset) }
    return text
  }

  private mutating func parseEscape(into buffer: inout [UInt8]) throws(JSONError) {
    let start = index
    index += 1
    guard let byte = peek else { throw error(.unexpectedEnd, at: start, detail: "an escape") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
    case UInt8(ascii: "b"): buffer.append(0x08)
    case UInt8(ascii: "f"): buffer.append(0x0C)
    case UInt8(ascii: "n"): buffer.append(0x0A)
    case UInt8(ascii: "r"): buffer.append(0x0D)
    case UInt8(ascii: "t"): buffer.append(0x09)
    case UInt8(ascii: "u"): buffer.append(contentsOf: try parseUnicodeEscape(from: start).utf8)
    default: throw error(.badEscape, at: start, detail: "\\" + String(UnicodeScalar(byte)))
    }
  }

  private mutating func parseUnicodeEscape(from start: Int) throws(JSONError) -> String {
    var unit = try parseHex(from: start)
    if 0xD800..<0xDC00 ~= unit, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    {
      index += 2
      let low = try parseHex(from: start)
      guard 0xDC00..<0xE000 ~= low else { throw error(.loneSurrogate, at: start) }
      unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw error(.loneSurrogate, at: start) }
    return String(scalar)
  }

  private mutating func parseHex(from start: Int) throws(JSONError) -> UInt32 {
    guard index + 4 <= bytes.count,
      bytes[index..<index + 4].allSatisfy(\.isHexDigit),
      let unit = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    else { throw error(.badEscape, at: start, detail: "\\u") }
    index += 4
    return unit
  }
}

// MARK: Places and mistakes

extension JSONParser {
  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func skipWhiteSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  func error(_ reason: JSONError.Reason, at offset: Int, detail: String? = nil) -> JSONError {
    JSONError(reason, at: offset, in: bytes, detail: detail ?? (offset < bytes.count ? scalarName(at: offset) : nil))
  }

  private func scalarName(at offset: Int) -> String? {
    String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self).unicodeScalars.first.map {
      ["“", "”"].contains($0) ? "\($0)" : "“\($0)”"
    }
  }

  func keyError() -> JSONError {
    if peek == nil { return error(.unexpectedEnd, at: index, detail: "an object") }
    let usual = usualMistake()
    return error(usual == .unexpectedCharacter ? .badKey : usual, at: index)
  }

  private func separatorError(_ reason: JSONError.Reason) -> JSONError {
    if peek == nil { return error(.unexpectedEnd, at: index, detail: "an object or a list") }
    let usual = usualMistake()
    return error(usual == .unexpectedCharacter || usual == .singleQuote ? reason : usual, at: index)
  }

  /// Names the mistake that people usually make with the character at the current place.
  private func usualMistake() -> JSONError.Reason {
    switch peek {
    case UInt8(ascii: "'"): return .singleQuote
    case UInt8(ascii: "/"), UInt8(ascii: "#"): return .comment
    default: break
    }
    let tail = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
    guard let scalar = tail.unicodeScalars.first else { return .unexpectedEnd }
    let typographic: Set<Unicode.Scalar> = [
      "“", "”", "„", "‘", "’", "«", "»", "「", "」", "，", "：", "｛", "｝", "［", "］", "、", "＂", "；", "\u{A0}", "\u{3000}",
    ]
    return typographic.contains(scalar) ? .typographicPunctuation : .unexpectedCharacter
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
  fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
  fileprivate var isHexDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }
}

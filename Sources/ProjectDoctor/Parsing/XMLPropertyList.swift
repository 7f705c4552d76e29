/// The XML form of a property list, with the line of each key.
///
/// An own reader because findings must point at lines, which Foundation's does not report, and the command starts without
/// Foundation. It takes what Xcode, plutil and templates write: comments, CDATA, entities, self-closed elements.
struct XMLPropertyList {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var keyLines: [String: Int] = [:]

  private struct Tag {
    var name: String
    var isEnd: Bool
    var isEmpty: Bool
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the document.
  mutating func parse() throws(PropertyListError) -> PropertyList {
    var tag = try nextTag()
    if tag.name == "plist" {
      guard !tag.isEmpty, !tag.isEnd else { throw fail("The property list is empty.") }
      tag = try nextTag()
    }
    let root = try parseValue(tag, depth: 0)
    return PropertyList(root: root, keyLines: keyLines)
  }

  private mutating func parseValue(_ tag: Tag, depth: Int) throws(PropertyListError) -> PropertyValue {
    guard depth < PropertyList.maximumDepth else { throw fail("The lists are nested too deeply.") }
    guard !tag.isEnd else { throw fail("</\(tag.name)> stands where a value is expected.") }
    switch tag.name {
    case "dict": return tag.isEmpty ? .dictionary([:]) : try parseDictionary(depth: depth + 1)
    case "array": return tag.isEmpty ? .array([]) : try parseArray(depth: depth + 1)
    case "true", "false":
      if !tag.isEmpty { _ = try text(until: tag.name) }
      return .bool(tag.name == "true")
    case "string": return .string(tag.isEmpty ? "" : try text(until: "string"))
    case "integer": return try integer(tag.isEmpty ? "" : try text(until: "integer"))
    case "real": return .real(Double(tag.isEmpty ? "" : try text(until: "real").trimmed) ?? 0)
    case "date": return .date(tag.isEmpty ? "" : try text(until: "date").trimmed)
    case "data": return .data(tag.isEmpty ? [] : Base64.decode(try text(until: "data")))
    default: throw fail("<\(tag.name)> is no element of a property list.")
    }
  }

  private mutating func parseDictionary(depth: Int) throws(PropertyListError) -> PropertyValue {
    var members: [String: PropertyValue] = [:]
    while true {
      let tag = try nextTag()
      if tag.isEnd, tag.name == "dict" { return .dictionary(members) }
      guard tag.name == "key", !tag.isEnd else { throw fail("<\(tag.name)> stands where <key> is expected.") }
      let keyLine = line
      let key = tag.isEmpty ? "" : try text(until: "key")
      if keyLines[key] == nil { keyLines[key] = keyLine }
      let value = try parseValue(try nextTag(), depth: depth)
      if members[key] == nil { members[key] = value }
    }
  }

  private mutating func parseArray(depth: Int) throws(PropertyListError) -> PropertyValue {
    var elements: [PropertyValue] = []
    while true {
      let tag = try nextTag()
      if tag.isEnd, tag.name == "array" { return .array(elements) }
      elements.append(try parseValue(tag, depth: depth))
    }
  }

  private func integer(_ text: String) throws(PropertyListError) -> PropertyValue {
    let text = text.trimmed
    if let value = Int(text) { return .integer(value) }
    if text.hasPrefix("0x"), let value = Int(text.dropFirst(2), radix: 16) { return .integer(value) }
    if text.contains("$") { return .string(text) }  // a build setting stands in a template
    throw fail("“\(text.prefix(40))” is no whole number.")
  }

  private mutating func nextTag() throws(PropertyListError) -> Tag {
    while true {
      while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
        let byte = bytes[index]
        guard byte == 32 || (9...13).contains(byte) else { throw fail("Text stands between two elements.") }
        advance()
      }
      guard index < bytes.count else { throw fail("The file ends before the list is closed.") }
      if starts("<!--") {
        try skip(past: "-->")
      } else if starts("<?") {
        try skip(past: "?>")
      } else if starts("<!") {
        try skipDeclaration()
      } else {
        return try tag()
      }
    }
  }

  private mutating func tag() throws(PropertyListError) -> Tag {
    index += 1
    let isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
    if isEnd { index += 1 }
    let start = index
    while index < bytes.count, isNameByte(bytes[index]) { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    var last: UInt8 = 0
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      last = bytes[index]
      advance()
    }
    guard index < bytes.count else { throw fail("The file ends inside <\(name)>.") }
    index += 1
    guard !name.isEmpty else { throw fail("An element has no name.") }
    return Tag(name: name, isEnd: isEnd, isEmpty: last == UInt8(ascii: "/"))
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 95
  }

  private mutating func text(until name: String) throws(PropertyListError) -> String {
    var text: [UInt8] = []
    while index < bytes.count {
      if starts("<![CDATA[") {
        index += 9
        while index < bytes.count, !starts("]]>") {
          text.append(bytes[index])
          advance()
        }
        index = min(index + 3, bytes.count)
      } else if starts("<!--") {
        try skip(past: "-->")
      } else if bytes[index] == UInt8(ascii: "<") {
        let end = try tag()
        guard end.isEnd, end.name == name else { throw fail("<\(end.name)> stands inside <\(name)>.") }
        return String(decoding: text, as: UTF8.self)
      } else if bytes[index] == UInt8(ascii: "&") {
        text += try entity()
      } else {
        text.append(bytes[index])
        advance()
      }
    }
    throw fail("<\(name)> is not closed.")
  }

  private mutating func entity() throws(PropertyListError) -> [UInt8] {
    guard let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw fail("“&” begins no entity; write &amp;.")
    }
    let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
    index = end + 1
    switch name {
    case "amp": return [UInt8(ascii: "&")]
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let number, let scalar = Unicode.Scalar(number) else { throw fail("The entity “&\(name);” is not known.") }
      return Array(String(scalar).utf8)
    }
  }

  private mutating func skipDeclaration() throws(PropertyListError) {
    var depth = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      advance()
      if byte == UInt8(ascii: ">"), depth <= 0 { return }
    }
    throw fail("The document type is not closed.")
  }

  private mutating func skip(past end: String) throws(PropertyListError) {
    while index < bytes.count, !starts(end) { advance() }
    guard index < bytes.count else { throw fail("“\(end)” is missing.") }
    index += end.utf8.count
  }

  private mutating func advance() {
    if bytes[index] == 10 { line += 1 }
    index += 1
  }

  private func starts(_ text: String) -> Bool {
    bytes[index...].starts(with: text.utf8)
  }

  private func fail(_ message: String) -> PropertyListError { PropertyListError(message: message, line: line) }
}

/// Base64 as property lists write it: line breaks are ignored, and so is everything else that is no digit.
enum Base64 {
  static func decode(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in text.utf8 {
      let value: UInt8
      switch byte {
      case 65...90: value = byte - 65
      case 97...122: value = byte - 71
      case 48...57: value = byte + 4
      case 43, 45: value = 62
      case 47, 95: value = 63
      default: continue
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return output
  }
}

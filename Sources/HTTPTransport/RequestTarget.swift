/// The request target of an HTTP/1.1 request line in origin form, taken apart (RFC 9112, 3.2.1).
package struct RequestTarget: Sendable {
  /// Percent-encoding undone; begins with a slash.
  package let path: String
  package let query: [(name: String, value: String)]

  /// Nil when an escape is broken, gives NUL or (in the path) a control character, or the result is not UTF-8.
  package init?(_ target: String) {
    let bytes = Array(target.utf8)
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    guard let path = Self.decode(bytes[..<mark], plusIsSpace: false),
      path.utf8.first == UInt8(ascii: "/") || path == "*",
      path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    var query: [(name: String, value: String)] = []
    if mark < bytes.endIndex {
      for part in bytes[(mark + 1)...].split(separator: UInt8(ascii: "&")) {
        let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        let rest = equals < part.endIndex ? part[(equals + 1)...] : []
        guard let name = Self.decode(part[..<equals], plusIsSpace: true),
          let value = Self.decode(rest, plusIsSpace: true)
        else { return nil }
        query.append((name, value))
      }
    }
    self.path = path
    self.query = query
  }

  private static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var out: [UInt8] = []
    out.reserveCapacity(text.count)
    var at = text.startIndex
    while at < text.endIndex {
      let byte = text[at]
      if byte == UInt8(ascii: "%") {
        guard at + 2 < text.endIndex, let high = Crypto.hexValue(text[at + 1]), let low = Crypto.hexValue(text[at + 2])
        else { return nil }
        out.append(high << 4 | low)
        at += 3
      } else {
        out.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
        at += 1
      }
    }
    guard !out.contains(0) else { return nil }
    return String(validating: out, as: UTF8.self)
  }
}

/// An absolute http or https address, taken apart as far as a client needs it (RFC 3986, 3; RFC 9110, 4.2).
package struct HTTPURL: Hashable, Sendable {
  package let isSecure: Bool
  /// A name, or an address without brackets.
  package let host: String
  package let port: Int
  /// Path and query, as they go into the request line.
  package let target: String

  /// Nil for anything else: other schemes, user names, fragments, spaces, characters outside ASCII.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !#""<>\^`{|}#"#.utf8.contains($0) }),
      let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
    else { return nil }
    switch text[..<colon].lowercased() {
    case "https": isSecure = true
    case "http": isSecure = false
    default: return nil
    }
    let rest = text[colon...].dropFirst(3)
    let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard let (host, port) = Self.split(rest[..<authorityEnd]) else { return nil }
    self.host = host
    self.port = port ?? (isSecure ? 443 : 80)
    let tail = rest[authorityEnd...]
    target = tail.hasPrefix("/") ? String(tail) : "/" + tail
  }

  /// The value of `Host`.
  package var hostHeader: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Host and port of an authority; nil for user information and broken ports.
  private static func split(_ authority: Substring) -> (String, Int?)? {
    let hostEnd: Substring.Index
    let host: Substring
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<close]
      guard host.contains(":"), SocketAddress.isNumeric(String(host)) else { return nil }
      hostEnd = authority.index(after: close)
    } else {
      hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
      host = authority[..<hostEnd]
      guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else { return nil }
    }
    let rest = authority[hostEnd...]
    if rest.isEmpty { return (host.lowercased(), nil) }
    guard rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(rest.dropFirst()), (1...65_535).contains(port)
    else { return nil }
    return (host.lowercased(), port)
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

internal import CLinux
internal import Glibc

/// One numeric TCP endpoint, IPv4 or IPv6.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// Numeric text without the port: `127.0.0.1`, `2001:db8::1`.
  package let host: String
  package let port: Int
  /// The bytes of `sockaddr_in` or `sockaddr_in6`.
  let bytes: [UInt8]
  let family: Int32

  package var description: String { family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Takes a numeric address; nil for a name.
  package init?(numeric host: String, port: Int) {
    guard let port16 = UInt16(exactly: port) else { return nil }
    var raw = [UInt8](repeating: 0, count: 28)
    let length = Int(linux_parse_address(host, port16, &raw))
    guard length > 0 else { return nil }
    self.host = host
    self.port = port
    bytes = Array(raw.prefix(length))
    family = length == 28 ? AF_INET6 : AF_INET
  }

  init?(_ address: UnsafePointer<sockaddr>) {
    var text = [CChar](repeating: 0, count: 64)
    var port16: UInt16 = 0
    let length = Int(linux_format_address(address, &text, &port16))
    guard length > 0 else { return nil }
    host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    port = Int(port16)
    bytes = Array(UnsafeRawBufferPointer(start: address, count: length))
    family = length == 28 ? AF_INET6 : AF_INET
  }

  /// True for `127.0.0.1` and `::1`, false for a name.
  package static func isNumeric(_ host: String) -> Bool { SocketAddress(numeric: host, port: 0) != nil }

  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    bytes.withUnsafeBytes { raw in
      // The array holds a whole sockaddr_in or sockaddr_in6, so it is not empty.
      body(raw.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
    }
  }

  /// The address that a bound socket really has.
  static func local(of descriptor: Int32) -> SocketAddress? { name(descriptor, getsockname) }

  static func peer(of descriptor: Int32) -> SocketAddress? { name(descriptor, getpeername) }

  private static func name(
    _ descriptor: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { raw -> SocketAddress? in
      guard let address = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        ask(descriptor, address, &length) == 0
      else { return nil }
      return SocketAddress(address)
    }
  }
}

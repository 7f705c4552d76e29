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
    self.host = host
    self.port = port
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port16.bigEndian
      bytes = withUnsafeBytes(of: &four) { Array($0) }
      family = AF_INET
    } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port16.bigEndian
      bytes = withUnsafeBytes(of: &six) { Array($0) }
      family = AF_INET6
    } else {
      return nil
    }
  }

  init?(_ address: UnsafePointer<sockaddr>, length: Int) {
    let isSix = Int32(address.pointee.sa_family) == AF_INET6
    guard isSix || Int32(address.pointee.sa_family) == AF_INET else { return nil }
    var text = [CChar](repeating: 0, count: 64)
    var service = [CChar](repeating: 0, count: 16)
    let flags = Int32(NI_NUMERICHOST) | Int32(NI_NUMERICSERV)
    guard
      getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), &service, socklen_t(service.count), flags)
        == 0
    else { return nil }
    host = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    port = service.withUnsafeBufferPointer { $0.baseAddress.flatMap { Int(String(cString: $0)) } ?? 0 }
    bytes = Array(UnsafeRawBufferPointer(start: address, count: length))
    family = isSix ? AF_INET6 : AF_INET
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
      return SocketAddress(address, length: Int(length))
    }
  }
}

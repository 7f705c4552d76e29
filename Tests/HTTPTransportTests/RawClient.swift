import Glibc
import HTTPTransport

/// A blocking TCP client that sends exactly the bytes a test wants to send, well formed or not.
final class RawClient: Sendable {
  private let descriptor: Int32

  init(port: Int, receiveSeconds: Int = 10) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var wait = timeval(tv_sec: receiveSeconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw CryptoError("connect failed") }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads until the text contains `mark`, the peer closes, or the wait is over.
  func read(until mark: String? = nil) async -> String {
    await Thread.run { [self] in readBlocking(until: mark) }
  }

  private func readBlocking(until mark: String?) -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      if let mark, String(decoding: all, as: UTF8.self).contains(mark) { break }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      all += buffer[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }
}

import CLinux
import Glibc
import HTTPTransport

/// A blocking TCP client that sends exactly the bytes a test wants to send, well formed or not.
final class RawClient: Sendable {
  private let descriptor: Int32

  init(port: Int, receiveSeconds: Int = 10) throws {
    descriptor = linux_connect_loopback(UInt16(port), Int32(receiveSeconds))
    guard descriptor >= 0 else { throw CryptoError("connect failed") }
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

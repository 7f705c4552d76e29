internal import CLinux
internal import Glibc

/// errno in words.
enum SystemError {
  static func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    // The XSI variant fills the buffer and returns 0.
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

internal import Glibc

/// Files that hold keys.
enum ProtectedFile {
  /// Why a file is not read.
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Reads a file that only its owner may read.
  ///
  /// - Throws: ``Failure`` when it cannot be read, or when others can read it too.
  static func read(_ path: String) throws(Failure) -> String {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
      throw Failure(description: "\(path) can be read by others. Run: chmod 600 \(path)")
    }
    return try text(path)
  }

  /// Reads a file that holds one secret; white space around it is no part of it.
  static func secret(_ path: String) throws(Failure) -> [UInt8] {
    let text = try read(path).trimmingSpaces()
    guard text.utf8.count >= 8 else { throw Failure(description: "\(path) holds no secret of at least 8 characters.") }
    return Array(text.utf8)
  }

  /// Reads a text file of at most one megabyte.
  static func text(_ path: String) throws(Failure) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw Failure(description: "\(path) cannot be opened (\(String(cString: strerror(errno)))).")
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 1 << 20 {
      let count = Glibc.read(file, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

import Glibc

/// Whole files in and out, without Foundation.
package enum FileBytes {
  /// What went wrong with a file, in the system's words.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, path: String) {
      description = "\(path): \(what) (\(String(cString: strerror(errno))))"
    }
  }

  /// Reads a file to its end, or its first `limit` bytes and a little more.
  /// - Throws: ``Failure`` naming the path and the system's reason.
  package static func read(path: String, limit: Int = .max) throws(Failure) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure("cannot be opened", path: path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
        if bytes.count >= limit { return bytes }
      } else if errno != EINTR {
        throw Failure("cannot be read", path: path)
      }
    }
  }

  /// Writes a file beside its place and renames it there, so that nobody sees half of it; its rights stay.
  /// - Throws: ``Failure`` naming the path and the system's reason.
  package static func write(_ bytes: [UInt8], path: String) throws(Failure) {
    let temporary = path + ".\(getpid()).part"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Failure("cannot be created", path: path) }
    var status = stat()
    if stat(path, &status) == 0 { fchmod(file, status.st_mode & 0o7777) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
      if count > 0 {
        sent += count
      } else if errno != EINTR {
        close(file)
        unlink(temporary)
        throw Failure("cannot be written", path: path)
      }
    }
    close(file)
    guard rename(temporary, path) == 0 else {
      unlink(temporary)
      throw Failure("cannot be put in place", path: path)
    }
  }
}

internal import Glibc

/// Files and folders, without Foundation.
package enum Files {
  /// The largest file that is read, in bytes.
  static let limit = 512 << 20

  /// Reads a whole file.
  package static func read(_ path: String) throws(AudioToolsError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(.cannotRead, path, "cannot be opened") }
    defer { close(file) }
    var information = stat()
    guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw AudioToolsError(.cannotRead, "\(path) is not a plain file.")
    }
    guard Int(information.st_size) <= limit else {
      throw AudioToolsError(.cannotRead, "\(path) has \(information.st_size) bytes; at most \(limit) are read.")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(information.st_size))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno != EINTR { throw failure(.cannotRead, path, "cannot be read") }
      if count > 0 { bytes += chunk[..<count] }
    }
  }

  /// Writes a file under a temporary name and renames it, so that nobody ever sees half of it.
  package static func write(_ bytes: [UInt8], to path: String) throws(AudioToolsError) {
    let temporary = path + ".\(getpid()).part"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure(.cannotWrite, path, "cannot be created") }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = failure(.cannotWrite, path, "cannot be written")
        close(file)
        unlink(temporary)
        throw error
      }
      sent += count
    }
    guard close(file) == 0, rename(temporary, path) == 0 else {
      let error = failure(.cannotWrite, path, "cannot be put in place")
      unlink(temporary)
      throw error
    }
  }

  /// Makes a folder and those above it.
  package static func makeFolder(_ path: String) throws(AudioToolsError) {
    var partial = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      partial += part + "/"
      guard mkdir(partial, 0o755) == 0 || errno == EEXIST else { throw failure(.cannotWrite, path, "cannot be made") }
    }
  }

  /// The names in a folder, sorted by their bytes; those that begin with a full stop are left out.
  package static func names(in folder: String) throws(AudioToolsError) -> [String] {
    guard let directory = opendir(folder) else { throw failure(.cannotRead, folder, "cannot be opened as a folder") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { String(decodingCString: $0, as: UTF8.self) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether there is anything at `path`.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is a folder at `path`.
  package static func isFolder(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a file, if it is there.
  package static func remove(_ path: String) { unlink(path) }

  private static func failure(_ reason: AudioToolsError.Reason, _ path: String, _ what: String) -> AudioToolsError {
    AudioToolsError(reason, "\(path) \(what): \(String(cString: strerror(errno))).")
  }
}

extension Files {
  /// Removes a folder, if it is there and empty.
  package static func removeFolder(_ path: String) { rmdir(path) }
}

import Glibc

/// Files as the doctor sees them: a folder on disk, an archive, or a dictionary in a test.
///
/// Paths are relative to the root with forward slashes; the root is the empty path.
package protocol FileTree: Sendable {
  /// Whether `path` is a folder, a file, or nothing.
  func kind(_ path: String) -> FileKind?
  /// The names in a folder, sorted; empty if it is none or cannot be read.
  func list(_ path: String) -> [String]
  /// The bytes of a file of at most `limit` bytes, or `nil`.
  func read(_ path: String, limit: Int) -> [UInt8]?
}

/// What a path names.
package enum FileKind: Sendable { case file, folder }

extension FileTree {
  /// The bytes of a file of at most 64 MiB, or `nil`.
  func read(_ path: String) -> [UInt8]? { read(path, limit: 64 << 20) }

  /// Every file below `path`, depth first, at most `limit` of them; folders for which `skip` is true are not entered.
  func walk(_ path: String, limit: Int = 50_000, skip: (String) -> Bool = { _ in false }) -> [String] {
    var files: [String] = []
    var pending = [(path, 0)]
    while let (folder, depth) = pending.popLast(), files.count < limit {
      var folders: [(String, Int)] = []
      for name in list(folder) {
        let full = folder.isEmpty ? name : folder + "/" + name
        switch kind(full) {
        case .file: files.append(full)
        case .folder where depth < 24 && !skip(full): folders.append((full, depth + 1))
        default: break
        }
      }
      pending += folders.reversed()
    }
    return files
  }
}

/// A folder on disk.
package struct DiskTree: FileTree {
  private let root: String

  /// Looks below `root`.
  package init(root: String) { self.root = root }

  private func full(_ path: String) -> String { path.isEmpty ? root : root + "/" + path }

  package func kind(_ path: String) -> FileKind? {
    var status = stat()
    guard stat(full(path), &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR:
      // A linked folder is not entered: it may lead back to where the search came from.
      let isLink = lstat(full(path), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
      return isLink && !path.isEmpty ? nil : .folder
    default: return nil
    }
  }

  package func list(_ path: String) -> [String] {
    guard let folder = opendir(full(path)) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func read(_ path: String, limit: Int) -> [UInt8]? {
    let file = open(full(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = 0
      while count < size {
        let got = Glibc.read(file, buffer.baseAddress?.advanced(by: count), size - count)
        if got == 0 || (got < 0 && errno != EINTR) { break }
        if got > 0 { count += got }
      }
    }
  }
}

/// Files in memory.
package struct MemoryTree: FileTree {
  private let files: [String: [UInt8]]
  private let folders: [String: Set<String>]

  /// Makes a tree of files by their paths.
  package init(_ files: [String: [UInt8]]) {
    self.files = files
    var folders: [String: Set<String>] = ["": []]
    for path in files.keys {
      var child = path
      while !child.isEmpty {
        let parent = child.parentPath
        folders[parent, default: []].insert(child.lastPathComponent)
        child = parent
      }
    }
    self.folders = folders
  }

  package func kind(_ path: String) -> FileKind? {
    files[path] != nil ? .file : folders[path] != nil ? .folder : nil
  }
  package func list(_ path: String) -> [String] { (folders[path] ?? []).sorted() }
  package func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let bytes = files[path], bytes.count <= limit else { return nil }
    return bytes
  }
}

/// One folder of another tree, as a tree of its own.
struct SubTree: FileTree {
  let base: any FileTree
  let root: String

  private func full(_ path: String) -> String { path.isEmpty ? root : root.isEmpty ? path : root + "/" + path }
  func kind(_ path: String) -> FileKind? { base.kind(full(path)) }
  func list(_ path: String) -> [String] { base.list(full(path)) }
  func read(_ path: String, limit: Int) -> [UInt8]? { base.read(full(path), limit: limit) }
}

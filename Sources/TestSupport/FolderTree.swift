#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Folders that a test has made.
package enum FolderTree {
  /// Removes a folder with everything below it; links are removed, not followed.
  package static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
        if name == "." || name == ".." { continue }
        if isFolder { remove("\(path)/\(name)") } else { unlink("\(path)/\(name)") }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}

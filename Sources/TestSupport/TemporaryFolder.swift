#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of a test's own, under the system's folder for temporary files.
package struct TemporaryFolder: Sendable {
  package let path: String

  /// Makes a new and empty folder.
  package init() throws {
    var template = Array("/tmp/aloud-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw TestFailure("No temporary folder: \(String(cString: strerror(errno)))")
    }
    path = String(cString: made)
  }

  /// Takes a folder that is there already.
  package init(existing path: String) { self.path = path }

  /// Removes it with everything below; links are removed, not followed.
  package func remove() { TemporaryFolder.remove(path) }

  private static func remove(_ path: String) {
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

/// Why a test cannot go on.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

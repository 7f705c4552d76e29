internal import CLinux
internal import Glibc

/// A folder of one's own under the system's folder for temporary files.
package struct TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/aloud-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestFailure("No temporary folder: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package init(existing path: String) { self.path = path }

  package func remove() { TemporaryFolder.remove(path) }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { remove(path + "/" + name) }
      }
      closedir(folder)
    }
    _ = Glibc.remove(path)
  }
}

/// Why a test cannot go on.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

import CLinux
import Glibc
import Store
import StoreSQLite
import Testing

/// The stores that the contract suite runs on.
enum Backend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory
  case sqlite

  var testDescription: String { rawValue }

  /// Runs `body` with an empty store, and clears up after it.
  func withStore<Value>(
    limits: StoreLimits = StoreLimits(), shares: LaneShares = LaneShares(),
    _ body: (any Store) async throws -> Value
  ) async throws -> Value {
    switch self {
    case .memory:
      let store = MemoryStore(limits: limits, shares: shares)
      return try await using(store, body)
    case .sqlite:
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let options = SQLiteOptions(limits: limits, shares: shares)
      return try await using(try SQLiteStore(path: folder.path + "/aloud.db", options: options, now: t0), body)
    }
  }

  private func using<Value>(_ store: any Store, _ body: (any Store) async throws -> Value) async throws -> Value {
    do {
      let value = try await body(store)
      await store.close()
      return value
    } catch {
      await store.close()
      throw error
    }
  }
}

/// A folder of one's own under the system's folder for temporary files.
struct TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/aloud-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestFailure("No temporary folder: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func remove() { TemporaryFolder.remove(path) }

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
struct TestFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

import Glibc
import ServerTestSupport
import Store
import StoreSQLite
import TestSupport
import Testing

/// What a thread of the stores takes from the system, it gives back.
struct ThreadTests {
  @Test func `threads that nobody waits for leave no stack behind`() async {
    // In a process of its own: the memory of this one belongs to all tests.
    await #expect(processExitsWith: .success) {
      let before = mappings()
      for _ in 0..<400 {
        let ended = JobQueue<Bool>(capacity: 1)
        _ = try #require(BlockingThread { _ = ended.push(true) })
        _ = ended.take(1)
      }
      // Each stack is one mapping, and its guard page another.
      #expect(mappings() - before < 200)
    }
  }

  @Test func `a SQLite store that cannot open its readers ends what it has started`() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/aloud.db"
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Whatever is opened once for all stores.
      let first = try SQLiteStore(path: path, now: t0)
      await first.close()
      let before = try openFiles()
      // Enough for the lock, the writer and some of the readers.
      let free = (0..<before.count + 20).filter { !before.contains($0) }
      let usual = try limit(RLIMIT_NOFILE, to: free[19])
      #expect(throws: StoreError.self) {
        try SQLiteStore(path: path, options: SQLiteOptions(readers: 40), now: t0)
      }
      try limit(RLIMIT_NOFILE, to: usual)
      // A thread that waits holds its connection.
      #expect(try openFiles() == before)
      let store = try SQLiteStore(path: path, now: t0)
      await store.close()
    }
  }
}

/// The numbers of the files that this process has open.
private func openFiles() throws -> Set<Int> {
  let folder = try #require(opendir("/proc/self/fd"))
  defer { closedir(folder) }
  var numbers: Set<Int> = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if let number = Int(name), number != dirfd(folder) { numbers.insert(number) }
  }
  return numbers
}

/// Sets what the system gives this process at most; gives what it was before.
@discardableResult
private func limit(_ what: __rlimit_resource, to value: Int) throws -> Int {
  var limits = rlimit()
  try #require(getrlimit(__rlimit_resource_t(what.rawValue), &limits) == 0)
  let before = Int(truncatingIfNeeded: limits.rlim_cur)
  limits.rlim_cur = rlim_t(truncatingIfNeeded: value)
  try #require(setrlimit(__rlimit_resource_t(what.rawValue), &limits) == 0)
  return before
}

/// How many pieces of memory this process has (proc(5), `maps`).
private func mappings() -> Int { ServerProgram.text(of: "/proc/self/maps").utf8.count { $0 == UInt8(ascii: "\n") } }

import Glibc
import ServerTestSupport
import Store
import StorePostgres
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

  @Test func `a PostgreSQL store that cannot start its threads gives back what it took`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let connection = cluster.connection
    let schema = cluster.freshSchema()
    await #expect(processExitsWith: .success) { [connection = connection as String, schema = schema as String] in
      var options = PostgresOptions(connection: connection, schema: schema)
      // The library is loaded and the schema made, so that only the threads are left to fail.
      let first = try PostgresStore(options: options, now: t0)
      await first.close()
      let before = try openFiles()
      options.connections = 60
      let usual = try limit(RLIMIT_AS, to: addressSpace() + 6 << 20)
      let many = options
      #expect(throws: StoreError.self) { try PostgresStore(options: many, now: t0) }
      try limit(RLIMIT_AS, to: usual)
      #expect(try openFiles() == before)
    }
  }
}

/// Bytes of addresses that this process has in use (proc(5), `statm`).
private func addressSpace() -> Int {
  let pages = ServerProgram.text(of: "/proc/self/statm").split(separator: " ").first
  return (pages.flatMap { Int($0) } ?? 0) * 4_096
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

internal import CLinux
internal import Glibc
package import Store

/// How to open a SQLite store.
package struct SQLiteOptions: Sendable {
  package var limits: StoreLimits
  package var shares: LaneShares
  /// Threads that read, each with its own connection.
  package var readers: Int
  /// How long a write waits for another process before it is `unavailable`.
  package var busyMilliseconds: Int
  /// Keep other servers out.
  ///
  /// Tools (`aloud key`, `aloud backup`) open a store in use with false.
  package var isExclusive: Bool
  /// Largest size of the file in pages of 4 KiB; nil: as the disk allows.
  package var maximumPages: Int?
  /// The schema's steps; only tests give others.
  package var migrations: [Migration]

  package init(
    limits: StoreLimits = StoreLimits(), shares: LaneShares = LaneShares(), readers: Int = 2,
    busyMilliseconds: Int = 5000, isExclusive: Bool = true, maximumPages: Int? = nil, migrations: [Migration]? = nil
  ) {
    self.limits = limits
    self.shares = shares
    self.readers = max(1, readers)
    self.busyMilliseconds = busyMilliseconds
    self.isExclusive = isExclusive
    self.maximumPages = maximumPages
    self.migrations = migrations ?? SQLiteSchema.migrations
  }
}

/// The store in one SQLite file: write-ahead log, synchronous FULL, one writer that commits in groups.
package final class SQLiteStore: Store {
  let writes: JobQueue<SQLiteWrite>
  let reads: JobQueue<SQLiteRead>
  let signal = WakeUpSignal()
  private let threads = StoreLock<[BlockingThread]>([])
  private let lock: FileLock?
  private let checkpointer: SQLiteCheckpointer?
  let path: String

  /// Opens or makes the file, takes the missing steps of the schema, and starts the threads.
  ///
  /// - Parameters:
  ///   - path: the file; its folder must exist. Only the owner may read it.
  ///   - now: noted beside the steps of the schema that are taken
  package init(path: String, options: SQLiteOptions = SQLiteOptions(), now: Timestamp) throws(StoreError) {
    self.path = path
    lock = options.isExclusive ? try FileLock(path: path + "-lock") : nil
    FileLock.makePrivateFile(path)
    let database = try SQLiteConnection(path: path, isReader: false, busyMilliseconds: options.busyMilliseconds)
    try SQLiteStore.prepare(database, options, now)
    let context = try SQLiteWriteContext(
      database: database, limits: options.limits, shares: options.shares, isAlone: options.isExclusive)
    writes = JobQueue(capacity: options.limits.waitingCalls)
    reads = JobQueue(capacity: options.limits.waitingCalls)
    let checkpointer = try SQLiteStore.checkpointer(beside: database, path, options)
    self.checkpointer = checkpointer
    let writer = SQLiteWriter(context: context, queue: writes, signal: signal, checkpointer: checkpointer)
    do throws(StoreError) { try startThreads(writer, options) } catch {
      // What was started ends before the caller hears of it.
      halt()
      for thread in threads.withLock({ $0 }) { thread.join() }
      throw error
    }
  }

  private func startThreads(_ writer: SQLiteWriter, _ options: SQLiteOptions) throws(StoreError) {
    try start { writer.work() }
    if let checkpointer { try start { checkpointer.work() } }
    for _ in 0..<options.readers {
      let reader = SQLiteReader(
        database: try SQLiteConnection(path: path, isReader: true, busyMilliseconds: options.busyMilliseconds),
        queue: reads)
      try start { reader.work() }
    }
  }

  private static func checkpointer(beside database: SQLiteConnection, _ path: String, _ options: SQLiteOptions)
    throws(StoreError) -> SQLiteCheckpointer?
  {
    // A tool makes a few changes beside a running server; SQLite's own rule is enough for them.
    guard options.isExclusive else { return nil }
    database.watchLog()
    return SQLiteCheckpointer(
      database: try SQLiteConnection(path: path, isReader: false, busyMilliseconds: options.busyMilliseconds))
  }

  private static func prepare(_ database: SQLiteConnection, _ options: SQLiteOptions, _ now: Timestamp)
    throws(StoreError)
  {
    try database.script(
      """
      PRAGMA auto_vacuum=INCREMENTAL;
      PRAGMA journal_mode=WAL;
      PRAGMA synchronous=FULL;
      PRAGMA temp_store=MEMORY;
      PRAGMA wal_autocheckpoint=4000;
      PRAGMA cache_size=-4096;
      """)
    if let pages = options.maximumPages { try database.script("PRAGMA max_page_count=\(pages)") }
    try SQLiteSchema.migrate(database, with: options.migrations, now: now)
  }

  private func start(_ work: @escaping @Sendable () -> Void) throws(StoreError) {
    guard let thread = BlockingThread(work) else {
      throw .cannotOpen(reason: "The system gives no more threads for the database. Raise the limit of tasks.")
    }
    threads.withLock { $0.append(thread) }
  }

  private func halt() {
    writes.close()
    reads.close()
    checkpointer?.close()
    signal.finish()
  }

  package func close() async {
    halt()
    let running = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let joiner = BlockingThread {
        for thread in running { thread.join() }
        continuation.resume()
      }
      if joiner == nil { continuation.resume() }
    }
    lock?.release()
  }

  package func wakeUps() -> AsyncStream<Void> { signal.stream() }

  // MARK: Ways to the threads

  /// Runs a change on the writer thread and returns after its commit.
  func write<Value: Sendable>(
    isDurable: Bool = true, _ body: @escaping @Sendable (SQLiteWriteContext) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let box = ResultBox<Value>()
    let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
      let job = SQLiteWrite(isDurable: isDurable) { context in
        do throws(StoreError) {
          box.value = try body(context)
          return nil
        } catch {
          return error
        }
      } complete: { failure in
        continuation.resume(returning: box.result(failure))
      }
      let push = writes.push(job)
      if push != .queued { continuation.resume(returning: .failure(push.error)) }
    }
    return try result.get()
  }

  /// Runs a query on a reader thread, in one snapshot unless told otherwise.
  func read<Value: Sendable>(
    snapshot: Bool = true, _ body: @escaping @Sendable (SQLiteReadContext) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
      let job = SQLiteRead { context in
        do throws(StoreError) {
          let value = snapshot ? try context.inSnapshot(body) : try body(context)
          continuation.resume(returning: .success(value))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      let push = reads.push(job)
      if push != .queued { continuation.resume(returning: .failure(push.error)) }
    }
    return try result.get()
  }
}

/// Holds a result between the writer's work and its commit.
private final class ResultBox<Value: Sendable>: @unchecked Sendable {
  // Unchecked: only the writer thread touches it, before the continuation is resumed.
  var value: Value?

  func result(_ failure: StoreError?) -> Result<Value, StoreError> {
    if let failure { return .failure(failure) }
    guard let value else { return .failure(.broken("A change of the database gave no result.")) }
    return .success(value)
  }
}

extension JobQueue.Push {
  fileprivate var error: StoreError {
    self == .closed
      ? .closed : .unavailable(retryAfterSeconds: 1, reason: "Too many calls wait for the database.")
  }
}

/// A query for a reader thread.
struct SQLiteRead: Sendable {
  var run: @Sendable (SQLiteReadContext) -> Void
}

/// What a reader thread owns.
final class SQLiteReadContext {
  let database: SQLiteConnection
  var profiles = SQLiteProfiles()

  init(database: SQLiteConnection) { self.database = database }

  /// Runs `body` so that all its queries see the same state.
  func inSnapshot<Value>(_ body: (SQLiteReadContext) throws(StoreError) -> Value) throws(StoreError) -> Value {
    try database.run("BEGIN")
    do throws(StoreError) {
      let value = try body(self)
      try database.run("COMMIT")
      return value
    } catch {
      if database.isInTransaction { try database.run("ROLLBACK") }
      throw error
    }
  }
}

/// A thread that reads.
final class SQLiteReader: @unchecked Sendable {
  // Unchecked: `context` belongs to the reader thread once it runs.
  private let context: SQLiteReadContext
  private let queue: JobQueue<SQLiteRead>

  init(database: SQLiteConnection, queue: JobQueue<SQLiteRead>) {
    context = SQLiteReadContext(database: database)
    self.queue = queue
  }

  func work() {
    while let jobs = queue.take(1) {
      for job in jobs { job.run(context) }
    }
  }
}

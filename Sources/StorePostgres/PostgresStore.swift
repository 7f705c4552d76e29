// Room: the store in PostgreSQL, for several workers (SKIP LOCKED, LISTEN/NOTIFY).

internal import CLinux
internal import Glibc
package import Store

/// How to open a PostgreSQL store.
package struct PostgresOptions: Sendable {
  /// A `postgres://` URL or libpq's own `host=… dbname=…` text.
  ///
  /// It may hold a password: never log it.
  package var connection: String
  /// The schema that holds the tables: lower-case letters, digits and `_`.
  package var schema: String
  package var limits: StoreLimits
  package var shares: LaneShares
  /// Connections beside the two for accepting and the one for listening.
  package var connections: Int
  /// Whether the two for accepting are made at once; otherwise when the first event comes, which may be never.
  package var acceptsSoon: Bool
  /// The schema's steps; only tests give others.
  package var migrations: [Migration]

  package init(
    connection: String, schema: String = "aloud", limits: StoreLimits = StoreLimits(),
    shares: LaneShares = LaneShares(),
    connections: Int = 3, acceptsSoon: Bool = false, migrations: [Migration]? = nil
  ) {
    self.connection = connection
    self.schema = schema
    self.limits = limits
    self.shares = shares
    self.connections = max(1, connections)
    self.acceptsSoon = acceptsSoon
    self.migrations = migrations ?? PostgresSchema.migrations
  }
}

/// The store in PostgreSQL: any number of processes may work on it.
package final class PostgresStore: Store {
  let jobs: JobQueue<PGJob>
  let accepts: JobQueue<PGAccept>
  let signal = WakeUpSignal()
  let shares: StoreLock<LaneShares>
  let others = PGOthers()
  let handOver = PGHandOver()
  private let threads = StoreLock<[BlockingThread]>([])
  private let stop: PGStop

  /// Connects, takes the missing steps of the schema, and starts the threads.
  ///
  /// - Parameter now: noted beside the steps of the schema that are taken
  package init(options: PostgresOptions, now: Timestamp) throws(StoreError) {
    let library = try LibPQ.loaded.get()
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
    guard !options.schema.isEmpty, options.schema.count <= 40, options.schema.allSatisfy(allowed.contains) else {
      throw .cannotOpen(reason: "The schema name may hold only lower-case letters, digits and “_”, 40 at most.")
    }
    let session = PGSession(library: library, options: options)
    do throws(StoreError) {
      try PostgresSchema.migrate(session, options, now: now)
    } catch .unavailable(_, let reason) {
      throw .cannotOpen(reason: "\(reason) Check the --database address, and that the server runs.")
    }
    jobs = JobQueue(capacity: options.limits.waitingCalls)
    accepts = JobQueue(capacity: options.limits.waitingCalls)
    shares = StoreLock(options.shares)
    stop = try PGStop()
    session.disconnect()
    do throws(StoreError) { try startThreads(library, options) } catch {
      // What was started ends before the caller hears of it.
      halt()
      for thread in threads.withLock({ $0 }) { thread.join() }
      throw error
    }
  }

  private func startThreads(_ library: LibPQ, _ options: PostgresOptions) throws(StoreError) {
    // What the accepting thread commits wakes this process without the detour.
    let own = StoreLock<Set<Int32>>([])
    let room = PGRoom()
    let turn = StoreLock(0)
    for _ in 0..<PGAccepter.count {
      let accepter = PGAccepter(
        session: PGSession(library: library, options: options, ownBackends: own), queue: accepts, signal: signal,
        others: others, room: room, handOver: handOver, turn: turn)
      try start { accepter.work() }
    }
    for _ in 0..<options.connections {
      let runner = PGRunner(session: PGSession(library: library, options: options), queue: jobs)
      try start { runner.work() }
    }
    let listener = PGListener(
      session: PGSession(library: library, options: options), wake: { [weak self] in self?.wake() }, stop: stop,
      own: own)
    try start { listener.work() }
  }

  private func start(_ work: @escaping @Sendable () -> Void) throws(StoreError) {
    guard let thread = BlockingThread(work) else {
      throw .cannotOpen(reason: "The system gives no more threads for the database. Raise the limit of tasks.")
    }
    threads.withLock { $0.append(thread) }
  }

  private func halt() {
    jobs.close()
    accepts.close()
    signal.finish()
    stop.tell()
  }

  package func close() async {
    let running = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    if running.isEmpty { return }
    halt()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let joiner = BlockingThread {
        for thread in running { thread.join() }
        continuation.resume()
      }
      if joiner == nil { continuation.resume() }
    }
  }

  /// Wakes whoever waits for work: something may be due that was not before.
  func wake() {
    handOver.changed()
    signal.wake()
  }

  package func wakeUps() -> AsyncStream<Void> { signal.stream() }

  /// Runs a transaction on one of the connections.
  ///
  /// With `wakes`, work may be due after it. `isRepeatable`: see `PGSession.transaction`.
  func perform<Value: Sendable>(
    wakes: Bool = false, isRepeatable: Bool = false,
    _ body: @escaping @Sendable (PGSession) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
      let job = PGJob { session in
        do throws(StoreError) {
          continuation.resume(returning: .success(try session.transaction(isRepeatable: isRepeatable, body)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      let push = jobs.push(job)
      if push != .queued { continuation.resume(returning: .failure(push.error)) }
    }
    let value = try result.get()
    // A call that failed wakes nobody: a worker that cannot even register would try again without pause.
    if wakes { wake() }
    return value
  }
}

extension JobQueue.Push {
  var error: StoreError {
    self == .closed ? .closed : .unavailable(retryAfterSeconds: 1, reason: "Too many calls wait for the database.")
  }
}

/// A transaction for one of the connection threads.
struct PGJob: Sendable {
  var run: @Sendable (PGSession) -> Void
}

/// A thread with a connection that runs transactions one by one.
final class PGRunner: @unchecked Sendable {
  // Unchecked: `session` belongs to the thread once it runs.
  private let session: PGSession
  private let queue: JobQueue<PGJob>

  init(session: PGSession, queue: JobQueue<PGJob>) {
    self.session = session
    self.queue = queue
  }

  func work() {
    session.connectEarly()
    while let taken = queue.take(1) {
      for job in taken { job.run(session) }
    }
    session.disconnect()
  }
}

/// Tells the listening thread to end; given back to the system when nobody holds it any more.
final class PGStop: Sendable {
  /// Readable once it was told.
  let descriptor: Int32

  init() throws(StoreError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    if descriptor < 0 { throw .cannotOpen(reason: "The system gives no more file descriptors. Raise the limit.") }
  }

  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

  func tell() {
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, 8)
  }
}

/// A thread that listens for work made due by other processes.
final class PGListener: @unchecked Sendable {
  // Unchecked: `session` belongs to the thread once it runs.
  private let session: PGSession
  private let wake: @Sendable () -> Void
  private let stop: PGStop
  private let own: StoreLock<Set<Int32>>

  init(session: PGSession, wake: @escaping @Sendable () -> Void, stop: PGStop, own: StoreLock<Set<Int32>>) {
    self.session = session
    self.wake = wake
    self.stop = stop
    self.own = own
  }

  func work() {
    while !isStopped(after: 0) {
      do throws(StoreError) {
        try session.connect()
        try session.script("LISTEN aloud_\(session.options.schema)")
        // Something may have come while nobody listened.
        wake()
        while session.waitForNotification(stop: stop.descriptor, ignoring: own) { wake() }
      } catch {
        if isStopped(after: 500) { break }
      }
      session.disconnect()
    }
    session.disconnect()
  }

  private func isStopped(after milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) > 0
  }
}

internal import CSQLite
internal import Store

/// What the writer thread owns: its connection and the figures it keeps in step with the committed state.
final class SQLiteWriteContext {
  let database: SQLiteConnection
  let limits: StoreLimits
  var shares: LaneShares
  /// Deliveries in an open state.
  var openCount = 0
  /// Whether the running batch made work due.
  var madeWork = false
  var profiles = SQLiteProfiles()
  /// Whether nobody else changes this database.
  let isAlone: Bool
  /// What workers have in hand, as it stands in the database: every change of a delivery goes through `apply`.
  var held: [DeliveryID: DeliveryRecord] = [:]

  init(database: SQLiteConnection, limits: StoreLimits, shares: LaneShares, isAlone: Bool) throws(StoreError) {
    self.database = database
    self.isAlone = isAlone
    self.limits = limits
    self.shares = shares
    let counted = try database.first("SELECT count(*) FROM deliveries WHERE open = 1") { Int($0.int(0)) }
    openCount = counted ?? 0
  }
}

/// One change, to be committed together with whatever else is waiting.
struct SQLiteWrite: Sendable {
  /// Whether the answer promises that the change survives a power cut.
  ///
  /// Claims and heartbeats need not: losing them loses nothing.
  var isDurable: Bool
  /// Does the work and keeps its own result; gives the error instead of throwing it.
  ///
  /// It may be run again after a rollback.
  var perform: @Sendable (SQLiteWriteContext) -> StoreError?
  /// Answers the caller, after the commit.
  var complete: @Sendable (StoreError?) -> Void
}

/// The one thread that writes.
///
/// It takes everything that waits and commits it as one transaction (group commit): under
/// load many callers share the cost of one fsync.
final class SQLiteWriter: @unchecked Sendable {
  // Unchecked: `context` and `isSynchronous` belong to the writer thread once it runs.
  private let queue: JobQueue<SQLiteWrite>
  private let context: SQLiteWriteContext
  private let signal: WakeUpSignal
  private let checkpointer: SQLiteCheckpointer?
  private var isSynchronous = true

  /// Most changes in one transaction: bounds how long one may take.
  static let largestBatch = 2048

  /// Without a checkpointer SQLite moves the log itself.
  init(
    context: SQLiteWriteContext, queue: JobQueue<SQLiteWrite>, signal: WakeUpSignal, checkpointer: SQLiteCheckpointer?
  ) {
    self.checkpointer = checkpointer
    self.context = context
    self.queue = queue
    self.signal = signal
  }

  /// The thread's life: until the queue is closed and empty.
  func work() {
    var expected = 0
    while let batch = queue.take(Self.largestBatch, crowd: .init(expecting: expected)) {
      commit(batch)
      expected = JobQueue<SQLiteWrite>.Crowd.expected(after: batch.count, before: expected)
      if let checkpointer, checkpointer.committed(pages: context.database.logPages) {
        _ = context.database.checkpoint(truncate: false)
      }
    }
    _ = context.database.checkpoint(truncate: true)
  }

  private func commit(_ batch: [SQLiteWrite]) {
    let opened = context.openCount
    context.madeWork = false
    var failures: [StoreError?] = []
    do throws(StoreError) {
      try begin(isDurable: batch.contains { $0.isDurable })
      for write in batch { failures.append(try perform(write, isAlone: batch.count == 1)) }
      try context.database.run("COMMIT")
    } catch {
      rollBack(openCount: opened)
      if batch.count > 1, !error.endsBatch {
        for write in batch { commit([write]) }
      } else {
        for write in batch { write.complete(error) }
      }
      return
    }
    if context.madeWork { signal.wake() }
    for (write, failure) in zip(batch, failures) { write.complete(failure) }
  }

  /// Runs one change.
  ///
  /// A refusal that wrote nothing is its own affair; anything else ends the transaction.
  private func perform(_ write: SQLiteWrite, isAlone: Bool) throws(StoreError) -> StoreError? {
    let before = context.database.totalChanges
    guard let failure = write.perform(context) else { return nil }
    if failure.endsBatch || context.database.totalChanges != before { throw failure }
    return failure
  }

  private func begin(isDurable: Bool) throws(StoreError) {
    if isDurable != isSynchronous {
      try context.database.script(isDurable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
      isSynchronous = isDurable
    }
    try context.database.run("BEGIN IMMEDIATE")
  }

  private func rollBack(openCount: Int) {
    context.openCount = openCount
    context.profiles = SQLiteProfiles()
    context.held = [:]
    guard context.database.isInTransaction else { return }
    // A failing ROLLBACK leaves the transaction open; the next BEGIN then fails and answers its callers with the reason.
    try? context.database.script("ROLLBACK")
  }
}

extension StoreError {
  /// Whether it says something about the whole database, so that trying the changes one by one is of no use.
  fileprivate var endsBatch: Bool { isTemporary }
}

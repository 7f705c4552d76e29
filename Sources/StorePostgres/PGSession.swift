internal import CPostgres
internal import Glibc
internal import Store

/// One connection, used by one thread.
///
/// It connects when it is needed, again after a loss, and repeats a transaction that
/// was rolled back through no fault of its own.
final class PGSession {
  let library: LibPQ
  let options: PostgresOptions
  private var connection: LibPQ.Connection?
  /// Names of prepared statements by the address of the SQL literal.
  private var statements: [UnsafePointer<UInt8>: String] = [:]
  private var condition = Condition.fine
  private var phase = Phase.none
  /// Until when (monotonic milliseconds) no new connection is tried, so that a dead server is not asked a thousand times.
  private var quietUntil: Int64 = 0
  var profiles: [Int64: DeviceProfile] = [:]

  /// How many transactions have lost their connection after COMMIT had left and before its answer came.
  private(set) var commitsInDoubt = 0
  /// How often it has connected, and from which epoch on it claims.
  private var connections = 0
  private var claimsFrom: Int64?
  /// The backends whose notifications mean nothing new to this process.
  private let ownBackends: StoreLock<Set<Int32>>?

  private enum Condition { case fine, lost, conflict }

  /// How far a transaction is.
  private enum Phase {
    /// None.
    case none
    /// Begun here; PostgreSQL is told with the first statement.
    case begun
    case open
    /// COMMIT has left; whether it was done is known when its answer has come.
    case committing
    case committed
  }

  /// How often a transaction is tried when others stand in its way.
  private static let attempts = 12

  /// - Parameter ownBackends: where the session's backend is noted, if its notifications are to be ignored
  init(library: LibPQ, options: PostgresOptions, ownBackends: StoreLock<Set<Int32>>? = nil) {
    self.library = library
    self.options = options
    self.ownBackends = ownBackends
  }

  deinit { disconnect() }

  // MARK: Transactions

  /// Runs `body` in a transaction (read committed).
  ///
  /// A loss of the connection before COMMIT is mended once; deadlocks and conflicts are tried again. So is a loss that
  /// leaves open whether COMMIT was done, if the transaction only reads or finds out by itself what it did before
  /// (`isRepeatable`); others end with an error then.
  func transaction<Value>(
    isRepeatable: Bool = false, _ body: (PGSession) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    var attempt = 1
    while true {
      condition = .fine
      defer { phase = .none }
      do throws(StoreError) {
        try connectIfNeeded()
        phase = .begun
        let value = try body(self)
        if phase == .open { try send([], commits: true) }
        return value
      } catch {
        let cause = condition
        let mayBeCommitted = phase == .committing || phase == .committed
        if cause == .lost {
          if mayBeCommitted { commitsInDoubt += 1 }
          disconnect()
        } else if connection != nil, phase == .open || phase == .committing {
          rollBack()
        }
        let mayRepeat =
          cause == .conflict
          ? attempt < PGSession.attempts : cause == .lost && (isRepeatable || !mayBeCommitted) && attempt == 1
        if !mayRepeat { throw error }
        // At once the first time, then after 1, 2, 4 … 64 milliseconds: those in the way get time to end.
        if attempt > 1 { _ = poll(nil, 0, 1 << Int32(min(attempt - 2, 6))) }
        attempt += 1
      }
    }
  }

  /// Gives the running transaction up and has it tried again: another process was faster.
  func conflict() -> StoreError {
    condition = .conflict
    return .unavailable(retryAfterSeconds: 1, reason: "Another process changed the same rows.")
  }

  private func rollBack() {
    do throws(StoreError) { try execute("ROLLBACK") } catch { disconnect() }
  }

  // MARK: Statements

  /// Runs text that may hold several statements, without values.
  func script(_ sql: String) throws(StoreError) {
    if phase == .begun {
      try execute("BEGIN")
      phase = .open
    }
    try execute(sql)
  }

  /// Runs a statement; gives the number of rows it changed.
  @discardableResult
  func run(_ sql: StaticString, _ values: PGValue...) throws(StoreError) -> Int {
    try send([PGStatement(sql, values: values)]).first?.changedRows ?? 0
  }

  /// Runs a query and gives what `read` makes of each row.
  func rows<Value>(_ sql: StaticString, _ values: PGValue..., read: (PGRow) -> Value) throws(StoreError) -> [Value] {
    try send([PGStatement(sql, values: values)]).first?.rows(read) ?? []
  }

  /// Runs a query and gives what `read` makes of the first row.
  func first<Value>(_ sql: StaticString, _ values: PGValue..., read: (PGRow) -> Value) throws(StoreError) -> Value? {
    try send([PGStatement(sql, values: values)]).first?.first(read)
  }

  /// Runs statements one after the other in one round trip; with `commits` the transaction ends with them.
  ///
  /// Each sees what was committed before it began. The first that fails ends the transaction.
  @discardableResult
  func send(_ statements: [PGStatement], commits: Bool = false) throws(StoreError) -> [PGAnswer] {
    let begins = phase == .begun
    var all = statements
    if begins { all.insert(PGStatement("BEGIN"), at: 0) }
    if commits { all.append(PGStatement("COMMIT")) }
    var names: [String] = []
    for statement in all { names.append(try prepared(statement.sql)) }
    phase = commits ? .committing : .open
    let answers = try exchange(all, names)
    if commits { phase = .committed }
    return Array(answers.dropFirst(begins ? 1 : 0).prefix(statements.count))
  }

  private func exchange(_ statements: [PGStatement], _ names: [String]) throws(StoreError) -> [PGAnswer] {
    guard library.enterPipeline(connection) == 1 else { throw lost() }
    for (statement, name) in zip(statements, names) where !queue(statement, name) { throw lost() }
    guard library.sync(connection) == 1, flush() else { throw lost() }
    var answers: [PGAnswer] = []
    var failure: StoreError?
    for place in statements.indices {
      guard let answer = library.nextAnswer(connection) else { throw lost() }
      answers.append(PGAnswer(library: library, answer: answer))
      // What follows a failed statement was not tried; only the first failure says why.
      if failure == nil { do throws(StoreError) { try check(answer) } catch { failure = error } }
      if condition == .lost {
        // PostgreSQL answers in order: one that ends the session in the place of a statement has not come to COMMIT.
        if place < statements.count - 1, sqlState(answer) != nil { phase = .open }
        throw lost()
      }
      while let more = library.nextAnswer(connection) { library.clear(more) }
    }
    let end = library.nextAnswer(connection)
    defer { library.clear(end) }
    guard library.answerStatus(end) == PGRES_PIPELINE_SYNC, library.exitPipeline(connection) == 1 else { throw lost() }
    if let failure { throw failure }
    return answers
  }

  /// Puts a statement into libpq's buffer.
  private func queue(_ statement: PGStatement, _ name: String) -> Bool {
    // One block holds all values, so that their addresses stay valid during the call, which copies them.
    var block: [UInt8] = []
    var starts: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for value in statement.values {
      let start = block.count
      starts.append(value.append(to: &block) ? start : nil)
      lengths.append(Int32(clamping: block.count - start))
      formats.append(value.isBinary ? 1 : 0)
    }
    return block.withUnsafeBytes { bytes in
      let base = bytes.bindMemory(to: CChar.self).baseAddress
      let pointers: [LibPQ.Text?] = starts.map { start in start.flatMap { base?.advanced(by: $0) } }
      return library.sendPrepared(connection, name, Int32(starts.count), pointers, lengths, formats, 1) == 1
    }
  }

  /// Sends what is in libpq's buffer, and takes in what comes meanwhile, so that neither side waits for the other for ever.
  private func flush() -> Bool {
    while true {
      let rest = library.flush(connection)
      if rest <= 0 { return rest == 0 }
      var watched = pollfd(fd: library.socket(connection), events: Int16(POLLIN | POLLOUT), revents: 0)
      _ = poll(&watched, 1, -1)
      if watched.revents & Int16(POLLIN) != 0, library.consumeInput(connection) == 0 { return false }
    }
  }

  private func execute(_ sql: String) throws(StoreError) {
    let answer = library.execute(connection, sql)
    defer { library.clear(answer) }
    try check(answer)
  }

  private func prepared(_ sql: StaticString) throws(StoreError) -> String {
    if let name = statements[sql.utf8Start] { return name }
    let name = "s\(statements.count)"
    let answer = library.prepare(connection, name, sql.description, 0, nil)
    defer { library.clear(answer) }
    try check(answer)
    statements[sql.utf8Start] = name
    return name
  }

  // MARK: Connection

  private func connectIfNeeded() throws(StoreError) {
    if connection != nil, !hasEnded { return }
    disconnect()
    if PGSession.monotonicMilliseconds() < quietUntil {
      throw .unavailable(retryAfterSeconds: 1, reason: "PostgreSQL cannot be reached.")
    }
    do throws(StoreError) { try connect() } catch {
      quietUntil = PGSession.monotonicMilliseconds() + 250
      throw error
    }
  }

  /// Whether the server has ended the session meanwhile: between transactions it has nothing else to say.
  private var hasEnded: Bool {
    var watched = pollfd(fd: library.socket(connection), events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) != 0
  }

  /// Connects and sets the session up.
  ///
  /// Every lookup here has an index. Without the planner settings a fresh table, which has no statistics yet, is read
  /// from end to end for each batch (measured: 6.5 ms instead of 0.2 ms with 20,000 events); JIT costs more than it saves.
  func connect() throws(StoreError) {
    let made = library.connect(options.connection)
    guard let made, library.status(made) == CONNECTION_OK else {
      let words = library.connectionError(made).map { String(cString: $0) } ?? "out of memory"
      library.finish(made)
      let reason = words.split(separator: "\n").first.map { String($0) } ?? "no reason given"
      throw .unavailable(retryAfterSeconds: 2, reason: "PostgreSQL cannot be reached: \(reason).")
    }
    connection = made
    connections += 1
    ownBackends?.withLock { [backend = library.backend(made)] in _ = $0.insert(backend) }
    statements = [:]
    _ = library.setNonBlocking(made, 1)
    do throws(StoreError) {
      // A process that is stopped inside a transaction would keep its locks, and nobody could take its work over.
      try execute(
        """
        SET client_min_messages = warning; SET synchronous_commit = on; SET lock_timeout = '5s';
        SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '4s';
        SET enable_seqscan = off; SET enable_mergejoin = off; SET enable_hashjoin = off; SET jit = off;
        SET plan_cache_mode = force_generic_plan;
        SET search_path = \(options.schema);
        SET application_name = 'aloud \(options.schema)';
        """)
    } catch {
      disconnect()
      throw error
    }
  }

  func disconnect() {
    if let connection { ownBackends?.withLock { [backend = library.backend(connection)] in _ = $0.remove(backend) } }
    library.finish(connection)
    connection = nil
    statements = [:]
    profiles = [:]
    claimsFrom = nil
  }

  /// The least epoch that a claim gives.
  ///
  /// PostgreSQL's crash may lose claims that were handed out, and it ends every connection; so what is claimed on any
  /// connection but the first, which is made before the first claim, gets epochs that no claim before can have had.
  func epochFloor(_ now: Timestamp) -> Int64 {
    if let claimsFrom { return claimsFrom }
    let floor = connections > 1 ? now.milliseconds : 0
    claimsFrom = floor
    return floor
  }

  /// Makes the first connection before it is needed.
  func connectEarly() {
    do throws(StoreError) { try connect() } catch { connections += 1 }
  }

  /// Waits for a notification of another process until `stop` becomes readable.
  ///
  /// False: stop, or the connection is lost.
  func waitForNotification(stop: Int32, ignoring own: StoreLock<Set<Int32>>) -> Bool {
    guard let connection else { return false }
    while true {
      var watched = [
        pollfd(fd: library.socket(connection), events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&watched, 2, -1)
      if watched[1].revents != 0 { return false }
      guard library.consumeInput(connection) == 1, library.status(connection) == CONNECTION_OK else { return false }
      var isNews = false
      while let note = library.notification(connection) {
        let backend = note.pointee.be_pid
        if !own.withLock({ $0.contains(backend) }) { isNews = true }
        library.free(note)
      }
      if isNews { return true }
    }
  }

  static func monotonicMilliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  // MARK: Errors

  private func lost() -> StoreError {
    condition = .lost
    return .unavailable(retryAfterSeconds: 1, reason: "The connection to PostgreSQL was lost.")
  }

  private func check(_ answer: LibPQ.Answer?) throws(StoreError) {
    let status = library.answerStatus(answer)
    if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return }
    guard connection != nil, library.status(connection) == CONNECTION_OK else { throw lost() }
    throw error(sqlState: sqlState(answer) ?? "", answer)
  }

  /// What PostgreSQL itself says is wrong; nil also for what libpq found out without it.
  private func sqlState(_ answer: LibPQ.Answer?) -> String? {
    library.errorField(answer, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
  }

  /// What an SQLSTATE means (https://www.postgresql.org/docs/15/errcodes-appendix.html).
  private func error(sqlState: String, _ answer: LibPQ.Answer?) -> StoreError {
    switch (sqlState.prefix(2), sqlState) {
    case (_, "40001"), (_, "40P01"):
      return conflict()
    case ("08", _), (_, "57P01"), (_, "57P02"), (_, "57P03"), (_, "57P05"):
      return lost()
    case ("53", _):
      return .unavailable(
        retryAfterSeconds: 10, reason: "PostgreSQL is short of disk, memory or connections (\(sqlState)).")
    case (_, "55P03"), (_, "57014"), (_, "25006"):
      return .unavailable(retryAfterSeconds: 2, reason: "PostgreSQL is busy or read-only (\(sqlState)).")
    default:
      // The primary message names columns and constraints, never values.
      let words = library.errorField(answer, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? "nothing"
      return .broken("PostgreSQL says “\(words)” (\(sqlState)).")
    }
  }
}

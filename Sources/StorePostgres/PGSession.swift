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
  /// Until when (monotonic milliseconds) no new connection is tried, so that a dead server is not asked a thousand times.
  private var quietUntil: Int64 = 0
  var profiles: [Int64: DeviceProfile] = [:]

  private enum Condition { case fine, lost, conflict }

  /// How often a transaction is tried when others stand in its way.
  private static let attempts = 6

  init(library: LibPQ, options: PostgresOptions) {
    self.library = library
    self.options = options
  }

  deinit { disconnect() }

  // MARK: Transactions

  /// Runs `body` in a transaction (read committed).
  ///
  /// A loss of the connection before COMMIT is mended once; deadlocks and
  /// conflicts are tried again.
  func transaction<Value>(_ body: (PGSession) throws(StoreError) -> Value) throws(StoreError) -> Value {
    var attempt = 1
    while true {
      var isCommitting = false
      condition = .fine
      do throws(StoreError) {
        try connectIfNeeded()
        try script("BEGIN")
        let value = try body(self)
        isCommitting = true
        try script("COMMIT")
        return value
      } catch {
        let cause = condition
        if cause == .lost { disconnect() } else if connection != nil { rollBack() }
        let mayRepeat =
          cause == .conflict ? attempt < PGSession.attempts : cause == .lost && !isCommitting && attempt == 1
        if !mayRepeat { throw error }
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
    do throws(StoreError) { try script("ROLLBACK") } catch { disconnect() }
  }

  // MARK: Statements

  /// Runs text that may hold several statements, without values.
  func script(_ sql: String) throws(StoreError) {
    let answer = library.execute(connection, sql)
    defer { library.clear(answer) }
    try check(answer)
  }

  /// Runs a statement; gives the number of rows it changed.
  @discardableResult
  func run(_ sql: StaticString, _ values: PGValue...) throws(StoreError) -> Int {
    let answer = try send(sql, values)
    defer { library.clear(answer) }
    return library.changedRows(answer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// Runs a query and gives what `read` makes of each row.
  func rows<Value>(_ sql: StaticString, _ values: PGValue..., read: (PGRow) -> Value) throws(StoreError) -> [Value] {
    let answer = try send(sql, values)
    defer { library.clear(answer) }
    return (0..<library.rowCount(answer)).map { read(PGRow(library: library, answer: answer, row: $0)) }
  }

  /// Runs a query and gives what `read` makes of the first row.
  func first<Value>(_ sql: StaticString, _ values: PGValue..., read: (PGRow) -> Value) throws(StoreError) -> Value? {
    let answer = try send(sql, values)
    defer { library.clear(answer) }
    if library.rowCount(answer) == 0 { return nil }
    return read(PGRow(library: library, answer: answer, row: 0))
  }

  private func send(_ sql: StaticString, _ values: [PGValue]) throws(StoreError) -> LibPQ.Answer {
    let name = try prepared(sql)
    let encoded = values.map(\.encoded)
    let lengths = encoded.map { Int32(clamping: ($0?.count ?? 1) - 1) }
    let formats: [Int32] = values.map { $0.isBinary ? 1 : 0 }
    // One block holds all values, so that their addresses stay valid during the call.
    var block: [UInt8] = []
    var starts: [Int?] = []
    for value in encoded {
      starts.append(value == nil ? nil : block.count)
      if let value { block += value }
    }
    let answer = block.withUnsafeBytes { bytes in
      let base = bytes.bindMemory(to: CChar.self).baseAddress
      let pointers: [LibPQ.Text?] = starts.map { start in start.flatMap { base?.advanced(by: $0) } }
      return library.executePrepared(connection, name, Int32(values.count), pointers, lengths, formats, 1)
    }
    do throws(StoreError) {
      try check(answer)
    } catch {
      library.clear(answer)
      throw error
    }
    guard let answer else { throw lost() }
    return answer
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
    if connection != nil { return }
    if PGSession.monotonicMilliseconds() < quietUntil {
      throw .unavailable(retryAfterSeconds: 1, reason: "PostgreSQL cannot be reached.")
    }
    do throws(StoreError) { try connect() } catch {
      quietUntil = PGSession.monotonicMilliseconds() + 250
      throw error
    }
  }

  /// Connects and sets the session up.
  ///
  /// Every lookup here has an index. Without the two planner settings a fresh table, which has no statistics yet, is read
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
    statements = [:]
    do throws(StoreError) {
      // A process that is stopped inside a transaction would keep its locks, and nobody could take its work over.
      try script(
        """
        SET client_min_messages = warning; SET synchronous_commit = on; SET lock_timeout = '5s';
        SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '4s';
        SET enable_seqscan = off; SET enable_mergejoin = off; SET jit = off; SET search_path = \(options.schema);
        SET application_name = 'aloud \(options.schema)';
        """)
    } catch {
      disconnect()
      throw error
    }
  }

  func disconnect() {
    library.finish(connection)
    connection = nil
    statements = [:]
    profiles = [:]
  }

  /// Waits for a notification until `stop` becomes readable.
  ///
  /// False: stop, or the connection is lost.
  func waitForNotification(stop: Int32) -> Bool {
    guard let connection else { return false }
    var watched = [
      pollfd(fd: library.socket(connection), events: Int16(POLLIN), revents: 0),
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&watched, 2, -1)
    if watched[1].revents != 0 { return false }
    guard library.consumeInput(connection) == 1, library.status(connection) == CONNECTION_OK else { return false }
    while let note = library.notification(connection) { library.free(note) }
    return true
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
    let state = library.errorField(answer, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
    throw error(sqlState: state, answer)
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

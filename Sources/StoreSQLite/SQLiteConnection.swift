internal import CSQLite
internal import Store

/// A value bound to a statement.
enum SQLiteValue {
  case int(Int64)
  case text(String)
  case blob([UInt8])
  case null

  static func int(_ value: Int) -> SQLiteValue { .int(Int64(value)) }
  static func time(_ value: Timestamp) -> SQLiteValue { .int(value.milliseconds) }
  static func time(_ value: Timestamp?) -> SQLiteValue { value.map { .int($0.milliseconds) } ?? .null }
  static func text(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
  static func blob(_ value: [UInt8]?) -> SQLiteValue { value.map { .blob($0) } ?? .null }
}

/// The row a statement stands on; valid only inside the closure that gets it.
struct SQLiteRow {
  let statement: OpaquePointer

  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
  func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_BLOB }
  func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: int(column)) }
  func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// A token, without a copy in between.
  func token(_ column: Int32) -> String {
    let start = sqlite3_column_blob(statement, column)
    return TokenCodec.decode(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}

/// One connection, used by one thread at a time.
///
/// Statements are prepared once and kept.
final class SQLiteConnection {
  private let handle: OpaquePointer
  /// By the address of the SQL literal, which is the same for the life of the process.
  private var statements: [UnsafePointer<UInt8>: SQLiteStatement] = [:]
  /// The statement used last of those whose addresses end alike: found without hashing.
  private var recent = [(UnsafePointer<UInt8>, SQLiteStatement)?](repeating: nil, count: 128)

  /// Done once, before the first connection; when somebody else has started the library already it only does not help.
  private static let library: Void = { _ = sqlite_without_memory_status() }()

  /// Pages in the write-ahead log after the last commit, once ``watchLog()`` was called.
  private(set) var logPages = 0

  /// Opens a file; `path` may be any name SQLite takes.
  init(path: String, isReader: Bool, busyMilliseconds: Int) throws(StoreError) {
    Self.library
    var opened: OpaquePointer?
    let mode = isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened, code == SQLITE_OK else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw .cannotOpen(
        reason:
          "The database \(path) cannot be opened: \(reason). Does the folder exist, and may this user write to it?")
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(clamping: busyMilliseconds))
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement.handle) }
    sqlite3_close_v2(handle)
  }

  /// Rows changed since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The key of the row inserted last.
  var lastKey: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Rows changed by the last statement.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Runs text that may hold several statements, without values.
  func script(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  /// Runs a statement to its end.
  func run(_ sql: StaticString, _ values: SQLiteValue...) throws(StoreError) {
    let statement = try bound(sql, values)
    defer { sqlite3_reset(statement) }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW { code = sqlite3_step(statement) }
    if code != SQLITE_DONE { throw error(code) }
  }

  /// Runs a query and gives what `read` makes of each row.
  func rows<Value>(_ sql: StaticString, _ values: SQLiteValue..., read: (SQLiteRow) -> Value) throws(StoreError)
    -> [Value]
  {
    let statement = try bound(sql, values)
    defer { sqlite3_reset(statement) }
    var found: [Value] = []
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      found.append(read(SQLiteRow(statement: statement)))
      code = sqlite3_step(statement)
    }
    if code != SQLITE_DONE { throw error(code) }
    return found
  }

  /// Runs a query and gives what `read` makes of the first row.
  func first<Value>(_ sql: StaticString, _ values: SQLiteValue..., read: (SQLiteRow) -> Value) throws(StoreError)
    -> Value?
  {
    let statement = try bound(sql, values)
    defer { sqlite3_reset(statement) }
    let code = sqlite3_step(statement)
    if code == SQLITE_ROW { return read(SQLiteRow(statement: statement)) }
    if code != SQLITE_DONE { throw error(code) }
    return nil
  }

  /// Copies the whole database as one snapshot; writers go on meanwhile (WAL).
  func copy(to path: String) throws(StoreError) {
    let target = try SQLiteConnection(path: path, isReader: false, busyMilliseconds: 1000)
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.error(sqlite3_errcode(target.handle))
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    if code != SQLITE_DONE { throw target.error(code) }
    if end != SQLITE_OK { throw target.error(end) }
  }

  /// Moves what is in the write-ahead log into the file.
  ///
  /// With `truncate` it waits for readers and empties the log.
  /// Returns the pages left in the log.
  func checkpoint(truncate: Bool) -> Int {
    var inLog: Int32 = 0
    var moved: Int32 = 0
    let mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &inLog, &moved)
    return code == SQLITE_OK ? Int(max(0, inLog)) : 0
  }

  /// Counts the pages of the log from now on, and leaves it to the caller when they are moved into the file.
  func watchLog() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        // The connection outlives its handle, which it closes at its end.
        if let context { Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  // MARK: Parts

  private func bound(_ sql: StaticString, _ values: [SQLiteValue]) throws(StoreError) -> OpaquePointer {
    let statement = try prepared(sql)
    let code = statement.bind(values)
    if code != SQLITE_OK { throw error(code) }
    return statement.handle
  }

  private func prepared(_ sql: StaticString) throws(StoreError) -> SQLiteStatement {
    let place = Int(bitPattern: sql.utf8Start) >> 4 & (recent.count - 1)
    if let (address, statement) = recent[place], address == sql.utf8Start { return statement }
    let statement = try found(sql)
    recent[place] = (sql.utf8Start, statement)
    return statement
  }

  private func found(_ sql: StaticString) throws(StoreError) -> SQLiteStatement {
    if let known = statements[sql.utf8Start] { return known }
    var made: OpaquePointer?
    let text = sql.description
    let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK, let made else { throw error(code) }
    let statement = SQLiteStatement(made)
    statements[sql.utf8Start] = statement
    return statement
  }

  /// What a result code means for the caller.
  private func error(_ code: Int32) -> StoreError {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return .unavailable(retryAfterSeconds: 1, reason: "The database is busy.")
    case SQLITE_FULL:
      return .unavailable(retryAfterSeconds: 10, reason: "The database or its disk is full.")
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return .unavailable(
        retryAfterSeconds: 5, reason: "The database file cannot be read or written (SQLite code \(code)).")
    case SQLITE_NOMEM:
      return .unavailable(retryAfterSeconds: 5, reason: "Out of memory.")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return .broken("The database file is damaged (SQLite code \(code)). Restore a backup.")
    default:
      return .broken("SQLite says “\(String(cString: sqlite3_errmsg(handle)))” (code \(code)).")
    }
  }
}

internal import CSQLite

/// A prepared statement, with room for the bytes of what is bound to it.
///
/// The room is kept from one use to the next and lent to SQLite, which otherwise allocates a copy of every text.
final class SQLiteStatement {
  let handle: OpaquePointer
  private var room: UnsafeMutableRawBufferPointer

  /// Whoever made the handle finalizes it, before this is gone.
  init(_ handle: OpaquePointer) {
    self.handle = handle
    room = .allocate(byteCount: 256, alignment: 8)
  }

  deinit { room.deallocate() }

  /// Binds values from the first parameter on; the statement must have been reset.
  ///
  /// - Returns: SQLite's result code.
  func bind(_ values: [SQLiteValue]) -> Int32 {
    values.withUnsafeBufferPointer { values in
      var size = 0
      for place in values.indices { size += values[place].byteCount }
      reserve(size)
      var used = 0
      for place in values.indices {
        let code = bind(values[place], at: Int32(place + 1), &used)
        if code != SQLITE_OK { return code }
      }
      return SQLITE_OK
    }
  }

  private func reserve(_ size: Int) {
    guard size > room.count else { return }
    room.deallocate()
    room = .allocate(byteCount: max(size, 2 * room.count), alignment: 8)
  }

  private func bind(_ value: SQLiteValue, at index: Int32, _ used: inout Int) -> Int32 {
    switch value {
    case .int(let number): return sqlite3_bind_int64(handle, index, number)
    case .null: return sqlite3_bind_null(handle, index)
    case .text(let text):
      let kept = keep(text.utf8, &used)
      return sqlite_bind_text_lent(
        handle, index, kept.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: kept.count))
    case .blob(let bytes):
      if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
      let kept = keep(bytes, &used)
      return sqlite_bind_blob_lent(handle, index, kept.baseAddress, Int32(clamping: kept.count))
    }
  }

  private func keep(_ bytes: some Collection<UInt8>, _ used: inout Int) -> UnsafeMutableRawBufferPointer {
    let kept = UnsafeMutableRawBufferPointer(rebasing: room[used..<used + bytes.count])
    kept.copyBytes(from: bytes)
    used += kept.count
    return kept
  }
}

extension SQLiteValue {
  /// The bytes that a bound value needs beside the statement.
  fileprivate var byteCount: Int {
    switch self {
    case .int, .null: 0
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

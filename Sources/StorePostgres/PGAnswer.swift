internal import Store

/// A statement with its values.
struct PGStatement {
  let sql: StaticString
  let values: [PGValue]

  init(_ sql: StaticString, _ values: PGValue...) {
    self.sql = sql
    self.values = values
  }

  init(_ sql: StaticString, values: [PGValue]) {
    self.sql = sql
    self.values = values
  }
}

/// What a statement gave.
final class PGAnswer {
  private let library: LibPQ
  private let answer: LibPQ.Answer

  init(library: LibPQ, answer: LibPQ.Answer) {
    self.library = library
    self.answer = answer
  }

  deinit { library.clear(answer) }

  /// How many rows the statement changed.
  var changedRows: Int { library.changedRows(answer).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// What `read` makes of each row.
  func rows<Value>(_ read: (PGRow) -> Value) -> [Value] {
    (0..<library.rowCount(answer)).map { read(PGRow(library: library, answer: answer, row: $0)) }
  }

  /// What `read` makes of the first row.
  func first<Value>(_ read: (PGRow) -> Value) -> Value? {
    if library.rowCount(answer) == 0 { return nil }
    return read(PGRow(library: library, answer: answer, row: 0))
  }
}

/// A row of an answer in binary format; valid only inside the closure that gets it.
struct PGRow {
  let library: LibPQ
  let answer: LibPQ.Answer
  let row: Int32

  func isNull(_ column: Int32) -> Bool { library.isNull(answer, row, column) != 0 }

  private func raw(_ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: library.value(answer, row, column), count: Int(library.length(answer, row, column)))
  }

  /// An integer or boolean of any width.
  func int(_ column: Int32) -> Int64 {
    let bytes = raw(column)
    var value: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
    for byte in bytes { value = value << 8 | Int64(byte) }
    return value
  }

  /// A `bigint[]` of one dimension without NULL: five words of head, then each number behind its length.
  func ints(_ column: Int32) -> [Int64] {
    let bytes = raw(column)
    return stride(from: 24, to: bytes.count - 7, by: 12).map { start in
      Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
    }
  }

  /// The elements of an array of one dimension; nil: NULL.
  func elements(_ column: Int32) -> [[UInt8]?] {
    let bytes = raw(column)
    var elements: [[UInt8]?] = []
    var start = 20
    while start + 4 <= bytes.count {
      let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)))
      start += 4
      if length > bytes.count - start { break }
      elements.append(length < 0 ? nil : Array(bytes[start..<start + length]))
      start += max(0, length)
    }
    return elements
  }

  func text(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }
  func bytes(_ column: Int32) -> [UInt8] { [UInt8](raw(column)) }
  func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: int(column)) }
  func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

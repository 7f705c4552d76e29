internal import Store

/// A parameter of a statement.
///
/// Arrays travel as PostgreSQL's array text, for `unnest`.
enum PGValue {
  case int(Int64)
  case text(String)
  case bytes([UInt8])
  case null
  case ints([Int64?])
  case texts([String?])
  case byteses([[UInt8]?])

  static func int(_ value: Int) -> PGValue { .int(Int64(value)) }
  static func time(_ value: Timestamp) -> PGValue { .int(value.milliseconds) }
  static func time(_ value: Timestamp?) -> PGValue { value.map { .int($0.milliseconds) } ?? .null }
  static func text(_ value: String?) -> PGValue { value.map { .text($0) } ?? .null }
  static func bytes(_ value: [UInt8]?) -> PGValue { value.map { .bytes($0) } ?? .null }
  static func ints(_ values: [Int]) -> PGValue { .ints(values.map { Int64($0) }) }

  /// Whether it goes in PostgreSQL's binary format.
  var isBinary: Bool {
    if case .bytes = self { return true }
    return false
  }

  /// The bytes for libpq, ended by a zero; nil for NULL.
  var encoded: [UInt8]? {
    switch self {
    case .null: return nil
    case .int(let value): return Array(String(value).utf8) + [0]
    case .text(let value): return PGValue.clean(value) + [0]
    case .bytes(let value): return value + [0]
    case .ints(let values): return PGValue.array(values) { $1 += String($0).utf8 }
    case .texts(let values): return PGValue.array(values) { PGValue.quote($0, &$1) }
    case .byteses(let values): return PGValue.array(values) { PGValue.hex($0, &$1) }
    }
  }

  private static func array<Element>(_ values: [Element?], _ append: (Element, inout [UInt8]) -> Void) -> [UInt8] {
    var text: [UInt8] = [0x7B]
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(0x2C) }
      if let value { append(value, &text) } else { text += "NULL".utf8 }
    }
    text += [0x7D, 0]
    return text
  }

  private static func quote(_ value: String, _ text: inout [UInt8]) {
    text.append(0x22)
    for byte in clean(value) {
      if byte == 0x22 || byte == 0x5C { text.append(0x5C) }
      text.append(byte)
    }
    text.append(0x22)
  }

  private static func hex(_ value: [UInt8], _ text: inout [UInt8]) {
    text += "\"\\\\x".utf8
    text.reserveCapacity(text.count + value.count * 2 + 1)
    for byte in value {
      for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    }
    text.append(0x22)
  }

  /// PostgreSQL's text holds no zero byte: it becomes U+FFFD.
  private static func clean(_ value: String) -> [UInt8] {
    let bytes = Array(value.utf8)
    guard bytes.contains(0) else { return bytes }
    return bytes.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
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

  func text(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }
  func bytes(_ column: Int32) -> [UInt8] { [UInt8](raw(column)) }
  func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: int(column)) }
  func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

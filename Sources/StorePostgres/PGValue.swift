internal import Store

/// A parameter of a statement.
///
/// Arrays travel in PostgreSQL's binary format, for `unnest` and `= ANY`; numbers in them always as `bigint[]`.
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
    switch self {
    case .int, .text, .null: false
    case .bytes, .ints, .texts, .byteses: true
    }
  }

  /// Appends the bytes for libpq, text ended by a zero; false for NULL.
  func append(to block: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .int(let value): block += String(value).utf8
    case .text(let value): PGValue.append(value, to: &block)
    case .bytes(let value): block += value
    case .ints(let values):
      PGValue.appendArray(values, of: .bigint, each: 8, to: &block) { value, block in
        PGValue.append(UInt64(bitPattern: value), to: &block)
      }
    case .texts(let values):
      PGValue.appendArray(values, of: .text, each: 32, to: &block) { PGValue.append($0, to: &$1) }
    case .byteses(let values):
      PGValue.appendArray(values, of: .bytea, each: 64, to: &block) { value, block in block += value }
    }
    if !isBinary { block.append(0) }
    return true
  }

  /// Numbers of PostgreSQL's own types (https://www.postgresql.org/docs/15/catalog-pg-type.html).
  private enum ElementType: UInt32 {
    case bytea = 17
    case bigint = 20
    case text = 25
  }

  /// An array of one dimension: dimensions, whether it holds NULL, the type; length and first index; each element behind its length.
  private static func appendArray<Element>(
    _ values: [Element?], of type: ElementType, each size: Int, to block: inout [UInt8],
    _ body: (Element, inout [UInt8]) -> Void
  ) {
    block.reserveCapacity(block.count + 20 + values.count * (size + 4))
    append(UInt32(values.isEmpty ? 0 : 1), to: &block)
    append(UInt32(values.contains { $0 == nil } ? 1 : 0), to: &block)
    append(type.rawValue, to: &block)
    if values.isEmpty { return }
    append(UInt32(truncatingIfNeeded: values.count), to: &block)
    append(UInt32(1), to: &block)
    for value in values {
      guard let value else {
        append(UInt32.max, to: &block)
        continue
      }
      let start = block.count
      append(UInt32(0), to: &block)
      body(value, &block)
      let length = UInt32(truncatingIfNeeded: block.count - start - 4)
      for byte in 0..<4 { block[start + byte] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(byte))) }
    }
  }

  private static func append<Number: FixedWidthInteger>(_ number: Number, to block: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { block += $0 }
  }

  /// PostgreSQL's text holds no zero byte: it becomes U+FFFD.
  private static func append(_ text: String, to block: inout [UInt8]) {
    let start = block.count
    block += text.utf8
    guard block[start...].contains(0) else { return }
    let cleaned = block[start...].flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
    block.replaceSubrange(start..., with: cleaned)
  }
}

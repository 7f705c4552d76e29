/// A JSON number as the digits that were sent, never a binary float.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  /// The literal, for example `28.50` or `-1e3`, valid by RFC 8259 section 6.
  public let text: String

  /// Makes a number from an integer.
  public init(_ value: Int) { text = String(value) }

  /// Makes a number from a literal, or `nil` if it is not one by RFC 8259 section 6 (no leading `+`, no leading zeros,
  /// digits on both sides of the point).
  public init?(literal: String) {
    let bytes = Array(literal.utf8)
    guard !bytes.isEmpty, JSONNumber.scan(bytes, from: 0) == .success(bytes.count) else { return nil }
    text = literal
  }

  init(trusted text: String) { self.text = text }

  public var description: String { text }

  /// The value if it is exactly an integer that fits in `Int` (`5`, `5.0`, `1e3`), else `nil`.
  public var int: Int? {
    if let plain = Int(text) { return plain }
    var digits: [UInt8] = []
    var scale = 0
    var exponent = 0
    var negative = false
    var afterPoint = false
    var bytes = Substring(text).utf8
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): negative = true
      case UInt8(ascii: "."): afterPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard let value = Int(String(Substring(bytes))), abs(value) < 400 else { return nil }
        exponent = value
        bytes = Substring("").utf8
      default:
        digits.append(byte - UInt8(ascii: "0"))
        if afterPoint { scale += 1 }
      }
    }
    return JSONNumber.integer(digits: digits, shift: exponent - scale, negative: negative)
  }

  private static func integer(digits: [UInt8], shift: Int, negative: Bool) -> Int? {
    var digits = digits
    var shift = shift
    while shift < 0, digits.last == 0 {
      digits.removeLast()
      shift += 1
    }
    guard digits.contains(where: { $0 != 0 }) else { return 0 }
    guard shift >= 0 else { return nil }
    var value = 0
    for digit in digits + [UInt8](repeating: 0, count: shift) {
      let (tens, over) = value.multipliedReportingOverflow(by: 10)
      let (next, under) = tens.subtractingReportingOverflow(Int(digit))
      guard !over, !under else { return nil }
      value = next
    }
    if negative { return value }
    return value == .min ? nil : -value
  }

  /// How a scan for a number ended: the index after it, or what is wrong with it.
  enum ScanResult: Equatable {
    case success(Int)
    case failure(at: Int, JSONError.Reason)
  }

  /// Finds the end of the number that begins at `start`.
  static func scan(_ bytes: [UInt8], from start: Int) -> ScanResult {
    var index = start
    func digits() -> Int {
      let first = index
      while index < bytes.count, bytes[index] &- 48 < 10 { index += 1 }
      return index - first
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    let whole = index
    guard digits() > 0 else { return .failure(at: index, .badNumber) }
    if index - whole > 1, bytes[whole] == UInt8(ascii: "0") { return .failure(at: whole, .leadingZero) }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() > 0 else { return .failure(at: index, .badNumber) }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { return .failure(at: index, .badNumber) }
    }
    return .success(index)
  }
}

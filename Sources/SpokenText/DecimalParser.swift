/// Decimal text → exact value, byte by byte.
///
///     number   = [sign] (whole [point digits] | point digits) [exponent]
///     whole    = digits | western | indian
///     western  = 1-3 digits, then one or more groups of a mark and 3 digits
///     indian   = 1-2 digits, then one or more groups of a mark and 2 digits, then a mark and 3 digits
///     exponent = ("e" | "E") ["+" | "-"] 1-4 digits
///     sign     = "+" "-" U+2212 U+FF0B U+FF0D;  point = "." U+FF0E;  mark = "," U+FF0C
///
/// Digits are ASCII or full-width (U+FF10…), not both in one number. A grouped number does not begin with 0, so
/// that a European decimal comma (`0,001`) is never taken for a thousands mark.
enum DecimalParser {
  /// The longest text that is looked at, in bytes.
  static let longestInput = 256

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReadingError) -> ExactDecimal {
    var scanner = try Scanner(bytes)
    return try scanner.number()
  }
}

private enum Symbol: Equatable {
  case digit(UInt8, wide: Bool)
  case point, mark, plus, minus, exponent
}

private struct Scanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int
  let end: Int
  /// Which width the first digit had.
  var wide: Bool?
  var whole: UInt64 = 0
  /// Digits before the point without leading zeros.
  var wholeDigits = 0
  var fraction: UInt64 = 0
  var fractionDigits = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReadingError) {
    self.bytes = bytes
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] == 0x20 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 { end -= 1 }
    guard start < end else { throw ReadingError(.empty, "there is no number; write one such as 28.50") }
    guard end - start <= DecimalParser.longestInput else {
      throw ReadingError(.tooLarge, "the text is longer than \(DecimalParser.longestInput) bytes; send one number")
    }
    self.position = start
    self.end = end
  }

  mutating func number() throws(ReadingError) -> ExactDecimal {
    let negative = try sign()
    let start = position
    let wholeSeen = try wholePart()
    var fractionSeen = 0
    if position < end, try peek().symbol == .point {
      position += try peek().length
      fractionSeen = try fractionPart()
      guard fractionSeen > 0 else {
        throw ReadingError(.missingDigits, "no digit follows the decimal point at character \(place); write 5 or 5.0")
      }
    }
    guard wholeSeen + fractionSeen > 0 else {
      if position < end { throw unexpected() }
      throw ReadingError(.missingDigits, "there is no digit in the number; write one such as 28.50")
    }
    let mantissaEnd = position
    let shift = try exponentPart()
    guard position == end else { throw unexpected() }
    if shift != 0 { try move(by: shift, from: start, to: mantissaEnd) }
    return ExactDecimal(
      isNegative: negative, whole: whole, fraction: fraction, fractionDigits: fractionDigits)
  }

  // MARK: Parts

  private mutating func sign() throws(ReadingError) -> Bool {
    let (symbol, length) = try peek()
    guard symbol == .plus || symbol == .minus else { return false }
    position += length
    guard position < end else { throw ReadingError(.missingDigits, "the sign stands alone; write digits after it") }
    return symbol == .minus
  }

  /// Digits and grouping marks before the point; returns how many digits there were.
  private mutating func wholePart() throws(ReadingError) -> Int {
    var groups = Groups()
    var seen = 0
    while position < end {
      let (symbol, length) = try peek()
      if case .digit(let value, let isWide) = symbol {
        try noteWidth(isWide)
        try appendWhole(value)
        groups.digit(value)
        seen += 1
      } else if symbol == .mark {
        groups.mark()
      } else {
        break
      }
      position += length
    }
    guard groups.isValid else {
      throw ReadingError(
        .badGrouping,
        "the grouping marks are not in place; write 1,234,567 or 12,34,567, and a point for decimals")
    }
    return seen
  }

  private mutating func fractionPart() throws(ReadingError) -> Int {
    var seen = 0
    while position < end {
      let (symbol, length) = try peek()
      if symbol == .mark {
        throw ReadingError(
          .badGrouping, "a grouping mark follows the decimal point at character \(place); leave it out")
      }
      guard case .digit(let value, let isWide) = symbol else { break }
      try noteWidth(isWide)
      if seen < ExactDecimal.mostFractionDigits { fraction = fraction &* 10 &+ UInt64(value) }
      seen += 1
      position += length
    }
    fractionDigits = seen
    if seen > ExactDecimal.mostFractionDigits, !exponentFollows { throw Self.tooPrecise }
    return seen
  }

  private mutating func exponentPart() throws(ReadingError) -> Int {
    guard position < end, try peek().symbol == .exponent else { return 0 }
    position += 1
    var negative = false
    if position < end, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
      negative = bytes[position] == UInt8(ascii: "-")
      position += 1
    }
    var value = 0
    var seen = 0
    while position < end, case let digit = bytes[position] &- 0x30, digit < 10 {
      value = value * 10 + Int(digit)
      seen += 1
      position += 1
      guard seen <= 4 else {
        throw ReadingError(.tooLarge, "the exponent has more than 4 digits; write the number out")
      }
    }
    guard seen > 0 else {
      if position < end { throw unexpected() }
      throw ReadingError(.missingDigits, "no digit follows the exponent mark; write 1e3 or 1000")
    }
    return negative ? -value : value
  }

  // MARK: Digits

  private mutating func appendWhole(_ value: UInt8) throws(ReadingError) {
    if wholeDigits == 0, value == 0 { return }
    wholeDigits += 1
    if wholeDigits <= 18 {
      whole = whole &* 10 &+ UInt64(value)
    } else if !exponentFollows {
      throw Self.tooLarge
    }
  }

  /// Whether an exponent mark stands later in the text, so that limits are judged after the shift.
  private var exponentFollows: Bool {
    bytes[position..<end].contains { $0 | 0x20 == UInt8(ascii: "e") }
  }

  private mutating func noteWidth(_ isWide: Bool) throws(ReadingError) {
    guard let wide else {
      wide = isWide
      return
    }
    guard wide == isWide else {
      throw ReadingError(
        .mixedScripts, "ASCII and full-width digits stand in one number, at character \(place); use one kind")
    }
  }

  /// Applies an exponent: gathers the digits again and moves the point.
  private mutating func move(by shift: Int, from start: Int, to mantissaEnd: Int) throws(ReadingError) {
    var digits: [UInt8] = []
    position = start
    while position < mantissaEnd {
      let (symbol, length) = try peek()
      if case .digit(let value, _) = symbol { digits.append(value) }
      position += length
    }
    position = end
    let written = digits.count
    var point = written - fractionDigits + shift
    if !digits.contains(where: { $0 != 0 }) {
      (whole, fraction, fractionDigits) = (0, 0, max(0, written - point))
      guard fractionDigits <= ExactDecimal.mostFractionDigits else { throw Self.tooPrecise }
      return
    }
    if point > written { digits += [UInt8](repeating: 0, count: min(point - written, 5_000)) }
    if point < 0 {
      digits.insert(contentsOf: [UInt8](repeating: 0, count: min(-point, 10_500)), at: 0)
      point = 0
    }
    try reassemble(digits, point: min(point, digits.count))
  }

  private mutating func reassemble(_ digits: [UInt8], point: Int) throws(ReadingError) {
    let before = digits[..<point].drop { $0 == 0 }
    let after = digits[point...]
    guard before.count <= 18 else { throw Self.tooLarge }
    guard after.count <= ExactDecimal.mostFractionDigits else { throw Self.tooPrecise }
    whole = before.reduce(0) { $0 * 10 + UInt64($1) }
    fraction = after.reduce(0) { $0 * 10 + UInt64($1) }
    fractionDigits = after.count
  }

  // MARK: Characters

  private func peek() throws(ReadingError) -> (symbol: Symbol, length: Int) {
    let byte = bytes[position]
    if byte &- 0x30 < 10 { return (.digit(byte &- 0x30, wide: false), 1) }
    switch byte {
    case UInt8(ascii: "."): return (.point, 1)
    case UInt8(ascii: ","): return (.mark, 1)
    case UInt8(ascii: "-"): return (.minus, 1)
    case UInt8(ascii: "+"): return (.plus, 1)
    case UInt8(ascii: "e"), UInt8(ascii: "E"): return (.exponent, 1)
    case 0xEF where position + 2 < end && bytes[position + 1] == 0xBC:
      let low = bytes[position + 2]
      switch low {
      case 0x90...0x99: return (.digit(low &- 0x90, wide: true), 3)
      case 0x8E: return (.point, 3)
      case 0x8C: return (.mark, 3)
      case 0x8D: return (.minus, 3)
      case 0x8B: return (.plus, 3)
      default: throw unexpected()
      }
    case 0xE2 where position + 2 < end && bytes[position + 1] == 0x88 && bytes[position + 2] == 0x92:
      return (.minus, 3)
    default: throw unexpected()
    }
  }

  /// The position as a person counts it, in characters from 1.
  private var place: Int {
    1 + bytes[..<min(position, bytes.count)].count { $0 & 0xC0 != 0x80 }
  }

  private func unexpected() -> ReadingError {
    let rest = String(decoding: bytes[position..<end].prefix(4), as: UTF8.self)
    let character = rest.unicodeScalars.first ?? "?"
    let code = String(character.value, radix: 16, uppercase: true)
    let hex = String(repeating: "0", count: max(0, 4 - code.count)) + code
    return ReadingError(
      .unexpectedCharacter,
      "character \(place) (U+\(hex)) does not belong in a number; write digits, a sign, a point and grouping marks only"
    )
  }

  private static let tooLarge = ReadingError(
    .tooLarge, "the number has more than 18 digits before the decimal point; the largest is 10^18 - 1")
  private static let tooPrecise = ReadingError(
    .tooPrecise, "the number has more than \(ExactDecimal.mostFractionDigits) decimals; write fewer")
}

/// Follows the grouping marks of one number without storing them.
private struct Groups {
  private var marks = 0
  private var length = 0
  private var firstLength = 0
  private var firstDigit: UInt8 = 1
  private var western = true
  private var indian = true

  mutating func digit(_ value: UInt8) {
    if marks == 0, length == 0 { firstDigit = value }
    length += 1
  }

  mutating func mark() {
    if marks == 0 {
      firstLength = length
    } else {
      if length != 3 { western = false }
      if length != 2 { indian = false }
    }
    marks += 1
    length = 0
  }

  var isValid: Bool {
    guard marks > 0 else { return true }
    guard length == 3, firstDigit != 0 else { return false }
    return (western && (1...3).contains(firstLength)) || (indian && (1...2).contains(firstLength))
  }
}

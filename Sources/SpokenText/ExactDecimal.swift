/// An exact decimal number as it was written: the digits before the point, the digits after it, and the sign.
///
/// There is no binary floating point here or anywhere in this target. Written zeros at the end of the fraction are
/// kept, because a decimal says them (28.50 is “twenty-eight point five zero”).
///
/// Limits: 18 digits before the point (10^18 − 1) and 18 after it.
public struct ExactDecimal: Hashable, Sendable {
  /// The largest whole part: 10^18 − 1.
  public static let largestWhole: UInt64 = 999_999_999_999_999_999
  /// The largest number of digits after the point.
  public static let mostFractionDigits = 18

  /// Whether a minus sign was written before a number other than zero.
  ///
  /// Minus zero is plain zero.
  public let isNegative: Bool
  /// The digits before the point as a whole number.
  public let whole: UInt64
  /// The digits after the point as a whole number: 5 for `.05` with `fractionDigits` 2.
  public let fraction: UInt64
  /// How many digits stand after the point, written zeros included.
  public let fractionDigits: Int

  init(isNegative: Bool, whole: UInt64, fraction: UInt64, fractionDigits: Int) {
    self.isNegative = isNegative && (whole != 0 || fraction != 0)
    self.whole = whole
    self.fraction = fraction
    self.fractionDigits = fractionDigits
  }

  /// Parses decimal text: `1,234.50`, `-12,34,567`, `２８．５`, `.5`, `2.85e1`.
  ///
  /// `.` is the decimal point in every language and `,` a grouping mark; see `docs/reading.md` for the whole grammar.
  ///
  /// - Throws: `ReadingError` that says which character or rule is in the way.
  /// - Complexity: O(*n*) in the length of the text, without allocation unless there is an exponent.
  public init(_ text: String) throws(ReadingError) {
    self = try text.withExactBytes { (bytes) throws(ReadingError) in try DecimalParser.parse(bytes) }
  }

  /// Whether the value is a whole number, written zeros after the point or not.
  public var isWhole: Bool { fraction == 0 }

  /// The same value without zeros at the end of the fraction.
  var trimmed: ExactDecimal {
    guard fraction != 0 else {
      return ExactDecimal(isNegative: isNegative, whole: whole, fraction: 0, fractionDigits: 0)
    }
    var fraction = fraction
    var digits = fractionDigits
    while fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    return ExactDecimal(isNegative: isNegative, whole: whole, fraction: fraction, fractionDigits: digits)
  }
}

extension String {
  /// Runs `body` on the UTF-8 bytes, with a typed error.
  func withExactBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws(ReadingError) -> R) throws(ReadingError) -> R {
    var copy = self
    let result: Result<R, ReadingError> = copy.withUTF8 { bytes in
      do throws(ReadingError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// Powers of ten that fit in 64 bits.
enum PowerOfTen {
  private static let table: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
  ]

  /// 10 to the power of `exponent`, 0 to 18.
  static func of(_ exponent: Int) -> UInt64 { table[exponent] }
}

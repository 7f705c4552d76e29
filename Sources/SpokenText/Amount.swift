/// An exact amount of money: a currency and a whole number of its minor units.
///
/// Limit: 18 digits in all, minor digits included (CNY 9,999,999,999,999,999.99).
public struct Amount: Hashable, Sendable {
  /// The largest number of minor units, either sign: 10^18 − 1.
  public static let largestMinorUnits: Int64 = 999_999_999_999_999_999

  /// The currency.
  public let currency: Currency
  /// The amount in minor units: 2850 for CNY 28.50, 28 for JPY 28.
  public let minorUnits: Int64

  /// An amount of minor units.
  ///
  /// - Throws: `ReadingError` of code `tooLarge` past `largestMinorUnits`.
  public init(minorUnits: Int64, currency: Currency) throws(ReadingError) {
    guard minorUnits.magnitude <= Self.largestMinorUnits.magnitude else { throw Self.tooLarge(currency) }
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// Parses a code and a number: `CNY 28.50`.
  ///
  /// - Throws: `ReadingError` if the code is missing or unknown, the number is not exact decimal text, or it has more
  ///   decimals than the currency. Nothing is ever rounded.
  public init(_ text: String) throws(ReadingError) {
    self = try text.withExactBytes { (bytes) throws(ReadingError) in try Amount(bytes: bytes) }
  }

  /// Parses a number of `currency`: `28.50` and `CNY`.
  ///
  /// - Throws: as `init(_:)`.
  public init(decimal: String, currency: String) throws(ReadingError) {
    let unit = try Currency(code: currency)
    self = try decimal.withExactBytes { (bytes) throws(ReadingError) in try Amount(number: bytes, currency: unit) }
  }

  /// The sum of two amounts of one currency.
  ///
  /// - Throws: `ReadingError` of code `currencyMismatch` or `tooLarge`.
  public func adding(_ other: Amount) throws(ReadingError) -> Amount {
    guard currency == other.currency else {
      throw ReadingError(
        .currencyMismatch, "\(currency.code) and \(other.currency.code) cannot be added; sum each currency alone")
    }
    // Both are below 10^18, so the sum fits in 64 bits.
    return try Amount(minorUnits: minorUnits + other.minorUnits, currency: currency)
  }

  /// The number as plain decimal text with all minor digits: `28.50`, `-0.05`, `10000`.
  public var decimalText: String {
    let digits = currency.minorDigits
    let scale = PowerOfTen.of(digits)
    let sign = minorUnits < 0 ? "-" : ""
    let whole = String(minorUnits.magnitude / scale)
    guard digits > 0 else { return sign + whole }
    let fraction = String(minorUnits.magnitude % scale)
    return sign + whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  // MARK: Parsing

  init(bytes: UnsafeBufferPointer<UInt8>) throws(ReadingError) {
    var start = 0
    while start < bytes.count, bytes[start] == 0x20 { start += 1 }
    var space = start
    while space < bytes.count, bytes[space] != 0x20 { space += 1 }
    guard start < bytes.count else { throw ReadingError(.empty, "there is no amount; write one such as CNY 28.50") }
    guard space < bytes.count, space > start, bytes[start] & 0xDF >= 0x41, bytes[start] & 0xDF <= 0x5A else {
      throw ReadingError(
        .missingCurrency, "an amount is a currency code, a space and a number; write it as CNY 28.50")
    }
    let currency = try Currency(bytes: bytes[start..<space])
    try self.init(number: UnsafeBufferPointer(rebasing: bytes[space...]), currency: currency)
  }

  init(number: UnsafeBufferPointer<UInt8>, currency: Currency) throws(ReadingError) {
    try self.init(try DecimalParser.parse(number), currency: currency)
  }

  /// Zeros past the minor digits are let through, since they change nothing, with one exception: exactly three
  /// decimals may be a grouping point (VND 10.000 for ten thousand), so they are refused unless the currency has three.
  init(_ number: ExactDecimal, currency: Currency) throws(ReadingError) {
    let digits = currency.minorDigits
    var fraction = number.fraction
    if number.fractionDigits > digits {
      let surplus = PowerOfTen.of(number.fractionDigits - digits)
      guard fraction % surplus == 0, number.fractionDigits != 3 else { throw Self.tooPrecise(currency) }
      fraction /= surplus
    } else {
      fraction *= PowerOfTen.of(digits - number.fractionDigits)
    }
    let scaled = number.whole.multipliedReportingOverflow(by: PowerOfTen.of(digits))
    let sum = scaled.partialValue.addingReportingOverflow(fraction)
    guard !scaled.overflow, !sum.overflow, sum.partialValue <= Self.largestMinorUnits.magnitude else {
      throw Self.tooLarge(currency)
    }
    let magnitude = Int64(sum.partialValue)
    self.minorUnits = number.isNegative ? -magnitude : magnitude
    self.currency = currency
  }

  private static func tooLarge(_ currency: Currency) -> ReadingError {
    ReadingError(
      .tooLarge,
      "the amount is too large; \(currency.code) is read up to \(18 - currency.minorDigits) digits before the point")
  }

  private static func tooPrecise(_ currency: Currency) -> ReadingError {
    let decimals = ["no decimals", "1 decimal", "2 decimals", "3 decimals"][currency.minorDigits]
    return ReadingError(
      .tooPrecise,
      "\(currency.code) has \(decimals) and the amount has more; write no more, and no point between thousands")
  }
}

/// What a text is, and so how it is read.
///
/// The raw values are the names that `aloud read --kind` and the test vectors use.
public enum ReadingKind: String, Hashable, Sendable, CaseIterable {
  /// A whole number as a number name: `12345`.
  case cardinal
  /// A number with a fraction; the fraction is read digit by digit, written zeros included: `28.50`.
  case decimal
  /// Money in the announcement style of the locale: `CNY 28.50`.
  case amount
  /// Money in major and minor units, Chinese locales only: 元角分, 蚊毫.
  case amountUnits = "amount/units"
  /// Digit by digit, as an order number: `0001`.
  case digits
  /// Digit by digit with the habits of the telephone: `10086`.
  case digitsPhone = "digits/phone"
  /// A time of the day in the announcement style of the locale: `15:05`.
  case time
  /// A time of the day on the 24-hour clock.
  case time24h = "time/24h"
  /// A time of the day on the 12-hour clock.
  case time12h = "time/12h"
  /// A time of the day on the Thai six-hour clock.
  case time6h = "time/6h"
  /// A percentage: `12.5` or `12.5%`. Chinese and English.
  case percent
  /// A rank: `21`. Chinese and English.
  case ordinal
  /// A day: `2026-11-30` or `11-30`. Chinese and English.
  case date
  /// A length of time, ISO 8601: `PT5M`, `P1DT2H`. Chinese and English.
  case duration

  /// The kind with this name.
  ///
  /// - Throws: `ReadingError` of code `unknownKind` with the list of the names.
  public init(named name: String) throws(ReadingError) {
    guard let kind = ReadingKind(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ReadingError(.unknownKind, "unknown kind; use one of: \(names)")
    }
    self = kind
  }
}

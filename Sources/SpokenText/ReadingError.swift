/// Why a text cannot be read aloud.
///
/// The message says what is wrong, where, and what to do. It never repeats the input: an amount must not reach a log
/// through an error. The only piece of input that is named is an unknown currency code, locale tag or character.
public struct ReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for a program.
  ///
  /// The raw value is stable.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is nothing to read.
    case empty
    /// A character that has no place in the input.
    case unexpectedCharacter = "unexpected-character"
    /// Digits are missing: a lone sign or point, `5.`, `1e`.
    case missingDigits = "missing-digits"
    /// Grouping marks that are neither Western (1,234,567) nor Indian (12,34,567).
    case badGrouping = "bad-grouping"
    /// ASCII and full-width digits in one number.
    case mixedScripts = "mixed-scripts"
    /// More digits before the point than the stated limit.
    case tooLarge = "too-large"
    /// More decimals than the kind or the currency has.
    case tooPrecise = "too-precise"
    /// Decimals where a whole number is asked for.
    case notWhole = "not-whole"
    /// An amount without its currency code, or without the space after it.
    case missingCurrency = "missing-currency"
    /// A currency code that is not in the table.
    case unknownCurrency = "unknown-currency"
    /// Amounts of two currencies were added.
    case currencyMismatch = "currency-mismatch"
    /// A locale tag that is not in the table.
    case unknownLocale = "unknown-locale"
    /// A kind name that does not exist.
    case unknownKind = "unknown-kind"
    /// The locale has no such kind.
    case unsupportedKind = "unsupported-kind"
    /// Not a time of the day.
    case badTime = "bad-time"
    /// Not a date of the calendar.
    case badDate = "bad-date"
    /// Not an ISO 8601 duration.
    case badDuration = "bad-duration"
    /// Not a line of a batch.
    case badLine = "bad-line"
  }

  /// What went wrong, for a program.
  public let code: Code
  /// What is wrong, where, and what to do, for a person.
  ///
  /// One line.
  public let message: String

  /// Makes an error of `code` with a one-line message for a person.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

import SpokenText
import Testing

struct AmountTests {
  @Test(arguments: [
    ("CNY 28.50", "28.50"), ("CNY 28.5", "28.50"), ("CNY 0.05", "0.05"), ("CNY -0.05", "-0.05"), ("CNY -0", "0.00"),
    ("JPY 10000", "10000"), ("JPY 100.00", "100"), ("KWD 1.5", "1.500"), ("KWD 1.234", "1.234"),
    ("CNY 1.2e4", "12000.00"),
    ("INR 12,34,567.80", "1234567.80"), ("CNY  5", "5.00"), ("USD 1.0000", "1.00"),
    ("CNY 9999999999999999.99", "9999999999999999.99"), ("JPY 999999999999999999", "999999999999999999"),
  ])
  func `keeps every minor unit`(text: String, expected: String) throws {
    #expect(try Amount(text).decimalText == expected)
  }

  @Test(arguments: [
    ("CNY 1.005", ReadingError.Code.tooPrecise), ("JPY 0.5", .tooPrecise), ("VND 10.000", .tooPrecise),
    ("CNY 1.000", .tooPrecise), ("KWD 1.0001", .tooPrecise), ("CNY 10000000000000000", .tooLarge),
    ("KWD 1000000000000000", .tooLarge), ("XYZ 5", .unknownCurrency), ("cny 5", .unknownCurrency),
    ("BTC 1", .unknownCurrency), ("YUAN 5", .unknownCurrency), ("28.50", .missingCurrency), ("CNY", .missingCurrency),
    ("CNY28.50", .missingCurrency), ("¥ 28.50", .missingCurrency), ("28.50 CNY", .missingCurrency), ("", .empty),
    ("CNY ", .empty), ("CNY NaN", .unexpectedCharacter), ("CNY 1 2", .unexpectedCharacter),
  ])
  func `refuses, never rounds`(text: String, code: ReadingError.Code) {
    let error = #expect(throws: ReadingError.self) { try Amount(text) }
    #expect(error?.code == code)
  }

  @Test func `names an unknown currency and how to write a known one`() {
    #expect(#expect(throws: ReadingError.self) { try Amount("XYZ 5") }?.message.contains("XYZ") == true)
    #expect(#expect(throws: ReadingError.self) { try Amount("cny 5") }?.message.contains("CNY") == true)
  }

  @Test func `never repeats the figure in an error`() {
    for text in ["CNY 76543.219", "XYZ 76543.21", "CNY76543", "CNY 765,43", "CNY 7654321987654321987654"] {
      let error = #expect(throws: ReadingError.self) { try Amount(text) }
      #expect(error?.message.contains("765") == false)
    }
  }

  @Test func `adds exactly, and only one currency`() throws {
    let sum = try Amount("CNY 0.10").adding(Amount("CNY 0.20"))
    #expect(sum == (try Amount("CNY 0.30")))
    #expect(throws: ReadingError.self) { try Amount("CNY 1").adding(Amount("USD 1")) }
    let most = try Amount(minorUnits: Amount.largestMinorUnits, currency: Currency(code: "CNY"))
    #expect(throws: ReadingError.self) { try most.adding(Amount("CNY 0.01")) }
    #expect(throws: ReadingError.self) { try Amount(minorUnits: .min, currency: Currency(code: "CNY")) }
  }

  @Test func `knows the most traded currencies with their minor digits`() throws {
    #expect(Currency.all.count >= 50)
    for (code, digits) in [("CNY", 2), ("JPY", 0), ("KRW", 0), ("VND", 0), ("KWD", 3), ("BHD", 3), ("IDR", 2)] {
      #expect(try Currency(code: code).minorDigits == digits)
    }
  }

  @Test(arguments: SpokenLocale.all)
  func `gives every currency names of its own`(locale: SpokenLocale) throws {
    let reader = Reader(locale)
    var owners: [String: String] = [:]
    for currency in Currency.all {
      let major = try reader.read(
        Amount(
          minorUnits: 5 * (currency.minorDigits == 0 ? 1 : currency.minorDigits == 2 ? 100 : 1000), currency: currency))
      #expect(owners.updateValue(currency.code, forKey: major.text) == nil, "\(major.text)")
    }
    // Five minor units may share a name (cents), but never with five major units of another currency.
    for currency in Currency.all where currency.minorDigits > 0 {
      let minor = try reader.read(Amount(minorUnits: 5, currency: currency))
      #expect(owners[minor.text] == nil, "\(minor.text)")
    }
  }
}

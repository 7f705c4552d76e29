/// A currency of ISO 4217 that can be spoken in every locale.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
  /// Place in the table of all currencies.
  let index: Int

  /// The currency with this ISO 4217 code, in capitals: `CNY`.
  ///
  /// - Throws: `ReadingError` of code `unknownCurrency` that names the code.
  public init(code: String) throws(ReadingError) {
    self = try code.withExactBytes { (bytes) throws(ReadingError) in try Currency(bytes: bytes[...]) }
  }

  init(index: Int) { self.index = index }

  init(bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(ReadingError) {
    guard bytes.count == 3, let index = CurrencyTable.index(ofKey: CurrencyTable.key(bytes)) else {
      throw Self.unknown(bytes)
    }
    self.index = index
  }

  /// The ISO 4217 code.
  public var code: String { CurrencyTable.rows[index].code }

  /// The digits of the minor unit by ISO 4217: 2 for CNY, 0 for JPY, 3 for KWD.
  public var minorDigits: Int { CurrencyTable.rows[index].minorDigits }

  /// The code.
  public var description: String { code }

  /// Every currency, in the order of their codes.
  public static let all: [Currency] = CurrencyTable.rows.indices.map(Currency.init(index:))

  private static func unknown(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> ReadingError {
    let isWord = bytes.count <= 8 && bytes.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    guard isWord else {
      return ReadingError(
        .unknownCurrency, "the currency is not a code of three capital letters; write one such as CNY")
    }
    let name = String(decoding: bytes, as: UTF8.self)
    let capitals = CurrencyTable.key(bytes.map { $0 & 0xDF })
    if bytes.count == 3, let index = CurrencyTable.index(ofKey: capitals) {
      return ReadingError(
        .unknownCurrency, "unknown currency \(name); write the code in capitals: \(CurrencyTable.rows[index].code)")
    }
    return ReadingError(
      .unknownCurrency,
      "unknown currency \(name); it is not among the \(CurrencyTable.rows.count) spoken currencies of docs/reading.md")
  }
}

/// Codes and minor digits of the spoken currencies: the most traded ones of the BIS triennial survey of 2025, and others
/// that payment notices use.
///
/// Minor digits: https://www.six-group.com/dam/download/financial-information/data-center/iso-currrency/lists/list-one.xml
enum CurrencyTable {
  struct Row: Sendable {
    let code: String
    let minorDigits: Int
  }

  static let rows: [Row] = {
    let two = [
      "AED", "ARS", "AUD", "BDT", "BRL", "CAD", "CHF", "CNY", "COP", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD", "HUF",
      "IDR", "ILS", "INR", "KES", "KZT", "LKR", "MAD", "MOP", "MXN", "MYR", "NGN", "NOK", "NZD", "PEN", "PHP", "PKR",
      "PLN", "QAR", "RON", "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "ZAR",
    ]
    let all =
      two.map { Row(code: $0, minorDigits: 2) }
      + ["CLP", "JPY", "KRW", "VND"].map { Row(code: $0, minorDigits: 0) }
      + ["BHD", "JOD", "KWD", "OMR"].map { Row(code: $0, minorDigits: 3) }
    return all.sorted { $0.code < $1.code }
  }()

  private static let keys: [UInt32] = rows.map { key(Array($0.code.utf8)) }

  /// Three letters as one number.
  static func key(_ bytes: some Collection<UInt8>) -> UInt32 {
    bytes.prefix(3).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Binary search: the rows are in the order of their codes.
  static func index(ofKey key: UInt32) -> Int? {
    var low = 0
    var high = keys.count - 1
    while low <= high {
      let middle = (low + high) / 2
      if keys[middle] == key { return middle }
      if keys[middle] < key { low = middle + 1 } else { high = middle - 1 }
    }
    return nil
  }
}

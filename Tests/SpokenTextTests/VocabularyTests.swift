import SpokenText
import TestSupport
import Testing

struct VocabularyTests {
  @Test(arguments: SpokenLocale.all, ReadingKind.allCases)
  func `declares exactly the words that readings say`(locale: SpokenLocale, kind: ReadingKind) throws {
    let reader = Reader(locale)
    let declared = Set(reader.vocabulary(kind))
    guard !declared.isEmpty else {
      #expect(throws: ReadingError.self) { try reader.read(Inputs.of(kind)[0], as: kind) }
      return
    }
    var said = Set<String>()
    for input in Inputs.of(kind) { said.formUnion(try reader.read(input, as: kind).words) }
    #expect(said.subtracting(declared) == [], "said, not declared")
    for options in Inputs.options {
      let styled = Reader(locale, options: options)
      var words = Set<String>()
      for input in Inputs.few(kind) { words.formUnion(try styled.read(input, as: kind).words) }
      #expect(words.subtracting(styled.vocabulary(kind)) == [], "said, not declared")
      said.formUnion(words)
    }
    #expect(declared.subtracting(said) == [], "declared, never said")
  }

  @Test(arguments: SpokenLocale.all)
  func `stays small enough to be recorded`(locale: SpokenLocale) {
    #expect(Reader(locale).vocabulary.count < 600)
    #expect(Reader(locale).vocabulary(.cardinal).count < 160)
  }

  @Test(arguments: SpokenLocale.all)
  func `lists what a pack of one currency needs`(locale: SpokenLocale) throws {
    let reader = Reader(locale)
    let currency = try Currency(code: "USD")
    let words = Set(reader.vocabulary(.amount, currencies: [currency]))
    #expect(words.count < reader.vocabulary(.amount).count)
    #expect(words.isSuperset(of: reader.vocabulary(.cardinal)))
    var chance = SeededChance(seed: 5)
    for _ in 0..<500 {
      let amount = try Amount(minorUnits: .random(in: -9_999_999...99_999_999_999, using: &chance), currency: currency)
      #expect(words.isSuperset(of: try reader.read(amount).words))
    }
  }

  @Test func `adds words for tones only when they are asked for`() throws {
    let toned = Set(Reader(.zhCN, options: .init(marksTones: true)).vocabulary(.amount))
    #expect(toned.isSuperset(of: ["一(yì)", "一(yí)", "五(wú)", "两(liáng)"]))
    #expect(Reader(.zhCN).vocabulary.allSatisfy { !$0.contains("(") })
    var chance = SeededChance(seed: 3)
    let reader = Reader(.zhCN, options: .init(marksTones: true))
    for _ in 0..<3_000 {
      let amount = try Amount(
        minorUnits: .random(in: 0...99_999_999_999, using: &chance), currency: Currency(code: "CNY"))
      #expect(toned.isSuperset(of: try reader.read(amount).words))
    }
  }
}

/// Inputs that together need every word of a kind.
private enum Inputs {
  static let options = [
    ReadingOptions(two: .everywhere), ReadingOptions(saysWhole: true, saysAnd: true),
    ReadingOptions(regionalPhoneWords: true), ReadingOptions(amountStyle: .units),
  ]

  static func of(_ kind: ReadingKind) -> [String] {
    switch kind {
    case .cardinal: numbers + numbers.dropFirst().map { "-" + $0 }
    case .decimal: numbers.map { $0 + ".0123456789" } + numbers + ["-0.5"]
    case .amount, .amountUnits:
      numbers.filter { $0.count <= 16 }.map { "CNY " + $0 } + numbers.map { "JPY " + $0 } + amounts
    case .digits, .digitsPhone: ["0123456789"]
    case .time, .time12h, .time24h, .time6h: Times.all
    case .percent: numbers + ["-1.5", "0123456789.0123456789"]
    case .ordinal: numbers
    case .date: dates
    case .duration: spans
    }
  }

  /// A handful for each style.
  static func few(_ kind: ReadingKind) -> [String] { Array(of(kind).prefix(600)) + of(kind).suffix(60) }

  private static let numbers: [String] = {
    let small = (0...1_999).map(String.init)
    let large = (3...17).flatMap { power in
      (1...120).filter { $0 < 10 || power < 17 }.map { String($0) + String(repeating: "0", count: power) }
    }
    // 10^18 is past the limit.
    return small + large.filter { $0.count <= 18 } + [
      "999999999999999999", "123456789012345678", "106000", "160000", "60000",
    ]
  }()

  private static let amounts: [String] = {
    let values = [
      "0", "1", "2", "3", "4", "6", "8", "9", "10", "20", "21", "22", "100", "200", "201", "300", "400", "500", "600",
      "700",
      "800", "900", "1000", "2002", "1000000", "80", "81", "91", "-1",
    ]
    let decimals = [
      "0.01", "0.02", "0.05", "0.10", "0.20", "0.21", "1.08", "2.22", "3.06", "0.80", "5.81", "7.91", "9.31",
    ]
    var inputs: [String] = []
    for currency in Currency.all {
      for value in values { inputs.append("\(currency.code) \(value)") }
      if currency.minorDigits > 0 { for value in decimals { inputs.append("\(currency.code) \(value)") } }
    }
    for number in 1...99 {
      for code in ["EUR", "GBP"] { inputs.append("\(code) \(number)") }
      for code in ["EUR", "INR"] { inputs.append("\(code) 0.\(two(number))") }
    }
    for number in 1...99 { inputs.append("IDR \(number).\(number % 9 + 1)") }
    inputs += ["IDR 10.01", "OMR 0.001"]
    return inputs
  }()

  private static let dates: [String] = {
    let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var inputs: [String] = []
    for (month, length) in days.enumerated() {
      for day in 1...length { inputs.append("\(two(month + 1))-\(two(day))") }
    }
    for year in 1...2_199 {
      let digits = String(year)
      inputs.append(String(repeating: "0", count: 4 - digits.count) + digits + "-01-01")
    }
    return inputs + ["9876-01-01", "5432-01-01"]
  }()

  private static let spans: [String] = {
    var inputs = ["PT0S", "P1DT1H"]
    let values = Array(1...130) + [200, 1_000, 2_000, 10_000, 1_000_000, 9_999_999]
    for (head, unit) in [("P", "W"), ("P", "D"), ("PT", "H"), ("PT", "M"), ("PT", "S")] {
      for value in values { inputs.append("\(head)\(value)\(unit)") }
    }
    return inputs
  }()

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

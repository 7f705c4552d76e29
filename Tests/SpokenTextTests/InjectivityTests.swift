import SpokenText
import TestSupport
import Testing

/// What is heard: the words without spaces, since a pause between words is no difference.
private func heard(_ reading: Reading) -> String { reading.words.joined() }

/// What is heard, as a 64-bit FNV-1a hash of the text without spaces and hyphens: quick enough for millions.
private func heardHash(_ reading: Reading) -> UInt64 {
  var text = reading.text
  return text.withUTF8 { bytes in
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes where byte != 0x20 && byte != 0x2D { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}

struct InjectivityTests {
  @Test(arguments: SpokenLocale.all)
  func `never says two numbers below 100000 the same way`(locale: SpokenLocale) throws {
    let reader = Reader(locale)
    var seen = Set<UInt64>(minimumCapacity: 100_000)
    for number in 0..<100_000 { seen.insert(heardHash(try reader.read(String(number), as: .cardinal))) }
    #expect(seen.count == 100_000)
  }

  @Test(arguments: SpokenLocale.all)
  func `never says two amounts the same way`(locale: SpokenLocale) throws {
    let reader = Reader(locale)
    var chance = SeededChance(seed: 41)
    var owners: [String: Amount] = [:]
    for code in ["CNY", "USD", "EUR", "GBP", "JPY", "KRW", "VND", "IDR", "INR", "KWD"] {
      let currency = try Currency(code: code)
      for _ in 0..<2_500 {
        let size = Int64(PowersOfTen.table[Int.random(in: 1...17, using: &chance)])
        let amount = try Amount(minorUnits: Int64.random(in: -size...size, using: &chance), currency: currency)
        // Below one major unit a language may say cents without the country.
        let isMinorOnly = amount.minorUnits.magnitude < PowersOfTen.table[currency.minorDigits]
        let key = isMinorOnly ? code + heard(try reader.read(amount)) : heard(try reader.read(amount))
        let owner = owners.updateValue(amount, forKey: key)
        #expect(owner == nil || owner == amount, "\(key)")
      }
    }
  }

  @Test(arguments: SpokenLocale.all)
  func `never says two decimals the same way`(locale: SpokenLocale) throws {
    let reader = Reader(locale)
    var chance = SeededChance(seed: 43)
    var owners: [String: String] = [:]
    for _ in 0..<5_000 {
      let whole = UInt64.random(in: 0..<PowersOfTen.table[Int.random(in: 1...18, using: &chance)], using: &chance)
      let digits = (0..<Int.random(in: 1...6, using: &chance)).map { _ in String(Int.random(in: 0...9, using: &chance))
      }
      let text = "\(whole).\(digits.joined())"
      let owner = owners.updateValue(text, forKey: heard(try reader.read(text, as: .decimal)))
      #expect(owner == nil || owner == text)
    }
  }

  @Test(arguments: SpokenLocale.all, [ReadingKind.time, .time24h, .time12h, .time6h])
  func `never says two minutes of the day the same way`(locale: SpokenLocale, kind: ReadingKind) throws {
    let reader = Reader(locale)
    guard !reader.vocabulary(kind).isEmpty else {
      #expect(throws: ReadingError.self) { try reader.read("10:00", as: kind) }
      return
    }
    var owners: [String: String] = [:]
    for time in Times.all {
      let owner = owners.updateValue(time, forKey: heard(try reader.read(time, as: kind)))
      #expect(owner == nil, "\(time) and \(owner ?? "")")
    }
  }
}

enum PowersOfTen {
  static let table: [UInt64] = (0..<18).reduce(into: [1]) { table, _ in table.append((table.last ?? 1) * 10) }
}

enum Times {
  /// 00:00 to 23:59.
  static let all: [String] = (0..<1440).map { minute in
    let (hour, rest) = (minute / 60, minute % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
  }
}

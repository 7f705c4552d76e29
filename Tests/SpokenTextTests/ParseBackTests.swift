import SpokenText
import TestSupport
import Testing

/// Reads number names back, written from the languages and not from the code under test.
private enum ParseBack {
  private static let tenfold: [Character: UInt64] = ["十": 10, "百": 100, "千": 1_000]
  private static let koreanTenfold: [Character: UInt64] = ["십": 10, "백": 100, "천": 1_000]
  private static let koreanLarge: [Character: UInt64] = [
    "만": 10_000, "억": 100_000_000, "조": 1_000_000_000_000, "경": 10_000_000_000_000_000,
  ]

  /// Chinese and Japanese: digits, units up to 千, and 万 亿 兆 as multipliers.
  ///
  /// 零 only separates.
  static func sinitic(_ words: some Collection<String>) -> UInt64? {
    let digits = Dictionary(uniqueKeysWithValues: zip("零一二三四五六七八九", UInt64(0)...9))
    var signs = words.joined().map { $0 == "两" ? "二" : $0 }
    // 亿 splits a number: what stands before it is a number of its own.
    if let split = signs.lastIndex(of: "亿") ?? signs.lastIndex(of: "億") {
      let head = signs[..<split].map(String.init)
      let tail = signs[(split + 1)...].map(String.init)
      guard let upper = sinitic(head), let lower = tail.isEmpty ? 0 : sinitic(tail) else { return nil }
      return upper * 100_000_000 + lower
    }
    if signs.isEmpty { return nil }
    var total: UInt64 = 0
    if let split = signs.lastIndex(of: "万") {
      guard let upper = sinitic(signs[..<split].map(String.init)) else { return nil }
      total = upper * 10_000
      signs.removeSubrange(...split)
    }
    var pending: UInt64?
    for sign in signs {
      if let digit = digits[sign] {
        pending = digit
      } else if let unit = tenfold[sign] {
        total += (pending ?? 1) * unit
        pending = nil
      } else {
        return nil
      }
    }
    return total + (pending ?? 0)
  }

  static func english(_ words: some Collection<String>) -> UInt64? {
    let small = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
      "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    let scales: [String: UInt64] = [
      "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 1_000_000_000_000,
      "quadrillion": 1_000_000_000_000_000,
    ]
    var (total, group) = (0 as UInt64, 0 as UInt64)
    for word in words {
      if let value = small.firstIndex(of: word) {
        group += UInt64(value)
      } else if let value = tens.firstIndex(of: word) {
        group += UInt64(20 + 10 * value)
      } else if word == "hundred" {
        group *= 100
      } else if let scale = scales[word] {
        total += group * scale
        group = 0
      } else if word != "and" {
        return nil
      }
    }
    return total + group
  }

  /// Korean text: the big units split it, the rest is like Japanese.
  static func korean(_ text: String) -> UInt64? {
    var total: UInt64 = 0
    var group: [Character] = []
    for character in text where character != " " {
      guard let unit = koreanLarge[character]
      else {
        group.append(character)
        continue
      }
      total += (group.isEmpty ? 1 : koreanGroup(group) ?? 0) * unit
      group = []
    }
    return group.isEmpty ? total : koreanGroup(group).map { total + $0 }
  }

  private static func koreanGroup(_ signs: [Character]) -> UInt64? {
    let digits = Dictionary(uniqueKeysWithValues: zip("영일이삼사오육칠팔구", UInt64(0)...9))
    var total: UInt64 = 0
    var pending: UInt64?
    for sign in signs {
      if let unit = koreanTenfold[sign] {
        total += (pending ?? 1) * unit
        pending = nil
      } else if let digit = digits[sign] {
        pending = digit
      } else {
        return nil
      }
    }
    return total + (pending ?? 0)
  }

  /// Japanese text below 10^16.
  static func japanese(_ text: String) -> UInt64? {
    var rest = Substring(text)
    var total: UInt64 = 0
    for (unit, value) in [("兆", 1_000_000_000_000), ("億", 100_000_000), ("万", 10_000)] as [(Character, UInt64)] {
      guard let split = rest.firstIndex(of: unit) else { continue }
      guard let count = sinitic(rest[..<split].map(String.init)) else { return nil }
      total += count * value
      rest = rest[rest.index(after: split)...]
    }
    return rest.isEmpty ? total : sinitic(rest.map(String.init)).map { total + $0 }
  }
}

struct ParseBackTests {
  /// Every number below 11,000, and random ones of every length.
  private static let numbers: [UInt64] = {
    var chance = SeededChance(seed: 11)
    let random = (0..<3_000).map { _ in
      UInt64.random(in: 0..<PowersOfTen.table[Int.random(in: 5...16, using: &chance)], using: &chance)
    }
    // Numbers with many zeros are where grammars fail.
    let sparse = (0..<2_000).map { _ in
      (0..<3).reduce(0 as UInt64) { sum, _ in
        sum + UInt64.random(in: 0...9, using: &chance) * PowersOfTen.table[Int.random(in: 0...14, using: &chance)]
      }
    }
    return Array(0..<11_000) + random + sparse
  }()

  @Test func `gives the number again in Mandarin, whatever the policy for 两`() throws {
    for policy in ReadingOptions.TwoPolicy.allCases {
      let reader = Reader(.zhCN, options: .init(two: policy))
      for number in Self.numbers {
        #expect(ParseBack.sinitic(try reader.read(String(number), as: .cardinal).words) == number)
      }
    }
  }

  @Test(arguments: [SpokenLocale.enUS, .enGB])
  func `gives the number again in English`(locale: SpokenLocale) throws {
    let reader = Reader(locale)
    for number in Self.numbers {
      #expect(ParseBack.english(try reader.read(String(number), as: .cardinal).words) == number)
    }
  }

  @Test func `gives the number again in Japanese`() throws {
    let reader = Reader(.ja)
    for number in Self.numbers {
      #expect(ParseBack.japanese(try reader.read(String(number), as: .cardinal).text) == number)
    }
  }

  @Test func `gives the number again in Korean`() throws {
    let reader = Reader(.ko)
    for number in Self.numbers {
      #expect(ParseBack.korean(try reader.read(String(number), as: .cardinal).text) == number)
    }
  }

  @Test func `gives the amount again in Mandarin, point style`() throws {
    let reader = Reader(.zhCN)
    let currency = try Currency(code: "CNY")
    for number in Self.numbers where number < 100_000_000_000_000 {
      let words = try reader.read(Amount(minorUnits: Int64(number), currency: currency)).words
      #expect(words.last == "元")
      let parts = words.dropLast().split(separator: "点", maxSplits: 1)
      let fraction = parts.count > 1 ? parts[1].map { ParseBack.sinitic([$0]) ?? 99 } : []
      let cents = fraction.isEmpty ? 0 : fraction.count == 1 ? fraction[0] * 10 : fraction[0] * 10 + fraction[1]
      #expect(ParseBack.sinitic(parts[0]).map { $0 * 100 + cents } == number)
    }
  }

  @Test func `gives the amount again in English, dollars and cents`() throws {
    let reader = Reader(.enUS)
    let currency = try Currency(code: "USD")
    for number in Self.numbers where number < 100_000_000_000_000 {
      var words = try reader.read(Amount(minorUnits: Int64(number), currency: currency)).words
      var total: UInt64 = 0
      if let split = words.firstIndex(where: { $0.hasPrefix("dollar") }) {
        total = (ParseBack.english(words[..<split]) ?? 0) * 100
        words.removeSubrange(...split)
      }
      if words.last?.hasPrefix("cent") == true { total += ParseBack.english(words.dropLast()) ?? 0 }
      #expect(total == number)
    }
  }
}

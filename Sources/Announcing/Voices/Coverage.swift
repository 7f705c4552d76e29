package import SpokenText
package import VoiceAudio

/// What a pack can say of what its locale may need.
package struct Coverage: Hashable, Sendable {
  /// One kind of thing that is said.
  package struct Row: Hashable, Sendable {
    /// What it is, for people.
    package let name: String
    /// Readings that were tried.
    package let tried: Int
    /// Readings among them that the pack says whole.
    package let said: Int
    /// The words that were lacking, each once.
    package let missing: [String]

    /// Whether all of them can be said.
    package var isComplete: Bool { said == tried }
  }

  /// The rows, the most needed first.
  package let rows: [Row]

  /// Tries a pack.
  ///
  /// - Parameters:
  ///   - pack: The pack.
  ///   - locale: The language and region.
  ///   - depth: How many numbers and amounts are tried: all whole numbers below it, and as many beyond.
  package init(of pack: VoicePack, locale: SpokenLocale, depth: Int = 1_000) {
    let reader = Reader(locale)
    let currency = Coverage.currency(of: locale)
    func row(_ name: String, _ inputs: some Sequence<String>, _ kind: ReadingKind) -> Row {
      Coverage.row(name, pack, inputs.lazy.compactMap { try? reader.read($0, as: kind).words })
    }
    let small = Coverage.spread(below: 100_000, depth)
    let large = Coverage.spread(below: 1_000_000_000_000, depth / 4)
    var rows = [
      row("amounts below 100,000 in \(currency)", small.map { "\(currency) \(Coverage.hundredths($0))" }, .amount),
      row("amounts beyond", large.map { "\(currency) \($0)" }, .amount),
      row("whole numbers up to \(depth)", (0...depth).map(String.init), .cardinal),
      row("times of day", (0..<1_440).map { Coverage.time($0) }, .time),
      row("digits one by one", (0...9).map(String.init), .digits),
    ]
    let others = Currency.all.map(\.code).filter { $0 != currency }
    rows.append(row("one and two of other currencies", others.flatMap { ["\($0) 1", "\($0) 2"] }, .amount))
    rows.append(Coverage.row("words of sentences", pack, PhraseBook.vocabulary(locale).map { [$0] }))
    self.rows = rows.filter { $0.tried > 0 }
  }

  /// Whether numbers, amounts in the locale's currency and times can all be said.
  package var isSufficient: Bool { rows.prefix(4).allSatisfy(\.isComplete) }

  /// A table for people.
  package var text: String {
    rows.map { row in
      let lacking = row.missing.prefix(12).joined(separator: " ") + (row.missing.count > 12 ? " …" : "")
      return row.isComplete
        ? "  can say \(row.name)"
        : "  cannot say \(row.tried - row.said) of \(row.tried) \(row.name); it lacks: \(lacking)"
    }.joined(separator: "\n")
  }

  private static func row(_ name: String, _ pack: VoicePack, _ readings: some Sequence<[String]>) -> Row {
    var tried = 0
    var said = 0
    var missing: [String] = []
    var seen: Set<String> = []
    for words in readings {
      tried += 1
      let lacking = pack.missing(words: words)
      if lacking.isEmpty { said += 1 }
      for word in lacking where seen.insert(word).inserted { missing.append(word) }
    }
    return Row(name: name, tried: tried, said: said, missing: missing)
  }

  /// `count` numbers spread over the range without a pattern in their digits: multiples of the golden ratio's part of
  /// it.
  private static func spread(below limit: Int, _ count: Int) -> [Int] {
    (1...max(1, count)).map { place in
      let part = Double(place) * 0.618_033_988_749_894_9
      return Int((part - part.rounded(.down)) * Double(limit))
    }
  }

  /// A number of hundredths of every tenth, else a whole number, so that both kinds of amounts are tried.
  private static func hundredths(_ value: Int) -> String {
    guard value % 3 != 0 else { return "\(value)" }
    let cents = value * 7 % 100
    return "\(value / 10).\(cents < 10 ? "0" : "")\(cents)"
  }

  private static func time(_ minute: Int) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return two(minute / 60) + ":" + two(minute % 60)
  }

  /// The money that is mostly spoken of in a locale, as an ISO 4217 code.
  package static func currency(of locale: SpokenLocale) -> String { currencies[locale.tag] ?? "EUR" }

  private static let currencies = [
    "zh-CN": "CNY", "zh-TW": "TWD", "yue-HK": "HKD", "en-US": "USD", "en-GB": "GBP", "en-IN": "INR", "ja": "JPY",
    "ja-JP": "JPY", "ko": "KRW", "ko-KR": "KRW", "vi": "VND", "vi-VN": "VND", "th": "THB", "th-TH": "THB", "id": "IDR",
    "id-ID": "IDR", "hi": "INR", "hi-IN": "INR", "es-MX": "MXN", "pt-BR": "BRL",
  ]
}

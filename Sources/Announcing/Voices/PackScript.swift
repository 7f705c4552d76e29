package import SpokenText

/// What a pack is to say: the units that are rendered or recorded.
package struct PackScript: Hashable, Sendable {
  /// One unit of speech.
  package struct Unit: Hashable, Sendable {
    /// The words it says, as the reader gives them.
    package var words: [String]
    /// What the engine is given to speak.
    package var spoken: String

    /// Makes a unit.
    package init(words: [String], spoken: String) {
      self.words = words
      self.spoken = spoken
    }

    /// The name of its clip.
    package var name: String { words.joined(separator: words.allSatisfy(\.isDense) ? "" : " ") }
  }

  /// The units, each once.
  package private(set) var units: [Unit] = []

  /// Every word with which the locale's numbers, amounts, times and sentences are said, and units of two or three words
  /// that join better than their parts.
  ///
  /// - Parameters:
  ///   - locale: The language and region.
  ///   - phrases: What else is to be said in one piece, such as the shop's own name.
  ///   - spoken: What the engine is to be given for a word instead of its text.
  package init(_ locale: SpokenLocale, phrases: [String] = [], spoken: [String: String] = [:]) {
    let readings = PackScript.pronunciations(locale.tag).merging(spoken) { $1 }
    func add(_ words: [String]) {
      guard !words.isEmpty, !units.contains(where: { $0.words == words }) else { return }
      let whole = readings[words.joined()]
      let separator = words.allSatisfy(\.isDense) && !words.contains { readings[$0] != nil } ? "" : " "
      units.append(
        Unit(words: words, spoken: whole ?? words.map { readings[$0] ?? $0 }.joined(separator: separator)))
    }
    for word in PhraseBook.fullVocabulary(locale) + Reader(locale).vocabulary { add([word]) }
    for unit in PackScript.largerUnits(locale) { add(unit) }
    for phrase in phrases { add(phrase.split(whereSeparator: \.isWhitespace).map(String.init)) }
  }

  /// Units of more than one word: hundreds, thousands and tens in Chinese, two-digit numbers and hundreds in English.
  static func largerUnits(_ locale: SpokenLocale) -> [[String]] {
    let reader = Reader(locale)
    func words(_ number: Int) -> [String] { (try? reader.read(String(number), as: .cardinal).words) ?? [] }
    let numbers: [Int] =
      switch locale.tag.prefix(2) {
      case "zh", "yu": (1...9).flatMap { [$0 * 10, $0 * 100, $0 * 1_000] }
      case "en": (21...99).filter { $0 % 10 != 0 } + (1...9).map { $0 * 100 }
      default: []
      }
    return numbers.map(words).filter { $0.count > 1 }
  }

  /// Pinyin with numbered tones for Mandarin number words, so that the engine need not guess: 一 changes its tone before
  /// 百, 千, 万 and 亿.
  ///
  /// Source of the tone rules: the Scheme for the Chinese Phonetic Alphabet (GB/T 16159), section on tone sandhi of 一.
  private static func pronunciations(_ tag: String) -> [String: String] {
    guard tag == "zh-CN" else { return [:] }
    var table = [
      "零": "ling2", "一": "yi1", "二": "er4", "两": "liang3", "三": "san1", "四": "si4", "五": "wu3", "六": "liu4", "七": "qi1",
      "八": "ba1", "九": "jiu3", "十": "shi2", "百": "bai3", "千": "qian1", "万": "wan4", "亿": "yi4", "点": "dian3",
      "元": "yuan2",
      "角": "jiao3", "分": "fen1", "负": "fu4", "整": "zheng3", "幺": "yao1",
    ]
    let digits = "一二三四五六七八九".map(String.init)
    for (unit, sound) in [("十", "shi2"), ("百", "bai3"), ("千", "qian1")] {
      for digit in digits { table[digit + unit] = (table[digit] ?? "") + " " + sound }
    }
    table["一百"] = "yi4 bai3"
    table["一千"] = "yi4 qian1"
    return table
  }
}

extension String {
  /// Whether the word is written in a script without blanks: Han or kana.
  var isDense: Bool { unicodeScalars.allSatisfy { (0x2E80...0x9FFF).contains($0.value) } }
}

package import SpokenText

/// What the name of a recording says that is in it.
package enum RecordingNames {
  /// What a name means.
  package enum Meaning: Hashable, Sendable {
    /// A clip that says these words.
    case words([String])
    /// A sound for when nothing can be said; no clip.
    case fallback
    /// The name is not understood; why.
    case unknown(String)
  }

  /// Reads a file name without its extension.
  ///
  /// In this order: numbers (`7`, `28`), the names of public demos (`tts_7`, `tts_ten`, `tts_dot`), for Chinese pinyin
  /// with or without tones (`ling`, `yì`, `yi4`), else the words themselves (`微信收款`, `twenty eight`, `twenty_eight`).
  /// - Parameter prefix: What the demos' `tts_pre` says.
  package static func meaning(_ stem: String, locale: SpokenLocale, prefix: [String]) -> Meaning {
    let name = stem.split(whereSeparator: { $0.isWhitespace || $0 == "_" }).joined(separator: " ").lowercased()
    guard !name.isEmpty else { return .unknown("it has no name") }
    if let words = number(name, locale) { return .words(words) }
    if name.hasPrefix("tts ") { return demo(String(name.dropFirst(4)), locale, prefix) }
    if locale.tag.hasPrefix("zh") || locale.tag.hasPrefix("yue"), name.unicodeScalars.allSatisfy({ $0.value < 0x2E80 })
    {
      return pinyin(name, locale)
    }
    return .words(name.split(separator: " ").map(String.init))
  }

  private static func number(_ name: String, _ locale: SpokenLocale) -> [String]? {
    guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), name == "0" || !name.hasPrefix("0") else { return nil }
    return try? Reader(locale).read(name, as: .cardinal).words
  }

  private static func demo(_ name: String, _ locale: SpokenLocale, _ prefix: [String]) -> Meaning {
    if let words = number(name, locale) { return .words(words) }
    func word(_ value: Int, last: Bool = true) -> Meaning {
      let words = (try? Reader(locale).read(String(value), as: .cardinal).words) ?? []
      return words.last.map { .words([$0]) } ?? .unknown("\(locale.tag) has no such word")
    }
    switch name {
    case "ten": return word(10)
    case "hundred": return word(100)
    case "thousand": return word(1_000)
    case "ten thousand": return word(10_000)
    case "hundred million": return word(100_000_000)
    case "dot", "point":
      let words = (try? Reader(locale).read("1.5", as: .decimal).words) ?? []
      return words.count > 1 ? .words([words[1]]) : .unknown("\(locale.tag) has no such word")
    case "yuan":
      let words = (try? Reader(locale).read("CNY 5", as: .amount).words) ?? []
      return words.last.map { .words([$0]) } ?? .unknown("\(locale.tag) has no such word")
    case "pre": return .words(prefix)
    case "default": return .fallback
    default: return .unknown("tts_\(name) is none of the known names")
    }
  }

  /// One syllable of pinyin, or several apart or run together with tone numbers.
  private static func pinyin(_ name: String, _ locale: SpokenLocale) -> Meaning {
    let isTraditional = locale.tag != "zh-CN"
    var words: [String] = []
    for part in name.split(separator: " ") {
      let (letters, tone) = toneless(String(part))
      guard let readings = syllables[letters] else {
        return .unknown("\"\(part)\" is no pinyin of a number word; name the file after what it says, such as 微信收款")
      }
      guard let found = readings.first(where: { tone == nil || $0.tone == tone }) else {
        let usual = readings.map { "\(letters)\($0.tone) \($0.word)" }.joined(separator: ", ")
        return .unknown("\"\(part)\" could be several words (known are \(usual)); name the file after the character")
      }
      words.append(isTraditional ? traditional[found.word] ?? found.word : found.word)
    }
    return .words(words)
  }

  /// Letters without tone marks, and the tone from a mark or a number.
  static func toneless(_ text: String) -> (letters: String, tone: Int?) {
    var letters = ""
    var tone: Int?
    for character in text {
      if let marked = marks[character] {
        letters.append(marked.letter)
        tone = marked.tone
      } else if let number = character.wholeNumberValue, (1...5).contains(number), character.isASCII {
        tone = number
      } else {
        letters.append(character)
      }
    }
    return (letters, tone)
  }

  private static let marks: [Character: (letter: Character, tone: Int)] = {
    var table: [Character: (letter: Character, tone: Int)] = [:]
    for (letter, marked) in [("a", "āáǎà"), ("e", "ēéěè"), ("i", "īíǐì"), ("o", "ōóǒò"), ("u", "ūúǔù")] {
      for (place, character) in marked.enumerated() { table[character] = (Character(letter), place + 1) }
    }
    return table
  }()

  /// The words of a syllable; without a tone the first is meant, which for `yi` is 一 and for `shi` 十.
  private static let syllables: [String: [(tone: Int, word: String)]] = [
    "ling": [(2, "零")], "yi": [(1, "一"), (4, "亿")], "er": [(4, "二")], "liang": [(3, "两")], "san": [(1, "三")],
    "si": [(4, "四")], "wu": [(3, "五")], "liu": [(4, "六")], "qi": [(1, "七")], "ba": [(1, "八")], "jiu": [(3, "九")],
    "shi": [(2, "十"), (4, "是")], "bai": [(3, "百")], "qian": [(1, "千")], "wan": [(4, "万")], "dian": [(3, "点")],
    "yuan": [(2, "元")], "kuai": [(4, "块")], "jiao": [(3, "角")], "mao": [(2, "毛")], "fen": [(1, "分")],
    "zheng": [(3, "整")], "fu": [(4, "负")], "yao": [(1, "幺")], "bi": [(3, "笔")], "gong": [(4, "共")],
  ]

  private static let traditional = ["两": "兩", "万": "萬", "亿": "億", "点": "點", "负": "負", "块": "塊", "笔": "筆"]
}

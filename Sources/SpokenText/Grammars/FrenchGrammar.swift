/// French of France: soixante-dix, quatre-vingts; long scale; cents and vingts lose their s before mille, not before
/// million, which is a noun.
///
/// 1 to 99 are one word each, since their sounds run together. What liaison changes between words is in the words: a
/// numeral before a vowel says its final consonant (`deux(z)` euros, `vingt(t)` euros), six, huit and dix lose theirs
/// before a consonant (`six(-)` cents), neuf heures is `neuf(v)`. Rule: Grevisse, Le bon usage, § 599 and on; Académie
/// française, Dire ne pas dire, for un million d’euros.
struct FrenchGrammar: CountingGrammar {
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]
  let moneyJoint: Token?

  /// 0 to 99; 80 is quatre-vingts.
  private let small: [Token]
  private let feminine: [Token]
  private let eighty: Token
  private let hundred: (one: Token, many: Token)
  private let thousand: Token
  private let large: [(value: UInt64, one: Token, many: Token)]
  private let of: Token
  private let ofElided: Token
  private let hour: (one: Token, many: Token)
  private let liaison: FrenchLiaison

  init() {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 170_000)
    let clock: KindSet = [KindSet(.time), .time24]
    let words = Self.smallWords()
    small = lexicon.add(words, .number)
    // Hours and minutes are feminine.
    _ = lexicon.add((0...59).filter { $0 == 11 || $0 % 10 != 1 }.map { words[$0] }, clock)
    for digit in 0...9 { _ = lexicon.add(words[digit], [.digits, .phone]) }
    fractionDigits = Array(small[0...9])
    feminine = words.enumerated().map { number, word in
      let ends = number % 10 == 1 && ![11, 71, 91].contains(number)
      return ends ? lexicon.add(word + "e", number < 60 ? [.amount, clock] : .amount) : lexicon.add(word, [])
    }
    eighty = lexicon.add("quatre-vingt", .number)
    hundred = (lexicon.add("cent", .number), lexicon.add("cents", .number))
    thousand = lexicon.add("mille", .number)
    large = [
      (1_000_000_000_000_000, "billiard", "billiards"), (1_000_000_000_000, "billion", "billions"),
      (1_000_000_000, "milliard", "milliards"), (1_000_000, "million", "millions"),
    ].map { ($0.0, lexicon.add($0.1, .number), lexicon.add($0.2, .number)) }
    minus = lexicon.add("moins", .number)
    point = lexicon.add("virgule", [.decimal, .amount])
    of = lexicon.add("de", .amount)
    ofElided = lexicon.add("d'", .amount)
    moneyJoint = lexicon.add("et", .amount)
    hour = (lexicon.add("heure", clock), lexicon.add("heures", clock))
    // A hundredth of a dollar is written like the number and said as in English.
    currencies = CurrencyWords.table(CurrencyRow.french, &lexicon, sounds: ["cent": "sɛnt", "cents": "sɛnt"])
    let consonants =
      [hundred.one, hundred.many, thousand, eighty] + large.flatMap { [$0.one, $0.many] }
    liaison = FrenchLiaison(words, currencies, hour: hour, consonants: consonants, &lexicon)
    wordbook = Wordbook(lexicon)
  }

  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] { fractionDigits }

  func finish(_ out: inout TokenBuffer) { liaison.apply(to: &out) }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, isFeminine: false, &out)
  }

  func counted(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, isFeminine: noun.isFeminine, &out)
  }

  /// Below 2 the noun is in the singular: zéro euro.
  func isSingular(_ number: UInt64) -> Bool { number < 2 }

  /// un million d’euros, de dollars.
  func append(_ noun: Noun, after number: UInt64, _ out: inout TokenBuffer) {
    let word = isSingular(number) ? noun.one : noun.many
    guard number > 0, number % 1_000_000 == 0 else {
      out.append(word)
      return
    }
    let elides = liaison.beginsWithVowel(word)
    out.append(elides ? ofElided : of)
    out.append(word, elides ? .none : .separator)
  }

  private func append(_ number: UInt64, isFeminine: Bool, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(small[0])
      return
    }
    var rest = number
    for scale in large where rest >= scale.value {
      let count = rest / scale.value
      belowThousand(Int(count), isFeminine: false, beforeThousand: false, &out)
      out.append(count == 1 ? scale.one : scale.many)
      rest %= scale.value
    }
    if rest >= 1000 {
      if rest >= 2000 { belowThousand(Int(rest / 1000), isFeminine: false, beforeThousand: true, &out) }
      out.append(thousand)
      rest %= 1000
    }
    if rest > 0 { belowThousand(Int(rest), isFeminine: isFeminine, beforeThousand: false, &out) }
  }

  private func belowThousand(_ number: Int, isFeminine: Bool, beforeThousand: Bool, _ out: inout TokenBuffer) {
    let (hundreds, rest) = (number / 100, number % 100)
    if hundreds > 0 {
      if hundreds > 1 { out.append(small[hundreds]) }
      out.append(hundreds > 1 && rest == 0 && !beforeThousand ? hundred.many : hundred.one)
    }
    guard rest > 0 else { return }
    if rest == 80, beforeThousand {
      out.append(eighty)
    } else {
      out.append(isFeminine ? feminine[rest] : small[rest])
    }
  }

  // MARK: Time

  /// vingt et une heures trente; hours and minutes are feminine.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time")
    case .twelve: throw unsupported("time/12h", "use time")
    case .localeDefault, .twentyFour: break
    }
    append(UInt64(time.hour), isFeminine: true, &out)
    out.append(time.hour < 2 ? hour.one : hour.many)
    if time.minute > 0 { append(UInt64(time.minute), isFeminine: true, &out) }
  }

  /// The spellings of 0 to 99 (1990 or before: the hyphens change no sound).
  private static func smallWords() -> [String] {
    let units = [
      "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
      "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
    ]
    let tens = ["vingt", "trente", "quarante", "cinquante", "soixante", "soixante", "quatre-vingt", "quatre-vingt"]
    return units
      + (20...99).map { number in
        let ten = tens[number / 10 - 2]
        let rest = number < 60 ? number % 10 : number % 20
        switch (number, rest) {
        case (80, _): return "quatre-vingts"
        case (_, 0): return ten
        case (..<80, 1), (..<80, 11): return "\(ten) et \(units[rest])"
        default: return "\(ten)-\(units[rest])"
        }
      }
  }
}

/// Sounds at the border of a number and the word after it.
struct FrenchLiaison: Sendable {
  private let vowels: Set<Token>
  private let consonants: Set<Token>
  private let hours: Set<Token>
  private var beforeVowel: [Token: Token] = [:]
  private var beforeConsonant: [Token: Token] = [:]
  private var beforeHours: [Token: Token] = [:]

  init(
    _ words: [String], _ currencies: [CurrencyWords], hour: (one: Token, many: Token), consonants: [Token],
    _ lexicon: inout Lexicon
  ) {
    let nouns = currencies.flatMap(\.tokens)
    let isVowel: (Token) -> Bool = { [lexicon] token in
      lexicon.keys[Int(token.rawValue)].first.map { "aeéèêiouøöh".contains($0) } ?? false
    }
    hours = [hour.one, hour.many]
    vowels = Set(nouns.filter(isVowel)).union(hours)
    self.consonants = Set(nouns.filter { !isVowel($0) } + consonants)
    let clock: KindSet = [KindSet(.time), .time24]
    for (number, word) in words.enumerated() where number > 0 {
      let kinds: KindSet = number < 24 && !word.hasSuffix("un") ? [.amount, clock] : .amount
      let token = lexicon.add(word, [])
      if let sound = Self.liaison(word) { beforeVowel[token] = lexicon.add(word, sound: sound, kinds) }
      if word.hasSuffix("six") || word.hasSuffix("dix") || word.hasSuffix("huit") {
        beforeConsonant[token] = lexicon.add(word, sound: "-", .number)
      }
      if word.hasSuffix("neuf"), number < 24 { beforeHours[token] = lexicon.add(word, sound: "v", clock) }
    }
    for word in ["cent", "cents"] {
      beforeVowel[lexicon.add(word, [])] = lexicon.add(word, sound: word == "cent" ? "t" : "z", .amount)
    }
  }

  /// The consonant that a numeral says before a vowel and not elsewhere.
  private static func liaison(_ word: String) -> String? {
    if word.hasSuffix("un") { return "n" }
    if word.hasSuffix("deux") || word.hasSuffix("trois") || word.hasSuffix("six") || word.hasSuffix("dix") {
      return "z"
    }
    if word == "vingt" { return "t" }
    return word == "quatre-vingts" ? "z" : nil
  }

  /// Whether a noun begins with a vowel sound.
  func beginsWithVowel(_ word: Token) -> Bool { vowels.contains(word) }

  /// Replaces the words whose sound their right neighbour changes.
  func apply(to out: inout TokenBuffer) {
    guard out.count > 1 else { return }
    for position in 0..<(out.count - 1) {
      let (word, next) = (out[position], out[position + 1])
      if hours.contains(next), let voiced = beforeHours[word] {
        out.replace(at: position, with: voiced)
      } else if vowels.contains(next), let linked = beforeVowel[word] {
        out.replace(at: position, with: linked)
      } else if consonants.contains(next), let short = beforeConsonant[word] {
        out.replace(at: position, with: short)
      }
    }
  }
}

/// Hindi: every number below 100 is a word of its own; then सौ, हज़ार, लाख, करोड़, अरब, खरब, नील, पद्म, शंख.
///
/// एक is said before सौ and the larger units. Spellings: CLDR 44 `hi` spell-out rules, पंद्रह as Hindi schoolbooks have it.
/// Times: CLDR day-period rules; सवा, साढ़े, पौने, डेढ़ and ढाई as in speech.
struct HindiGrammar: CountingGrammar {
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]

  private let small: [Token]
  /// The units from the largest.
  private let units: [(value: UInt64, name: Token)]
  private let clock: ClockWords

  private struct ClockWords: Sendable {
    /// सुबह, दोपहर, शाम, रात.
    let periods: [Token]
    let of: Token
    let oClock: Token
    let past: Token
    let minutes: Token
    let quarterPast: Token
    let half: Token
    let quarterTo: Token
    let oneAndHalf: Token
    let twoAndHalf: Token
  }

  init() {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 200_000)
    let clockKinds: KindSet = [KindSet(.time), .time12]
    small = lexicon.add(Self.smallWords, .number)
    _ = lexicon.add((1...59).filter { ![15, 30, 45].contains($0) }.map { Self.smallWords[$0] }, clockKinds)
    for digit in 0...9 { _ = lexicon.add(Self.smallWords[digit], [.digits, .phone]) }
    fractionDigits = Array(small[0...9])
    units = [
      (100_000_000_000_000_000, "शंख"), (1_000_000_000_000_000, "पद्म"), (10_000_000_000_000, "नील"),
      (100_000_000_000, "खरब"), (1_000_000_000, "अरब"), (10_000_000, "करोड़"), (100_000, "लाख"), (1000, "हज़ार"),
      (100, "सौ"),
    ].map { ($0.0, lexicon.add($0.1, .number)) }
    minus = lexicon.add("माइनस", .number)
    point = lexicon.add("दशमलव", [.decimal, .amount])
    currencies = CurrencyWords.table(CurrencyRow.hindi, &lexicon)
    clock = ClockWords(
      periods: lexicon.add(["सुबह", "दोपहर", "शाम", "रात"], clockKinds), of: lexicon.add("के", clockKinds),
      oClock: lexicon.add("बजे", clockKinds), past: lexicon.add("बजकर", clockKinds),
      minutes: lexicon.add("मिनट", clockKinds), quarterPast: lexicon.add("सवा", clockKinds),
      half: lexicon.add("साढ़े", clockKinds), quarterTo: lexicon.add("पौने", clockKinds),
      oneAndHalf: lexicon.add("डेढ़", clockKinds), twoAndHalf: lexicon.add("ढाई", clockKinds))
    wordbook = Wordbook(lexicon)
  }

  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] { fractionDigits }

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    var rest = number
    for unit in units where rest >= unit.value {
      out.append(small[Int(rest / unit.value)])
      out.append(unit.name)
      rest %= unit.value
    }
    if rest > 0 || number == 0 { out.append(small[Int(rest)]) }
  }

  /// दोपहर के ढाई बजे, सुबह के पौने आठ बजे, रात के दस बजकर बीस मिनट.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time")
    case .twentyFour: throw unsupported("time/24h", "use time")
    case .localeDefault, .twelve: break
    }
    let period = [4, 12, 16, 20].firstIndex { time.hour < $0 } ?? 0
    out.append(clock.periods[(period + 3) % 4])
    out.append(clock.of)
    let hour = time.twelveHour
    switch (time.minute, hour) {
    case (30, 1): out.append(clock.oneAndHalf)
    case (30, 2): out.append(clock.twoAndHalf)
    case (30, _): say(clock.half, hour, &out)
    case (15, _): say(clock.quarterPast, hour, &out)
    case (45, _): say(clock.quarterTo, hour % 12 + 1, &out)
    case (0, _): out.append(small[hour])
    default:
      out.append(small[hour])
      out.append(clock.past)
      out.append(small[time.minute])
      out.append(clock.minutes)
      return
    }
    out.append(clock.oClock)
  }

  private func say(_ part: Token, _ hour: Int, _ out: inout TokenBuffer) {
    out.append(part)
    out.append(small[hour])
  }

  private static let smallWords = [
    "शून्य", "एक", "दो", "तीन", "चार", "पाँच", "छह", "सात", "आठ", "नौ",
    "दस", "ग्यारह", "बारह", "तेरह", "चौदह", "पंद्रह", "सोलह", "सत्रह", "अठारह", "उन्नीस",
    "बीस", "इक्कीस", "बाईस", "तेईस", "चौबीस", "पच्चीस", "छब्बीस", "सत्ताईस", "अट्ठाईस", "उनतीस",
    "तीस", "इकतीस", "बत्तीस", "तैंतीस", "चौंतीस", "पैंतीस", "छत्तीस", "सैंतीस", "अड़तीस", "उनतालीस",
    "चालीस", "इकतालीस", "बयालीस", "तैंतालीस", "चौवालीस", "पैंतालीस", "छियालीस", "सैंतालीस", "अड़तालीस", "उनचास",
    "पचास", "इक्यावन", "बावन", "तिरेपन", "चौवन", "पचपन", "छप्पन", "सत्तावन", "अट्ठावन", "उनसठ",
    "साठ", "इकसठ", "बासठ", "तिरेसठ", "चौंसठ", "पैंसठ", "छियासठ", "सड़सठ", "अड़सठ", "उनहत्तर",
    "सत्तर", "इकहत्तर", "बहत्तर", "तिहत्तर", "चौहत्तर", "पचहत्तर", "छिहत्तर", "सतहत्तर", "अठहत्तर", "उनासी",
    "अस्सी", "इक्यासी", "बयासी", "तिरासी", "चौरासी", "पचासी", "छियासी", "सत्तासी", "अट्ठासी", "नवासी",
    "नब्बे", "इक्यानबे", "बानबे", "तिरानबे", "चौरानबे", "पंचानबे", "छियानबे", "सत्तानबे", "अट्ठानबे", "निन्यानबे",
  ]
}

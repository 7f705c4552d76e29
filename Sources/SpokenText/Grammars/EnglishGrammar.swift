/// English: short scale in the United States and the United Kingdom, lakh and crore in India.
///
/// “and” stands before the last two digits in Britain and India (one hundred and one, one thousand and one), as in CLDR's
/// `spellout-cardinal-verbose`; in the United States only by option. Money joins its units with “and” everywhere.
struct EnglishGrammar: CountingGrammar {
  enum Region: Sendable {
    case unitedStates, unitedKingdom, india
  }

  let region: Region
  let wordbook: Wordbook

  let minus: Token
  let point: Token
  /// 0 to 19.
  let small: [Token]
  /// 20, 30 … 90, at 2 to 9.
  let tens: [Token]
  let hundred: Token
  let and: Token
  /// Names of the powers, the largest first.
  let scales: [Scale]
  let fractionDigits: [Token]
  let oh: Token
  let currencies: [CurrencyWords]
  let clock: EnglishClockWords
  let calendar: EnglishCalendarWords

  struct Scale: Sendable {
    let value: UInt64
    let name: Token
  }

  init(_ region: Region) {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 190_000)
    let clockKinds: KindSet = [KindSet(.time), .time12, .time24]
    let counting: KindSet = [.number, .percent, .ordinal, .date, .duration]
    self.region = region
    let zero = lexicon.add(Self.smallWords[0], [.number, .percent, .duration, .time24])
    small = [zero] + lexicon.add(Array(Self.smallWords[1...]), [counting, clockKinds])
    fractionDigits = lexicon.add(Array(Self.smallWords[0...9]), [.digits, .phone])
    tens = [small[0], small[10]] + lexicon.add(Self.tensWords, counting)
    _ = lexicon.add(Array(Self.tensWords[0...3]), clockKinds)
    hundred = lexicon.add("hundred", [.number, .percent, .ordinal, .date, .duration, .time24])
    and = lexicon.add("and", [.number, .percent, .ordinal, .date, .duration])
    scales = Self.scaleWords(region).map { value, name in
      let kinds: KindSet =
        value <= 1000 ? [.number, .percent, .ordinal, .date, .duration] : [.number, .percent, .ordinal]
      let inSpan: KindSet = value <= 1_000_000 ? .duration : []
      return Scale(value: value, name: lexicon.add(name, [kinds, inSpan]))
    }
    minus = lexicon.add("minus", [.number, .percent])
    point = lexicon.add("point", [.decimal, .amount, .percent])
    oh = lexicon.add("oh", [clockKinds, .date, .phone])
    currencies = CurrencyWords.table(CurrencyRow.english, &lexicon)
    clock = EnglishClockWords(&lexicon)
    calendar = EnglishCalendarWords(region, &lexicon)
    wordbook = Wordbook(lexicon)
  }

  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] {
    guard phone, options.regionalPhoneWords else { return fractionDigits }
    return [oh] + fractionDigits[1...]
  }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, saysAnd: region != .unitedStates || options.saysAnd, &out)
  }

  private func append(_ number: UInt64, saysAnd: Bool, _ out: inout TokenBuffer) {
    guard number >= 1000 else {
      belowThousand(Int(number), saysAnd: saysAnd, &out)
      return
    }
    var rest = number
    for scale in scales where rest >= scale.value {
      append(rest / scale.value, saysAnd: saysAnd, &out)
      out.append(scale.name)
      rest %= scale.value
    }
    guard rest > 0 else { return }
    if rest < 100, saysAnd { out.append(and) }
    belowThousand(Int(rest), saysAnd: saysAnd, &out)
  }

  private func belowThousand(_ number: Int, saysAnd: Bool, _ out: inout TokenBuffer) {
    var rest = number
    if rest >= 100 {
      out.append(small[rest / 100])
      out.append(hundred)
      rest %= 100
      guard rest > 0 else { return }
      if saysAnd { out.append(and) }
    }
    belowHundred(rest, &out)
  }

  /// A number below 100; the parts of twenty-one join with a hyphen.
  func belowHundred(_ number: Int, _ out: inout TokenBuffer) {
    guard number >= 20 else {
      out.append(small[number])
      return
    }
    out.append(tens[number / 10])
    if number % 10 > 0 { out.append(small[number % 10], .hyphen) }
  }

  // MARK: Money

  var moneyJoint: Token? { and }

  func counted(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    cardinal(number, options, &out)
  }

  // MARK: Words

  private static let smallWords = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tensWords = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

  private static func scaleWords(_ region: Region) -> [(UInt64, String)] {
    switch region {
    case .india: [(10_000_000, "crore"), (100_000, "lakh"), (1000, "thousand")]
    case .unitedStates, .unitedKingdom:
      [
        (1_000_000_000_000_000, "quadrillion"), (1_000_000_000_000, "trillion"), (1_000_000_000, "billion"),
        (1_000_000, "million"), (1000, "thousand"),
      ]
    }
  }
}

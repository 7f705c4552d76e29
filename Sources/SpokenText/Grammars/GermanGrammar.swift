/// German: units before tens, compounds up to a million in one word, long scale.
///
/// eins stands only at the very end; inside a compound, before hundert, tausend and a masculine or neuter noun it is
/// ein, before Million and a feminine noun eine. Rule: Duden, Kardinalzahlen.
struct GermanGrammar: CountingGrammar {
  /// The form of a final 1.
  private enum Form {
    case eins, ein, eine
  }

  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]
  let moneyJoint: Token?

  /// 0 to 19; ein at 1.
  private let small: [Token]
  private let eins: Token
  private let eine: Token
  private let tens: [Token]
  private let and: Token
  private let hundred: Token
  private let thousand: Token
  /// The powers from the largest: value, one, many.
  private let large: [(value: UInt64, one: Token, many: Token)]
  private let hour: Token
  private let phoneTwo: Token

  init() {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 190_000)
    let clock: KindSet = [KindSet(.time), .time24]
    small = lexicon.add(Self.smallWords, [.number, clock])
    eins = lexicon.add("eins", [.cardinal, .decimal, .amount, clock, .digits, .phone])
    for digit in [0] + Array(2...9) { _ = lexicon.add(Self.smallWords[digit], [.digits, .phone]) }
    fractionDigits = [small[0], eins] + small[2...9]
    eine = lexicon.add("eine", .number)
    tens = lexicon.add(Self.tensWords, .number)
    _ = lexicon.add(Array(Self.tensWords.prefix(4)), clock)
    and = lexicon.add("und", [.number, clock])
    hundred = lexicon.add("hundert", .number)
    thousand = lexicon.add("tausend", .number)
    large = [
      (1_000_000_000_000_000, "Billiarde", "Billiarden"), (1_000_000_000_000, "Billion", "Billionen"),
      (1_000_000_000, "Milliarde", "Milliarden"), (1_000_000, "Million", "Millionen"),
    ].map { ($0.0, lexicon.add($0.1, .number), lexicon.add($0.2, .number)) }
    minus = lexicon.add("minus", .number)
    point = lexicon.add("Komma", [.decimal, .amount])
    moneyJoint = and
    hour = lexicon.add("Uhr", clock)
    phoneTwo = lexicon.add("zwo", .phone)
    currencies = CurrencyWords.table(CurrencyRow.german, &lexicon)
    wordbook = Wordbook(lexicon)
  }

  /// 2 is zwo on the telephone, by option.
  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] {
    guard phone, options.regionalPhoneWords else { return fractionDigits }
    return fractionDigits[0..<2] + [phoneTwo] + fractionDigits[3...]
  }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, .eins, &out)
  }

  func counted(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, noun.isFeminine ? .eine : .ein, &out)
  }

  private func append(_ number: UInt64, _ form: Form, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(small[0])
      return
    }
    var rest = number
    for scale in large where rest >= scale.value {
      let count = rest / scale.value
      var glue = Glue.separator
      belowThousand(Int(count), .eine, &glue, &out)
      out.append(count == 1 ? scale.one : scale.many)
      rest %= scale.value
    }
    guard rest > 0 else { return }
    var glue = Glue.separator
    if rest >= 1000 {
      belowThousand(Int(rest / 1000), .ein, &glue, &out)
      out.append(thousand, glue)
      rest %= 1000
    }
    if rest > 0 { belowThousand(Int(rest), form, &glue, &out) }
  }

  /// A part of a compound; `glue` is how its first word joins, and becomes “nothing” for what follows.
  private func belowThousand(_ number: Int, _ form: Form, _ glue: inout Glue, _ out: inout TokenBuffer) {
    func add(_ token: Token) {
      out.append(token, glue)
      glue = .none
    }
    if number >= 100 {
      add(small[number / 100])
      add(hundred)
    }
    let rest = number % 100
    switch rest {
    case 0: break
    case 1: add(form == .eins ? eins : form == .ein ? small[1] : eine)
    case ..<20: add(small[rest])
    default:
      if rest % 10 > 0 {
        add(small[rest % 10])
        add(and)
      }
      add(tens[rest / 10 - 2])
    }
  }

  // MARK: Time

  /// ein Uhr fünf.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time")
    case .twelve: throw unsupported("time/12h", "use time")
    case .localeDefault, .twentyFour: break
    }
    append(UInt64(time.hour), .ein, &out)
    out.append(hour)
    if time.minute > 0 { append(UInt64(time.minute), .eins, &out) }
  }

  private static let smallWords = [
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
  ]
  private static let tensWords = [
    "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
  ]
}

/// Portuguese: short scale in Brazil (bilhão = 10^9), long scale in Portugal (mil milhões, bilião = 10^12).
///
/// “e” joins hundreds, tens and units; between classes it stands only before the last one, when that is below 100 or a
/// round hundred. um, dois and the hundreds agree with the noun. Rule: Cunha & Cintra, Nova gramática, numerais; CLDR
/// `pt` and `pt-PT` spell-out rules agree except where the vectors say so.
struct PortugueseGrammar: CountingGrammar {
  enum Region: Sendable {
    case brazil, portugal
  }

  let region: Region
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]

  /// 0 to 19.
  private let small: [Token]
  private let feminineOne: Token
  private let feminineTwo: Token
  private let tens: [Token]
  private let hundred: Token
  private let hundreds: [Token]
  private let feminineHundreds: [Token]
  private let thousand: Token
  /// milhão, bilhão, trilhão, quatrilhão, or milhão, bilião.
  private let large: [(one: Token, many: Token)]
  private let and: Token
  private let of: Token
  private let half: Token
  private let hour: (one: Token, many: Token)
  private let minute: (one: Token, many: Token)

  init(_ region: Region) {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 165_000)
    let clock: KindSet = [KindSet(.time), .time24]
    self.region = region
    let words = Self.smallWords(region)
    small = lexicon.add(words, [.number, clock])
    for digit in 0...9 { _ = lexicon.add(words[digit], [.digits, .phone]) }
    fractionDigits = Array(small[0...9])
    feminineOne = lexicon.add("uma", [.amount, clock])
    feminineTwo = lexicon.add("duas", [.amount, clock])
    tens = lexicon.add(Self.tensWords, .number)
    _ = lexicon.add(Array(Self.tensWords.prefix(4)), clock)
    hundred = lexicon.add("cem", .number)
    hundreds = lexicon.add(Self.hundredWords, .number)
    feminineHundreds =
      [hundreds[0]] + lexicon.add(Self.hundredWords.dropFirst().map { String($0.dropLast(2)) + "as" }, .amount)
    thousand = lexicon.add("mil", .number)
    let names =
      region == .brazil
      ? [("milhão", "milhões"), ("bilhão", "bilhões"), ("trilhão", "trilhões"), ("quatrilhão", "quatrilhões")]
      : [("milhão", "milhões"), ("bilião", "biliões")]
    large = names.map { (lexicon.add($0.0, .number), lexicon.add($0.1, .number)) }
    and = lexicon.add("e", [.number, clock])
    of = lexicon.add("de", .amount)
    minus = lexicon.add("menos", .number)
    point = lexicon.add("vírgula", [.decimal, .amount])
    half = lexicon.add("meia", region == .brazil ? .phone : [])
    hour = (lexicon.add("hora", clock), lexicon.add("horas", clock))
    minute = (lexicon.add("minuto", clock), lexicon.add("minutos", clock))
    let rows = region == .brazil ? CurrencyRow.portuguese : CurrencyRow.portugueseOfPortugal
    currencies = CurrencyWords.table(rows, &lexicon)
    wordbook = Wordbook(lexicon)
  }

  /// 6 is meia on the telephone in Brazil, by option.
  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] {
    guard phone, options.regionalPhoneWords, region == .brazil else { return fractionDigits }
    return fractionDigits[0..<6] + [half] + fractionDigits[7...]
  }

  var moneyJoint: Token? { and }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, isFeminine: false, &out)
  }

  func counted(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, isFeminine: noun.isFeminine, &out)
  }

  func append(_ noun: Noun, after number: UInt64, _ out: inout TokenBuffer) {
    if number > 0, number % 1_000_000 == 0 { out.append(of) }
    out.append(number == 1 ? noun.one : noun.many)
  }

  private func append(_ number: UInt64, isFeminine: Bool, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(small[0])
      return
    }
    var started = false
    for index in stride(from: 5, through: 0, by: -1) {
      let scale = PowerOfTen.of(3 * index)
      let value = Int(number / scale % 1000)
      if value > 0 {
        if started, number % scale == 0, value < 100 || value % 100 == 0 { out.append(and) }
        started = true
        let saysThousand = index == 1 || (region == .portugal && index % 2 == 1)
        if value > 1 || !saysThousand { belowThousand(value, isFeminine: isFeminine && index <= 1, &out) }
        if saysThousand { out.append(thousand) }
      }
      if let noun = largeNoun(index, value, number) { out.append(noun) }
    }
  }

  /// The noun that closes a class: each from milhão up in Brazil, every second one in Portugal (mil milhões).
  private func largeNoun(_ index: Int, _ value: Int, _ number: UInt64) -> Token? {
    guard index >= 2 else { return nil }
    switch region {
    case .brazil:
      guard value > 0 else { return nil }
      return value == 1 ? large[index - 2].one : large[index - 2].many
    case .portugal:
      let pair = number / PowerOfTen.of(3 * index) % 1_000_000
      guard index % 2 == 0, pair > 0 else { return nil }
      return pair == 1 ? large[index / 2 - 1].one : large[index / 2 - 1].many
    }
  }

  private func belowThousand(_ number: Int, isFeminine: Bool, _ out: inout TokenBuffer) {
    guard number != 100 else {
      out.append(hundred)
      return
    }
    let rest = number % 100
    if number >= 100 {
      out.append((isFeminine ? feminineHundreds : hundreds)[number / 100 - 1])
      guard rest > 0 else { return }
      out.append(and)
    }
    guard rest >= 20 else {
      out.append(word(rest, isFeminine))
      return
    }
    out.append(tens[rest / 10 - 2])
    guard rest % 10 > 0 else { return }
    out.append(and)
    out.append(word(rest % 10, isFeminine))
  }

  private func word(_ number: Int, _ isFeminine: Bool) -> Token {
    switch number {
    case 1 where isFeminine: feminineOne
    case 2 where isFeminine: feminineTwo
    default: small[number]
    }
  }

  // MARK: Time

  /// vinte e duas horas e vinte e dois minutos; zero hora in Brazil, zero horas in Portugal (CLDR plural rules).
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time")
    case .twelve: throw unsupported("time/12h", "use time")
    case .localeDefault, .twentyFour: break
    }
    append(UInt64(time.hour), isFeminine: true, &out)
    out.append(time.hour == 1 || (time.hour == 0 && region == .brazil) ? hour.one : hour.many)
    guard time.minute > 0 else { return }
    out.append(and)
    append(UInt64(time.minute), isFeminine: false, &out)
    out.append(time.minute == 1 ? minute.one : minute.many)
  }

  private static func smallWords(_ region: Region) -> [String] {
    let start = [
      "zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze", "treze",
      "catorze", "quinze",
    ]
    return start
      + (region == .brazil
        ? ["dezesseis", "dezessete", "dezoito", "dezenove"] : ["dezasseis", "dezassete", "dezoito", "dezanove"])
  }
  private static let tensWords = [
    "vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa",
  ]
  private static let hundredWords = [
    "cento", "duzentos", "trezentos", "quatrocentos", "quinhentos", "seiscentos", "setecentos", "oitocentos",
    "novecentos",
  ]
}

/// Spanish: long scale; uno shortens to un before nouns, mil and millones; hundreds agree with a feminine noun.
///
/// Rules: RAE, Diccionario panhispánico de dudas, “cardinales”; de after exact millions, the same source. Times: CLDR 44
/// day-period rules of `es`, with “de la noche” for the hour after midnight, as people say it.
struct SpanishGrammar: CountingGrammar {
  enum Region: Sendable {
    case spain, mexico
  }

  /// How a number ends.
  private enum Form {
    /// uno, veintiuno.
    case plain
    /// un, veintiún.
    case masculine
    /// una, veintiuna, doscientas.
    case feminine
    /// un, but doscientas: before mil with a feminine noun.
    case feminineThousands
  }

  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]
  let moneyJoint: Token?

  /// 0 to 29.
  private let small: [Token]
  private let tens: [Token]
  private let and: Token
  private let hundred: Token
  private let hundreds: [Token]
  private let feminineHundreds: [Token]
  private let one: (masculine: Token, feminine: Token)
  private let twentyOne: (masculine: Token, feminine: Token)
  private let thousand: Token
  private let million: (one: Token, many: Token)
  private let billion: (one: Token, many: Token)
  private let of: Token
  private let clock: ClockWords

  private struct ClockWords: Sendable {
    let article: (one: Token, many: Token)
    let quarter: Token
    let half: Token
    /// Of the hour after midnight, before dawn, in the morning, at noon, in the afternoon, at night.
    let periods: [Token]
    let hour: (one: Token, many: Token)
    let minute: (one: Token, many: Token)
  }

  init(_ region: Region) {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 165_000)
    let twelve: KindSet = [KindSet(.time), .time12]
    let clockKinds: KindSet = [twelve, .time24]
    let counting: KindSet = [.number, clockKinds]
    small = Self.smallWords.enumerated().map { number, word in
      // 0 and 15 are no minutes on twelve hours (y cuarto); 1 and 21 have the forms of a noun on 24.
      let kinds: KindSet = [0, 15].contains(number) ? .time24 : [1, 21].contains(number) ? twelve : clockKinds
      return lexicon.add(word, [.number, kinds])
    }
    for digit in 0...9 { _ = lexicon.add(Self.smallWords[digit], [.digits, .phone]) }
    fractionDigits = Array(small[0...9])
    tens = lexicon.add(["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"], .number)
    _ = lexicon.add(["treinta", "cuarenta", "cincuenta"], clockKinds)
    and = lexicon.add("y", counting)
    hundred = lexicon.add("cien", .number)
    hundreds = lexicon.add(Self.hundredWords, .number)
    feminineHundreds =
      [hundreds[0]] + lexicon.add(Self.hundredWords.dropFirst().map { String($0.dropLast(2)) + "as" }, .amount)
    one = (lexicon.add("un", [.number, .time24]), lexicon.add("una", [.amount, clockKinds]))
    twentyOne = (lexicon.add("veintiún", [.number, .time24]), lexicon.add("veintiuna", [.amount, .time24]))
    thousand = lexicon.add("mil", .number)
    million = (lexicon.add("millón", .number), lexicon.add("millones", .number))
    billion = (lexicon.add("billón", .number), lexicon.add("billones", .number))
    minus = lexicon.add("menos", .number)
    point = lexicon.add(region == .spain ? "coma" : "punto", [.decimal, .amount])
    of = lexicon.add("de", .amount)
    moneyJoint = lexicon.add("con", .amount)
    let rows = region == .spain ? CurrencyRow.spanish : CurrencyRow.spanishOfMexico
    currencies = CurrencyWords.table(rows, &lexicon)
    clock = ClockWords(
      article: (lexicon.add("la", twelve), lexicon.add("las", twelve)),
      quarter: lexicon.add("cuarto", twelve), half: lexicon.add("media", twelve),
      periods: lexicon.add(
        ["de la madrugada", "de la mañana", "del mediodía", "de la tarde", "de la noche"], twelve),
      hour: (lexicon.add("hora", .time24), lexicon.add("horas", .time24)),
      minute: (lexicon.add("minuto", .time24), lexicon.add("minutos", .time24)))
    wordbook = Wordbook(lexicon)
  }

  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] { fractionDigits }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, .plain, &out)
  }

  func counted(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    append(number, noun.isFeminine ? .feminine : .masculine, &out)
  }

  func append(_ noun: Noun, after number: UInt64, _ out: inout TokenBuffer) {
    if number > 0, number % 1_000_000 == 0 { out.append(of) }
    out.append(number == 1 ? noun.one : noun.many)
  }

  private func append(_ number: UInt64, _ form: Form, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(small[0])
      return
    }
    var rest = number
    for (scale, noun) in [(1_000_000_000_000 as UInt64, billion), (1_000_000, million)] where rest >= scale {
      let count = rest / scale
      belowMillion(Int(count), .masculine, &out)
      out.append(count == 1 ? noun.one : noun.many)
      rest %= scale
    }
    if rest > 0 { belowMillion(Int(rest), form, &out) }
  }

  private func belowMillion(_ number: Int, _ form: Form, _ out: inout TokenBuffer) {
    let (thousands, rest) = (number / 1000, number % 1000)
    if thousands > 0 {
      if thousands > 1 { belowThousand(thousands, form == .feminine ? .feminineThousands : .masculine, &out) }
      out.append(thousand)
    }
    if rest > 0 { belowThousand(rest, form, &out) }
  }

  private func belowThousand(_ number: Int, _ form: Form, _ out: inout TokenBuffer) {
    guard number != 100 else {
      out.append(hundred)
      return
    }
    if number >= 100 {
      let isFeminine = form == .feminine || form == .feminineThousands
      out.append((isFeminine ? feminineHundreds : hundreds)[number / 100 - 1])
    }
    let rest = number % 100
    guard rest > 0 else { return }
    guard rest >= 30 else {
      out.append(word(rest, form))
      return
    }
    out.append(tens[rest / 10 - 3])
    guard rest % 10 > 0 else { return }
    out.append(and)
    out.append(word(rest % 10, form))
  }

  private func word(_ number: Int, _ form: Form) -> Token {
    guard form != .plain, number == 1 || number == 21 else { return small[number] }
    let forms = number == 1 ? one : twentyOne
    return form == .feminine ? forms.feminine : forms.masculine
  }

  // MARK: Time

  /// las tres y cuarto de la tarde; on 24 hours quince horas y quince minutos.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time or time/24h")
    case .twentyFour:
      append(UInt64(time.hour), .feminine, &out)
      out.append(time.hour == 1 ? clock.hour.one : clock.hour.many)
      guard time.minute > 0 else { return }
      out.append(and)
      append(UInt64(time.minute), .masculine, &out)
      out.append(time.minute == 1 ? clock.minute.one : clock.minute.many)
    case .localeDefault, .twelve:
      out.append(time.twelveHour == 1 ? clock.article.one : clock.article.many)
      out.append(word(time.twelveHour, .feminine))
      if time.minute > 0 {
        out.append(and)
        switch time.minute {
        case 15: out.append(clock.quarter)
        case 30: out.append(clock.half)
        default: append(UInt64(time.minute), .plain, &out)
        }
      }
      out.append(period(of: time))
    }
  }

  private func period(of time: ClockTime) -> Token {
    switch time.hour {
    case 0, 20...: clock.periods[4]
    case ..<6: clock.periods[0]
    case ..<12: clock.periods[1]
    case 12 where time.minute == 0: clock.periods[2]
    default: clock.periods[3]
    }
  }

  private static let smallWords = [
    "cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece",
    "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós",
    "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
  ]
  private static let hundredWords = [
    "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos", "ochocientos",
    "novecientos",
  ]
}

/// An amount split for speech.
struct Money {
  let currency: Currency
  let isNegative: Bool
  let major: UInt64
  let minor: UInt64

  init(_ amount: Amount) {
    currency = amount.currency
    isNegative = amount.minorUnits < 0
    let units = amount.minorUnits.magnitude
    // Division by a constant is several times faster than by a variable.
    (major, minor) =
      switch amount.currency.minorDigits {
      case 0: (units, 0)
      case 2: units.quotientAndRemainder(dividingBy: 100)
      default: units.quotientAndRemainder(dividingBy: PowerOfTen.of(amount.currency.minorDigits))
      }
  }

  /// The amount in major units, without zeros at the end of the fraction.
  var decimal: ExactDecimal {
    ExactDecimal(isNegative: isNegative, whole: major, fraction: minor, fractionDigits: currency.minorDigits).trimmed
  }
}

/// The rules of one language.
///
/// A grammar only appends tokens of its own lexicon; it knows no input text.
protocol Grammar: Sendable {
  var wordbook: Wordbook { get }
  /// The words of every currency, in the order of `CurrencyTable`.
  var currencies: [CurrencyWords] { get }

  /// A number name without a sign.
  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer)
  /// The word for a minus sign.
  var minus: Token { get }
  /// The word for the decimal point.
  var point: Token { get }
  /// The digits 0 to 9 as they are said after the point.
  var fractionDigits: [Token] { get }
  /// The digits 0 to 9 as they are said one by one.
  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token]
  /// How a digit joins the digit before it.
  var digitGlue: Glue { get }

  func amount(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer)
  func amountUnits(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError)
  func decimal(_ number: ExactDecimal, _ options: ReadingOptions, _ out: inout TokenBuffer)
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError)
  func percent(_ number: ExactDecimal, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError)
  func ordinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError)
  func date(_ date: CalendarDate, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError)
  func duration(_ duration: TimeSpan, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError)
  /// A last pass over the whole reading: sounds that depend on the neighbour.
  func finish(_ out: inout TokenBuffer)
}

/// Which clock a time is read on.
enum ClockStyle {
  case localeDefault, twelve, twentyFour, six
}

extension Grammar {
  var digitGlue: Glue { .separator }

  func finish(_ out: inout TokenBuffer) {}

  func decimal(_ number: ExactDecimal, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    if number.isNegative { out.append(minus) }
    cardinal(number.whole, options, &out)
    fraction(number, &out)
  }

  /// The point and the digits after it, one by one.
  func fraction(_ number: ExactDecimal, _ out: inout TokenBuffer) {
    guard number.fractionDigits > 0 else { return }
    out.append(point)
    out.append(digitsOf: number.fraction, count: number.fractionDigits, as: fractionDigits)
  }

  func amountUnits(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    throw unsupported("amount/units", "use amount")
  }

  func percent(_ number: ExactDecimal, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    throw unsupported("percent", "Chinese and English have it")
  }

  func ordinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    throw unsupported("ordinal", "Chinese and English have it")
  }

  func date(_ date: CalendarDate, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    throw unsupported("date", "Chinese and English have it")
  }

  func duration(_ duration: TimeSpan, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    throw unsupported("duration", "Chinese and English have it")
  }

  func unsupported(_ kind: String, _ advice: String) -> ReadingError {
    ReadingError(.unsupportedKind, "this locale has no reading of kind \(kind); \(advice)")
  }
}

/// The one grammar of each locale, built at its first use.
enum Grammars {
  static func grammar(for locale: SpokenLocale, _ options: ReadingOptions) -> any Grammar {
    switch locale.key {
    case .zhCN: options.marksTones ? zhCNToned : zhCN
    case .zhTW: options.marksTones ? zhTWToned : zhTW
    case .yue: yue
    case .enUS: enUS
    case .enGB: enGB
    case .enIN: enIN
    case .ja: ja
    case .ko: ko
    case .vi: vi
    case .th: th
    case .id: indonesian
    case .hi: hi
    case .esES: esES
    case .esMX: esMX
    case .frFR: fr
    case .deDE: de
    case .ptBR: ptBR
    case .ptPT: ptPT
    }
  }

  private static let zhCN = ChineseGrammar(.mainland, marksTones: false)
  private static let zhCNToned = ChineseGrammar(.mainland, marksTones: true)
  private static let zhTW = ChineseGrammar(.taiwan, marksTones: false)
  private static let zhTWToned = ChineseGrammar(.taiwan, marksTones: true)
  private static let yue = ChineseGrammar(.hongKong, marksTones: false)
  private static let enUS = EnglishGrammar(.unitedStates)
  private static let enGB = EnglishGrammar(.unitedKingdom)
  private static let enIN = EnglishGrammar(.india)
  private static let ja = JapaneseGrammar()
  private static let ko = KoreanGrammar()
  private static let vi = VietnameseGrammar()
  private static let th = ThaiGrammar()
  private static let indonesian = IndonesianGrammar()
  private static let hi = HindiGrammar()
  private static let esES = SpanishGrammar(.spain)
  private static let esMX = SpanishGrammar(.mexico)
  private static let fr = FrenchGrammar()
  private static let de = GermanGrammar()
  private static let ptBR = PortugueseGrammar(.brazil)
  private static let ptPT = PortugueseGrammar(.portugal)
}

/// Vietnamese: mốt, tư and lăm after tens, linh in an empty tens place, every later class with its hundreds.
///
/// tỷ is said once; what stands before it is a number of its own (một nghìn hai trăm tỷ). Northern standard: linh, nghìn.
/// Rule: the school grammar, and CLDR 44 `vi` for mốt, tư, lăm and không trăm.
struct VietnameseGrammar: CountingGrammar {
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]

  private let digits: [Token]
  private let ten: Token
  private let tens: Token
  private let oneAfterTens: Token
  private let fourAfterTens: Token
  private let fiveAfterTens: Token
  private let emptyTens: Token
  private let hundred: Token
  private let thousand: Token
  private let million: Token
  private let billion: Token
  private let clock: ClockWords

  private struct ClockWords: Sendable {
    let hour: Token
    let minute: Token
    /// sáng, trưa, chiều, tối, đêm.
    let periods: [Token]
  }

  init() {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 230_000)
    let clockKinds: KindSet = [KindSet(.time), .time24, .time12]
    let zero = lexicon.add(Self.digitWords[0], [.number, .digits, .phone, KindSet(.time), .time24])
    digits = [zero] + lexicon.add(Array(Self.digitWords[1...]), [.number, .digits, .phone, clockKinds])
    fractionDigits = digits
    ten = lexicon.add("mười", [.number, clockKinds])
    tens = lexicon.add("mươi", [.number, clockKinds])
    oneAfterTens = lexicon.add("mốt", [.number, clockKinds])
    fourAfterTens = lexicon.add("tư", [.number, clockKinds])
    fiveAfterTens = lexicon.add("lăm", [.number, clockKinds])
    emptyTens = lexicon.add("linh", .number)
    hundred = lexicon.add("trăm", .number)
    thousand = lexicon.add("nghìn", .number)
    million = lexicon.add("triệu", .number)
    billion = lexicon.add("tỷ", .number)
    minus = lexicon.add("âm", .number)
    point = lexicon.add("phẩy", [.decimal, .amount])
    currencies = CurrencyWords.table(CurrencyRow.vietnamese, &lexicon)
    clock = ClockWords(
      hour: lexicon.add("giờ", clockKinds), minute: lexicon.add("phút", clockKinds),
      periods: lexicon.add(["sáng", "trưa", "chiều", "tối", "đêm"], .time12))
    wordbook = Wordbook(lexicon)
  }

  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] { digits }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(digits[0])
      return
    }
    var started = false
    append(number, &started, &out)
  }

  private func append(_ number: UInt64, _ started: inout Bool, _ out: inout TokenBuffer) {
    if number >= 1_000_000_000 {
      append(number / 1_000_000_000, &started, &out)
      out.append(billion)
    }
    var rest = Int(number % 1_000_000_000)
    for (scale, name) in [(1_000_000, million), (1000, thousand)] where rest >= scale {
      belowThousand(rest / scale, &started, &out)
      out.append(name)
      rest %= scale
    }
    if rest > 0 { belowThousand(rest, &started, &out) }
  }

  /// One class, 1 to 999; a class that is not the first says its hundreds, zero or not.
  private func belowThousand(_ number: Int, _ started: inout Bool, _ out: inout TokenBuffer) {
    let saysHundreds = started || number >= 100
    started = true
    if saysHundreds {
      out.append(digits[number / 100])
      out.append(hundred)
    }
    let (ten, one) = (number % 100 / 10, number % 10)
    switch ten {
    case 0:
      guard one > 0 else { return }
      if saysHundreds { out.append(emptyTens) }
      out.append(digits[one])
      return
    case 1: out.append(self.ten)
    default:
      out.append(digits[ten])
      out.append(tens)
    }
    switch one {
    case 0: break
    case 1 where ten > 1: out.append(oneAfterTens)
    case 4 where ten > 1: out.append(fourAfterTens)
    case 5: out.append(fiveAfterTens)
    default: out.append(digits[one])
    }
  }

  // MARK: Time

  /// mười lăm giờ ba mươi phút; tám giờ ba mươi phút sáng.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    guard style != .six else { throw unsupported("time/6h", "use time or time/12h") }
    cardinal(UInt64(style == .twelve ? time.twelveHour : time.hour), ReadingOptions(), &out)
    out.append(clock.hour)
    if time.minute > 0 {
      cardinal(UInt64(time.minute), ReadingOptions(), &out)
      out.append(clock.minute)
    }
    if style == .twelve { out.append(clock.periods[period(of: time.hour)]) }
  }

  /// CLDR 44 `vi`, with trưa for the whole hour of noon, as people say it.
  private func period(of hour: Int) -> Int {
    switch hour {
    case 4..<12: 0
    case 12: 1
    case 13..<18: 2
    case 18..<21: 3
    default: 4
    }
  }

  private static let digitWords = [
    "không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín",
  ]
}

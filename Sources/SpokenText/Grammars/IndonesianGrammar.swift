/// Indonesian: se- for one before belas, puluh, ratus and ribu, also after juta (satu juta seribu, as CLDR 44 `id`).
///
/// The rupiah has no spoken minor unit: its decimals follow koma. Times: pukul on 24 hours; jam with setengah (half to
/// the next hour) and a day period on 12.
struct IndonesianGrammar: CountingGrammar {
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]

  private let digits: [Token]
  private let ten: Token
  private let eleven: Token
  private let teen: Token
  private let tens: Token
  private let hundred: (one: Token, many: Token)
  private let thousand: (one: Token, many: Token)
  private let large: [(value: UInt64, name: Token)]
  private let phoneZero: Token
  private let clock: ClockWords

  private struct ClockWords: Sendable {
    let formal: Token
    let plain: Token
    let past: Token
    let minutes: Token
    let half: Token
    /// pagi, siang, sore, malam.
    let periods: [Token]
  }

  init() {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 180_000)
    let clockKinds: KindSet = [KindSet(.time), .time24, .time12]
    let zero = lexicon.add(Self.digitWords[0], [.number, .digits, .phone, KindSet(.time), .time24])
    digits = [zero] + lexicon.add(Array(Self.digitWords[1...]), [.number, .digits, .phone, clockKinds])
    fractionDigits = digits
    ten = lexicon.add("sepuluh", [.number, clockKinds])
    eleven = lexicon.add("sebelas", [.number, clockKinds])
    teen = lexicon.add("belas", [.number, clockKinds])
    tens = lexicon.add("puluh", [.number, clockKinds])
    hundred = (lexicon.add("seratus", .number), lexicon.add("ratus", .number))
    thousand = (lexicon.add("seribu", .number), lexicon.add("ribu", .number))
    large = [
      (1_000_000_000_000_000, "kuadriliun"), (1_000_000_000_000, "triliun"), (1_000_000_000, "miliar"),
      (1_000_000, "juta"),
    ].map { ($0.0, lexicon.add($0.1, .number)) }
    minus = lexicon.add("minus", .number)
    point = lexicon.add("koma", [.decimal, .amount])
    phoneZero = lexicon.add("kosong", .phone)
    currencies = CurrencyWords.table(CurrencyRow.indonesian, &lexicon)
    clock = ClockWords(
      formal: lexicon.add("pukul", [KindSet(.time), .time24]), plain: lexicon.add("jam", .time12),
      past: lexicon.add("lewat", clockKinds), minutes: lexicon.add("menit", clockKinds),
      half: lexicon.add("setengah", .time12),
      periods: lexicon.add(["pagi", "siang", "sore", "malam"], .time12))
    wordbook = Wordbook(lexicon)
  }

  /// 0 is kosong on the telephone, by option.
  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] {
    phone && options.regionalPhoneWords ? [phoneZero] + digits[1...] : digits
  }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(digits[0])
      return
    }
    var rest = number
    for unit in large where rest >= unit.value {
      belowThousand(Int(rest / unit.value), &out)
      out.append(unit.name)
      rest %= unit.value
    }
    if rest >= 2000 {
      belowThousand(Int(rest / 1000), &out)
      out.append(thousand.many)
    } else if rest >= 1000 {
      out.append(thousand.one)
    }
    belowThousand(Int(rest % 1000), &out)
  }

  /// Nothing for zero.
  private func belowThousand(_ number: Int, _ out: inout TokenBuffer) {
    if number >= 200 { out.append(digits[number / 100]) }
    if number >= 100 { out.append(number >= 200 ? hundred.many : hundred.one) }
    let rest = number % 100
    switch rest {
    case 0: break
    case ..<10: out.append(digits[rest])
    case 10: out.append(ten)
    case 11: out.append(eleven)
    case ..<20:
      out.append(digits[rest % 10])
      out.append(teen)
    default:
      out.append(digits[rest / 10])
      out.append(tens)
      if rest % 10 > 0 { out.append(digits[rest % 10]) }
    }
  }

  // MARK: Time

  /// pukul lima belas lewat lima menit; jam setengah sembilan pagi.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time or time/12h")
    case .localeDefault, .twentyFour:
      out.append(clock.formal)
      cardinal(UInt64(time.hour), ReadingOptions(), &out)
      minutes(time.minute, &out)
    case .twelve:
      out.append(clock.plain)
      if time.minute == 30 {
        out.append(clock.half)
        belowThousand(time.twelveHour % 12 + 1, &out)
      } else {
        belowThousand(time.twelveHour, &out)
        minutes(time.minute, &out)
      }
      out.append(clock.periods[period(of: time)])
    }
  }

  private func minutes(_ minute: Int, _ out: inout TokenBuffer) {
    guard minute > 0 else { return }
    out.append(clock.past)
    belowThousand(minute, &out)
    out.append(clock.minutes)
  }

  /// CLDR 44 `id`, with malam for the hour after midnight, as people say it.
  private func period(of time: ClockTime) -> Int {
    switch time.hour {
    case 0, 18...: 3
    case ..<10: 0
    case ..<15: 1
    default: 2
    }
  }

  private static let digitWords = [
    "nol", "satu", "dua", "tiga", "empat", "lima", "enam", "tujuh", "delapan", "sembilan",
  ]
}

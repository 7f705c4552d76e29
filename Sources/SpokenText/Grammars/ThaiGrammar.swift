/// Thai: blocks of six digits, ล้าน between them; ยี่สิบ for twenty; a final one after any higher digit is เอ็ด.
///
/// Rule: the Royal Society of Thailand on เอ็ด (every number of two or more digits). Times: นาฬิกา on 24 hours; the six-hour
/// clock with ตี, โมงเช้า, เที่ยง, บ่าย, โมงเย็น and ทุ่ม.
struct ThaiGrammar: CountingGrammar {
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]

  private let digits: [Token]
  private let finalOne: Token
  private let twenty: Token
  /// สิบ ร้อย พัน หมื่น แสน.
  private let places: [Token]
  private let million: Token
  private let phoneDigits: [Token]
  private let clock: ClockWords

  private struct ClockWords: Sendable {
    let hour: Token
    let minute: Token
    let midnight: Token
    let night: Token
    let morning: Token
    let noon: Token
    let afternoon: Token
    let afternoonHour: Token
    let evening: Token
    let lateEvening: Token
    let half: Token
  }

  init() {
    var lexicon = Lexicon(separator: "", syllableMicroseconds: 220_000)
    let both: KindSet = [KindSet(.time), .time24, .time6]
    digits = lexicon.add(Self.digitWords, [.number, .digits, KindSet(.time), .time24])
    phoneDigits = lexicon.add(Self.digitWords.enumerated().map { $0 == 2 ? "โท" : $1 }, .phone)
    _ = lexicon.add(Array(Self.digitWords[1...]), .time6)
    fractionDigits = digits
    finalOne = lexicon.add("เอ็ด", [.number, both])
    twenty = lexicon.add("ยี่", [.number, both])
    places = lexicon.add(["สิบ", "ร้อย", "พัน", "หมื่น", "แสน"], .number)
    _ = lexicon.add("สิบ", both)
    million = lexicon.add("ล้าน", .number)
    minus = lexicon.add("ลบ", .number)
    point = lexicon.add("จุด", [.decimal, .amount])
    currencies = CurrencyWords.table(CurrencyRow.thai, &lexicon)
    clock = ClockWords(
      hour: lexicon.add("นาฬิกา", [KindSet(.time), .time24]), minute: lexicon.add("นาที", both),
      midnight: lexicon.add("เที่ยงคืน", .time6), night: lexicon.add("ตี", .time6),
      morning: lexicon.add("โมงเช้า", .time6), noon: lexicon.add("เที่ยง", .time6),
      afternoon: lexicon.add("บ่าย", .time6), afternoonHour: lexicon.add("โมง", .time6),
      evening: lexicon.add("โมงเย็น", .time6), lateEvening: lexicon.add("ทุ่ม", .time6),
      half: lexicon.add("ครึ่ง", .time6))
    wordbook = Wordbook(lexicon)
  }

  /// 2 is โท on the telephone.
  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] {
    phone ? phoneDigits : digits
  }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(digits[0])
      return
    }
    append(number, started: false, &out)
  }

  private func append(_ number: UInt64, started: Bool, _ out: inout TokenBuffer) {
    let upper = number / 1_000_000
    if upper > 0 {
      append(upper, started: started, &out)
      out.append(million)
    }
    var rest = Int(number % 1_000_000)
    var follows = started || upper > 0
    for place in stride(from: 5, through: 1, by: -1) {
      let scale = Int(PowerOfTen.of(place))
      let digit = rest / scale
      rest %= scale
      guard digit > 0 else { continue }
      follows = true
      switch (place, digit) {
      case (1, 1): break
      case (1, 2): out.append(twenty)
      default: out.append(digits[digit])
      }
      out.append(places[place - 1])
    }
    if rest > 0 { out.append(rest == 1 && follows ? finalOne : digits[rest]) }
  }

  // MARK: Time

  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .twelve: throw unsupported("time/12h", "use time or time/6h")
    case .six: sixHour(time, &out)
    case .localeDefault, .twentyFour:
      cardinal(UInt64(time.hour), ReadingOptions(), &out)
      out.append(clock.hour)
      minutes(time.minute, &out)
    }
  }

  /// The hours count anew from one, seven, thirteen and nineteen o’clock.
  private func sixHour(_ time: ClockTime, _ out: inout TokenBuffer) {
    switch time.hour {
    case 0: out.append(clock.midnight)
    case 1...5: say([clock.night, digits[time.hour]], &out)
    case 6: say([digits[6], clock.morning], &out)
    case 7...11: say([digits[time.hour - 6], clock.morning], &out)
    case 12: out.append(clock.noon)
    case 13: say([clock.afternoon, clock.afternoonHour], &out)
    case 14...16: say([clock.afternoon, digits[time.hour - 12], clock.afternoonHour], &out)
    case 17, 18: say([digits[time.hour - 12], clock.evening], &out)
    default: say([digits[time.hour - 18], clock.lateEvening], &out)
    }
    if time.minute == 30 { out.append(clock.half) } else { minutes(time.minute, &out) }
  }

  private func say(_ words: [Token], _ out: inout TokenBuffer) {
    for word in words { out.append(word) }
  }

  private func minutes(_ minute: Int, _ out: inout TokenBuffer) {
    guard minute > 0 else { return }
    cardinal(UInt64(minute), ReadingOptions(), &out)
    out.append(clock.minute)
  }

  private static let digitWords = [
    "ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า",
  ]
}

/// Korean: Sino-Korean numbers in sections of four digits; a space after 만, 억, 조, 경; one is silent before 십 백 천, and
/// before 만 at the head of a number.
///
/// 1 to 99, the hundreds and the thousands are one word each, since their sounds run together. Between words, 육 is 륙/뉵
/// after a word of number (`육(뉵)`), and 십 and 백 are nasal before 만 and 육 (`십(심)`). Rule: 표준 발음법 §18, §29. Hours are
/// native numbers, minutes Sino-Korean.
struct KoreanGrammar: CountingGrammar {
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]

  /// 0 to 99.
  private let small: [Token]
  private let hundreds: [Token]
  private let thousands: [Token]
  /// 만 억 조 경.
  private let bigUnits: [Token]
  private let phoneZero: Token
  private let clock: ClockWords
  private let sounds: KoreanSounds

  private struct ClockWords: Sendable {
    let morning: Token
    let afternoon: Token
    let hour: Token
    let minute: Token
    /// 한 to 열두, at 1 to 12.
    let hours: [Token]
  }

  init() {
    var lexicon = Lexicon(separator: " ", syllableMicroseconds: 180_000)
    let clockKinds: KindSet = [KindSet(.time), .time12, .time24]
    let digits = ["영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"]
    let below100 = (0...99).map { number in
      guard number >= 10 else { return digits[number] }
      return (number < 20 ? "" : digits[number / 10]) + "십" + (number % 10 == 0 ? "" : digits[number % 10])
    }
    small = lexicon.add(below100, .number)
    _ = lexicon.add(Array(below100[1...59]), clockKinds)
    _ = lexicon.add("영", .time24)
    for digit in digits { _ = lexicon.add(digit, digit == "영" ? .digits : [.digits, .phone]) }
    fractionDigits = Array(small[0...9])
    let hundredWords = ["백"] + digits[2...].map { $0 + "백" }
    hundreds = lexicon.add(hundredWords, .number)
    thousands = lexicon.add(["천"] + digits[2...].map { $0 + "천" }, .number)
    bigUnits = lexicon.add(["만", "억", "조", "경"], .number)
    minus = lexicon.add("마이너스", .number)
    point = lexicon.add("점", [.decimal, .amount])
    phoneZero = lexicon.add("공", .phone)
    currencies = CurrencyWords.table(CurrencyRow.korean, &lexicon)
    let native = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두"]
    let twelve: KindSet = [KindSet(.time), .time12]
    clock = ClockWords(
      morning: lexicon.add("오전", twelve), afternoon: lexicon.add("오후", twelve), hour: lexicon.add("시", clockKinds),
      minute: lexicon.add("분", clockKinds), hours: [small[0]] + lexicon.add(native, twelve))
    sounds = KoreanSounds(
      small: small, below100, hundreds: hundreds, hundredWords, thousands: thousands, bigUnits: bigUnits, &lexicon)
    wordbook = Wordbook(lexicon)
  }

  /// 0 is 공 on the telephone, 영 elsewhere.
  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] {
    phone ? [phoneZero] + fractionDigits[1...] : fractionDigits
  }

  var digitGlue: Glue { .none }

  func finish(_ out: inout TokenBuffer) { sounds.apply(to: &out) }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(small[0])
      return
    }
    var started = false
    for index in stride(from: 4, through: 0, by: -1) {
      let section = Int(number / PowerOfTen.of(4 * index) % 10_000)
      guard section > 0 else { continue }
      let isSilentOne = index == 1 && section == 1 && !started
      if !isSilentOne { append(section: section, &out) }
      if index > 0 { out.append(bigUnits[index - 1], isSilentOne ? .separator : .none) }
      started = true
    }
  }

  private func append(section: Int, _ out: inout TokenBuffer) {
    var glue = Glue.separator
    func add(_ token: Token) {
      out.append(token, glue)
      glue = .none
    }
    if section >= 1000 { add(thousands[section / 1000 - 1]) }
    if section % 1000 >= 100 { add(hundreds[section / 100 % 10 - 1]) }
    if section % 100 > 0 { add(small[section % 100]) }
  }

  // MARK: Time

  /// 오후 세 시 십 분; 십오 시 십 분.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time or time/24h")
    case .twentyFour: out.append(small[time.hour])
    case .localeDefault, .twelve:
      out.append(time.hour < 12 ? clock.morning : clock.afternoon)
      out.append(clock.hours[time.twelveHour])
    }
    out.append(clock.hour)
    guard time.minute > 0 else { return }
    out.append(small[time.minute])
    out.append(clock.minute)
  }
}

/// Sound changes between the words of a Korean number.
struct KoreanSounds: Sendable {
  /// Words of number after which 육 is 뉵.
  private let heads: Set<Token>
  private let tenThousand: Token
  private var six: [Token: Token] = [:]
  private var nasal: [Token: Token] = [:]

  init(
    small: [Token], _ words: [String], hundreds: [Token], _ hundredWords: [String], thousands: [Token],
    bigUnits: [Token], _ lexicon: inout Lexicon
  ) {
    tenThousand = bigUnits[0]
    for number in [6] + Array(60...69) {
      let word = words[number]
      six[small[number]] = lexicon.add(word, sound: "뉵" + word.dropFirst(), .number)
    }
    for ten in stride(from: 10, through: 90, by: 10) {
      let word = words[ten]
      nasal[small[ten]] = lexicon.add(word, sound: word.dropLast() + "심", .number)
    }
    for (token, word) in zip(hundreds, hundredWords) {
      nasal[token] = lexicon.add(word, sound: word.dropLast() + "뱅", .number)
    }
    let changed = nasal
    let nasalHundreds = hundreds.compactMap { changed[$0] }
    heads = Set(hundreds + thousands + bigUnits + nasalHundreds)
    // 육십 before 만 and after a word of number changes on both sides.
    if let both = nasal[small[60]] {
      six[both] = lexicon.add(words[60], sound: "뉵심", .number)
    }
  }

  /// Replaces the words whose sound a neighbour changes: first by the right one, then by the left one.
  func apply(to out: inout TokenBuffer) {
    guard out.count > 1 else { return }
    for position in 0..<(out.count - 1) {
      let next = out[position + 1]
      guard let changed = nasal[out[position]] else { continue }
      if next == tenThousand || (six[next] != nil && heads.contains(out[position])) {
        out.replace(at: position, with: changed)
      }
    }
    for position in 1..<out.count where heads.contains(out[position - 1]) {
      if let changed = six[out[position]] { out.replace(at: position, with: changed) }
    }
  }
}

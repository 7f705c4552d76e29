/// Mandarin and Cantonese.
///
/// Numbers: sections of four digits. 零 marks a gap inside a section and before a section below 1000; zeros at the end
/// of a section are silent; an empty section between others is one 零. Ten at the head is 十, elsewhere 一十. Mainland and
/// Hong Kong count 万亿 above 亿 (GB/T 15835 uses 万 and 亿 only); Taiwan has 兆 and 京.
///
/// Times: CLDR 44 day-period rules of `zh`, `zh-Hant` and `yue`; 两点; 零 before a minute below ten; 半 and 整.
struct ChineseGrammar: Grammar {
  let style: ChineseStyle
  let wordbook: Wordbook

  let minus: Token
  let point: Token
  let digits: [Token]
  let pair: Token
  let phoneDigits: [Token]
  let fractionDigits: [Token]
  /// 十 百 千.
  let tens: Token
  let hundreds: Token
  let thousands: Token
  /// 万 亿, and 兆 京 where the style has them.
  let bigUnits: [Token]

  let currencies: [CurrencyWords]
  let tenth: Token
  let hundredth: Token
  let localTenth: Token
  let localHundredth: Token
  let whole: Token

  let clock: ChineseClockWords
  let percentHead: Token
  let ordinalHead: Token
  let dateUnits: [Token]
  let spanUnits: [Token]
  let tones: ChineseTones?

  init(_ style: ChineseStyle, marksTones: Bool) {
    var lexicon = Lexicon(separator: "", syllableMicroseconds: 230_000)
    let counting: KindSet = [
      .number, .amountUnits, .time24, .time12, KindSet(.time), .percent, .ordinal, .date, .duration,
    ]
    self.style = style
    digits = lexicon.add(style.digits, [counting, .digits])
    pair = lexicon.add(style.pair, [.number, .amountUnits, .time24, .time12, KindSet(.time), .duration])
    fractionDigits = digits
    var phone = style.digits
    if let one = style.phoneOne { phone[1] = one }
    phoneDigits = lexicon.add(phone, .phone)
    tens = lexicon.add("十", counting)
    let large: KindSet = [.number, .amountUnits, .percent, .ordinal, .duration]
    hundreds = lexicon.add("百", large)
    thousands = lexicon.add("千", large)
    bigUnits = lexicon.add(style.bigUnits, [.number, .amountUnits, .percent, .ordinal])
    _ = lexicon.add(style.bigUnits[0], .duration)
    minus = lexicon.add(style.minus, [.number, .amountUnits, .percent])
    point = lexicon.add(style.point, [.decimal, .amount, .amountUnits, .percent])
    currencies = CurrencyWords.table(style.currencies, &lexicon, minorKinds: .amountUnits)
    tenth = lexicon.add("角", .amountUnits)
    hundredth = lexicon.add("分", .amountUnits)
    localTenth = lexicon.add(style.localTenth, .amountUnits)
    localHundredth = lexicon.add(style.localHundredth, .amountUnits)
    whole = lexicon.add(style.whole, [.amount, .amountUnits])
    clock = ChineseClockWords(style, &lexicon)
    percentHead = lexicon.add("百分之", .percent)
    ordinalHead = lexicon.add("第", .ordinal)
    dateUnits = lexicon.add(["年", "月", "日"], .date)
    spanUnits = lexicon.add(style.spanUnits, .duration)
    tones = marksTones ? ChineseTones(style, &lexicon) : nil
    wordbook = Wordbook(lexicon)
  }

  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] { phone ? phoneDigits : digits }

  func finish(_ out: inout TokenBuffer) { tones?.apply(to: &out) }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    let two = style.two(options.two, forAmount: false)
    append(number, two, unitFollows: false, &out)
  }

  /// Appends a number name.
  ///
  /// - Parameter unitFollows: Whether a measure word comes right after, so that a lone 2 is 两.
  func append(_ number: UInt64, _ two: ChineseStyle.Two, unitFollows: Bool, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(digits[0])
      return
    }
    if number == 2, unitFollows, two.alone {
      out.append(pair)
      return
    }
    var walk = Walk(two: two)
    if style.bigUnits.count > 2 {
      appendByMyriads(number, &walk, &out)
    } else {
      appendByHundredMillions(number, unitFollows: false, &walk, &out)
    }
  }

  /// What is known on the way through one number.
  struct Walk {
    let two: ChineseStyle.Two
    /// Whether a digit has been said.
    var started = false
    /// Whether an empty section waits for its 零.
    var gap = false
  }

  /// Taiwan: 京 兆 億 萬, one unit for each section.
  private func appendByMyriads(_ number: UInt64, _ walk: inout Walk, _ out: inout TokenBuffer) {
    var scale: UInt64 = 10_000_000_000_000_000
    for index in stride(from: bigUnits.count, through: 0, by: -1) {
      let section = Int(number / scale % 10_000)
      scale /= 10_000
      guard section > 0 else {
        walk.gap = walk.started
        continue
      }
      append(section: section, unitFollows: index > 0, &walk, &out)
      if index > 0 { out.append(bigUnits[index - 1]) }
    }
  }

  /// Mainland and Hong Kong: what stands before 亿 is a number of its own, so 10^12 is 一万亿.
  private func appendByHundredMillions(
    _ number: UInt64, unitFollows: Bool, _ walk: inout Walk, _ out: inout TokenBuffer
  ) {
    let upper = number / 100_000_000
    if upper > 0 {
      appendByHundredMillions(upper, unitFollows: true, &walk, &out)
      out.append(bigUnits[1])
      walk.gap = false
    }
    let section = Int(number / 10_000 % 10_000)
    if section > 0 {
      append(section: section, unitFollows: true, &walk, &out)
      out.append(bigUnits[0])
    } else {
      walk.gap = walk.started
    }
    let rest = Int(number % 10_000)
    if rest > 0 { append(section: rest, unitFollows: unitFollows, &walk, &out) }
  }

  /// One section, 1 to 9999.
  private func append(section: Int, unitFollows: Bool, _ walk: inout Walk, _ out: inout TokenBuffer) {
    if walk.started, section < 1000 || walk.gap { out.append(digits[0]) }
    walk.gap = false
    let head = !walk.started
    walk.started = true
    let (thousand, hundred, ten, one) = (section / 1000, section / 100 % 10, section / 10 % 10, section % 10)
    if thousand > 0 {
      append(thousand, walk.two.thousands, head: head, &out)
      out.append(thousands)
    }
    if hundred > 0 {
      append(hundred, walk.two.hundreds, head: head && thousand == 0, &out)
      out.append(hundreds)
    } else if thousand > 0, section % 1000 > 0 {
      out.append(digits[0])
    }
    if ten > 0 {
      if ten > 1 || !head || section >= 100 { out.append(digits[ten]) }
      out.append(tens)
    } else if hundred > 0, one > 0 {
      out.append(digits[0])
    }
    guard one > 0 else { return }
    append(one, section == 2 && unitFollows ? walk.two.bigUnits : .never, head: head, &out)
  }

  /// A digit before a unit, 两 for 2 where the rule says so.
  private func append(_ digit: Int, _ rule: ChineseStyle.Two.Rule, head: Bool, _ out: inout TokenBuffer) {
    let saysPair = digit == 2 && (rule == .everywhere || (rule == .leading && head))
    out.append(saysPair ? pair : digits[digit])
  }
}

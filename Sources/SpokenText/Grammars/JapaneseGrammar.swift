/// Japanese: sections of four digits with 万 億 兆 京; one is silent before 十 百 千, except 一千 before 万 and above.
///
/// The sounds that change are in the words: `百(びゃく)` after 三, `六(ろっ)` `百(ぴゃく)`, `四(よ)` 円, `一(いっ)` `分(ぷん)`. Rule:
/// NHK 日本語発音アクセント新辞典, 数詞. Times: 正午, and 零時 within 午前 and 午後, as NHK says them.
struct JapaneseGrammar: CountingGrammar {
  let wordbook: Wordbook
  let minus: Token
  let point: Token
  let fractionDigits: [Token]
  let currencies: [CurrencyWords]

  private let digits: [Token]
  private let spokenDigits: [Token]
  private let places: [Token]
  private let bigUnits: [Token]
  private let clock: ClockWords
  private let sounds: JapaneseSounds

  private struct ClockWords: Sendable {
    let morning: Token
    let afternoon: Token
    let noon: Token
    let hour: Token
    let minute: Token
  }

  init() {
    var lexicon = Lexicon(separator: "", syllableMicroseconds: 145_000)
    let clockKinds: KindSet = [KindSet(.time), .time12, .time24]
    let words = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"]
    digits = lexicon.add(words, [.number, clockKinds])
    _ = lexicon.add(Array(words[1...]), [.digits, .phone])
    fractionDigits = digits
    spokenDigits = [lexicon.add("零", sound: "ゼロ", [.digits, .phone])] + digits[1...]
    places = lexicon.add(["十", "百", "千"], .number)
    _ = lexicon.add("十", clockKinds)
    bigUnits = lexicon.add(["万", "億", "兆", "京"], .number)
    minus = lexicon.add("マイナス", .number)
    point = lexicon.add("点", [.decimal, .amount])
    currencies = CurrencyWords.table(CurrencyRow.japanese, &lexicon)
    clock = ClockWords(
      morning: lexicon.add("午前", [KindSet(.time), .time12]), afternoon: lexicon.add("午後", [KindSet(.time), .time12]),
      noon: lexicon.add("正午", [KindSet(.time), .time12]), hour: lexicon.add("時", clockKinds),
      minute: lexicon.add("分", clockKinds))
    sounds = JapaneseSounds(&lexicon)
    wordbook = Wordbook(lexicon)
  }

  /// Zero is ゼロ in a row of digits, れい in a number; the sign is the same.
  func digitWords(phone: Bool, _ options: ReadingOptions) -> [Token] { spokenDigits }

  func finish(_ out: inout TokenBuffer) { sounds.apply(to: &out) }

  // MARK: Numbers

  func cardinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    guard number > 0 else {
      out.append(digits[0])
      return
    }
    for index in stride(from: 4, through: 0, by: -1) {
      let section = Int(number / PowerOfTen.of(4 * index) % 10_000)
      guard section > 0 else { continue }
      append(section: section, saysOneThousand: index > 0, &out)
      if index > 0 { out.append(bigUnits[index - 1]) }
    }
  }

  private func append(section: Int, saysOneThousand: Bool, _ out: inout TokenBuffer) {
    for (place, scale) in [(2, 1000), (1, 100), (0, 10)] {
      let digit = section / scale % 10
      guard digit > 0 else { continue }
      if digit > 1 || (place == 2 && saysOneThousand) { out.append(digits[digit]) }
      out.append(places[place])
    }
    if section % 10 > 0 { out.append(digits[section % 10]) }
  }

  // MARK: Time

  /// 午後三時十分; 十五時十分.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time or time/24h")
    case .twentyFour: cardinal(UInt64(time.hour), ReadingOptions(), &out)
    case .localeDefault, .twelve:
      if time.hour == 12, time.minute == 0 {
        out.append(clock.noon)
        return
      }
      out.append(time.hour < 12 ? clock.morning : clock.afternoon)
      cardinal(UInt64(time.hour % 12), ReadingOptions(), &out)
    }
    out.append(clock.hour)
    guard time.minute > 0 else { return }
    cardinal(UInt64(time.minute), ReadingOptions(), &out)
    out.append(clock.minute)
  }
}

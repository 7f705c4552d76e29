import SpokenText
import Testing

struct OptionTests {
  private func text(
    _ input: String, _ kind: ReadingKind, in locale: SpokenLocale = .zhCN, _ options: ReadingOptions
  ) throws -> String {
    try Reader(locale, options: options).read(input, as: kind).text
  }

  @Test(arguments: [
    (ReadingOptions.TwoPolicy.never, "CNY 2222", "二千二百二十二元"), (.leading, "CNY 2222", "两千二百二十二元"),
    (.everywhere, "CNY 2222", "两千两百二十二元"), (.never, "CNY 2", "二元"), (.everywhere, "CNY 20000", "两万元"),
    (.everywhere, "CNY 120000", "十二万元"), (.localeDefault, "CNY 12000", "一万二千元"),
    (.everywhere, "CNY 12000", "一万两千元"),
  ])
  func `says 两 where the policy wants it in amounts`(policy: ReadingOptions.TwoPolicy, input: String, expected: String)
    throws
  {
    #expect(try text(input, .amount, .init(two: policy)) == expected)
  }

  @Test(arguments: [
    (ReadingOptions.TwoPolicy.localeDefault, "2000", "二千"), (.leading, "2000", "两千"), (.leading, "2", "二"),
    (.everywhere, "222222", "二十二万两千两百二十二"), (.leading, "2220", "两千二百二十"), (.everywhere, "2", "二"),
    (.everywhere, "200000002", "两亿零二"),
  ])
  func `says 两 where the policy wants it in numbers`(policy: ReadingOptions.TwoPolicy, input: String, expected: String)
    throws
  {
    #expect(try text(input, .cardinal, .init(two: policy)) == expected)
  }

  @Test func `says 整 after a whole amount only`() throws {
    let options = ReadingOptions(saysWhole: true)
    #expect(try text("CNY 28", .amount, options) == "二十八元整")
    #expect(try text("CNY 28.00", .amountUnits, options) == "二十八元整")
    #expect(try text("CNY 28.50", .amount, options) == "二十八点五元")
    #expect(try text("HKD 28", .amount, in: .yueHK, options) == "二十八蚊正")
  }

  @Test func `reads an amount in units when asked`() throws {
    let options = ReadingOptions(amountStyle: .units)
    #expect(try text("CNY 28.50", .amount, options) == "二十八元五角")
    #expect(try text("HKD 28.55", .amount, in: .yueHK, options) == "二十八蚊五毫五仙")
    #expect(try text("JPY 28", .amount, options) == "二十八日元")
  }

  @Test func `keeps the zero at the end when asked`() throws {
    #expect(try text("CNY 28.5", .amount, .init(keepsTrailingZeros: true)) == "二十八点五零元")
    #expect(try text("JPY 28", .amount, .init(keepsTrailingZeros: true)) == "二十八日元")
  }

  @Test func `says and in American English when asked`() throws {
    #expect(try text("1101", .cardinal, in: .enUS, .init(saysAnd: true)) == "one thousand one hundred and one")
  }

  @Test(arguments: [
    ("en", "10", "one oh"), ("de", "12", "eins zwo"), ("pt", "60", "meia zero"), ("id", "10", "satu kosong"),
  ])
  func `uses the words of the telephone when asked`(tag: String, input: String, expected: String) throws {
    #expect(try text(input, .digitsPhone, in: SpokenLocale(tag), .init(regionalPhoneWords: true)) == expected)
  }

  @Test(arguments: [
    ("CNY 1", ["一(yì)", "元"]), ("CNY 100", ["一(yì)", "百", "元"]), ("CNY 10000", ["一(yí)", "万", "元"]),
    ("CNY 11", ["十", "一", "元"]), ("CNY 110000", ["十", "一", "万", "元"]), ("CNY 500", ["五(wú)", "百", "元"]),
    ("CNY 200", ["两(liáng)", "百", "元"]), ("CNY 1.1", ["一", "点", "一", "元"]), ("CNY 101", ["一(yì)", "百", "零", "一", "元"]),
  ])
  func `marks tones in the words and not in the text`(input: String, words: [String]) throws {
    let reading = try Reader(.zhCN, options: .init(marksTones: true)).read(input, as: .amount)
    #expect(reading.words == words)
    #expect(reading.text == (try Reader(.zhCN).read(input, as: .amount).text))
  }

  @Test func `joins words without their marks of sound`() {
    #expect(Reader.joined(["三", "百(びゃく)", "円"], .ja) == "三百円")
    #expect(Reader.joined(["two", "dollars"], .enUS) == "two dollars")
  }
}

struct SoundTests {
  @Test(arguments: [
    ("ja", ReadingKind.amount, "JPY 3600", ["三", "千(ぜん)", "六(ろっ)", "百(ぴゃく)", "円"]),
    ("ja", .amount, "JPY 8304", ["八(はっ)", "千", "三", "百(びゃく)", "四(よ)", "円"]),
    ("ja", .cardinal, "10000000", ["一(いっ)", "千", "万"]), ("ja", .time, "16:04", ["午後", "四(よ)", "時", "四", "分(ぷん)"]),
    ("ja", .time, "07:10", ["午前", "七(しち)", "時", "十(じゅっ)", "分(ぷん)"]), ("ja", .digits, "04", ["零(ゼロ)", "四"]),
    ("ja", .decimal, "1.4", ["一(いっ)", "点", "四"]),
    ("ko", .cardinal, "160000", ["십육", "만"]), ("ko", .cardinal, "106", ["백(뱅)", "육(뉵)"]),
    ("ko", .cardinal, "100000", ["십(심)", "만"]), ("ko", .cardinal, "1600000", ["백(뱅)", "육십(뉵심)", "만"]),
    ("ko", .cardinal, "1065", ["천", "육십오(뉵십오)"]),
    ("fr", .amount, "EUR 2", ["deux(z)", "euros"]), ("fr", .amount, "USD 6", ["six(-)", "dollars"]),
    ("fr", .amount, "EUR 620", ["six(-)", "cent", "vingt(t)", "euros"]), ("fr", .cardinal, "6", ["six"]),
    ("fr", .amount, "USD 200.02", ["deux", "cents", "dollars", "et", "deux", "cents(sɛnt)"]),
    ("fr", .time, "09:10", ["neuf(v)", "heures", "dix"]), ("fr", .amount, "EUR 1", ["un(n)", "euro"]),
    ("vi", .cardinal, "21", ["hai", "mươi", "mốt"]), ("th", .cardinal, "21", ["ยี่", "สิบ", "เอ็ด"]),
    ("de", .cardinal, "21", ["ein", "und", "zwanzig"]), ("en", .cardinal, "21", ["twenty", "one"]),
    ("zh", .amount, "CNY 28.50", ["二", "十", "八", "点", "五", "元"]),
  ])
  func `puts the sound that a clip must have into the words`(
    tag: String, kind: ReadingKind, input: String, words: [String]
  ) throws {
    #expect(try Reader(SpokenLocale(tag)).read(input, as: kind).words == words)
  }

  @Test(arguments: SpokenLocale.all)
  func `estimates a time that grows with the reading`(locale: SpokenLocale) throws {
    let reader = Reader(locale)
    let short = try reader.read("CNY 5", as: .amount).estimatedSeconds
    let long = try reader.read("CNY 123456789.12", as: .amount).estimatedSeconds
    #expect((0.2...2.5).contains(short), "\(short)")
    #expect((2.5...12).contains(long), "\(long)")
  }
}

import SpokenText
import Testing

struct LocaleTests {
  @Test(arguments: [
    ("zh", "zh-CN"), ("zh-CN", "zh-CN"), ("zh_cn", "zh-CN"), ("zh-Hans", "zh-CN"), ("zh-Hant", "zh-TW"),
    ("zh-TW", "zh-TW"), ("yue", "yue-HK"), ("zh-HK", "yue-HK"), ("en", "en-US"), ("EN-gb", "en-GB"), ("en-IN", "en-IN"),
    ("ja", "ja"), ("ja-JP", "ja"), ("ko-KR", "ko"), ("vi", "vi"), ("th", "th"), ("id", "id"), ("hi", "hi"),
    ("es", "es-ES"), ("es-MX", "es-MX"), ("fr", "fr-FR"), ("de", "de-DE"), ("pt", "pt-BR"), ("pt-PT", "pt-PT"),
  ])
  func `finds a locale by its tag or its language`(tag: String, expected: String) throws {
    #expect(try SpokenLocale(tag).tag == expected)
  }

  @Test(arguments: ["", "xx", "en-AU", "fr-CA", "zh-SG", "english", "zh-CN-", "日本語"])
  func `lists what exists rather than read in a wrong language`(tag: String) {
    let error = #expect(throws: ReadingError.self) { try SpokenLocale(tag) }
    #expect(error?.code == .unknownLocale)
    for locale in SpokenLocale.all { #expect(error?.message.contains(locale.tag) == true) }
  }

  @Test func `has kinds by name only`() {
    #expect(#expect(throws: ReadingError.self) { try ReadingKind(named: "money") }?.code == .unknownKind)
    for kind in ReadingKind.allCases { #expect((try? ReadingKind(named: kind.rawValue)) == kind) }
  }

  @Test(arguments: [
    ("ja", ReadingKind.percent, "5"), ("fr", .time12h, "10:00"), ("zh-CN", .time6h, "10:00"),
    ("en", .amountUnits, "USD 1"),
    ("hi", .time24h, "10:00"), ("ko", .date, "11-30"),
  ])
  func `says that a locale has no such kind`(tag: String, kind: ReadingKind, input: String) throws {
    let reader = Reader(try SpokenLocale(tag))
    #expect(#expect(throws: ReadingError.self) { try reader.read(input, as: kind) }?.code == .unsupportedKind)
    #expect(reader.vocabulary(kind).isEmpty)
  }

  @Test(arguments: [
    (ReadingKind.cardinal, "1.5", ReadingError.Code.notWhole), (.time, "24:00", .badTime), (.time, "9:05", .badTime),
    (.time, "09:60", .badTime), (.time, "09:05:00", .badTime), (.date, "2026-02-29", .badDate),
    (.date, "2026-13-01", .badDate), (.date, "11/30", .badDate), (.date, "00-10", .badDate),
    (.duration, "5M", .badDuration),
    (.duration, "PT", .badDuration), (.duration, "P1M", .badDuration), (.duration, "PT5M1H", .badDuration),
    (.duration, "PT1.5H", .badDuration), (.digits, "12a", .unexpectedCharacter), (.digits, "", .empty),
    (.digits, "-12", .unexpectedCharacter), (.digits, "1--2", .unexpectedCharacter), (.digits, "1２", .mixedScripts),
    (.digits, String(repeating: "1", count: 65), .tooLarge), (.ordinal, "-1", .unexpectedCharacter),
    (.percent, "5%%", .unexpectedCharacter),
  ])
  func `refuses input that is not of the kind`(kind: ReadingKind, input: String, code: ReadingError.Code) {
    #expect(#expect(throws: ReadingError.self) { try Reader(.zhCN).read(input, as: kind) }?.code == code)
  }

  @Test func `keeps silent about separators in a row of digits`() throws {
    #expect(try Reader(.enUS).read("415-555 01", as: .digits).text == "four one five five five five zero one")
    #expect(try Reader(.zhCN).read("１００８６", as: .digitsPhone).text == "幺零零八六")
  }
}

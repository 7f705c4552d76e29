#if canImport(Glibc)
  import Glibc
  import SpokenText
  import TestSupport
  import Testing

  /// ICU4C's spell-out, loaded at run time.
  ///
  /// The package never links ICU.
  private final class Spellout {
    private typealias Open =
      @convention(c) (
        Int32, UnsafePointer<UInt16>?, Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?,
        UnsafeMutablePointer<Int32>
      ) -> UnsafeMutableRawPointer?
    private typealias Format =
      @convention(c) (
        UnsafeMutableRawPointer, Int64, UnsafeMutablePointer<UInt16>, Int32, UnsafeMutableRawPointer?,
        UnsafeMutablePointer<Int32>
      ) -> Int32
    private typealias SetText =
      @convention(c) (
        UnsafeMutableRawPointer, Int32, UnsafePointer<UInt16>, Int32, UnsafeMutablePointer<Int32>
      ) -> Void
    private typealias Close = @convention(c) (UnsafeMutableRawPointer) -> Void

    private let handle: UnsafeMutableRawPointer
    private let format: Format
    private let close: Close

    /// - Parameter rules: A public rule set of the locale, such as `%spellout-cardinal-verbose`.
    init?(_ locale: String, rules: String?) {
      for version in stride(from: 80, through: 60, by: -1) {
        guard let library = dlopen("libicui18n.so.\(version)", RTLD_NOW),
          let open = dlsym(library, "unum_open_\(version)"),
          let format = dlsym(library, "unum_formatInt64_\(version)"),
          let close = dlsym(library, "unum_close_\(version)"),
          let setText = dlsym(library, "unum_setTextAttribute_\(version)")
        else { continue }
        // The casts name the C signatures of unum.h; 5 is UNUM_SPELLOUT, 6 is UNUM_DEFAULT_RULESET.
        var status: Int32 = 0
        guard let handle = unsafeBitCast(open, to: Open.self)(5, nil, 0, locale, nil, &status), status <= 0 else {
          continue
        }
        if let rules {
          let name = Array(rules.utf16)
          unsafeBitCast(setText, to: SetText.self)(handle, 6, name, Int32(name.count), &status)
          guard status <= 0 else { return nil }
        }
        self.handle = handle
        self.format = unsafeBitCast(format, to: Format.self)
        self.close = unsafeBitCast(close, to: Close.self)
        return
      }
      return nil
    }

    deinit { close(handle) }

    func spell(_ number: UInt64) -> String {
      var buffer = [UInt16](repeating: 0, count: 1_024)
      var status: Int32 = 0
      let count = format(handle, Int64(number), &buffer, Int32(buffer.count), nil, &status)
      return String(decoding: buffer[..<Int(count)], as: UTF16.self)
    }
  }

  /// Where ICU stands for a locale: its rules, and the numbers that it is known to say otherwise.
  struct ICUCase: Sendable, CustomTestStringConvertible {
    let locale: SpokenLocale
    let icu: String
    var rules: String?
    /// Numbers below this are compared.
    var limit: UInt64 = 1_000_000_000_000_000_000
    /// Spellings of ICU for the same spoken word, and ours.
    var spellings: [(String, String)] = []
    /// Why some numbers are left out.
    var reason = ""
    /// Whether ICU is wrong, or of another style, for this number.
    var isException: @Sendable (UInt64) -> Bool = { _ in false }

    var testDescription: String { icu }

    /// Groups of `digits` digits, the lowest first.
    static func groups(_ number: UInt64, _ digits: Int) -> [UInt64] {
      var (rest, groups) = (number, [UInt64]())
      while rest > 0 {
        groups.append(rest % PowersOfTen.table[digits])
        rest /= PowersOfTen.table[digits]
      }
      return groups
    }

    static let all: [ICUCase] = [
      ICUCase(
        locale: .zhCN, icu: "zh", limit: 1_000_000_000_000, spellings: [("〇", "零")],
        reason: "from 10^12 ICU says 兆; it leaves out 零 where the section after 亿 begins below 千万",
        isException: { (10_000..<10_000_000).contains($0 % 100_000_000) && $0 >= 100_000_000 }),
      ICUCase(
        locale: .zhTW, icu: "zh_TW", limit: 10_000_000_000_000_000, spellings: [("〇", "零")],
        reason: "ICU leaves out 零 where a section begins below 千 after an upper one",
        isException: { groups($0, 4).dropFirst().dropLast().contains { $0 > 0 && $0 < 1_000 } }),
      ICUCase(
        locale: .yueHK, icu: "yue", limit: 1_000_000_000_000, spellings: [("〇", "零")], reason: "as in zh",
        isException: { (10_000..<10_000_000).contains($0 % 100_000_000) && $0 >= 100_000_000 }),
      ICUCase(locale: .enUS, icu: "en"),
      ICUCase(locale: .enGB, icu: "en_GB", rules: "%spellout-cardinal-verbose"),
      ICUCase(
        locale: .enIN, icu: "en_IN", rules: "%spellout-cardinal-verbose", limit: 1_000_000_000_000,
        reason: "ICU says trillion, which Indian English does not mix with crore, and forgets lakh after crore",
        isException: { $0 >= 10_000_000 && $0 % 10_000_000 >= 100_000 }),
      ICUCase(
        locale: .ja, icu: "ja", limit: 10_000_000_000_000_000, spellings: [("〇", "零")],
        reason: "ICU says 千万 for 一千万",
        isException: { groups($0, 4).dropFirst().contains { $0 / 1_000 == 1 } }),
      ICUCase(
        locale: .ko, icu: "ko", limit: 10_000_000_000_000_000,
        reason: "after 억 it is 일만, ICU says 만; zero alone is 공 in ICU 72",
        isException: { $0 == 0 || (groups($0, 4).count > 2 && groups($0, 4)[1] == 1) }),
      ICUCase(
        locale: .vi, icu: "vi", limit: 1_000_000_000_000, spellings: [("lẻ", "linh")],
        reason: "ICU drops không trăm in a later class below 100 from a million up",
        isException: { $0 >= 1_000_000 && groups($0, 3).dropLast().contains { $0 > 0 && $0 < 100 } }),
      ICUCase(
        locale: .th, icu: "th", reason: "ICU says เอ็ด only after a ten",
        isException: { number in
          let blocks = groups(number, 6)
          return blocks.enumerated().contains { $1 % 100 == 1 && ($1 > 1 || $0 < blocks.count - 1) }
        }),
      ICUCase(locale: .id, icu: "id", reason: "zero is kosong in ICU 72", isException: { $0 == 0 }),
      ICUCase(locale: .hi, icu: "hi", limit: 100_000_000_000, spellings: [("पन्द्रह", "पंद्रह")]),
      ICUCase(locale: .es, icu: "es"), ICUCase(locale: .esMX, icu: "es_MX"),
      ICUCase(
        locale: .fr, icu: "fr", reason: "ICU takes the s from cents and vingts before million, which is a noun",
        isException: { groups($0, 3).dropFirst(2).contains { $0 % 100 == 80 || ($0 > 100 && $0 % 100 == 0) } }),
      ICUCase(locale: .de, icu: "de"),
      ICUCase(
        locale: .pt, icu: "pt", reason: "ICU says e after each class when the number ends in 00",
        isException: { $0 >= 1_000_000 && $0 % 100 == 0 && $0 % 1_000_000 != 0 }),
      ICUCase(
        locale: .ptPT, icu: "pt_PT", reason: "ICU says um mil, milhões twice in mil milhões, and e as in pt",
        isException: { $0 >= 1_000_000_000 || ($0 >= 1_000_000 && $0 % 100 == 0 && $0 % 1_000_000 != 0) }),
    ]
  }

  struct DifferentialTests {
    @Test(arguments: ICUCase.all)
    func `says whole numbers as ICU does where ICU is right`(icu: ICUCase) throws {
      let spellout = try #require(
        Spellout(icu.icu, rules: icu.rules), "ICU is not installed: on Debian, apt-get install libicu72")
      let reader = Reader(icu.locale)
      var compared = 0
      for number in Self.numbers where number < icu.limit && !icu.isException(number) {
        var expected = spellout.spell(number)
        for (theirs, ours) in icu.spellings {
          expected = expected.split(separator: theirs, omittingEmptySubsequences: false).joined(separator: ours)
        }
        let text = try reader.read(String(number), as: .cardinal).text
        #expect(Vector.normalised(text) == Vector.normalised(expected), "\(number): \(text) / \(expected)")
        compared += 1
      }
      #expect(compared > 2_800)
    }

    private static let numbers: [UInt64] = {
      var chance = SeededChance(seed: 72)
      let random = (0..<1_500).map { _ in
        UInt64.random(in: 0..<PowersOfTen.table[Int.random(in: 4...18, using: &chance)], using: &chance)
      }
      let sparse = (0..<1_000).map { _ in
        UInt64.random(in: 1...9, using: &chance) * PowersOfTen.table[Int.random(in: 0...17, using: &chance)]
          + UInt64.random(in: 0...120, using: &chance)
      }
      return Array(0...2_100) + random + sparse
    }()
  }
#endif

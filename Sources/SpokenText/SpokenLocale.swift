/// A language and region that can be spoken.
///
/// The set is closed: a tag that is not in the table is an error, never a reading in a wrong language.
public struct SpokenLocale: Hashable, Sendable, CustomStringConvertible {
  enum ID: UInt8, Hashable, Sendable, CaseIterable {
    case zhCN, zhTW, yue, enUS, enGB, enIN, ja, ko, vi, th, id, hi, esES, esMX, frFR, deDE, ptBR, ptPT
  }

  let key: ID

  init(_ key: ID) { self.key = key }

  /// Mandarin, mainland China.
  public static let zhCN = SpokenLocale(.zhCN)
  /// Mandarin, Taiwan.
  public static let zhTW = SpokenLocale(.zhTW)
  /// Cantonese, Hong Kong.
  public static let yueHK = SpokenLocale(.yue)
  /// English, United States.
  public static let enUS = SpokenLocale(.enUS)
  /// English, United Kingdom.
  public static let enGB = SpokenLocale(.enGB)
  /// English, India: lakh and crore.
  public static let enIN = SpokenLocale(.enIN)
  /// Japanese.
  public static let ja = SpokenLocale(.ja)
  /// Korean.
  public static let ko = SpokenLocale(.ko)
  /// Vietnamese.
  public static let vi = SpokenLocale(.vi)
  /// Thai.
  public static let th = SpokenLocale(.th)
  /// Indonesian.
  public static let id = SpokenLocale(.id)
  /// Hindi.
  public static let hi = SpokenLocale(.hi)
  /// Spanish, Spain.
  public static let es = SpokenLocale(.esES)
  /// Spanish, Mexico.
  public static let esMX = SpokenLocale(.esMX)
  /// French, France.
  public static let fr = SpokenLocale(.frFR)
  /// German, Germany.
  public static let de = SpokenLocale(.deDE)
  /// Portuguese, Brazil.
  public static let pt = SpokenLocale(.ptBR)
  /// Portuguese, Portugal.
  public static let ptPT = SpokenLocale(.ptPT)

  /// Every locale, in the order of the table in `docs/reading.md`.
  public static let all: [SpokenLocale] = ID.allCases.map(SpokenLocale.init(_:))

  /// The locale with this tag.
  ///
  /// Case and the kind of separator do not matter (`zh_cn`). A script subtag is understood (`zh-Hant`, `zh-Hans-CN`),
  /// and a bare language takes its default region: `zh` is zh-CN, `en` en-US, `es` es-ES, `fr` fr-FR, `de` de-DE,
  /// `pt` pt-BR, as in CLDR's likely subtags.
  ///
  /// - Throws: `ReadingError` of code `unknownLocale`, with the list of what exists.
  public init(_ tag: String) throws(ReadingError) {
    if let id = Self.ids[tag] {
      key = id
      return
    }
    let spelling = String(decoding: tag.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
      .lowercased()
    guard let id = Self.ids[spelling] else {
      let names = Self.all.map(\.tag).joined(separator: ", ")
      throw ReadingError(.unknownLocale, "unknown locale \(Self.shown(tag)); use one of: \(names)")
    }
    key = id
  }

  /// The tag of the vectors and of the command line: `zh-CN`, `yue-HK`, `ja`.
  public var tag: String {
    switch key {
    case .zhCN: "zh-CN"
    case .zhTW: "zh-TW"
    case .yue: "yue-HK"
    case .enUS: "en-US"
    case .enGB: "en-GB"
    case .enIN: "en-IN"
    case .ja: "ja"
    case .ko: "ko"
    case .vi: "vi"
    case .th: "th"
    case .id: "id"
    case .hi: "hi"
    case .esES: "es-ES"
    case .esMX: "es-MX"
    case .frFR: "fr-FR"
    case .deDE: "de-DE"
    case .ptBR: "pt-BR"
    case .ptPT: "pt-PT"
    }
  }

  /// The tag.
  public var description: String { tag }

  /// Other accepted spellings of each tag, lower case.
  ///
  /// A region is listed only where it is the locale's own.
  private static let aliases: [(String, ID)] = [
    ("zh", .zhCN), ("zh-hans", .zhCN), ("zh-hans-cn", .zhCN), ("cmn", .zhCN), ("cmn-cn", .zhCN), ("cmn-hans-cn", .zhCN),
    ("zh-hant", .zhTW), ("zh-hant-tw", .zhTW), ("cmn-tw", .zhTW), ("cmn-hant-tw", .zhTW),
    ("yue", .yue), ("yue-hant", .yue), ("yue-hant-hk", .yue), ("zh-hk", .yue), ("zh-hant-hk", .yue), ("zh-yue", .yue),
    ("en", .enUS), ("ja-jp", .ja), ("ko-kr", .ko), ("vi-vn", .vi), ("th-th", .th), ("id-id", .id), ("hi-in", .hi),
    ("es", .esES), ("fr", .frFR), ("de", .deDE), ("pt", .ptBR),
  ]

  private static let ids: [String: ID] = {
    var table = Dictionary(uniqueKeysWithValues: aliases)
    for locale in all {
      table[locale.tag.lowercased()] = locale.key
      // The usual spelling is found without making another.
      table[locale.tag] = locale.key
    }
    return table
  }()

  /// The tag as it may be shown in a message: short, and letters, digits and hyphens only.
  private static func shown(_ tag: String) -> String {
    let plain = tag.unicodeScalars.prefix(24).filter {
      $0.isASCII && ($0.properties.isAlphabetic || $0 == "-" || ("0"..."9") ~= $0)
    }
    return plain.isEmpty ? "tag" : String(String.UnicodeScalarView(plain))
  }
}

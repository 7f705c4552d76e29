/// What differs between the three Chinese locales.
struct ChineseStyle: Sendable {
  /// Where 两 stands for 二.
  struct Two: Sendable {
    enum Rule: Sendable {
      case never, leading, everywhere
    }

    /// Before 百.
    var hundreds: Rule
    /// Before 千.
    var thousands: Rule
    /// Before 万 亿 兆 京, where the section is 2.
    var bigUnits: Rule
    /// Before a measure word, where the number is 2.
    var alone: Bool

    static let never = Two(hundreds: .never, thousands: .never, bigUnits: .never, alone: false)
    static let leading = Two(hundreds: .leading, thousands: .leading, bigUnits: .leading, alone: true)
    static let everywhere = Two(hundreds: .everywhere, thousands: .everywhere, bigUnits: .everywhere, alone: true)
    /// Cantonese keeps 二百.
    static let fromThousand = Two(hundreds: .never, thousands: .everywhere, bigUnits: .everywhere, alone: true)
  }

  /// Parts of the day, each from an hour on.
  ///
  /// CLDR 44 `dayPeriodRuleSet`.
  struct DayPeriod: Sendable {
    let fromHour: Int
    let name: String
  }

  var digits: [String]
  var pair: String
  var phoneOne: String?
  var bigUnits: [String]
  var minus: String
  var point: String
  var currencies: [CurrencyRow]
  var amountTwo: Two
  /// The tenth and hundredth of the currency at home: 角 分, 毫 仙.
  var localTenth: String
  var localHundredth: String
  /// Whether 2 of them is always 两 (兩毫), or only at the head (二元二角).
  var saysPairOfTenths: Bool
  /// Currencies whose tenths are `localTenth`; CNY and TWD have 角 分 in every style.
  var localCurrencies: Set<String>
  var whole: String
  var hour: String
  var dayPeriods: [DayPeriod]
  /// 周 天 小时 分钟 秒.
  var spanUnits: [String]

  func two(_ policy: ReadingOptions.TwoPolicy, forAmount: Bool) -> Two {
    switch policy {
    case .localeDefault: forAmount ? amountTwo : .never
    case .never: .never
    case .leading: .leading
    case .everywhere: .everywhere
    }
  }

  static let mainland = ChineseStyle(
    digits: ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"], pair: "两", phoneOne: "幺",
    bigUnits: ["万", "亿"], minus: "负", point: "点", currencies: CurrencyRow.mandarin, amountTwo: .leading,
    localTenth: "角", localHundredth: "分", saysPairOfTenths: false, localCurrencies: ["HKD", "MOP"],
    whole: "整", hour: "点",
    dayPeriods: [
      DayPeriod(fromHour: 0, name: "凌晨"), DayPeriod(fromHour: 5, name: "早上"), DayPeriod(fromHour: 8, name: "上午"),
      DayPeriod(fromHour: 12, name: "中午"), DayPeriod(fromHour: 13, name: "下午"), DayPeriod(fromHour: 19, name: "晚上"),
    ],
    spanUnits: ["周", "天", "小时", "分钟", "秒"])

  static let taiwan = ChineseStyle(
    digits: mainland.digits, pair: "兩", phoneOne: nil, bigUnits: ["萬", "億", "兆", "京"], minus: "負", point: "點",
    currencies: CurrencyRow.taiwanese, amountTwo: .everywhere,
    localTenth: "角", localHundredth: "分", saysPairOfTenths: false, localCurrencies: ["HKD", "MOP"],
    whole: "整", hour: "點",
    dayPeriods: [
      DayPeriod(fromHour: 0, name: "凌晨"), DayPeriod(fromHour: 5, name: "清晨"), DayPeriod(fromHour: 8, name: "上午"),
      DayPeriod(fromHour: 12, name: "中午"), DayPeriod(fromHour: 13, name: "下午"), DayPeriod(fromHour: 19, name: "晚上"),
    ],
    spanUnits: ["週", "天", "小時", "分鐘", "秒"])

  static let hongKong = ChineseStyle(
    digits: mainland.digits, pair: "兩", phoneOne: nil, bigUnits: ["萬", "億"], minus: "負", point: "點",
    currencies: CurrencyRow.cantonese, amountTwo: .fromThousand,
    localTenth: "毫", localHundredth: "仙", saysPairOfTenths: true, localCurrencies: ["HKD", "MOP"],
    whole: "正", hour: "點",
    dayPeriods: [
      DayPeriod(fromHour: 0, name: "凌晨"), DayPeriod(fromHour: 5, name: "清晨"), DayPeriod(fromHour: 8, name: "朝早"),
      DayPeriod(fromHour: 12, name: "中午"), DayPeriod(fromHour: 13, name: "下晝"), DayPeriod(fromHour: 19, name: "夜晚"),
    ],
    spanUnits: ["星期", "日", "小時", "分鐘", "秒"])
}

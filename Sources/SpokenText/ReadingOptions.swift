/// Choices of style.
///
/// The defaults are the product's voice, and what the test vectors expect.
public struct ReadingOptions: Hashable, Sendable {
  /// Where Chinese says 两 (兩) in place of 二 before a unit.
  public enum TwoPolicy: Hashable, Sendable, CaseIterable {
    /// The habit of the locale: amounts say 两 as `leading` (zh-CN), everywhere before 百 千 万 亿 (zh-TW), or from 千
    /// up (yue-HK); plain numbers say 二.
    case localeDefault
    /// 二 everywhere, as in accounts: 二百元, 二元.
    case never
    /// 两 for a 2 that opens the number and stands before 百 千 万 亿 or the unit: 两百二十二元. Numbers too.
    case leading
    /// 两 before every 百 and 千, and before 万 and 亿 where the 2 stands alone. Numbers too.
    case everywhere
  }

  /// How Chinese says an amount of kind `.amount`.
  public enum AmountStyle: Hashable, Sendable, CaseIterable {
    /// The announcement style of the locale. Chinese: point.
    case localeDefault
    /// One number and the major unit: 二十八点五元.
    case point
    /// Major and minor units: 二十八元五角.
    case units
  }

  /// Where Chinese says 两.
  ///
  /// Default: the habit of the locale.
  public var two: TwoPolicy
  /// Point or units for Chinese amounts.
  ///
  /// Default: point.
  public var amountStyle: AmountStyle
  /// Says 整 (正) after a Chinese amount without decimals: 二十八元整.
  ///
  /// Default: off.
  public var saysWhole: Bool
  /// Keeps written zeros at the end of a Chinese point-style amount: 二十八点五零元.
  ///
  /// Default: off.
  public var keepsTrailingZeros: Bool
  /// Says "and" before the last two digits in American English: one hundred and one.
  ///
  /// Default: off.
  public var saysAnd: Bool
  /// Uses the regional words of the telephone where they are optional: en oh, de zwo, pt meia, id kosong.
  ///
  /// Default: off.
  public var regionalPhoneWords: Bool
  /// Marks the changes of tone in Mandarin words, for packs recorded with them: 一(yì) 百.
  ///
  /// Default: off, since a pack's context variants choose the clip by its neighbours. The written text is the same.
  public var marksTones: Bool

  /// Makes a set of options; each argument left out keeps its default.
  public init(
    two: TwoPolicy = .localeDefault, amountStyle: AmountStyle = .localeDefault, saysWhole: Bool = false,
    keepsTrailingZeros: Bool = false, saysAnd: Bool = false, regionalPhoneWords: Bool = false, marksTones: Bool = false
  ) {
    self.two = two
    self.amountStyle = amountStyle
    self.saysWhole = saysWhole
    self.keepsTrailingZeros = keepsTrailingZeros
    self.saysAnd = saysAnd
    self.regionalPhoneWords = regionalPhoneWords
    self.marksTones = marksTones
  }
}

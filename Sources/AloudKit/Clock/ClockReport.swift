public import Announcing

/// What became of a talking clock's schedule.
public struct ClockReport: Hashable, Sendable {
  /// How often a day iOS will speak now.
  public var timesADay = 0
  /// Requests or alarms that were added.
  public var added = 0
  /// Requests or alarms that were removed.
  public var removed = 0
  /// Sound files that were made.
  public var rendered = 0
  /// The language that is spoken.
  public var locale: String?
  /// The voice pack that speaks.
  public var voiceID: String?
  /// Why it is not, or not wholly, as the settings ask; `nil` if it is.
  public var code: ReasonCode?
  /// What is wrong and what to do, in more words than the table of reasons has.
  public var detail = ""

  /// A report of nothing done.
  public init() {}

  /// Whether anything was changed.
  public var isChanged: Bool { added + removed + rendered > 0 }
}

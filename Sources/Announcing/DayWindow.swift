/// A part of each local day, also one that goes across midnight.
public struct DayWindow: Hashable, Sendable {
  /// The first minute that is in it, 0 to 1439.
  public var startMinute: Int
  /// The first minute after it that is not, 0 to 1439.
  ///
  /// Equal to the start, the window is the whole day.
  public var endMinute: Int

  /// Makes a window; minutes are taken modulo a day.
  public init(startMinute: Int, endMinute: Int) {
    func wrapped(_ minute: Int) -> Int { (minute % 1440 + 1440) % 1440 }
    (self.startMinute, self.endMinute) = (wrapped(startMinute), wrapped(endMinute))
  }

  /// Makes a window from `HH:MM` and `HH:MM`, or `nil` if one is no time of a day; `24:00` is midnight.
  public init?(from: String, to: String) {
    guard let start = DayWindow.minute(from), let end = DayWindow.minute(to) else { return nil }
    self.init(startMinute: start, endMinute: end)
  }

  /// Whether `minute` of the day lies in the window.
  public func contains(minuteOfDay minute: Int) -> Bool {
    if startMinute == endMinute { return true }
    if startMinute < endMinute { return startMinute <= minute && minute < endMinute }
    return minute >= startMinute || minute < endMinute
  }

  /// `HH:MM` of a minute of the day.
  public static func text(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }

  static func minute(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60, hour < 24 || (hour == 24 && minute == 0)
    else { return nil }
    return hour * 60 + minute
  }
}

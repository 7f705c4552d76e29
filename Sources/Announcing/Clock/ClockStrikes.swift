/// When a clock that runs itself must act, told from one look at the phone's clocks to the next.
///
/// A timer in a phone's background drifts by up to a minute (field report: github.com/gdelataillade/alarm/pull/35), and the
/// wall clock may be set or the zone may change while it waits. So it never waits longer than half a minute, asks the wall
/// clock each time, and remembers on the clock that only runs forward what it has struck.
public struct ClockStrikes: Hashable, Sendable {
  /// What to do now.
  public enum Step: Hashable, Sendable {
    /// Look again after so many seconds.
    case wait(seconds: Double)
    /// The time at this minute of the day comes within seconds: make ready.
    case prepare(minute: Int)
    /// It is this minute of the day: speak.
    case strike(minute: Int)
  }

  /// How long before the time one is made ready, in seconds.
  public static let leadSeconds = 3.0
  /// How late a time may still be spoken, in seconds.
  public static let latestSeconds = 20.0
  private static let longestWait = 30.0

  private let minutes: [Int]
  private var prepared: Mark?
  private var struck: Mark?

  private struct Mark: Hashable, Sendable {
    let minute: Int
    let upSeconds: Double
    let bootID: String

    /// Whether it stands for the same time of the same day: the same minute, within the last quarter of an hour.
    func covers(_ minute: Int, at time: PhoneTime) -> Bool {
      minute == self.minute && time.bootID == bootID && time.upSeconds - upSeconds < 900
    }
  }

  /// Makes it for the minutes of the day at which the clock speaks.
  public init(minutes: [Int]) { self.minutes = minutes.sorted() }

  /// What to do at `time`; a time that is due is answered once.
  public mutating func next(at time: PhoneTime) -> Step {
    let local = time.unixSeconds + Double(time.utcOffsetSeconds)
    let second = local - (local / 86_400).rounded(.down) * 86_400
    for minute in minutes {
      let passed = second - Double(minute * 60)
      if passed >= 0, passed < ClockStrikes.latestSeconds, struck?.covers(minute, at: time) != true {
        struck = Mark(minute: minute, upSeconds: time.upSeconds, bootID: time.bootID)
        return .strike(minute: minute)
      }
      let left = -passed < -43_200 ? 86_400 - passed : -passed
      if left > 0, left <= ClockStrikes.leadSeconds, prepared?.covers(minute, at: time) != true,
        struck?.covers(minute, at: time) != true
      {
        prepared = Mark(minute: minute, upSeconds: time.upSeconds, bootID: time.bootID)
        return .prepare(minute: minute)
      }
    }
    return .wait(seconds: min(ClockStrikes.longestWait, secondsToNext(second, time)))
  }

  /// The time to the next making ready or striking, never nothing.
  private func secondsToNext(_ second: Double, _ time: PhoneTime) -> Double {
    var least = ClockStrikes.longestWait
    for minute in minutes {
      var left = Double(minute * 60) - second
      if left <= 0 { left += 86_400 }
      let isPrepared = prepared?.covers(minute, at: time) == true
      let ready = left - (isPrepared ? 0 : ClockStrikes.leadSeconds)
      least = min(least, ready > 0 ? ready : left)
    }
    return max(0.05, least)
  }
}

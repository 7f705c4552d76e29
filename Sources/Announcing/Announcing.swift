// Room: what the phone decides, as values: phrase, plan, ledger, queue, merge, quiet hours, expiry, reason codes, clock schedule.

/// The clocks of a phone at one moment, as the caller read them.
///
/// Two clocks, because the wall clock can be set by a person or the network while a sentence plays: waiting and leases
/// are measured on the clock that only runs forward, and times that a person would name on the wall clock.
public struct PhoneTime: Hashable, Sendable {
  /// The wall clock, UNIX seconds.
  ///
  /// It can jump.
  public var unixSeconds: Double
  /// Seconds since the phone started, sleep included (`mach_continuous_time`).
  ///
  /// It never jumps, and is the same in every process.
  public var upSeconds: Double
  /// Names the run since the phone started, so that ``upSeconds`` of different runs are not compared.
  public var bootID: String
  /// The time zone's distance from UTC, in seconds.
  public var utcOffsetSeconds: Int

  /// Makes a moment.
  public init(unixSeconds: Double, upSeconds: Double, bootID: String, utcOffsetSeconds: Int = 0) {
    (self.unixSeconds, self.upSeconds) = (unixSeconds, upSeconds)
    (self.bootID, self.utcOffsetSeconds) = (bootID, utcOffsetSeconds)
  }

  /// The minute of the local day, 0 to 1439.
  public var minuteOfDay: Int {
    let local = Int(unixSeconds.rounded(.down)) + utcOffsetSeconds
    return ((local % 86_400 + 86_400) % 86_400) / 60
  }
}

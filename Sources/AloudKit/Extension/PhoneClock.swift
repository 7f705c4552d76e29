#if canImport(UserNotifications)
  package import Announcing
  import Foundation

  /// The phone's clocks, and waiting by them; a test gives its own.
  package struct PhoneClock: Sendable {
    /// The time now.
    package let now: @Sendable () -> PhoneTime
    /// Waits until then on the phone's running clock, or until the task is cancelled.
    package let sleep: @Sendable (_ untilUpSeconds: Double) async -> Void

    package init(
      now: @escaping @Sendable () -> PhoneTime, sleep: @escaping @Sendable (_ untilUpSeconds: Double) async -> Void
    ) { (self.now, self.sleep) = (now, sleep) }

    /// The real clocks.
    package static let live = PhoneClock(now: readClocks) { until in
      let seconds = until - readClocks().upSeconds
      if seconds > 0 { try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9)) }
    }

    private static let bootID = readBootID()

    @Sendable private static func readClocks() -> PhoneTime {
      var up = timespec()
      // The clock that runs on while the phone sleeps and is the same in every process.
      #if canImport(Darwin)
        clock_gettime(CLOCK_MONOTONIC_RAW, &up)
      #else
        clock_gettime(CLOCK_BOOTTIME, &up)
      #endif
      return PhoneTime(
        unixSeconds: Date().timeIntervalSince1970, upSeconds: Double(up.tv_sec) + Double(up.tv_nsec) / 1e9,
        bootID: bootID, utcOffsetSeconds: TimeZone.current.secondsFromGMT())
    }

    // A new name for each start of the phone. Should the system not tell, all starts have one name: then times of an earlier run
    // are either over or too far off to be believed (HearingState).
    private static func readBootID() -> String {
      #if canImport(Darwin)
        var size = 0
        guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 else { return "" }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      #else
        let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") ?? Data()
        return String(decoding: data.prefix { $0 != 10 }, as: UTF8.self)
      #endif
    }
  }
#endif

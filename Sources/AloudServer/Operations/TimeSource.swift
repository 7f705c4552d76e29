internal import Glibc

/// The time of day and the ability to wait, as a parameter: the server reads no clock of its own.
package struct TimeSource: Sendable {
  /// Seconds since 1970, UTC.
  package var now: @Sendable () -> Double
  /// Waits the given number of seconds; throws `CancellationError` when the task is cancelled meanwhile.
  package var sleep: @Sendable (_ seconds: Double) async throws -> Void

  /// Makes a time source from its two parts.
  package init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's clock.
  package static let live = TimeSource(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    },
    sleep: { seconds in
      try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1e9))
    })

  /// Whole seconds since 1970, UTC.
  package var unixSeconds: Int { Int(now()) }

  /// Milliseconds since 1970, UTC.
  package var unixMilliseconds: Int64 { Int64(now() * 1000) }
}

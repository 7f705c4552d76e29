internal import HTTPTransport

/// A token bucket for each caller, on an injected clock, with a bound on the number of callers it remembers.
package final class RateLimiter: Sendable {
  /// How many calls a caller may make.
  package struct Rate: Sendable, Hashable {
    /// Calls a second in the long run; zero or less means no limit.
    package var perSecond: Double
    /// Calls at once after a pause.
    package var burst: Double

    /// A rate with its burst.
    package init(perSecond: Double, burst: Double) {
      self.perSecond = perSecond
      self.burst = max(1, burst)
    }
  }

  private struct Bucket {
    var tokens: Double
    var updated: Double
  }

  private let rate: Rate
  private let time: TimeSource
  private let callerLimit: Int
  private let buckets = Locked<[String: Bucket]>([:])

  /// Makes a limiter.
  ///
  /// - Parameters:
  ///   - rate: what each caller may do.
  ///   - callerLimit: how many callers are remembered; full buckets are forgotten first, then the whole table.
  package init(rate: Rate, callerLimit: Int = 10_000, time: TimeSource) {
    self.rate = rate
    self.callerLimit = callerLimit
    self.time = time
  }

  /// Makes a limiter whose callers may make so many calls a second, and twice as many at once; 0 for no limit.
  package convenience init(perSecond: Int, time: TimeSource) {
    self.init(rate: Rate(perSecond: Double(perSecond), burst: Double(perSecond) * 2), time: time)
  }

  /// Takes `cost` tokens of a caller.
  ///
  /// - Returns: nil when the call may go on, else the seconds after which it may be tried again.
  package func admit(_ caller: String, cost: Double = 1) -> Double? {
    guard rate.perSecond > 0 else { return nil }
    let now = time.now()
    // A batch that is larger than the bucket is admitted when the bucket is full, and leaves a debt.
    let needed = min(cost, rate.burst)
    return buckets.withLock { buckets in
      if buckets.count >= callerLimit && buckets[caller] == nil { forgetFull(&buckets, now: now) }
      var bucket = buckets[caller] ?? Bucket(tokens: rate.burst, updated: now)
      let elapsed = max(0, now - bucket.updated)
      bucket.tokens = min(rate.burst, bucket.tokens + elapsed * rate.perSecond)
      bucket.updated = now
      defer { buckets[caller] = bucket }
      guard bucket.tokens >= needed else { return (needed - bucket.tokens) / rate.perSecond }
      bucket.tokens -= cost
      return nil
    }
  }

  private func forgetFull(_ buckets: inout [String: Bucket], now: Double) {
    buckets = buckets.filter { _, bucket in
      bucket.tokens + max(0, now - bucket.updated) * rate.perSecond < rate.burst
    }
    if buckets.count >= callerLimit { buckets.removeAll(keepingCapacity: true) }
  }
}

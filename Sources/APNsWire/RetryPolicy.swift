/// When something that was not taken is sent again: exponential back-off with full jitter, ending at the event's own deadline.
package struct RetryPolicy: Hashable, Sendable {
  /// Upper bound of the first delay.
  package var baseSeconds: Double = 0.5
  /// Upper bound of every delay: 15 minutes, what Apple names for its 500 and 503.
  package var capSeconds: Double = 900

  package init() {}

  package enum Decision: Hashable, Sendable {
    case again(afterSeconds: Double)
    /// The event would be too late.
    case expired
  }

  /// - Parameters:
  ///   - failures: How often it has failed, from 1.
  ///   - retryAfterSeconds: What the server asked for: a lower bound; a small jitter keeps a crowd apart.
  ///   - now: UNIX seconds.
  ///   - until: The event's deadline, UNIX seconds; nil never ends.
  package func next(
    failures: Int, retryAfterSeconds: Double?, now: Double, until: Double?,
    using chance: inout some RandomNumberGenerator
  ) -> Decision {
    let ceiling = min(capSeconds, baseSeconds * Double(1 << min(max(failures, 1) - 1, 30)))
    var delay = Double.random(in: 0...ceiling, using: &chance)
    if let retryAfterSeconds { delay = retryAfterSeconds + Double.random(in: 0...min(ceiling, 5), using: &chance) }
    if let until, now + delay >= until { return .expired }
    return .again(afterSeconds: delay)
  }
}

internal import HTTPTransport
internal import Store

/// Refuses new events while those that wait are too old to be worth adding to: a store looked at once a second.
final class QueueGate: Sendable {
  private let store: any Store
  private let ageLimitSeconds: Int
  private let time: TimeSource
  private let seen = Locked<(at: Double, problem: Problem?)>((at: -.infinity, problem: nil))

  /// Makes a gate.
  init(store: any Store, ageLimitSeconds: Int, time: TimeSource) {
    (self.store, self.ageLimitSeconds, self.time) = (store, ageLimitSeconds, time)
  }

  /// Lets an event in.
  ///
  /// - Throws: ``Problem`` with status 503 and the seconds after which to try again.
  func admit() async throws(Problem) {
    let now = time.now()
    let isFresh = seen.withLock { seen in
      if now - seen.at < 1 { return true }
      seen.at = now
      return false
    }
    if !isFresh {
      // A look into an index, not the figures of /metrics, which count rows. A store that does not answer says so itself when the
      // event is accepted.
      let oldest = (try? await store.nextDue()) ?? nil
      let age = oldest.map { Int(now) - Int($0.milliseconds / 1_000) } ?? 0
      seen.withLock { $0.problem = age > ageLimitSeconds ? Self.late : nil }
    }
    if let problem = seen.withLock({ $0.problem }) { throw problem }
  }

  private static let late = Problem.queueFull(
    "What waits is older than this server may let it become (queue-age). Nothing was accepted. Send it again with the same id.",
    afterSeconds: 30)
}

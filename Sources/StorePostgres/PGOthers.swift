internal import Store

/// Whether workers of other processes are there to be told of new work.
///
/// A notification costs PostgreSQL a lock over all commits and wakes every listener, so one process alone does without. It
/// learns of others each time one of its workers looks after lost ones, once a second, which is as long as the others take to
/// find work that they were not told of.
final class PGOthers: Sendable {
  private struct State {
    var own: Set<Int64> = []
    /// When nobody else was there.
    var aloneAt: Timestamp?
  }

  private let state = StoreLock(State())
  /// How long “nobody” holds.
  private static let seconds = 3

  /// A worker of this process has registered.
  func began(_ number: Int64) { state.withLock { _ = $0.own.insert(number) } }

  /// A worker of this process has ended.
  func ended(_ number: Int64) { state.withLock { _ = $0.own.remove(number) } }

  /// All workers that are registered.
  func seen(_ numbers: [Int64], now: Timestamp) {
    state.withLock { state in state.aloneAt = state.own.isSuperset(of: numbers) ? now : nil }
  }

  /// Whether somebody else may be there.
  func mayListen(at now: Timestamp) -> Bool {
    state.withLock { state in
      guard let aloneAt = state.aloneAt, !state.own.isEmpty else { return true }
      return now < aloneAt || now > aloneAt.adding(seconds: PGOthers.seconds)
    }
  }
}

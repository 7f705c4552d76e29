internal import Store

/// Deletes what is older than it is kept.
struct Housekeeper: Sendable {
  let store: any Store
  let time: TimeSource
  let log: ServerLog
  let keepDays: Int

  private static let rows = 2_000

  /// Deletes a bounded number of rows; true when there is more.
  func round() async -> Bool {
    let policy = RetentionPolicy(eventSeconds: keepDays * 86_400, bodySeconds: keepDays * 86_400)
    do throws(StoreError) {
      let report = try await store.sweep(
        policy, limit: Housekeeper.rows, now: Timestamp(milliseconds: time.unixMilliseconds))
      if report.events > 0 { log.write(.info, "old events deleted", ["count": .count(report.events)]) }
      return report.more
    } catch {
      if error != .closed { log.write(.warning, "housekeeping waits for the store") }
      return false
    }
  }
}

internal import CLinux
internal import Glibc
package import Store

extension SQLiteStore {
  package func stats(now: Timestamp) async throws(StoreError) -> StoreStats {
    try await read { context throws(StoreError) in
      let database = context.database
      func count(_ sql: StaticString) throws(StoreError) -> Int { try database.first(sql) { Int($0.int(0)) } ?? 0 }
      var stats = StoreStats()
      stats.backend = "sqlite"
      stats.devices = try count("SELECT count(*) FROM devices")
      stats.unprovenDevices = try count("SELECT count(*) FROM devices WHERE proven = 0")
      try context.countDeliveries(&stats)
      for lane in Lane.allCases {
        let due = try database.first(
          "SELECT due FROM deliveries WHERE state = 1 AND lane = ? AND due <= ? ORDER BY due LIMIT 1",
          .int(lane.rawValue), .time(now)
        ) { $0.time(0) }
        if let due { stats.oldestDue[lane] = due }
      }
      stats.liveWorkers =
        try database.first("SELECT count(*) FROM workers WHERE expires_at > ?", .time(now)) { Int($0.int(0)) } ?? 0
      stats.waitingWebhooks = try count("SELECT count(*) FROM webhooks WHERE dead = 0")
      stats.deadWebhooks = try count("SELECT count(*) FROM webhooks WHERE dead = 1")
      stats.activeLadders = try count("SELECT count(*) FROM ladders")
      stats.bytes =
        try database.first("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") {
          $0.int(0)
        } ?? 0
      stats.schemaVersion = try count("SELECT max(version) FROM schema_migrations")
      return stats
    }
  }

  package func sweep(_ policy: RetentionPolicy, limit: Int, now: Timestamp) async throws(StoreError) -> SweepReport {
    try await write(isDurable: false) { context throws(StoreError) in
      var report = SweepReport()
      try context.sweepEvents(policy, limit, now, &report)
      if let seconds = policy.bodySeconds {
        try context.sweepBodies(before: now.adding(seconds: -seconds), limit, &report)
      }
      try context.sweepOthers(policy, limit, now, &report)
      return report
    }
  }

  package func backup(to path: String) async throws(StoreError) {
    let part = path + ".part"
    FileLock.makePrivateFile(part)
    do throws(StoreError) {
      let done: Bool = try await read(snapshot: false) { context throws(StoreError) in
        try context.database.copy(to: part)
        return true
      }
      guard done, sync(part), rename(part, path) == 0 else {
        throw .unavailable(retryAfterSeconds: 5, reason: "The backup could not be moved to \(path).")
      }
    } catch {
      unlink(part)
      throw error
    }
  }

  private func sync(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { return false }
    defer { _ = Glibc.close(file) }
    return fsync(file) == 0
  }
}

extension SQLiteReadContext {
  fileprivate func countDeliveries(_ stats: inout StoreStats) throws(StoreError) {
    let groups = try database.rows(
      """
      SELECT lane, state + (flags & 32) / 32, count(*) FROM deliveries WHERE open = 1 GROUP BY 1, 2
      UNION ALL SELECT lane, 4, count(*) FROM deliveries WHERE state = 4 GROUP BY lane
      """
    ) { (Int($0.int(0)), Int($0.int(1)), Int($0.int(2))) }
    for (lane, state, count) in groups {
      guard let lane = Lane(rawValue: lane), let state = DeliveryState(rawValue: state) else { continue }
      stats.deliveries[lane, default: [:]][state] = count
    }
  }
}

extension SQLiteWriteContext {
  fileprivate func sweepEvents(_ policy: RetentionPolicy, _ limit: Int, _ now: Timestamp, _ report: inout SweepReport)
    throws(StoreError)
  {
    let oldest = try database.rows(
      "SELECT key, accepted_at, scope, scope_key FROM events ORDER BY key LIMIT ?", .int(limit + 1)
    ) { (key: $0.int(0), acceptedAt: $0.time(1), scope: $0.optionalText(2), scopeKey: $0.optionalText(3)) }
    let old = oldest.prefix { $0.acceptedAt <= now.adding(seconds: -policy.eventSeconds) }
    report.more = old.count > limit
    for event in old.prefix(limit) {
      try expireOpen(event.key, now)
      if let scope = event.scope, let key = event.scopeKey {
        try database.run("DELETE FROM answers WHERE scope = ? AND key = ?", .text(scope), .text(key))
      }
      try database.run("DELETE FROM deliveries WHERE event = ?", .int(event.key))
      try database.run("DELETE FROM ladders WHERE event = ?", .int(event.key))
      try database.run("DELETE FROM events WHERE key = ?", .int(event.key))
      report.events += 1
    }
  }

  /// What is still open after the whole retention is given up, so that it holds nothing up when its row goes.
  private func expireOpen(_ event: Int64, _ now: Timestamp) throws(StoreError) {
    let open = try database.rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries WHERE event = ? AND open = 1
      """, .int(event)
    ) { $0.delivery() }
    for old in open {
      var new = old
      let entries = new.expire(now: now)
      try apply(new, from: old, entries)
    }
  }

  /// Empties the bodies of settled events, going on from where the last sweep ended.
  fileprivate func sweepBodies(before time: Timestamp, _ limit: Int, _ report: inout SweepReport) throws(StoreError) {
    let start = try database.first("SELECT value FROM settings WHERE name = 'bodies-swept'") { $0.int(0) } ?? 0
    let next = try database.rows(
      """
      SELECT key, accepted_at, EXISTS(SELECT 1 FROM deliveries d WHERE d.event = e.key AND (d.open = 1 OR d.state = 4))
      FROM events e WHERE key > ? ORDER BY key LIMIT ?
      """, .int(start), .int(limit)
    ) { (key: $0.int(0), acceptedAt: $0.time(1), isOpen: $0.int(2) != 0) }
    // An open one stops the sweep: the place to go on from must not pass it.
    let done = next.prefix { $0.acceptedAt <= time && !$0.isOpen }
    for event in done {
      try database.run("UPDATE events SET body = x'' WHERE key = ?", .int(event.key))
      report.bodies += 1
    }
    guard let last = done.last else { return }
    try database.run(
      "INSERT INTO settings VALUES('bodies-swept', ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
      .int(last.key))
    if done.count == limit { report.more = true }
  }

  fileprivate func sweepOthers(_ policy: RetentionPolicy, _ limit: Int, _ now: Timestamp, _ report: inout SweepReport)
    throws(StoreError)
  {
    let before = database.totalChanges
    try database.run(
      "DELETE FROM audit WHERE key IN (SELECT key FROM audit WHERE at <= ? ORDER BY key LIMIT ?)",
      .time(now.adding(seconds: -policy.auditSeconds)), .int(limit))
    try database.run(
      "DELETE FROM webhooks WHERE id IN (SELECT id FROM webhooks WHERE dead = 1 AND created_at <= ? LIMIT ?)",
      .time(now.adding(seconds: -policy.webhookSeconds)), .int(limit))
    try database.run(
      """
      DELETE FROM nonces WHERE (scope, nonce) IN (SELECT scope, nonce FROM nonces WHERE until <= ? LIMIT ?)
      """, .time(now), .int(limit))
    report.others = Int(database.totalChanges - before)
    if report.others >= limit { report.more = true }
    try database.run("PRAGMA incremental_vacuum(256)")
  }
}

package import Store

extension PostgresStore {
  package func stats(now: Timestamp) async throws(StoreError) -> StoreStats {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      var stats = StoreStats()
      stats.backend = "postgresql"
      let counts = try session.first(
        """
        SELECT (SELECT count(*) FROM devices), (SELECT count(*) FROM devices WHERE NOT proven),
          (SELECT count(*) FROM workers WHERE expires_at > $1), (SELECT count(*) FROM webhooks WHERE NOT dead),
          (SELECT count(*) FROM webhooks WHERE dead), (SELECT count(*) FROM ladders),
          pg_database_size(current_database()), (SELECT max(version) FROM schema_migrations)
        """, .time(now)
      ) { row in (0..<8).map { row.int($0) } }
      guard let counts else { throw .broken("PostgreSQL gave no figures.") }
      stats.devices = Int(counts[0])
      stats.unprovenDevices = Int(counts[1])
      stats.liveWorkers = Int(counts[2])
      stats.waitingWebhooks = Int(counts[3])
      stats.deadWebhooks = Int(counts[4])
      stats.activeLadders = Int(counts[5])
      stats.bytes = counts[6]
      stats.schemaVersion = Int(counts[7])
      try session.countDeliveries(&stats, now)
      return stats
    }
  }

  package func sweep(_ policy: RetentionPolicy, limit: Int, now: Timestamp) async throws(StoreError) -> SweepReport {
    try await perform { session throws(StoreError) in
      var report = SweepReport()
      try session.sweepEvents(before: now.adding(seconds: -policy.eventSeconds), limit, now, &report)
      if let seconds = policy.bodySeconds {
        try session.sweepBodies(before: now.adding(seconds: -seconds), limit, &report)
      }
      report.others += try session.run(
        "DELETE FROM audit WHERE key IN (SELECT key FROM audit WHERE at <= $1 ORDER BY key LIMIT $2)",
        .time(now.adding(seconds: -policy.auditSeconds)), .int(limit))
      report.others += try session.run(
        "DELETE FROM webhooks WHERE id IN (SELECT id FROM webhooks WHERE dead AND created_at <= $1 LIMIT $2)",
        .time(now.adding(seconds: -policy.webhookSeconds)), .int(limit))
      report.others += try session.run(
        """
        DELETE FROM nonces WHERE (scope, nonce) IN (SELECT scope, nonce FROM nonces WHERE until <= $1 LIMIT $2)
        """, .time(now), .int(limit))
      report.others += try session.run(
        """
        DELETE FROM inbox WHERE number IN (
          SELECT number FROM inbox WHERE refusal IS NOT NULL AND enqueued_at <= $1 ORDER BY number LIMIT $2)
        """, .time(now.adding(seconds: -policy.webhookSeconds)), .int(limit))
      if report.others >= limit { report.more = true }
      return report
    }
  }

  package func backup(to path: String) async throws(StoreError) {
    throw .unsupported("Back a PostgreSQL store up with PostgreSQL's own pg_dump or base backups.")
  }
}

extension PGSession {
  fileprivate func countDeliveries(_ stats: inout StoreStats, _ now: Timestamp) throws(StoreError) {
    let groups = try rows(
      """
      SELECT lane, state, count(*) FROM deliveries_open GROUP BY lane, state
      UNION ALL SELECT lane, state, count(*) FROM deliveries_settled WHERE state = 4 GROUP BY lane, state
      """
    ) { (Lane(rawValue: Int($0.int(0))), DeliveryState(rawValue: Int($0.int(1))), Int($0.int(2))) }
    for case (let lane?, let state?, let count) in groups { stats.deliveries[lane, default: [:]][state] = count }
    for lane in Lane.allCases {
      stats.oldestDue[lane] = try first(
        "SELECT due FROM deliveries_open WHERE ready AND lane = $1 AND due <= $2 ORDER BY due LIMIT 1",
        .int(lane.rawValue), .time(now)
      ) { $0.time(0) }
    }
  }

  fileprivate func sweepEvents(before time: Timestamp, _ limit: Int, _ now: Timestamp, _ report: inout SweepReport)
    throws(StoreError)
  {
    let oldest = try rows("SELECT key, accepted_at FROM events ORDER BY key LIMIT $1", .int(limit + 1)) {
      (key: $0.int(0), acceptedAt: $0.time(1))
    }
    let old = oldest.prefix { $0.acceptedAt <= time }.map(\.key)
    report.more = old.count > limit
    let keys = Array(old.prefix(limit))
    if keys.isEmpty { return }
    // What is still open after the whole retention is given up, so that it holds nothing up when its row goes.
    let open = try rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries_open WHERE event = ANY($1::bigint[]) ORDER BY id FOR UPDATE
      """, .ints(keys)
    ) { $0.delivery() }
    try apply(
      open.map { old in
        var new = old
        let entries = new.expire(now: now)
        return PGChange(old: old, new: new, entries: entries)
      })
    try run("DELETE FROM deliveries WHERE event = ANY($1::bigint[])", .ints(keys))
    try run("DELETE FROM ladders WHERE event = ANY($1::bigint[])", .ints(keys))
    report.events = try run("DELETE FROM events WHERE key = ANY($1::bigint[])", .ints(keys))
  }

  /// Empties the bodies of settled events, going on from where the last sweep ended.
  fileprivate func sweepBodies(before time: Timestamp, _ limit: Int, _ report: inout SweepReport) throws(StoreError) {
    let start = try first("SELECT value FROM settings WHERE name = 'bodies-swept' FOR UPDATE") { $0.int(0) } ?? 0
    let next = try rows(
      """
      SELECT key, accepted_at, EXISTS(SELECT 1 FROM deliveries d WHERE d.event = e.key AND d.state <= 4)
      FROM events e WHERE key > $1 ORDER BY key LIMIT $2
      """, .int(start), .int(limit)
    ) { (key: $0.int(0), acceptedAt: $0.time(1), isOpen: $0.int(2) != 0) }
    // An open one stops the sweep: the place to go on from must not pass it.
    let done = next.prefix { $0.acceptedAt <= time && !$0.isOpen }.map(\.key)
    guard let last = done.last else { return }
    report.bodies = try run("UPDATE events SET body = '' WHERE key = ANY($1::bigint[])", .ints(done))
    try run(
      """
      INSERT INTO settings VALUES('bodies-swept', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, .int(last))
    if done.count == limit { report.more = true }
  }
}

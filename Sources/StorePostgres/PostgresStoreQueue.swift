package import Store

extension PostgresStore {
  package func registerWorker(name: String, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> WorkerLease {
    let (lease, numbers) = try await perform(wakes: true) { session throws(StoreError) in
      let older = try session.rows("DELETE FROM workers WHERE name = $1 RETURNING number", .text(name)) { $0.int(0) }
      var report = RecoveryReport()
      try session.release(older, now, &report)
      let expires = now.adding(seconds: leaseSeconds)
      let number = try session.first(
        "INSERT INTO workers(name, expires_at) VALUES($1, $2) RETURNING number", .text(name), .time(expires)
      ) { $0.int(0) }
      guard let number else { throw .broken("PostgreSQL gave no number for a worker.") }
      let lease = WorkerLease(number: number, name: name, leaseSeconds: leaseSeconds, expiresAt: expires)
      return (lease, try session.rows("SELECT number FROM workers") { $0.int(0) })
    }
    others.began(lease.number)
    others.seen(numbers, now: now)
    handOver.began(lease)
    return lease
  }

  package func heartbeat(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) -> WorkerLease {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      var extended = lease
      extended.expiresAt = now.adding(seconds: lease.leaseSeconds)
      let changed = try session.run(
        "UPDATE workers SET expires_at = $1 WHERE number = $2", .time(extended.expiresAt), .int(lease.number))
      if changed == 0 { throw .fenced }
      return extended
    }
  }

  package func retire(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) {
    others.ended(lease.number)
    handOver.ended(lease)
    try await perform(wakes: true) { session throws(StoreError) in
      let gone = try session.run("DELETE FROM workers WHERE number = $1", .int(lease.number))
      var report = RecoveryReport()
      if gone > 0 { try session.release([lease.number], now, &report) }
    }
  }

  package func recover(now: Timestamp) async throws(StoreError) -> RecoveryReport {
    let (report, numbers) = try await perform { session throws(StoreError) in
      var report = RecoveryReport()
      let lost = try session.rows(
        "DELETE FROM workers WHERE expires_at <= $1 RETURNING number, name", .time(now)
      ) { (number: $0.int(0), name: $0.text(1)) }.sorted { $0.number < $1.number }
      report.lostWorkers = lost.map(\.name)
      try session.release(lost.map(\.number), now, &report)
      try session.expireHeld(now, &report)
      return (report, try session.rows("SELECT number FROM workers") { $0.int(0) })
    }
    others.seen(numbers, now: now)
    return report
  }

  package func claim(limit: Int, lease: WorkerLease, now: Timestamp) async throws(StoreError) -> ClaimBatch {
    let taken = try handOver.take(for: lease.number)
    if !taken.looks, taken.claimed.count <= limit, !taken.claimed.contains(where: { $0.record.isStale(at: now) }) {
      // It would have found just these, and taken its turn.
      shares.withLock { _ = $0.quotas(limit: limit) }
      return ClaimBatch(claimed: taken.claimed.sorted { $0.isBefore($1) }.map(\.delivery))
    }
    let batch = try await perform { [shares] session throws(StoreError) in
      if !taken.claimed.isEmpty { try session.giveBack(taken.claimed.map(\.record), lease) }
      var next = shares.withLock { $0 }
      var claim = PGClaim(session: session, lease: lease, now: now)
      let batch = try claim.run(limit: limit, quotas: next.quotas(limit: limit))
      // A fenced worker's claim takes no turn.
      shares.withLock { [next] shares in shares = next }
      return batch
    }
    let isEmpty = batch.claimed.count < limit && batch.expired.isEmpty
    handOver.looked(taken, for: lease.number, isEmpty: isEmpty, now: now)
    return batch
  }

  package func nextDue() async throws(StoreError) -> Timestamp? {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      let due = try session.first(
        """
        SELECT least(
          (SELECT due FROM deliveries_open WHERE ready AND lane = 0 ORDER BY due LIMIT 1),
          (SELECT due FROM deliveries_open WHERE ready AND lane = 1 ORDER BY due LIMIT 1),
          (SELECT due FROM deliveries_open WHERE ready AND lane = 2 ORDER BY due LIMIT 1),
          (SELECT min(due) FROM ladders), (SELECT min(due) FROM webhooks WHERE NOT dead),
          (SELECT due FROM inbox WHERE refusal IS NULL ORDER BY number LIMIT 1))
        """
      ) { $0.optionalTime(0) }
      return due ?? nil
    }
  }
}

extension PGSession {
  /// Puts into the queue what was handed over: with other things due, its order decides.
  ///
  /// As if it had not been claimed: its worker has not seen the tickets.
  fileprivate func giveBack(_ claimed: [DeliveryRecord], _ lease: WorkerLease) throws(StoreError) {
    try run(
      """
      WITH w AS MATERIALIZED (SELECT number FROM workers WHERE number = $1 FOR KEY SHARE)
      UPDATE deliveries_open d SET state = 1, ready = true, worker = 0, epoch = 0
      FROM w, unnest($2::bigint[]) AS u(id) WHERE d.id = u.id AND d.state = 2 AND d.worker = w.number AND d.epoch = 1
      """, .int(lease.number), .ints(claimed.map(\.id.rawValue).sorted()))
  }

  /// Gives back the work of workers whose registration this transaction has deleted.
  fileprivate func release(_ workers: [Int64], _ now: Timestamp, _ report: inout RecoveryReport) throws(StoreError) {
    if workers.isEmpty { return }
    let busy = try rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries_open WHERE worker = ANY($1::bigint[]) AND state IN (2, 3) ORDER BY id FOR UPDATE
      """, .ints(workers)
    ) { $0.delivery() }
    let changes = busy.map { old in
      var new = old
      let entries = new.takeOver(now: now)
      report.count(from: old.state, to: new.state)
      return PGChange(old: old, new: new, entries: entries)
    }
    try apply(changes)
    if !changes.isEmpty { try notifyOthers() }
  }

  /// Expires held deliveries whose time has passed.
  fileprivate func expireHeld(_ now: Timestamp, _ report: inout RecoveryReport) throws(StoreError) {
    let late = try rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries_settled WHERE state = 4 AND due <= $1 ORDER BY due LIMIT 1000 FOR UPDATE SKIP LOCKED
      """, .time(now)
    ) { $0.delivery() }
    try apply(
      late.map { old in
        var new = old
        let entries = new.expire(now: now)
        return PGChange(old: old, new: new, entries: entries)
      })
    report.expired += late.map(\.id)
  }
}

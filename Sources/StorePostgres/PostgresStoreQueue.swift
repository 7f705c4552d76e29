package import Store

extension PostgresStore {
  package func registerWorker(name: String, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> WorkerLease {
    try await perform(wakes: true) { session throws(StoreError) in
      let older = try session.rows("DELETE FROM workers WHERE name = $1 RETURNING number", .text(name)) { $0.int(0) }
      var report = RecoveryReport()
      try session.release(older, now, &report)
      let expires = now.adding(seconds: leaseSeconds)
      let number = try session.first(
        "INSERT INTO workers(name, expires_at) VALUES($1, $2) RETURNING number", .text(name), .time(expires)
      ) { $0.int(0) }
      guard let number else { throw .broken("PostgreSQL gave no number for a worker.") }
      return WorkerLease(number: number, name: name, leaseSeconds: leaseSeconds, expiresAt: expires)
    }
  }

  package func heartbeat(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) -> WorkerLease {
    try await perform { session throws(StoreError) in
      var extended = lease
      extended.expiresAt = now.adding(seconds: lease.leaseSeconds)
      let changed = try session.run(
        "UPDATE workers SET expires_at = $1 WHERE number = $2", .time(extended.expiresAt), .int(lease.number))
      if changed == 0 { throw .fenced }
      return extended
    }
  }

  package func retire(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) {
    try await perform(wakes: true) { session throws(StoreError) in
      let gone = try session.run("DELETE FROM workers WHERE number = $1", .int(lease.number))
      var report = RecoveryReport()
      if gone > 0 { try session.release([lease.number], now, &report) }
    }
  }

  package func recover(now: Timestamp) async throws(StoreError) -> RecoveryReport {
    try await perform { session throws(StoreError) in
      var report = RecoveryReport()
      let lost = try session.rows(
        "DELETE FROM workers WHERE expires_at <= $1 RETURNING number, name", .time(now)
      ) { (number: $0.int(0), name: $0.text(1)) }.sorted { $0.number < $1.number }
      report.lostWorkers = lost.map(\.name)
      try session.release(lost.map(\.number), now, &report)
      try session.expireHeld(now, &report)
      return report
    }
  }

  package func claim(limit: Int, lease: WorkerLease, now: Timestamp) async throws(StoreError) -> ClaimBatch {
    try await perform { [shares] session throws(StoreError) in
      try session.hold(lease)
      let quotas = shares.withLock { $0.quotas(limit: limit) }
      return try session.claim(limit, quotas, lease, now)
    }
  }

  package func markSending(_ intents: [SendIntent], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [IntentAnswer]
  {
    try await perform { session throws(StoreError) in
      try session.hold(lease)
      var current = try session.deliveries(intents.map(\.ticket.id))
      var changes: [PGChange] = []
      var answers: [IntentAnswer] = []
      for intent in intents {
        guard let old = current[intent.ticket.id] else {
          answers.append(.fenced)
          continue
        }
        var new = old
        let (answer, entries) = new.markSending(intent, worker: lease.number, now: now)
        answers.append(answer)
        if new != old { changes.append(PGChange(old: old, new: new, entries: entries)) }
        current[new.id] = new
      }
      try session.apply(changes)
      return answers
    }
  }

  package func finish(_ results: [SendResult], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [FinishAnswer]
  {
    try await perform(wakes: true) { session throws(StoreError) in
      var current = try session.deliveries(results.map(\.ticket.id))
      var changes: [PGChange] = []
      var answers: [FinishAnswer] = []
      for result in results {
        guard let old = current[result.ticket.id] else {
          answers.append(.fenced)
          continue
        }
        var new = old
        guard let entries = new.finish(result, worker: lease.number, now: now) else {
          answers.append(.fenced)
          continue
        }
        answers.append(.done)
        changes.append(PGChange(old: old, new: new, entries: entries))
        current[new.id] = new
      }
      try session.apply(changes)
      return answers
    }
  }

  package func nextDue() async throws(StoreError) -> Timestamp? {
    try await perform { session throws(StoreError) in
      let due = try session.first(
        """
        SELECT least(
          (SELECT due FROM deliveries WHERE state = 1 AND lane = 0 ORDER BY due LIMIT 1),
          (SELECT due FROM deliveries WHERE state = 1 AND lane = 1 ORDER BY due LIMIT 1),
          (SELECT due FROM deliveries WHERE state = 1 AND lane = 2 ORDER BY due LIMIT 1),
          (SELECT min(due) FROM ladders), (SELECT min(due) FROM webhooks WHERE NOT dead),
          (SELECT due FROM inbox WHERE refusal IS NULL ORDER BY number LIMIT 1))
        """
      ) { $0.optionalTime(0) }
      return due ?? nil
    }
  }
}

extension PGSession {
  /// Keeps the worker's registration from being taken over until this transaction ends.
  ///
  /// Heartbeats go on meanwhile.
  fileprivate func hold(_ lease: WorkerLease) throws(StoreError) {
    let alive = try first("SELECT 1 FROM workers WHERE number = $1 FOR KEY SHARE", .int(lease.number)) { _ in true }
    if alive == nil { throw .fenced }
  }

  /// Gives back the work of workers whose registration this transaction has deleted.
  fileprivate func release(_ workers: [Int64], _ now: Timestamp, _ report: inout RecoveryReport) throws(StoreError) {
    if workers.isEmpty { return }
    let busy = try rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries WHERE worker = ANY($1::bigint[]) AND state IN (2, 3) ORDER BY id FOR UPDATE
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
      FROM deliveries WHERE state = 4 AND due <= $1 ORDER BY due LIMIT 1000 FOR UPDATE SKIP LOCKED
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

  /// One claim over the lanes: first each lane's share, then what is left, alarms first.
  fileprivate func claim(_ limit: Int, _ quotas: [Int], _ lease: WorkerLease, _ now: Timestamp) throws(StoreError)
    -> ClaimBatch
  {
    var batch = ClaimBatch()
    var taken: [[ClaimedDelivery]] = [[], [], []]
    var isEmpty = [false, false, false]
    for lane in Lane.allCases where quotas[lane.rawValue] > 0 {
      let count = quotas[lane.rawValue]
      try take(lane, count, lease, now, &taken[lane.rawValue], &batch.expired)
      isEmpty[lane.rawValue] = taken[lane.rawValue].count < count
    }
    for lane in Lane.allCases where !isEmpty[lane.rawValue] {
      let room = limit - taken.reduce(0) { $0 + $1.count }
      if room > 0 { try take(lane, room, lease, now, &taken[lane.rawValue], &batch.expired) }
    }
    batch.claimed = taken.flatMap { $0 }
    return batch
  }

  private func take(
    _ lane: Lane, _ count: Int, _ lease: WorkerLease, _ now: Timestamp, _ claimed: inout [ClaimedDelivery],
    _ expired: inout [DeliveryID]
  ) throws(StoreError) {
    var room = count
    while room > 0 {
      let due = try dueRows(lane, room, now)
      if due.isEmpty { return }
      var changes: [PGChange] = []
      for (old, event, device, profile) in due {
        var new = old
        if old.isStale(at: now) {
          let entries = new.expire(now: now)
          changes.append(PGChange(old: old, new: new, entries: entries))
          expired.append(old.id)
          continue
        }
        new.claim(worker: lease.number)
        changes.append(PGChange(old: old, new: new, entries: []))
        claimed.append(ClaimedDelivery(new, event: event, device: device.device(try self.profile(profile))))
        room -= 1
      }
      try apply(changes)
    }
  }

  private func dueRows(_ lane: Lane, _ count: Int, _ now: Timestamp) throws(StoreError) -> [(
    DeliveryRecord, EventRecord, PGDevice, Int64
  )] {
    try rows(
      """
      SELECT d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker, d.proof,
        d.flags, e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at,
        v.id, v.token, v.profile, v.owner, v.secret, v.registered_at, v.proven
      FROM deliveries d JOIN events e ON e.key = d.event JOIN devices v ON v.id = d.device
      WHERE d.state = 1 AND d.lane = $1 AND d.due <= $2 ORDER BY d.due, d.id LIMIT $3 FOR UPDATE OF d SKIP LOCKED
      """, .int(lane.rawValue), .time(now), .int(count)
    ) { ($0.delivery(), $0.event(13), $0.device(22), $0.int(24)) }
  }
}

package import Store

extension SQLiteStore {
  package func registerWorker(name: String, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> WorkerLease {
    try await write { context throws(StoreError) in
      let older = try context.database.rows("SELECT number FROM workers WHERE name = ?", .text(name)) { $0.int(0) }
      var report = RecoveryReport()
      for number in older { try context.release(number, now, &report) }
      let expires = now.adding(seconds: leaseSeconds)
      try context.database.run("INSERT INTO workers(name, expires_at) VALUES(?, ?)", .text(name), .time(expires))
      return WorkerLease(
        number: context.database.lastKey, name: name, leaseSeconds: leaseSeconds, expiresAt: expires)
    }
  }

  package func heartbeat(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) -> WorkerLease {
    try await write(isDurable: false) { context throws(StoreError) in
      var extended = lease
      extended.expiresAt = now.adding(seconds: lease.leaseSeconds)
      try context.database.run(
        "UPDATE workers SET expires_at = ? WHERE number = ?", .time(extended.expiresAt), .int(lease.number))
      if context.database.changes == 0 { throw .fenced }
      return extended
    }
  }

  package func retire(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) {
    try await write { context throws(StoreError) in
      var report = RecoveryReport()
      if try context.isAlive(lease) { try context.release(lease.number, now, &report) }
    }
  }

  package func recover(now: Timestamp) async throws(StoreError) -> RecoveryReport {
    try await write { context throws(StoreError) in
      var report = RecoveryReport()
      let lost = try context.database.rows(
        "SELECT number, name FROM workers WHERE expires_at <= ? ORDER BY number", .time(now)
      ) { (number: $0.int(0), name: $0.text(1)) }
      for worker in lost {
        report.lostWorkers.append(worker.name)
        try context.release(worker.number, now, &report)
      }
      try context.expireHeld(now, &report)
      return report
    }
  }

  package func claim(limit: Int, lease: WorkerLease, now: Timestamp) async throws(StoreError) -> ClaimBatch {
    try await write(isDurable: false) { context throws(StoreError) in
      if !(try context.isAlive(lease)) { throw .fenced }
      return try context.claim(limit, lease, now)
    }
  }

  package func markSending(_ intents: [SendIntent], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [IntentAnswer]
  {
    try await write { context throws(StoreError) in
      if !(try context.isAlive(lease)) { throw .fenced }
      var answers: [IntentAnswer] = []
      for intent in intents {
        guard let old = try context.delivery(intent.ticket.id) else {
          answers.append(.fenced)
          continue
        }
        var new = old
        let (answer, entries) = new.markSending(intent, worker: lease.number, now: now)
        try context.apply(new, from: old, entries)
        answers.append(answer)
      }
      return answers
    }
  }

  package func finish(_ results: [SendResult], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [FinishAnswer]
  {
    try await write { context throws(StoreError) in
      var answers: [FinishAnswer] = []
      for result in results {
        guard let old = try context.delivery(result.ticket.id) else {
          answers.append(.fenced)
          continue
        }
        var new = old
        guard let entries = new.finish(result, worker: lease.number, now: now) else {
          answers.append(.fenced)
          continue
        }
        try context.apply(new, from: old, entries)
        if result.provesDevice {
          try context.database.run("UPDATE devices SET proven = 1 WHERE id = ? AND proven = 0", .int(new.deviceKey))
        }
        answers.append(.done)
      }
      return answers
    }
  }

  package func nextDue() async throws(StoreError) -> Timestamp? {
    try await read { context throws(StoreError) in
      var times: [Timestamp] = []
      for lane in Lane.allCases {
        times += try context.database.rows(
          "SELECT due FROM deliveries WHERE state = 1 AND lane = ? ORDER BY due LIMIT 1", .int(lane.rawValue)
        ) { $0.time(0) }
      }
      times += try context.database.rows("SELECT due FROM ladders ORDER BY due LIMIT 1") { $0.time(0) }
      times += try context.database.rows("SELECT due FROM webhooks WHERE dead = 0 ORDER BY due LIMIT 1") { $0.time(0) }
      return times.min()
    }
  }
}

extension SQLiteWriteContext {
  func isAlive(_ lease: WorkerLease) throws(StoreError) -> Bool {
    try database.first("SELECT 1 FROM workers WHERE number = ?", .int(lease.number)) { _ in true } ?? false
  }

  /// Ends a worker's registration and gives its work back.
  func release(_ worker: Int64, _ now: Timestamp, _ report: inout RecoveryReport) throws(StoreError) {
    try database.run("DELETE FROM workers WHERE number = ?", .int(worker))
    let busy = try database.rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries INDEXED BY deliveries_open WHERE open = 1 AND worker = ? ORDER BY id
      """, .int(worker)
    ) { $0.delivery() }
    for old in busy {
      var new = old
      let entries = new.takeOver(now: now)
      try apply(new, from: old, entries)
      report.count(from: old.state, to: new.state)
    }
  }

  /// Expires held deliveries whose time has passed.
  func expireHeld(_ now: Timestamp, _ report: inout RecoveryReport) throws(StoreError) {
    let late = try database.rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries WHERE state = 4 AND due <= ? ORDER BY due LIMIT 1000
      """, .time(now)
    ) { $0.delivery() }
    for old in late {
      var new = old
      let entries = new.expire(now: now)
      try apply(new, from: old, entries)
      report.expired.append(old.id)
    }
  }

  /// One claim over the lanes: first each lane's share, then what is left, alarms first.
  func claim(_ limit: Int, _ lease: WorkerLease, _ now: Timestamp) throws(StoreError) -> ClaimBatch {
    var batch = ClaimBatch()
    var taken: [[ClaimedDelivery]] = [[], [], []]
    var isEmpty = [false, false, false]
    let quotas = shares.quotas(limit: limit)
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
      for found in due {
        let old = found.record
        var new = old
        if old.isStale(at: now) {
          let entries = new.expire(now: now)
          try apply(new, from: old, entries)
          expired.append(old.id)
          continue
        }
        new.claim(worker: lease.number)
        try apply(new, from: old, [])
        let profile = try profiles.profile(found.device.profileID, database)
        claimed.append(ClaimedDelivery(new, event: found.event, device: found.device.device(profile)))
        room -= 1
      }
      if due.isEmpty { return }
    }
  }

  private func dueRows(_ lane: Lane, _ count: Int, _ now: Timestamp) throws(StoreError) -> [SQLiteDue] {
    try database.rows(
      """
      SELECT d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker, d.proof,
        d.flags, e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at,
        v.id, v.token, v.profile, v.user, v.secret, v.registered_at, v.proven
      FROM deliveries d CROSS JOIN events e ON e.key = d.event CROSS JOIN devices v ON v.id = d.device
      WHERE d.state = 1 AND d.lane = ? AND d.due <= ? ORDER BY d.due, d.id LIMIT ?
      """, .int(lane.rawValue), .time(now), .int(count)
    ) { SQLiteDue(record: $0.delivery(), event: $0.event(13), device: $0.device(22)) }
  }
}

/// A delivery that is due, with its event and its phone.
private struct SQLiteDue {
  var record: DeliveryRecord
  var event: EventRecord
  var device: SQLiteDevice
}

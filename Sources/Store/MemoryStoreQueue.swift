extension MemoryStore {
  package func registerWorker(name: String, leaseSeconds: Int, now: Timestamp) throws(StoreError) -> WorkerLease {
    try check()
    for lost in workers.values where lost.name == name { _ = release(lost, now) }
    let lease = WorkerLease(
      number: next("worker"), name: name, leaseSeconds: leaseSeconds, expiresAt: now.adding(seconds: leaseSeconds))
    workers[lease.number] = lease
    return lease
  }

  package func heartbeat(_ lease: WorkerLease, now: Timestamp) throws(StoreError) -> WorkerLease {
    try holdLease(lease)
    var extended = lease
    extended.expiresAt = now.adding(seconds: lease.leaseSeconds)
    workers[lease.number] = extended
    return extended
  }

  package func retire(_ lease: WorkerLease, now: Timestamp) throws(StoreError) {
    try check()
    if workers[lease.number] != nil { _ = release(lease, now) }
  }

  package func recover(now: Timestamp) throws(StoreError) -> RecoveryReport {
    try check()
    var report = RecoveryReport()
    for lost in workers.values.sorted(by: { $0.number < $1.number }) where lost.expiresAt <= now {
      report.lostWorkers.append(lost.name)
      let changed = release(lost, now)
      report.released += changed.released
      report.resent += changed.resent
      report.held += changed.held
    }
    for id in held.sorted() {
      guard let record = deliveries[id], record.due <= now else { continue }
      change(record) { $0.expire(now: now) }
      report.expired.append(id)
    }
    return report
  }

  /// Ends a worker's registration and gives its work back.
  private func release(_ lost: WorkerLease, _ now: Timestamp) -> RecoveryReport {
    workers[lost.number] = nil
    var report = RecoveryReport()
    let busy = deliveries.values.filter { $0.worker == lost.number && [.claimed, .sending].contains($0.state) }
    for var record in busy.sorted(by: { $0.id < $1.id }) {
      let before = record.state
      let entries = record.takeOver(now: now)
      apply(record, entries)
      report.count(from: before, to: record.state)
    }
    signal.wake()
    return report
  }

  private func holdLease(_ lease: WorkerLease) throws(StoreError) {
    try check()
    if workers[lease.number] == nil { throw .fenced }
  }

  package func claim(limit: Int, lease: WorkerLease, now: Timestamp) throws(StoreError) -> ClaimBatch {
    try holdLease(lease)
    var batch = ClaimBatch()
    var taken: [Lane: [ClaimedDelivery]] = [:]
    let quotas = shares.quotas(limit: limit)
    for lane in Lane.allCases {
      take(lane, quotas[lane.rawValue], lease, now, &taken[lane, default: []], &batch.expired)
    }
    for lane in Lane.allCases {
      let room = limit - taken.values.reduce(0) { $0 + $1.count }
      take(lane, room, lease, now, &taken[lane, default: []], &batch.expired)
    }
    batch.claimed = Lane.allCases.flatMap { taken[$0] ?? [] }
    return batch
  }

  private func take(
    _ lane: Lane, _ count: Int, _ lease: WorkerLease, _ now: Timestamp, _ claimed: inout [ClaimedDelivery],
    _ expired: inout [DeliveryID]
  ) {
    var room = count
    while room > 0 {
      let due = takeDue(lane, room, now)
      if due.isEmpty { return }
      for var record in due {
        if record.isStale(at: now) {
          change(record) { $0.expire(now: now) }
          expired.append(record.id)
          continue
        }
        guard let event = events[record.eventKey]?.record, let device = devices[record.deviceKey] else { continue }
        record.claim(worker: lease.number)
        apply(record, [])
        claimed.append(ClaimedDelivery(record, event: event, device: device))
        room -= 1
      }
    }
  }

  private func takeDue(_ lane: Lane, _ count: Int, _ now: Timestamp) -> [DeliveryRecord] {
    var due: [DeliveryRecord] = []
    while due.count < count, let first = waiting[lane.rawValue].first, first.due <= now {
      _ = waiting[lane.rawValue].pop()
      guard let record = deliveries[first.id], record.state == .waiting, record.due == first.due else { continue }
      if due.last?.id != record.id { due.append(record) }
    }
    return due
  }

  package func markSending(_ intents: [SendIntent], lease: WorkerLease, now: Timestamp) throws(StoreError)
    -> [IntentAnswer]
  {
    try holdLease(lease)
    return intents.map { intent in
      guard var record = deliveries[intent.ticket.id] else { return .fenced }
      let (answer, entries) = record.markSending(intent, worker: lease.number, now: now)
      apply(record, entries)
      return answer
    }
  }

  package func finish(_ results: [SendResult], lease: WorkerLease, now: Timestamp) throws(StoreError) -> [FinishAnswer]
  {
    try check()
    return results.map { result in
      guard var record = deliveries[result.ticket.id],
        let entries = record.finish(result, worker: lease.number, now: now)
      else { return .fenced }
      apply(record, entries)
      if result.provesDevice { devices[record.deviceKey]?.isProven = true }
      return .done
    }
  }

  package func nextDue() throws(StoreError) -> Timestamp? {
    try check()
    for lane in waiting.indices {
      while let first = waiting[lane].first, !isWaiting(first) { _ = waiting[lane].pop() }
    }
    let times =
      waiting.compactMap(\.first?.due) + ladders.values.map(\.due)
      + webhooks.values.filter { !$0.isDead }.map(\.due)
    return times.min()
  }

  private func isWaiting(_ entry: DueQueue.Entry) -> Bool {
    guard let record = deliveries[entry.id] else { return false }
    return record.state == .waiting && record.due == entry.due
  }
}

extension RecoveryReport {
  /// Counts what `DeliveryRecord.takeOver` did.
  package mutating func count(from before: DeliveryState, to after: DeliveryState) {
    switch (before, after) {
    case (.sending, .ambiguous): held += 1
    case (.sending, .waiting): resent += 1
    default: released += 1
    }
  }
}

extension ClaimedDelivery {
  /// What a worker gets of a record that it has claimed.
  package init(_ record: DeliveryRecord, event: EventRecord, device: Device) {
    var bare = device
    bare.groups = []
    self.init(
      ticket: DeliveryTicket(id: record.id, epoch: record.epoch), event: event, device: bare,
      sequence: record.sequence, attempts: record.attempts, isResend: record.flags.contains(.resend),
      isReplay: record.flags.contains(.replay))
  }
}

extension MemoryStore {
  package func accept(_ batch: [NewEvent], now: Timestamp) throws(StoreError) -> [AcceptOutcome] {
    try check()
    let outcomes = batch.map { accept($0, now) }
    signal.wake()
    return outcomes
  }

  private func accept(_ new: NewEvent, _ now: Timestamp) -> AcceptOutcome {
    if let key = new.idempotencyKey, let known = answers[key] {
      return events[known]?.digest == new.digest ? .repeated(answer(known)) : .refused(.keyReused)
    }
    if let known = eventKeys[new.id] {
      return events[known]?.digest == new.digest ? .repeated(answer(known)) : .refused(.idReused)
    }
    let targets = matching(new.target, limit: limits.devicesPerEvent + 1)
    if targets.isEmpty, !new.keepsWithoutDevices { return .refused(.noDevices) }
    if targets.count > limits.devicesPerEvent { return .refused(.tooManyDevices(allowed: limits.devicesPerEvent)) }
    if openCount + targets.count > limits.openDeliveries { return .refused(.queueFull(retryAfterSeconds: 1)) }
    let key = next("event")
    let record = EventRecord(new, key: key, acceptedAt: now)
    events[key] = StoredEvent(
      record: record, digest: new.digest, idempotencyKey: new.idempotencyKey,
      timeline: [TimelineEntry(at: now, kind: .accepted)])
    eventKeys[new.id] = key
    if let idempotencyKey = new.idempotencyKey { answers[idempotencyKey] = key }
    for device in targets { deliver(record, to: device.key, due: new.notBefore ?? now, added: false) }
    let steps = LadderCodec.decode(LadderCodec.encode(new.ladder))
    if let first = steps.first {
      ladders[key] = Ladder(steps: steps, index: 0, due: now.adding(seconds: first.afterSeconds), epoch: 0)
    }
    return .accepted(answer(key))
  }

  @discardableResult
  private func deliver(_ event: EventRecord, to device: Int64, due: Timestamp, added: Bool) -> DeliveryID {
    sequences[device, default: 0] += 1
    let isBehind = queues[QueueKey(device: device, lane: event.lane)] != nil
    var flags: DeliveryRecord.Flags = event.deliveryClass == .mustHear ? [.mustHear] : []
    if added { flags.insert(.added) }
    let record = DeliveryRecord(
      id: DeliveryID(next("delivery")), eventKey: event.key, deviceKey: device, sequence: sequences[device, default: 0],
      lane: event.lane, state: isBehind ? .blocked : .waiting, due: event.until.map { min($0, due) } ?? due,
      until: event.until, flags: flags)
    insert(record)
    return record.id
  }

  private func answer(_ key: Int64) -> AcceptedEvent {
    let first = (deliveriesOfEvent[key] ?? []).filter { deliveries[$0]?.flags.contains(.added) == false }
    let record = events[key]?.record
    return AcceptedEvent(
      id: record?.id ?? "", acceptedAt: record?.acceptedAt ?? .distantPast, deliveries: first.sorted())
  }

  package func event(_ id: String) throws(StoreError) -> EventHistory? {
    try check()
    guard let key = eventKeys[id], let stored = events[key] else { return nil }
    let ladder = ladders[key].map { PendingLadderStep(step: $0.steps[$0.index], due: $0.due) }
    return EventHistory(
      event: stored.record, deliveries: summaries(of: key), timeline: stored.timeline.inOrder(), nextLadderStep: ladder)
  }

  package func recentEvents(before: Int64?, limit: Int) throws(StoreError) -> [EventRecord] {
    try check()
    return events.values.map(\.record).filter { $0.key < before ?? .max }.sorted { $0.key > $1.key }
      .prefix(limit).map { $0 }
  }

  package func record(_ receipts: [NewReceipt], now: Timestamp) throws(StoreError) -> [ReceiptOutcome] {
    try check()
    return receipts.map { receipt in
      guard let key = eventKeys[receipt.eventID], let device = deviceKeys[receipt.token],
        var record = (deliveriesOfEvent[key] ?? []).compactMap({ deliveries[$0] }).first(where: {
          $0.deviceKey == device
        })
      else { return .unknown }
      let (changed, entries) = record.receive(receipt, now: now)
      apply(record, entries)
      if receipt.proof.reachedEar { ladders[key] = nil }
      return changed ? .recorded(record.id) : .known(record.id)
    }
  }

  package func pending(token: String, after: Int64, since: Timestamp, limit: Int) throws(StoreError) -> [PendingEntry] {
    try check()
    guard let device = deviceKeys[token] else { return [] }
    return deliveries.values
      .filter { $0.deviceKey == device && $0.proof == .none && $0.sequence > after }
      .sorted { $0.sequence < $1.sequence }
      .compactMap { record in
        guard let event = events[record.eventKey]?.record, event.acceptedAt >= since else { return nil }
        return PendingEntry(delivery: record.id, sequence: record.sequence, state: record.state, event: event)
      }
      .prefix(limit).map { $0 }
  }

  package func missed(by claimed: [ClaimedDelivery], in window: MissedWindow, limit: Int) throws(StoreError)
    -> [DeliveryID: [EventRecord]]
  {
    try check()
    var found: [DeliveryID: [EventRecord]] = [:]
    for one in claimed {
      let earlier = deliveries.values.filter {
        $0.deviceKey == one.device.key && $0.proof == .none && $0.state == .sent && $0.sequence < one.sequence
          && $0.sequence >= one.sequence - MissedWindow.deliveries
      }
      let records = earlier.sorted { $0.sequence < $1.sequence }.compactMap { events[$0.eventKey]?.record }
        .filter { $0.acceptedAt >= window.since && $0.acceptedAt < window.before }
      if !records.isEmpty { found[one.ticket.id] = Array(records.prefix(limit)) }
    }
    return found
  }

  package func requeue(_ requests: [Requeue], now: Timestamp) throws(StoreError) -> [DeliveryID] {
    try check()
    var queued: [DeliveryID] = []
    for request in requests {
      guard var record = deliveries[request.delivery], devices[record.deviceKey] != nil else { continue }
      let others = (queues[QueueKey(device: record.deviceKey, lane: record.lane)] ?? []).filter { $0 != record.id }
      let isBehind = !record.isHead && !others.isEmpty
      guard let entries = record.requeue(request, behindAnother: isBehind, now: now) else { continue }
      apply(record, entries)
      queued.append(record.id)
    }
    signal.wake()
    return queued
  }

  package func extend(event id: String, to tokens: [String], due: Timestamp, note: String, now: Timestamp)
    throws(StoreError) -> [DeliveryID]
  {
    try check()
    guard let key = eventKeys[id], let event = events[key]?.record else { return [] }
    var made: [DeliveryID] = []
    for token in tokens {
      guard let device = deviceKeys[token] else { continue }
      let known = (deliveriesOfEvent[key] ?? []).contains { deliveries[$0]?.deviceKey == device }
      if known { continue }
      let delivery = deliver(event, to: device, due: due, added: true)
      events[key]?.timeline.append(TimelineEntry(at: now, kind: .fallback, delivery: delivery, detail: note))
      made.append(delivery)
    }
    signal.wake()
    return made
  }

  package func note(_ notes: [TimelineNote], now: Timestamp) throws(StoreError) {
    try check()
    for note in notes {
      guard let key = eventKeys[note.eventID] else { continue }
      events[key]?.timeline.append(
        TimelineEntry(at: now, kind: note.kind, delivery: note.delivery, detail: TimelineCodec.clean(note.detail)))
    }
  }

  package func takeEnqueued(limit: Int, leaseSeconds: Int, now: Timestamp) throws(StoreError) -> [EnqueuedEvent] { [] }

  package func settleEnqueued(_ outcomes: [EnqueuedOutcome], now: Timestamp) throws(StoreError) {}

  func matching(_ target: Target, limit: Int) -> [Device] {
    switch target {
    case .device(let token): return deviceKeys[token].flatMap { devices[$0] }.map { [$0] } ?? []
    case .user(let user):
      return devices.values.filter { $0.user == user }.sorted { $0.key < $1.key }.prefix(limit).map { $0 }
    case .group(let group):
      return devices.values.filter { $0.groups.contains(group) }.sorted { $0.key < $1.key }.prefix(limit).map { $0 }
    }
  }
}

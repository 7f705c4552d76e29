package import Store

extension SQLiteStore {
  package func accept(_ events: [NewEvent], now: Timestamp) async throws(StoreError) -> [AcceptOutcome] {
    try await write { context throws(StoreError) in
      var outcomes: [AcceptOutcome] = []
      outcomes.reserveCapacity(events.count)
      for event in events { outcomes.append(try context.accept(event, now)) }
      return outcomes
    }
  }

  package func event(_ id: String) async throws(StoreError) -> EventHistory? {
    try await read { context throws(StoreError) in try context.history(id) }
  }

  package func recentEvents(before: Int64?, limit: Int) async throws(StoreError) -> [EventRecord] {
    try await read { context throws(StoreError) in
      try context.database.rows(
        """
        SELECT key, id, kind, body, class, lane, at, until, accepted_at FROM events WHERE key < ? ORDER BY key DESC LIMIT ?
        """, .int(before ?? .max), .int(limit)
      ) { $0.event() }
    }
  }

  package func record(_ receipts: [NewReceipt], now: Timestamp) async throws(StoreError) -> [ReceiptOutcome] {
    try await write { context throws(StoreError) in
      var outcomes: [ReceiptOutcome] = []
      for receipt in receipts { outcomes.append(try context.record(receipt, now)) }
      return outcomes
    }
  }

  package func pending(token: String, after: Int64, since: Timestamp, limit: Int) async throws(StoreError)
    -> [PendingEntry]
  {
    try await read { context throws(StoreError) in
      try context.database.rows(
        """
        SELECT e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at, d.id, d.sequence,
          d.state + (d.flags & 32) / 32
        FROM devices v CROSS JOIN deliveries d ON d.device = v.id AND d.proof = 0 AND d.sequence > ?
          CROSS JOIN events e ON e.key = d.event
        WHERE v.token = ? AND e.accepted_at >= ? ORDER BY d.sequence LIMIT ?
        """, .int(after), .blob(TokenCodec.encode(token)), .time(since), .int(limit)
      ) { row in
        PendingEntry(
          delivery: DeliveryID(row.int(9)), sequence: row.int(10),
          state: DeliveryState(rawValue: Int(row.int(11))) ?? .failed, event: row.event())
      }
    }
  }

  package func missed(by deliveries: [ClaimedDelivery], in window: MissedWindow, limit: Int) async throws(StoreError)
    -> [DeliveryID: [EventRecord]]
  {
    try await read { context throws(StoreError) in
      var found: [DeliveryID: [EventRecord]] = [:]
      for one in deliveries {
        let records = try context.missed(by: one, window, limit)
        if !records.isEmpty { found[one.ticket.id] = records }
      }
      return found
    }
  }

  package func requeue(_ requests: [Requeue], now: Timestamp) async throws(StoreError) -> [DeliveryID] {
    try await write { context throws(StoreError) in
      var queued: [DeliveryID] = []
      for request in requests {
        guard let old = try context.delivery(request.delivery), try context.exists(device: old.deviceKey) else {
          continue
        }
        let others = try context.hasOpen(device: old.deviceKey, lane: old.lane, besides: old.id)
        var new = old
        guard let entries = new.requeue(request, behindAnother: !old.isHead && others, now: now) else { continue }
        try context.apply(new, from: old, entries)
        queued.append(new.id)
      }
      return queued
    }
  }

  package func extend(event id: String, to tokens: [String], due: Timestamp, note: String, now: Timestamp)
    async throws(StoreError) -> [DeliveryID]
  {
    try await write { context throws(StoreError) in
      guard let event = try context.event(id) else { return [] }
      var made: [DeliveryID] = []
      for token in tokens {
        let device = try context.database.first(
          """
          SELECT v.id, v.sequence FROM devices v WHERE v.token = ?
            AND NOT EXISTS(SELECT 1 FROM deliveries d WHERE d.event = ? AND d.device = v.id)
          """, .blob(TokenCodec.encode(token)), .int(event.key)
        ) { SQLiteTarget(key: $0.int(0), sequence: $0.int(1)) }
        guard let device else { continue }
        let line = TimelineCodec.line(TimelineEntry(at: now, kind: .fallback, detail: note))
        made.append(try context.deliver(event, to: device, due: due, added: true, timeline: line))
      }
      return made
    }
  }

  package func note(_ notes: [TimelineNote], now: Timestamp) async throws(StoreError) {
    try await write { context throws(StoreError) in
      for note in notes {
        let line = TimelineCodec.line(TimelineEntry(at: now, kind: note.kind, detail: note.detail))
        if let delivery = note.delivery {
          try context.database.run(
            """
            UPDATE deliveries SET timeline = timeline || ?
            WHERE id = ? AND event = (SELECT key FROM events WHERE id = ?)
            """, .text(line), .int(delivery.rawValue), .text(note.eventID))
        } else {
          try context.database.run(
            "UPDATE events SET timeline = timeline || ? WHERE id = ?", .text(line), .text(note.eventID))
        }
      }
    }
  }
}

extension SQLiteWriteContext {
  func accept(_ new: NewEvent, _ now: Timestamp) throws(StoreError) -> AcceptOutcome {
    if let key = new.idempotencyKey {
      let known = try database.first(
        "SELECT event FROM answers WHERE scope = ? AND key = ?", .text(key.scope), .text(key.key)
      ) { $0.int(0) }
      if let known { return try repeated(known, new.digest, otherwise: .keyReused) }
    }
    let known = try database.first("SELECT key FROM events WHERE id = ?", .text(new.id)) { $0.int(0) }
    if let known { return try repeated(known, new.digest, otherwise: .idReused) }
    let targets = try devices(for: new.target, limit: limits.devicesPerEvent + 1)
    if targets.isEmpty, !new.keepsWithoutDevices { return .refused(.noDevices) }
    if targets.count > limits.devicesPerEvent { return .refused(.tooManyDevices(allowed: limits.devicesPerEvent)) }
    if openCount + targets.count > limits.openDeliveries { return .refused(.queueFull(retryAfterSeconds: 1)) }
    let event = try insert(new, now)
    var made: [DeliveryID] = []
    for device in targets {
      made.append(try deliver(event, to: device, due: new.notBefore ?? now, added: false))
    }
    return .accepted(AcceptedEvent(id: new.id, acceptedAt: now, deliveries: made))
  }

  private func insert(_ new: NewEvent, _ now: Timestamp) throws(StoreError) -> EventRecord {
    let key = new.idempotencyKey
    try database.run(
      """
      INSERT INTO events(id, kind, body, class, lane, at, until, accepted_at, digest, scope, scope_key)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(new.id), .text(new.kind), .blob(new.body), .int(new.deliveryClass.rawValue),
      .int(new.lane.rawValue), .time(new.at), .time(new.until), .time(now), .blob(new.digest), .text(key?.scope),
      .text(key?.key))
    let number = database.lastKey
    if let key {
      try database.run(
        "INSERT INTO answers VALUES(?, ?, ?)", .text(key.scope), .text(key.key), .int(number))
    }
    let ladder = LadderCodec.encode(new.ladder)
    if let first = LadderCodec.decode(ladder).first {
      try database.run(
        "INSERT INTO ladders VALUES(?, ?, 0, ?, 0)", .int(number), .text(ladder),
        .time(now.adding(seconds: first.afterSeconds)))
    }
    return EventRecord(new, key: number, acceptedAt: now)
  }

  /// The first answer again, if the repeat asks the same.
  private func repeated(_ key: Int64, _ digest: [UInt8], otherwise: AcceptRefusal) throws(StoreError) -> AcceptOutcome {
    let stored = try database.first("SELECT digest, id, accepted_at FROM events WHERE key = ?", .int(key)) {
      (digest: $0.blob(0), id: $0.text(1), acceptedAt: $0.time(2))
    }
    guard let stored, stored.digest == digest else { return .refused(otherwise) }
    let added = DeliveryRecord.Flags.added.rawValue
    let first = try database.rows(
      "SELECT id FROM deliveries WHERE event = ? AND flags & ? = 0 ORDER BY id", .int(key), .int(added)
    ) { DeliveryID($0.int(0)) }
    return .repeated(AcceptedEvent(id: stored.id, acceptedAt: stored.acceptedAt, deliveries: first))
  }

  private func devices(for target: Target, limit: Int) throws(StoreError) -> [SQLiteTarget] {
    func read(_ row: SQLiteRow) -> SQLiteTarget { SQLiteTarget(key: row.int(0), sequence: row.int(1)) }
    switch target {
    case .device(let token):
      return try database.rows(
        "SELECT id, sequence FROM devices WHERE token = ?", .blob(TokenCodec.encode(token)), read: read)
    case .user(let user):
      return try database.rows(
        "SELECT id, sequence FROM devices WHERE user = ? ORDER BY id LIMIT ?", .text(user), .int(limit), read: read)
    case .group(let name):
      return try database.rows(
        """
        SELECT v.id, v.sequence FROM device_groups g CROSS JOIN devices v ON v.id = g.device
        WHERE g.name = ? ORDER BY g.device LIMIT ?
        """, .text(name), .int(limit), read: read)
    }
  }

  func exists(device: Int64) throws(StoreError) -> Bool {
    try database.first("SELECT 1 FROM devices WHERE id = ?", .int(device)) { _ in true } ?? false
  }

  func event(_ id: String) throws(StoreError) -> EventRecord? {
    try database.first(
      "SELECT key, id, kind, body, class, lane, at, until, accepted_at FROM events WHERE id = ?", .text(id)
    ) { $0.event() }
  }

  func record(_ receipt: NewReceipt, _ now: Timestamp) throws(StoreError) -> ReceiptOutcome {
    let old = try database.first(
      """
      SELECT d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker, d.proof,
        d.flags
      FROM events e CROSS JOIN deliveries d ON d.event = e.key
      WHERE e.id = ? AND d.device = (SELECT id FROM devices WHERE token = ?)
      """, .text(receipt.eventID), .blob(TokenCodec.encode(receipt.token))
    ) { $0.delivery() }
    guard let old else { return .unknown }
    var new = old
    let (changed, entries) = new.receive(receipt, now: now)
    try apply(new, from: old, entries)
    if receipt.proof.reachedEar { try database.run("DELETE FROM ladders WHERE event = ?", .int(old.eventKey)) }
    return changed ? .recorded(old.id) : .known(old.id)
  }
}

extension SQLiteReadContext {
  func missed(by one: ClaimedDelivery, _ window: MissedWindow, _ limit: Int) throws(StoreError) -> [EventRecord] {
    let first = one.sequence - MissedWindow.deliveries
    // Acceptance rises with the sequence: when the oldest is too young, which is the usual case in a burst, all are.
    let oldest = try database.first(
      """
      SELECT e.accepted_at FROM deliveries d CROSS JOIN events e ON e.key = d.event
      WHERE d.device = ? AND d.proof = 0 AND d.sequence >= ? AND d.sequence < ? ORDER BY d.sequence LIMIT 1
      """, .int(one.device.key), .int(first), .int(one.sequence)
    ) { $0.time(0) }
    guard let oldest, oldest < window.before else { return [] }
    return try database.rows(
      """
      SELECT e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at
      FROM deliveries d CROSS JOIN events e ON e.key = d.event
      WHERE d.device = ? AND d.proof = 0 AND d.sequence >= ? AND d.sequence < ? AND d.state = 5
        AND e.accepted_at >= ? AND e.accepted_at < ? ORDER BY d.sequence LIMIT ?
      """, .int(one.device.key), .int(first), .int(one.sequence), .time(window.since), .time(window.before),
      .int(limit)
    ) { $0.event() }
  }

  func history(_ id: String) throws(StoreError) -> EventHistory? {
    let found = try database.first(
      "SELECT key, id, kind, body, class, lane, at, until, accepted_at, timeline FROM events WHERE id = ?", .text(id)
    ) { (event: $0.event(), timeline: $0.text(9)) }
    guard let found else { return nil }
    var timeline = [TimelineEntry(at: found.event.acceptedAt, kind: .accepted)]
    timeline += TimelineCodec.entries(found.timeline, delivery: nil)
    let deliveries = try summaries(found.event.key) { id, column in
      timeline += TimelineCodec.entries(column, delivery: id)
    }
    let ladder = try database.first("SELECT steps, step, due FROM ladders WHERE event = ?", .int(found.event.key)) {
      LadderCodec.pending($0.text(0), index: Int($0.int(1)), due: $0.time(2))
    }
    return EventHistory(
      event: found.event, deliveries: deliveries, timeline: timeline.inOrder(), nextLadderStep: ladder ?? nil)
  }

  private func summaries(_ event: Int64, _ readTimeline: (DeliveryID, String) -> Void) throws(StoreError)
    -> [DeliverySummary]
  {
    try database.summaries(event, readTimeline)
  }
}

extension SQLiteConnection {
  /// The deliveries of an event as its page shows them, each with its timeline column.
  func summaries(_ event: Int64, _ readTimeline: (DeliveryID, String) -> Void = { _, _ in }) throws(StoreError)
    -> [DeliverySummary]
  {
    try rows(
      """
      SELECT d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker, d.proof,
        d.flags, v.token, v.user, d.timeline
      FROM deliveries d LEFT JOIN devices v ON v.id = d.device WHERE d.event = ? ORDER BY d.id
      """, .int(event)
    ) { row in
      let record = row.delivery()
      readTimeline(record.id, row.text(15))
      let token = row.isNull(13) ? nil : row.token(13)
      return DeliverySummary(record, token: token, user: row.optionalText(14))
    }
  }
}

package import Store

extension PostgresStore {
  package func event(_ id: String) async throws(StoreError) -> EventHistory? {
    try await perform(isRepeatable: true) { session throws(StoreError) in try session.history(id) }
  }

  package func recentEvents(before: Int64?, limit: Int) async throws(StoreError) -> [EventRecord] {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      try session.rows(
        """
        SELECT key, id, kind, body, class, lane, at, until, accepted_at FROM events
        WHERE key < $1 ORDER BY key DESC LIMIT $2
        """, .int(before ?? .max), .int(limit)
      ) { $0.event() }
    }
  }

  package func record(_ receipts: [NewReceipt], now: Timestamp) async throws(StoreError) -> [ReceiptOutcome] {
    let (outcomes, wakes) = try await perform { session throws(StoreError) in try session.record(receipts, now) }
    // Of what was sent, nothing stood behind it.
    if wakes { wake() }
    return outcomes
  }

  package func pending(token: String, after: Int64, since: Timestamp, limit: Int) async throws(StoreError)
    -> [PendingEntry]
  {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      try session.rows(
        """
        SELECT e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at, d.id, d.sequence, d.state
        FROM devices v JOIN deliveries d ON d.device = v.id AND d.proof = 0 AND d.sequence > $1
          JOIN events e ON e.key = d.event
        WHERE v.token = $2 AND e.accepted_at >= $3 ORDER BY d.sequence LIMIT $4
        """, .int(after), .bytes(TokenCodec.encode(token)), .time(since), .int(limit)
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
    try await perform(isRepeatable: true) { session throws(StoreError) in
      let rows = try session.rows(
        """
        SELECT m.key, m.id, m.kind, m.body, m.class, m.lane, m.at, m.until, m.accepted_at, u.delivery
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(delivery, device, sequence)
        CROSS JOIN LATERAL (
          SELECT e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at, d.sequence
          FROM deliveries_settled d JOIN events e ON e.key = d.event
          WHERE d.device = u.device AND d.proof = 0 AND d.sequence >= u.sequence - $4 AND d.sequence < u.sequence
            AND d.state = 5 AND e.accepted_at >= $5 AND e.accepted_at < $6 ORDER BY d.sequence LIMIT $7) AS m
        ORDER BY u.delivery, m.sequence
        """, .ints(deliveries.map { $0.ticket.id.rawValue }), .ints(deliveries.map(\.device.key)),
        .ints(deliveries.map(\.sequence)), .int(MissedWindow.deliveries), .time(window.since), .time(window.before),
        .int(limit)
      ) { (event: $0.event(), delivery: DeliveryID($0.int(9))) }
      return Dictionary(grouping: rows, by: \.delivery).mapValues { $0.map(\.event) }
    }
  }

  package func requeue(_ requests: [Requeue], now: Timestamp) async throws(StoreError) -> [DeliveryID] {
    try await perform(wakes: true) { session throws(StoreError) in
      var queued: [DeliveryID] = []
      let found = try session.deliveries(requests.map(\.delivery))
      let devices = try session.lock(devices: found.values.map(\.deviceKey))
      for request in requests {
        guard let old = found[request.delivery], devices[old.deviceKey] != nil else { continue }
        // One by one, because an earlier one of the same device changes what the next stands behind.
        let open = try session.openQueues([PGQueueKey(device: old.deviceKey, lane: old.lane)])
        let isBehind = !old.isHead && !open.isEmpty
        var new = old
        guard let entries = new.requeue(request, behindAnother: isBehind, now: now) else { continue }
        try session.apply([PGChange(old: old, new: new, entries: entries)])
        queued.append(new.id)
      }
      if !queued.isEmpty { try session.notifyOthers() }
      return queued
    }
  }

  package func extend(event id: String, to tokens: [String], due: Timestamp, note: String, now: Timestamp)
    async throws(StoreError) -> [DeliveryID]
  {
    try await perform(wakes: true) { session throws(StoreError) in
      let event = try session.first(
        "SELECT key, id, kind, body, class, lane, at, until, accepted_at FROM events WHERE id = $1", .text(id)
      ) { $0.event() }
      guard let event else { return [] }
      let devices = try session.rows(
        """
        SELECT v.id FROM unnest($1::bytea[]) WITH ORDINALITY AS u(token, place) JOIN devices v ON v.token = u.token
        ORDER BY u.place
        """, .byteses(tokens.map { TokenCodec.encode($0) })
      ) { $0.int(0) }
      let sequences = try session.lock(devices: devices)
      let reached = Set(
        try session.rows(
          "SELECT device FROM deliveries WHERE event = $1 AND device = ANY($2::bigint[])", .int(event.key),
          .ints(devices)
        ) { $0.int(0) })
      let open = try session.openQueues(Set(devices.map { PGQueueKey(device: $0, lane: event.lane) }))
      var seen = reached
      let line = TimelineCodec.line(TimelineEntry(at: now, kind: .fallback, detail: note))
      let new = devices.compactMap { device -> PGNewDelivery? in
        guard let sequence = sequences[device], seen.insert(device).inserted else { return nil }
        return PGNewDelivery(
          event: event, device: device, sequence: sequence + 1,
          isBehind: open.contains(PGQueueKey(device: device, lane: event.lane)), due: due, isAdded: true, timeline: line
        )
      }
      if new.isEmpty { return [] }
      try session.send([.numbering(Dictionary(new.map { ($0.device, 1) }) { first, _ in first })])
      return PGNewDelivery.ids(of: new, try session.send([.inserting(new), .notifyingOthers], commits: true)[0])
    }
  }

  package func note(_ notes: [TimelineNote], now: Timestamp) async throws(StoreError) {
    try await perform { session throws(StoreError) in
      for note in notes {
        let line = TimelineCodec.line(TimelineEntry(at: now, kind: note.kind, detail: note.detail))
        if let delivery = note.delivery {
          try session.run(
            """
            UPDATE deliveries SET timeline = timeline || $1
            WHERE id = $2 AND event = (SELECT key FROM events WHERE id = $3)
            """, .text(line), .int(delivery.rawValue), .text(note.eventID))
        } else {
          try session.run("UPDATE events SET timeline = timeline || $1 WHERE id = $2", .text(line), .text(note.eventID))
        }
      }
    }
  }

  package func takeEnqueued(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> [EnqueuedEvent] {
    try await perform { session throws(StoreError) in
      let taken = try session.rows(
        """
        UPDATE inbox SET due = $1 WHERE number IN (
          SELECT number FROM inbox WHERE refusal IS NULL AND due <= $2 ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED)
        RETURNING number, id, body, enqueued_at
        """, .time(now.adding(seconds: leaseSeconds)), .time(now), .int(limit)
      ) { (number: $0.int(0), event: EnqueuedEvent(id: $0.text(1), json: $0.bytes(2), enqueuedAt: $0.time(3))) }
      return taken.sorted { $0.number < $1.number }.map(\.event)
    }
  }

  package func settleEnqueued(_ outcomes: [EnqueuedOutcome], now: Timestamp) async throws(StoreError) {
    try await perform { session throws(StoreError) in
      for outcome in outcomes {
        if let refusal = outcome.refusal {
          try session.run("UPDATE inbox SET refusal = $1 WHERE id = $2", .text(refusal), .text(outcome.id))
        } else {
          try session.run("DELETE FROM inbox WHERE id = $1 AND refusal IS NULL", .text(outcome.id))
        }
      }
    }
  }
}

extension PGSession {
  /// Writes receipts; says whether others may be due now that stood behind.
  fileprivate func record(_ receipts: [NewReceipt], _ now: Timestamp) throws(StoreError)
    -> (outcomes: [ReceiptOutcome], wakes: Bool)
  {
    let found = try rows(
      """
      SELECT d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker, d.proof,
        d.flags, e.id, v.token
      FROM unnest($1::text[], $2::bytea[]) AS u(event, token) JOIN events e ON e.id = u.event
        JOIN devices v ON v.token = u.token JOIN deliveries d ON d.event = e.key AND d.device = v.id
      ORDER BY d.id FOR UPDATE OF d
      """, .texts(receipts.map(\.eventID)), .byteses(receipts.map { TokenCodec.encode($0.token) })
    ) { (key: [$0.text(13), TokenCodec.decode($0.bytes(14))], record: $0.delivery()) }
    let originals = Dictionary(found.map { ($0.key, $0.record) }) { first, _ in first }
    var current = originals
    var entries: [[String]: [TimelineEntry]] = [:]
    var outcomes: [ReceiptOutcome] = []
    var heard: Set<Int64> = []
    for receipt in receipts {
      let key = [receipt.eventID, receipt.token]
      guard var record = current[key] else {
        outcomes.append(.unknown)
        continue
      }
      let (changed, new) = record.receive(receipt, now: now)
      current[key] = record
      entries[key, default: []] += new
      if receipt.proof.reachedEar { heard.insert(record.eventKey) }
      outcomes.append(changed ? .recorded(record.id) : .known(record.id))
    }
    let changes = originals.compactMap { key, old in
      current[key].map { PGChange(old: old, new: $0, entries: entries[key] ?? []) }
    }
    try apply(changes.sorted { $0.old.id < $1.old.id })
    if !heard.isEmpty { try run("DELETE FROM ladders WHERE event = ANY($1::bigint[])", .ints(heard.sorted())) }
    return (outcomes, changes.contains { $0.new.unblocks(from: $0.old) })
  }

  fileprivate func history(_ id: String) throws(StoreError) -> EventHistory? {
    let found = try first(
      "SELECT key, id, kind, body, class, lane, at, until, accepted_at, timeline FROM events WHERE id = $1", .text(id)
    ) { (event: $0.event(), timeline: $0.text(9)) }
    guard let found else { return nil }
    var timeline = [TimelineEntry(at: found.event.acceptedAt, kind: .accepted)]
    timeline += TimelineCodec.entries(found.timeline, delivery: nil)
    let deliveries = try summaries([found.event.key]) { id, column in
      timeline += TimelineCodec.entries(column, delivery: id)
    }
    let ladder = try first("SELECT steps, step, due FROM ladders WHERE event = $1", .int(found.event.key)) {
      LadderCodec.pending($0.text(0), index: Int($0.int(1)), due: $0.time(2))
    }
    return EventHistory(
      event: found.event, deliveries: deliveries[found.event.key] ?? [], timeline: timeline.inOrder(),
      nextLadderStep: ladder ?? nil)
  }

  /// The deliveries of events as their pages show them, each with its timeline column.
  func summaries(_ events: [Int64], _ readTimeline: (DeliveryID, String) -> Void = { _, _ in }) throws(StoreError)
    -> [Int64: [DeliverySummary]]
  {
    let found = try rows(
      """
      SELECT d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker, d.proof,
        d.flags, v.token, v.owner, d.timeline
      FROM deliveries d LEFT JOIN devices v ON v.id = d.device WHERE d.event = ANY($1::bigint[]) ORDER BY d.id
      """, .ints(events)
    ) { row in
      let record = row.delivery()
      readTimeline(record.id, row.text(15))
      let token = row.isNull(13) ? nil : TokenCodec.decode(row.bytes(13))
      return (record.eventKey, DeliverySummary(record, token: token, user: row.optionalText(14)))
    }
    return Dictionary(grouping: found, by: \.0).mapValues { $0.map(\.1) }
  }
}

internal import Store

/// A delivery that `DeliveryRecord` has changed.
struct PGChange {
  var old: DeliveryRecord
  var new: DeliveryRecord
  var entries: [TimelineEntry]
}

extension PGRow {
  /// A delivery from thirteen columns in the order of the table, starting at `column`.
  func delivery(_ column: Int32 = 0) -> DeliveryRecord {
    DeliveryRecord(
      id: DeliveryID(int(column)), eventKey: int(column + 1), deviceKey: int(column + 2), sequence: int(column + 3),
      lane: Lane(rawValue: Int(int(column + 4))) ?? .report,
      state: DeliveryState(rawValue: Int(int(column + 5))) ?? .failed, due: time(column + 6),
      until: optionalTime(column + 7), attempts: Int(int(column + 8)), epoch: int(column + 9), worker: int(column + 10),
      proof: Proof(rawValue: Int(int(column + 11))) ?? .none,
      flags: DeliveryRecord.Flags(rawValue: Int(int(column + 12))))
  }

  /// An event from nine columns (`key, id, kind, body, class, lane, at, until, accepted_at`), starting at `column`.
  func event(_ column: Int32 = 0) -> EventRecord {
    EventRecord(
      key: int(column), id: text(column + 1), kind: text(column + 2), body: bytes(column + 3),
      deliveryClass: DeliveryClass(rawValue: Int(int(column + 4))) ?? .atMostOnce,
      lane: Lane(rawValue: Int(int(column + 5))) ?? .report, at: time(column + 6), until: optionalTime(column + 7),
      acceptedAt: time(column + 8))
  }
}

/// How deliveries are changed: lock the rows, let `DeliveryRecord` decide, write them all, free the next.
extension PGSession {
  func deliveries(_ ids: [DeliveryID]) throws(StoreError) -> [DeliveryID: DeliveryRecord] {
    let found = try rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE
      """, .ints(ids.map { $0.rawValue })
    ) { $0.delivery() }
    return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Writes changed deliveries with their timeline entries, and lets the next of their devices and lanes wait.
  func apply(_ changes: [PGChange]) throws(StoreError) {
    let written = changes.filter { $0.new != $0.old || !$0.entries.isEmpty }
    if !written.isEmpty { try write(written) }
    let freed = changes.filter { $0.new.unblocks(from: $0.old) }.map(\.new)
    if !freed.isEmpty { try promote(freed) }
  }

  private func write(_ changes: [PGChange]) throws(StoreError) {
    let records = changes.map(\.new)
    try run(
      """
      UPDATE deliveries d SET state = u.state, due = u.due, until = u.until, attempts = u.attempts, epoch = u.epoch,
        worker = u.worker, proof = u.proof, flags = u.flags, timeline = d.timeline || u.lines
      FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::integer[], $6::bigint[], $7::bigint[],
        $8::smallint[], $9::integer[], $10::text[])
        AS u(id, state, due, until, attempts, epoch, worker, proof, flags, lines)
      WHERE d.id = u.id
      """,
      .ints(records.map { $0.id.rawValue }), .ints(records.map { $0.state.rawValue }),
      .ints(records.map { $0.due.milliseconds }), .ints(records.map { $0.until?.milliseconds }),
      .ints(records.map(\.attempts)), .ints(records.map(\.epoch)), .ints(records.map(\.worker)),
      .ints(records.map { $0.proof.rawValue }), .ints(records.map { $0.flags.rawValue }),
      .texts(changes.map { $0.entries.map(TimelineCodec.line).joined() }))
  }

  /// Takes the rows of devices, in order, so that accepting and finishing for the same device follow one another.
  ///
  /// Gives the last sequence number of each device that is there.
  @discardableResult
  func lock(devices: [Int64]) throws(StoreError) -> [Int64: Int64] {
    let found = try rows(
      "SELECT id, sequence FROM devices WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE",
      .ints(Set(devices).sorted())
    ) { ($0.int(0), $0.int(1)) }
    return Dictionary(found) { first, _ in first }
  }

  private func promote(_ freed: [DeliveryRecord]) throws(StoreError) {
    try lock(devices: freed.map(\.deviceKey))
    var left = Set(freed.map { PGQueueKey(device: $0.deviceKey, lane: $0.lane) })
    while !left.isEmpty {
      let keys = left.sorted { ($0.device, $0.lane.rawValue) < ($1.device, $1.lane.rawValue) }
      // Gives the queues whose next delivery was settled by a receipt meanwhile: for those, look again.
      let missed = try rows(
        """
        WITH n AS MATERIALIZED (
          SELECT f.device, f.lane, (
            SELECT b.id FROM deliveries b WHERE b.device = f.device AND b.lane = f.lane AND b.state <= 3 AND b.state = 0
            ORDER BY b.sequence LIMIT 1) AS id
          FROM unnest($1::bigint[], $2::smallint[]) AS f(device, lane)),
        u AS (UPDATE deliveries d SET state = 1 FROM n WHERE d.id = n.id AND d.state = 0 RETURNING d.id)
        SELECT n.device, n.lane FROM n WHERE n.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM u WHERE u.id = n.id)
        """, .ints(keys.map(\.device)), .ints(keys.map { $0.lane.rawValue })
      ) { PGQueueKey($0) }
      left = Set(missed)
    }
  }

  /// The devices and lanes among these that have an open delivery.
  func openQueues(devices: [Int64]) throws(StoreError) -> Set<PGQueueKey> {
    let found = try rows(
      """
      SELECT v.id, l.lane::smallint FROM unnest($1::bigint[]) AS v(id) CROSS JOIN generate_series(0, 2) AS l(lane)
      WHERE EXISTS (SELECT 1 FROM deliveries d WHERE d.device = v.id AND d.lane = l.lane AND d.state <= 3)
      """, .ints(Set(devices).sorted())
    ) { PGQueueKey($0) }
    return Set(found)
  }

  /// Stores new deliveries; gives their ids in the order given.
  func insert(_ new: [PGNewDelivery]) throws(StoreError) -> [DeliveryID] {
    let made = try rows(
      """
      INSERT INTO deliveries(
        event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags, timeline)
      SELECT event, device, sequence, lane, state, due, until, 0, 0, 0, 0, flags, timeline
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $6::bigint[], $7::bigint[],
        $8::integer[], $9::text[]) WITH ORDINALITY
        AS u(event, device, sequence, lane, state, due, until, flags, timeline, place)
      ORDER BY place RETURNING id, event, device
      """,
      .ints(new.map(\.event.key)), .ints(new.map(\.device)), .ints(new.map(\.sequence)),
      .ints(new.map { $0.event.lane.rawValue }),
      .ints(new.map { ($0.isBehind ? DeliveryState.blocked : .waiting).rawValue }),
      .ints(new.map { min($0.due, $0.event.until ?? $0.due).milliseconds }),
      .ints(new.map { $0.event.until?.milliseconds }), .ints(new.map(\.flags)), .texts(new.map(\.timeline))
    ) { (id: DeliveryID($0.int(0)), key: PGDeliveryKey(event: $0.int(1), device: $0.int(2))) }
    let ids = Dictionary(made.map { ($0.key, $0.id) }) { first, _ in first }
    return new.compactMap { ids[PGDeliveryKey(event: $0.event.key, device: $0.device)] }
  }

  /// Stores the sequence numbers that were given out.
  func setSequences(_ sequences: [Int64: Int64]) throws(StoreError) {
    let devices = sequences.keys.sorted()
    try run(
      """
      UPDATE devices v SET sequence = u.sequence FROM unnest($1::bigint[], $2::bigint[]) AS u(id, sequence)
      WHERE v.id = u.id
      """, .ints(devices), .ints(devices.map { sequences[$0] }))
  }

  /// Tells the other processes, when the transaction commits, that work is due.
  func notifyOthers() throws(StoreError) {
    try run("SELECT pg_notify('aloud_' || current_schema(), '')")
  }
}

/// A device and a lane: deliveries of the same key follow one another.
struct PGQueueKey: Hashable {
  var device: Int64
  var lane: Lane

  init(device: Int64, lane: Lane) {
    self.device = device
    self.lane = lane
  }

  /// From two columns.
  init(_ row: PGRow) { self.init(device: row.int(0), lane: Lane(rawValue: Int(row.int(1))) ?? .report) }
}

/// An event and a device: there is at most one delivery for both.
struct PGDeliveryKey: Hashable {
  var event: Int64
  var device: Int64
}

/// A delivery to store.
struct PGNewDelivery {
  var event: EventRecord
  var device: Int64
  var sequence: Int64
  var isBehind: Bool
  var due: Timestamp
  var isAdded: Bool
  var timeline: String

  var flags: Int {
    var flags: DeliveryRecord.Flags = event.deliveryClass == .mustHear ? [.mustHear] : []
    if isAdded { flags.insert(.added) }
    return flags.rawValue
  }
}

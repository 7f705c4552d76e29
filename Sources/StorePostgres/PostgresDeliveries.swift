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
      UPDATE deliveries d SET state = u.state, open = u.state <= 3, ready = u.state = 1, due = u.due,
        until = u.until, attempts = u.attempts, epoch = u.epoch,
        worker = u.worker, proof = u.proof, flags = u.flags, timeline = d.timeline || u.lines
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::text[])
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
  func lock(devices: [Int64]) throws(StoreError) -> [Int64: Int64] {
    let found = try send([.locking(Set(devices))]).first?.rows { ($0.int(0), $0.int(1)) } ?? []
    return Dictionary(found) { first, _ in first }
  }

  /// Those among these queues that have an open delivery.
  func openQueues(_ queues: Set<PGQueueKey>) throws(StoreError) -> Set<PGQueueKey> {
    Set(try send([.open(queues)]).first?.rows { PGQueueKey($0) } ?? [])
  }

  private func promote(_ freed: [DeliveryRecord]) throws(StoreError) {
    try send(PGStatement.promoting(Set(freed.map { PGQueueKey(device: $0.deviceKey, lane: $0.lane) })))
  }

  /// Stores new deliveries; gives their ids in the order given.
  func insert(_ new: [PGNewDelivery]) throws(StoreError) -> [DeliveryID] {
    PGNewDelivery.ids(of: new, try send([.inserting(new)])[0])
  }

  /// Tells the other processes, when the transaction commits, that work is due.
  func notifyOthers() throws(StoreError) { try send([.notifyingOthers]) }
}

/// A device and a lane: deliveries of the same key follow one another.
struct PGQueueKey: Hashable, Comparable {
  var device: Int64
  var lane: Lane

  static func < (left: PGQueueKey, right: PGQueueKey) -> Bool {
    (left.device, left.lane.rawValue) < (right.device, right.lane.rawValue)
  }

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

  var flags: Int { PGNewDelivery.flags(event.deliveryClass, isAdded: isAdded).rawValue }

  static func flags(_ deliveryClass: DeliveryClass, isAdded: Bool) -> DeliveryRecord.Flags {
    var flags: DeliveryRecord.Flags = deliveryClass == .mustHear ? [.mustHear] : []
    if isAdded { flags.insert(.added) }
    return flags
  }

  /// When it is looked at: what is too late by then has to be expired at its end.
  static func due(_ due: Timestamp, until: Timestamp?) -> Timestamp { min(due, until ?? due) }

  /// The ids of deliveries that `PGStatement.inserting` stored, in the order given.
  static func ids(of new: [PGNewDelivery], _ answer: PGAnswer) -> [DeliveryID] {
    let made = answer.rows { (PGDeliveryKey(event: $0.int(1), device: $0.int(2)), DeliveryID($0.int(0))) }
    let ids = Dictionary(made) { first, _ in first }
    return new.compactMap { ids[PGDeliveryKey(event: $0.event.key, device: $0.device)] }
  }
}

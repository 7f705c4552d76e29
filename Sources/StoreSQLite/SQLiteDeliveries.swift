internal import Store

/// A device that an event goes to.
struct SQLiteTarget {
  var key: Int64
  /// The sequence number given out last.
  var sequence: Int64
}

/// How the writer changes deliveries: read the row, let `DeliveryRecord` decide, write the row, free the next.
extension SQLiteWriteContext {
  func delivery(_ id: DeliveryID) throws(StoreError) -> DeliveryRecord? {
    if let record = held[id] { return record }
    return try database.first(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries WHERE id = ?
      """, .int(id.rawValue)
    ) { $0.delivery() }
  }

  /// Writes a changed delivery, its timeline entries, and what follows for the next of its device and lane.
  func apply(_ new: DeliveryRecord, from old: DeliveryRecord, _ entries: [TimelineEntry]) throws(StoreError) {
    var lines = ""
    for entry in entries { lines += TimelineCodec.line(entry) }
    if new != old || !lines.isEmpty { try write(new, from: old, lines) }
    if isAlone { held[new.id] = new.state == .claimed || new.state == .sending ? new : nil }
    if old.state.isOpen != new.state.isOpen { openCount += new.state.isOpen ? 1 : -1 }
    if new.state == .waiting { madeWork = true }
    if new.unblocks(from: old) { try promote(device: new.deviceKey, lane: new.lane) }
  }

  private func write(_ new: DeliveryRecord, from old: DeliveryRecord, _ lines: String) throws(StoreError) {
    if new.proof != old.proof || new.until != old.until {
      try database.run(
        "UPDATE deliveries SET proof = ?, until = ? WHERE id = ?", .int(new.proof.rawValue), .time(new.until),
        .int(new.id.rawValue))
    }
    let columns = SQLiteFlags.columns(new)
    // Several statements, because naming a column costs the upkeep of every index that knows it.
    if old.state == .waiting, new.state == .claimed, lines.isEmpty {
      try database.run(
        "UPDATE deliveries SET state = 2, worker = ?, epoch = ? WHERE id = ?", .int(new.worker), .int(new.epoch),
        .int(new.id.rawValue))
    } else if columns.state == SQLiteFlags.columns(old).state, new.worker == old.worker, new.due == old.due {
      try database.run(
        "UPDATE deliveries SET attempts = ?, epoch = ?, flags = ?, timeline = timeline || ? WHERE id = ?",
        .int(new.attempts), .int(new.epoch), .int(columns.flags), .text(lines), .int(new.id.rawValue))
    } else {
      try database.run(
        """
        UPDATE deliveries SET state = ?, open = ?, due = ?, attempts = ?, epoch = ?, worker = ?, flags = ?,
          timeline = timeline || ? WHERE id = ?
        """, .int(columns.state), new.state.isOpen ? .int(1) : .null, .int(new.due.milliseconds), .int(new.attempts),
        .int(new.epoch), .int(new.worker), .int(columns.flags), .text(lines), .int(new.id.rawValue))
    }
  }

  /// Lets the blocked delivery with the lowest sequence of a device and lane wait.
  private func promote(device: Int64, lane: Lane) throws(StoreError) {
    let next = try database.first(
      """
      SELECT id FROM deliveries WHERE device = ? AND lane = ? AND open = 1 AND state = 0 ORDER BY sequence LIMIT 1
      """, .int(device), .int(lane.rawValue)
    ) { $0.int(0) }
    guard let next else { return }
    try database.run("UPDATE deliveries SET state = 1 WHERE id = ?", .int(next))
    madeWork = true
  }

  /// Whether a device has an open delivery in a lane.
  func hasOpen(device: Int64, lane: Lane, besides id: DeliveryID? = nil) throws(StoreError) -> Bool {
    try database.first(
      "SELECT 1 FROM deliveries WHERE device = ? AND lane = ? AND open = 1 AND id != ? LIMIT 1", .int(device),
      .int(lane.rawValue), .int(id?.rawValue ?? 0)
    ) { _ in true } ?? false
  }

  /// Stores a new delivery of an event for a device.
  func deliver(_ event: EventRecord, to device: SQLiteTarget, due: Timestamp, added: Bool, timeline: String = "")
    throws(StoreError) -> DeliveryID
  {
    let sequence = device.sequence + 1
    try database.run("UPDATE devices SET sequence = ? WHERE id = ?", .int(sequence), .int(device.key))
    let isBehind = sequence > 1 ? try hasOpen(device: device.key, lane: event.lane) : false
    var flags: DeliveryRecord.Flags = event.deliveryClass == .mustHear ? [.mustHear] : []
    if added { flags.insert(.added) }
    try database.run(
      """
      INSERT INTO deliveries(
        event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags, timeline, open)
      VALUES(?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?, ?, 1)
      """, .int(event.key), .int(device.key), .int(sequence), .int(event.lane.rawValue),
      .int((isBehind ? DeliveryState.blocked : .waiting).rawValue),
      .time(event.until.map { min($0, due) } ?? due), .time(event.until), .int(flags.rawValue), .text(timeline))
    openCount += 1
    madeWork = true
    return DeliveryID(database.lastKey)
  }

  /// Appends a line to an event's own timeline.
  func noteEvent(_ key: Int64, _ entry: TimelineEntry) throws(StoreError) {
    try database.run(
      "UPDATE events SET timeline = timeline || ? WHERE key = ?", .text(TimelineCodec.line(entry)), .int(key))
  }
}

internal import Store

/// Statements that several calls put together.
extension PGStatement {
  /// Takes the rows of devices in order; gives their keys with the sequence numbers given out last.
  static func locking(_ devices: Set<Int64>) -> PGStatement {
    PGStatement(
      "SELECT id, sequence FROM devices WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE",
      .ints(devices.sorted()))
  }

  /// Takes the rows of devices in order and gives each so many sequence numbers; gives their keys with the last numbers.
  ///
  /// Without hash and merge joins the rows are taken in the order of the list, so that no two callers wait for each other.
  static func numbering(_ counts: [Int64: Int]) -> PGStatement {
    let devices = counts.keys.sorted()
    return PGStatement(
      """
      UPDATE devices v SET sequence = v.sequence + u.count FROM unnest($1::bigint[], $2::bigint[]) AS u(id, count)
      WHERE v.id = u.id RETURNING v.id, v.sequence
      """, .ints(devices), .ints(devices.map { counts[$0].map { Int64($0) } }))
  }

  /// Takes the rows of devices in order and notes that the gateway took a push for them.
  static func proving(_ devices: Set<Int64>) -> PGStatement {
    PGStatement(
      "UPDATE devices v SET proven = true FROM unnest($1::bigint[]) AS u(id) WHERE v.id = u.id", .ints(devices.sorted())
    )
  }

  /// Gives those among these queues that have an open delivery.
  static func open(_ queues: Set<PGQueueKey>) -> PGStatement {
    let queues = queues.sorted()
    return PGStatement(
      """
      SELECT f.device, f.lane FROM unnest($1::bigint[], $2::bigint[]) AS f(device, lane)
      WHERE EXISTS (SELECT 1 FROM deliveries_open d WHERE d.device = f.device AND d.lane = f.lane)
      """, .ints(queues.map(\.device)), .ints(queues.map { $0.lane.rawValue }))
  }

  /// Lets the next blocked delivery of each of these queues wait.
  ///
  /// The devices are taken first, so that what is accepted meanwhile is seen. A delivery that is being settled by a receipt
  /// is waited for, and passed over if it is.
  ///
  /// - Parameter proven: those devices whose first push was taken; taken by being noted as such, which saves the lock
  static func promoting(_ queues: Set<PGQueueKey>, proven: Set<Int64> = []) -> [PGStatement] {
    let keys = queues.sorted()
    let devices = Set(keys.map(\.device))
    let taking: [PGStatement] =
      proven == devices ? [.proving(proven)] : [.locking(devices)] + (proven.isEmpty ? [] : [.proving(proven)])
    return taking + [
      PGStatement(
        """
        UPDATE deliveries_open d SET state = 1, ready = true FROM unnest($1::bigint[], $2::bigint[]) AS f(device, lane)
          CROSS JOIN LATERAL (
            SELECT b.id FROM deliveries_open b WHERE b.device = f.device AND b.lane = f.lane AND b.state = 0
            ORDER BY b.sequence LIMIT 1 FOR UPDATE) AS n
        WHERE d.id = n.id
        """, .ints(keys.map(\.device)), .ints(keys.map { $0.lane.rawValue }))
    ]
  }

  /// Stores deliveries; gives their ids with event and device.
  static func inserting(_ new: [PGNewDelivery]) -> PGStatement {
    PGStatement(
      """
      INSERT INTO deliveries_open(
        event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags, timeline, open, ready)
      SELECT event, device, sequence, lane, state, due, until, 0, 0, 0, 0, flags, timeline, true, state = 1
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::text[]) WITH ORDINALITY
        AS u(event, device, sequence, lane, state, due, until, flags, timeline, place)
      ORDER BY place RETURNING id, event, device
      """,
      .ints(new.map(\.event.key)), .ints(new.map(\.device)), .ints(new.map(\.sequence)),
      .ints(new.map { $0.event.lane.rawValue }),
      .ints(new.map { ($0.isBehind ? DeliveryState.blocked : .waiting).rawValue }),
      .ints(new.map { PGNewDelivery.due($0.due, until: $0.event.until).milliseconds }),
      .ints(new.map { $0.event.until?.milliseconds }), .ints(new.map(\.flags)), .texts(new.map(\.timeline)))
  }

  /// Lets the transaction's COMMIT answer before it is on disk.
  ///
  /// Whatever is committed later with a sync takes it along.
  static var needingNoSync: PGStatement { PGStatement("SET LOCAL synchronous_commit = off") }

  /// Tells the other processes, when the transaction commits, that work is due.
  static var notifyingOthers: PGStatement { PGStatement("SELECT pg_notify('aloud_' || current_schema(), '')") }
}

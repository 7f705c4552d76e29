internal import Store

/// Stored events that a batch may repeat.
struct KnownEvents {
  struct Stored {
    var digest: [UInt8]
    var answer: AcceptedEvent
  }

  private(set) var byID: [String: Stored] = [:]
  private(set) var byKey: [IdempotencyKey: Stored] = [:]

  /// Asks for the events with these ids or idempotency keys.
  static func statements(_ events: [NewEvent]) -> [PGStatement] {
    let ids = PGStatement(
      "SELECT key, id, digest, accepted_at, scope, scope_key FROM events WHERE id = ANY($1::text[])",
      .texts(events.map(\.id)))
    let keys = events.compactMap(\.idempotencyKey)
    if keys.isEmpty { return [ids] }
    return [
      ids,
      PGStatement(
        """
        SELECT e.key, e.id, e.digest, e.accepted_at, e.scope, e.scope_key
        FROM unnest($1::text[], $2::text[]) AS u(scope, scope_key)
        JOIN events e ON e.scope = u.scope AND e.scope_key = u.scope_key
        """, .texts(keys.map(\.scope)), .texts(keys.map(\.key))),
    ]
  }

  /// What the statements gave, with the deliveries of the first answer.
  init(_ session: PGSession, _ answers: some Sequence<PGAnswer>) throws(StoreError) {
    let found = answers.flatMap { $0.rows(KnownEvents.read) }
    if found.isEmpty { return }
    var deliveries: [Int64: [DeliveryID]] = [:]
    let rows = try session.rows(
      "SELECT event, id FROM deliveries WHERE event = ANY($1::bigint[]) AND flags & $2::integer = 0 ORDER BY id",
      .ints(found.map(\.key)), .int(DeliveryRecord.Flags.added.rawValue)
    ) { ($0.int(0), DeliveryID($0.int(1))) }
    for (event, id) in rows { deliveries[event, default: []].append(id) }
    for row in found {
      let answer = AcceptedEvent(id: row.id, acceptedAt: row.acceptedAt, deliveries: deliveries[row.key] ?? [])
      let stored = Stored(digest: row.digest, answer: answer)
      byID[row.id] = stored
      if let key = row.idempotencyKey { byKey[key] = stored }
    }
  }

  private struct Row {
    var key: Int64
    var id: String
    var digest: [UInt8]
    var acceptedAt: Timestamp
    var idempotencyKey: IdempotencyKey?
  }

  private static func read(_ row: PGRow) -> Row {
    let key = row.isNull(4) ? nil : IdempotencyKey(scope: row.text(4), key: row.text(5))
    return Row(key: row.int(0), id: row.text(1), digest: row.bytes(2), acceptedAt: row.time(3), idempotencyKey: key)
  }
}

/// The devices of targets.
struct PGTargets {
  enum Kind { case devices, users, groups }

  private var found: [Target: [Int64]] = [:]

  /// Asks for the devices, at most `limit` for each target.
  static func statements(_ targets: [Target], limit: Int) -> [(kind: Kind, statement: PGStatement)] {
    var tokens: [String] = []
    var users: [String] = []
    var groups: [String] = []
    for target in Set(targets) {
      switch target {
      case .device(let token): tokens.append(token)
      case .user(let user): users.append(user)
      case .group(let name): groups.append(name)
      }
    }
    var statements: [(kind: Kind, statement: PGStatement)] = []
    if !tokens.isEmpty {
      let statement = PGStatement(
        "SELECT token, id FROM devices WHERE token = ANY($1::bytea[])", .byteses(tokens.map { TokenCodec.encode($0) }))
      statements.append((.devices, statement))
    }
    if !users.isEmpty {
      let statement = PGStatement(
        """
        SELECT u.owner, d.id FROM unnest($1::text[]) AS u(owner)
        CROSS JOIN LATERAL (SELECT id FROM devices WHERE owner = u.owner ORDER BY id LIMIT $2) AS d
        """, .texts(users), .int(limit))
      statements.append((.users, statement))
    }
    if !groups.isEmpty {
      let statement = PGStatement(
        """
        SELECT u.name, d.device FROM unnest($1::text[]) AS u(name)
        CROSS JOIN LATERAL (SELECT device FROM device_groups WHERE name = u.name ORDER BY device LIMIT $2) AS d
        """, .texts(groups), .int(limit))
      statements.append((.groups, statement))
    }
    return statements
  }

  /// Looks the devices of one target up.
  init(_ session: PGSession, _ target: Target, limit: Int) throws(StoreError) {
    let asked = PGTargets.statements([target], limit: limit)
    self.init(Array(zip(asked.map(\.kind), try session.send(asked.map(\.statement)))))
  }

  /// What the statements gave.
  init(_ answers: [(Kind, PGAnswer)]) {
    for (kind, answer) in answers {
      switch kind {
      case .devices:
        for (token, id) in answer.rows({ (TokenCodec.decode($0.bytes(0)), $0.int(1)) }) {
          found[.device(token: token)] = [id]
        }
      case .users:
        for (user, id) in answer.rows({ ($0.text(0), $0.int(1)) }) { found[.user(user), default: []].append(id) }
      case .groups:
        for (name, id) in answer.rows({ ($0.text(0), $0.int(1)) }) { found[.group(name), default: []].append(id) }
      }
    }
  }

  func devices(for target: Target) -> [Int64] { found[target] ?? [] }
}

package import Store

extension SQLiteStore {
  // MARK: Ladder

  package func claimLadderSteps(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError)
    -> [DueLadderStep]
  {
    try await write { context throws(StoreError) in
      let due = try context.database.rows(
        """
        SELECT e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at, l.steps, l.step, l.epoch
        FROM ladders l CROSS JOIN events e ON e.key = l.event WHERE l.due <= ? ORDER BY l.due, l.event LIMIT ?
        """, .time(now), .int(limit)
      ) { ($0.event(), $0.text(9), Int($0.int(10)), $0.int(11)) }
      var claimed: [DueLadderStep] = []
      for (event, steps, index, epoch) in due {
        try context.database.run(
          "UPDATE ladders SET due = ?, epoch = ? WHERE event = ?", .time(now.adding(seconds: leaseSeconds)),
          .int(epoch + 1), .int(event.key))
        let all = LadderCodec.decode(steps)
        guard index < all.count else { continue }
        claimed.append(
          DueLadderStep(
            event: event, deliveries: try context.database.summaries(event.key), step: all[index], index: index,
            epoch: epoch + 1))
      }
      return claimed
    }
  }

  package func advanceLadder(_ step: DueLadderStep, detail: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await write { context throws(StoreError) in
      let stored = try context.database.first(
        """
        SELECT l.steps, e.accepted_at FROM ladders l JOIN events e ON e.key = l.event WHERE l.event = ? AND l.epoch = ?
        """, .int(step.event.key), .int(step.epoch)
      ) { (steps: LadderCodec.decode($0.text(0)), acceptedAt: $0.time(1)) }
      guard let stored else { return false }
      try context.noteEvent(step.event.key, TimelineEntry(at: now, kind: .fallback, detail: detail))
      if step.index + 1 < stored.steps.count {
        let due = stored.acceptedAt.adding(seconds: stored.steps[step.index + 1].afterSeconds)
        try context.database.run(
          "UPDATE ladders SET step = ?, due = ?, epoch = epoch + 1 WHERE event = ?", .int(step.index + 1), .time(due),
          .int(step.event.key))
      } else {
        try context.database.run("DELETE FROM ladders WHERE event = ?", .int(step.event.key))
      }
      return true
    }
  }

  // MARK: Webhooks

  package func enqueue(_ webhooks: [NewWebhook], now: Timestamp) async throws(StoreError) {
    try await write { context throws(StoreError) in
      for webhook in webhooks {
        try context.database.run(
          "INSERT INTO webhooks VALUES(?, ?, ?, ?, ?, 0, 0, ?, 0) ON CONFLICT(id) DO NOTHING", .text(webhook.id),
          .text(webhook.endpoint), .text(webhook.eventID), .blob(webhook.body), .time(webhook.due), .time(now))
      }
      context.madeWork = true
    }
  }

  package func claimWebhooks(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError)
    -> [ClaimedWebhook]
  {
    try await write { context throws(StoreError) in
      let due = try context.database.rows(
        """
        SELECT id, endpoint, event, body, due, attempts, created_at, epoch FROM webhooks
        WHERE dead = 0 AND due <= ? ORDER BY due, id LIMIT ?
        """, .time(now), .int(limit)
      ) { row in
        ClaimedWebhook(
          webhook: NewWebhook(
            id: row.text(0), endpoint: row.text(1), eventID: row.optionalText(2), body: row.blob(3), due: row.time(4)),
          attempts: Int(row.int(5)), createdAt: row.time(6), epoch: row.int(7) + 1)
      }
      for claimed in due {
        try context.database.run(
          "UPDATE webhooks SET due = ?, epoch = ? WHERE id = ?", .time(now.adding(seconds: leaseSeconds)),
          .int(claimed.epoch), .text(claimed.webhook.id))
      }
      return due
    }
  }

  package func finishWebhook(_ claimed: ClaimedWebhook, _ outcome: WebhookOutcome, now: Timestamp)
    async throws(StoreError) -> Bool
  {
    try await write { context throws(StoreError) in
      let id = SQLiteValue.text(claimed.webhook.id)
      let epoch = SQLiteValue.int(claimed.epoch)
      switch outcome {
      case .delivered:
        try context.database.run("DELETE FROM webhooks WHERE id = ? AND epoch = ? AND dead = 0", id, epoch)
      case .retry(let time):
        try context.database.run(
          """
          UPDATE webhooks SET due = ?, attempts = attempts + 1, epoch = epoch + 1 WHERE id = ? AND epoch = ? AND dead = 0
          """, .time(time), id, epoch)
      case .dead:
        try context.database.run(
          """
          UPDATE webhooks SET dead = 1, attempts = attempts + 1, epoch = epoch + 1 WHERE id = ? AND epoch = ? AND dead = 0
          """, id, epoch)
      }
      return context.database.changes > 0
    }
  }

  // MARK: Keys, tokens, nonces, audit

  package func addKey(_ key: APIKey) async throws(StoreError) {
    try await write { context throws(StoreError) in
      try context.database.run(
        "INSERT INTO api_keys VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", .text(key.id), .text(key.name),
        .blob(key.hash), .int(key.scopes.rawValue), .time(key.createdAt), .time(key.revokedAt))
    }
  }

  package func key(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    try await read { context throws(StoreError) in
      try context.database.first(
        "SELECT id, name, hash, scopes, created_at, revoked_at FROM api_keys WHERE hash = ?", .blob(hash)
      ) { $0.key() }
    }
  }

  package func keys() async throws(StoreError) -> [APIKey] {
    try await read { context throws(StoreError) in
      try context.database.rows(
        "SELECT id, name, hash, scopes, created_at, revoked_at FROM api_keys ORDER BY created_at, id"
      ) { $0.key() }
    }
  }

  package func revokeKey(id: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await write { context throws(StoreError) in
      try context.database.run(
        "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", .time(now), .text(id))
      return context.database.changes > 0
    }
  }

  package func providerToken(team: String, keyID: String) async throws(StoreError) -> SharedProviderToken? {
    try await read { context throws(StoreError) in
      try context.database.first(
        "SELECT token, issued_at, generation FROM provider_tokens WHERE team = ? AND key_id = ?", .text(team),
        .text(keyID)
      ) { SharedProviderToken(token: $0.text(0), issuedAt: $0.time(1), generation: $0.int(2)) }
    }
  }

  package func offerProviderToken(
    _ token: String, team: String, keyID: String, replacing: Int64, now: Timestamp
  ) async throws(StoreError) -> SharedProviderToken {
    try await write { context throws(StoreError) in
      try context.database.run(
        """
        INSERT INTO provider_tokens VALUES(?, ?, ?, ?, ? + 1) ON CONFLICT(team, key_id)
        DO UPDATE SET token = excluded.token, issued_at = excluded.issued_at, generation = excluded.generation
        WHERE provider_tokens.generation = excluded.generation - 1
        """, .text(team), .text(keyID), .text(token), .time(now), .int(replacing))
      let stored = try context.database.first(
        "SELECT token, issued_at, generation FROM provider_tokens WHERE team = ? AND key_id = ?", .text(team),
        .text(keyID)
      ) { SharedProviderToken(token: $0.text(0), issuedAt: $0.time(1), generation: $0.int(2)) }
      guard let stored else { throw .broken("The shared provider token was not stored.") }
      return stored
    }
  }

  package func claimNonce(scope: String, nonce: String, until: Timestamp, now: Timestamp) async throws(StoreError)
    -> Bool
  {
    try await write { context throws(StoreError) in
      try context.database.run(
        """
        INSERT INTO nonces VALUES(?, ?, ?) ON CONFLICT(scope, nonce) DO UPDATE SET until = excluded.until
        WHERE nonces.until <= ?
        """, .text(scope), .text(nonce), .time(until), .time(now))
      return context.database.changes > 0
    }
  }

  package func audit(_ entries: [AuditEntry]) async throws(StoreError) {
    try await write { context throws(StoreError) in
      for entry in entries {
        try context.database.run(
          "INSERT OR IGNORE INTO words(word) VALUES(?), (?)", .text(entry.actor), .text(entry.action))
        try context.database.run(
          """
          INSERT INTO audit(at, actor, action, target)
          VALUES(?, (SELECT id FROM words WHERE word = ?), (SELECT id FROM words WHERE word = ?), ?)
          """, .time(entry.at), .text(entry.actor), .text(entry.action), SQLiteAuditTarget.column(entry.target))
      }
    }
  }

  package func auditLog(before: Int64?, limit: Int) async throws(StoreError) -> [StoredAuditEntry] {
    try await read { context throws(StoreError) in
      try context.database.rows(
        """
        SELECT l.key, l.at, a.word, b.word, l.target
        FROM audit l CROSS JOIN words a ON a.id = l.actor CROSS JOIN words b ON b.id = l.action
        WHERE l.key < ? ORDER BY l.key DESC LIMIT ?
        """, .int(before ?? .max), .int(limit)
      ) { row in
        StoredAuditEntry(
          key: row.int(0),
          entry: AuditEntry(
            at: row.time(1), actor: row.text(2), action: row.text(3), target: SQLiteAuditTarget.text(row, 4)))
      }
    }
  }
}

extension SQLiteRow {
  fileprivate func key() -> APIKey {
    APIKey(
      id: text(0), name: text(1), hash: blob(2), scopes: KeyScopes(rawValue: Int(int(3))), createdAt: time(4),
      revokedAt: optionalTime(5))
  }
}

/// The column of an audit entry's target: the name of a device, which is what most are about, is kept as bytes, anything else as text.
private enum SQLiteAuditTarget {
  private static let device = "dev_"

  static func column(_ target: String) -> SQLiteValue {
    guard target.hasPrefix(device) else { return .text(target) }
    return .blob(TokenCodec.encode(String(target.dropFirst(device.count))))
  }

  static func text(_ row: SQLiteRow, _ column: Int32) -> String {
    row.isBlob(column) ? device + row.token(column) : row.text(column)
  }
}

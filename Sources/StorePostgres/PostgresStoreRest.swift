package import Store

extension PostgresStore {
  // MARK: Ladder

  package func claimLadderSteps(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError)
    -> [DueLadderStep]
  {
    try await perform { session throws(StoreError) in
      let due = try session.rows(
        """
        SELECT e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at, l.steps, l.step, l.epoch
        FROM ladders l JOIN events e ON e.key = l.event WHERE l.due <= $1 ORDER BY l.due, l.event LIMIT $2
        FOR UPDATE OF l SKIP LOCKED
        """, .time(now), .int(limit)
      ) { (event: $0.event(), steps: LadderCodec.decode($0.text(9)), index: Int($0.int(10)), epoch: $0.int(11)) }
      if due.isEmpty { return [] }
      let keys = due.map(\.event.key)
      try session.run(
        "UPDATE ladders SET due = $1, epoch = epoch + 1 WHERE event = ANY($2::bigint[])",
        .time(now.adding(seconds: leaseSeconds)), .ints(keys))
      let deliveries = try session.summaries(keys)
      return due.compactMap { row in
        guard row.index < row.steps.count else { return nil }
        return DueLadderStep(
          event: row.event, deliveries: deliveries[row.event.key] ?? [], step: row.steps[row.index], index: row.index,
          epoch: row.epoch + 1)
      }
    }
  }

  package func advanceLadder(_ step: DueLadderStep, detail: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await perform { session throws(StoreError) in
      let stored = try session.first(
        """
        SELECT l.steps, e.accepted_at FROM ladders l JOIN events e ON e.key = l.event
        WHERE l.event = $1 AND l.epoch = $2 FOR UPDATE OF l
        """, .int(step.event.key), .int(step.epoch)
      ) { (steps: LadderCodec.decode($0.text(0)), acceptedAt: $0.time(1)) }
      guard let stored else { return false }
      try session.run(
        "UPDATE events SET timeline = timeline || $1 WHERE key = $2",
        .text(TimelineCodec.line(TimelineEntry(at: now, kind: .fallback, detail: detail))), .int(step.event.key))
      if step.index + 1 < stored.steps.count {
        let due = stored.acceptedAt.adding(seconds: stored.steps[step.index + 1].afterSeconds)
        try session.run(
          "UPDATE ladders SET step = $1, due = $2, epoch = epoch + 1 WHERE event = $3", .int(step.index + 1),
          .time(due), .int(step.event.key))
      } else {
        try session.run("DELETE FROM ladders WHERE event = $1", .int(step.event.key))
      }
      return true
    }
  }

  // MARK: Webhooks

  package func enqueue(_ webhooks: [NewWebhook], now: Timestamp) async throws(StoreError) {
    try await perform(wakes: true) { session throws(StoreError) -> Void in
      try session.run(
        """
        INSERT INTO webhooks SELECT id, endpoint, event, body, due, 0, 0, $6::bigint, false
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bigint[]) AS u(id, endpoint, event, body, due)
        ON CONFLICT DO NOTHING
        """, .texts(webhooks.map(\.id)), .texts(webhooks.map(\.endpoint)), .texts(webhooks.map(\.eventID)),
        .byteses(webhooks.map(\.body)), .ints(webhooks.map(\.due.milliseconds)), .time(now))
      try session.notifyOthers()
    }
  }

  package func claimWebhooks(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError)
    -> [ClaimedWebhook]
  {
    try await perform { session throws(StoreError) in
      let due = try session.rows(
        """
        SELECT id, endpoint, event, body, due, attempts, created_at, epoch FROM webhooks
        WHERE NOT dead AND due <= $1 ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED
        """, .time(now), .int(limit)
      ) { row in
        ClaimedWebhook(
          webhook: NewWebhook(
            id: row.text(0), endpoint: row.text(1), eventID: row.optionalText(2), body: row.bytes(3), due: row.time(4)),
          attempts: Int(row.int(5)), createdAt: row.time(6), epoch: row.int(7) + 1)
      }
      if due.isEmpty { return [] }
      try session.run(
        "UPDATE webhooks SET due = $1, epoch = epoch + 1 WHERE id = ANY($2::text[])",
        .time(now.adding(seconds: leaseSeconds)), .texts(due.map(\.webhook.id)))
      return due
    }
  }

  package func finishWebhook(_ claimed: ClaimedWebhook, _ outcome: WebhookOutcome, now: Timestamp)
    async throws(StoreError) -> Bool
  {
    try await perform { session throws(StoreError) in
      let id = PGValue.text(claimed.webhook.id)
      let epoch = PGValue.int(claimed.epoch)
      switch outcome {
      case .delivered:
        return try session.run("DELETE FROM webhooks WHERE id = $1 AND epoch = $2 AND NOT dead", id, epoch) > 0
      case .retry(let time):
        return try session.run(
          """
          UPDATE webhooks SET due = $3, attempts = attempts + 1, epoch = epoch + 1
          WHERE id = $1 AND epoch = $2 AND NOT dead
          """, id, epoch, .time(time)) > 0
      case .dead:
        return try session.run(
          """
          UPDATE webhooks SET dead = true, attempts = attempts + 1, epoch = epoch + 1
          WHERE id = $1 AND epoch = $2 AND NOT dead
          """, id, epoch) > 0
      }
    }
  }

  // MARK: Keys, tokens, nonces, audit

  package func addKey(_ key: APIKey) async throws(StoreError) {
    try await perform { session throws(StoreError) -> Void in
      try session.run(
        "INSERT INTO api_keys VALUES($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING", .text(key.id), .text(key.name),
        .bytes(key.hash), .int(key.scopes.rawValue), .time(key.createdAt), .time(key.revokedAt))
    }
  }

  package func key(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      try session.first(
        "SELECT id, name, hash, scopes, created_at, revoked_at FROM api_keys WHERE hash = $1", .bytes(hash)
      ) { $0.key() }
    }
  }

  package func keys() async throws(StoreError) -> [APIKey] {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      try session.rows("SELECT id, name, hash, scopes, created_at, revoked_at FROM api_keys ORDER BY created_at, id") {
        $0.key()
      }
    }
  }

  package func revokeKey(id: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await perform { session throws(StoreError) in
      try session.run(
        "UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL", .time(now), .text(id)) > 0
    }
  }

  package func providerToken(team: String, keyID: String) async throws(StoreError) -> SharedProviderToken? {
    try await perform(isRepeatable: true) { session throws(StoreError) in try session.sharedToken(team, keyID) }
  }

  package func offerProviderToken(
    _ token: String, team: String, keyID: String, replacing: Int64, now: Timestamp
  ) async throws(StoreError) -> SharedProviderToken {
    try await perform { session throws(StoreError) in
      try session.run(
        """
        INSERT INTO provider_tokens AS p VALUES($1, $2, $3, $4, $5) ON CONFLICT (team, key_id)
        DO UPDATE SET token = excluded.token, issued_at = excluded.issued_at, generation = excluded.generation
        WHERE p.generation = excluded.generation - 1
        """, .text(team), .text(keyID), .text(token), .time(now), .int(replacing + 1))
      guard let stored = try session.sharedToken(team, keyID) else {
        throw .broken("The shared provider token was not stored.")
      }
      return stored
    }
  }

  package func claimNonce(scope: String, nonce: String, until: Timestamp, now: Timestamp) async throws(StoreError)
    -> Bool
  {
    try await perform { session throws(StoreError) in
      try session.run(
        """
        INSERT INTO nonces AS n VALUES($1, $2, $3) ON CONFLICT (scope, nonce) DO UPDATE SET until = excluded.until
        WHERE n.until <= $4
        """, .text(scope), .text(nonce), .time(until), .time(now)) > 0
    }
  }

  package func audit(_ entries: [AuditEntry]) async throws(StoreError) {
    try await perform { session throws(StoreError) -> Void in
      try session.run(
        """
        INSERT INTO audit(at, actor, action, target) SELECT at, actor, action, target
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
          AS u(at, actor, action, target, place) ORDER BY place
        """, .ints(entries.map(\.at.milliseconds)), .texts(entries.map(\.actor)), .texts(entries.map(\.action)),
        .texts(entries.map(\.target)))
    }
  }

  package func auditLog(before: Int64?, limit: Int) async throws(StoreError) -> [StoredAuditEntry] {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      try session.rows(
        "SELECT key, at, actor, action, target FROM audit WHERE key < $1 ORDER BY key DESC LIMIT $2",
        .int(before ?? .max), .int(limit)
      ) { row in
        StoredAuditEntry(
          key: row.int(0),
          entry: AuditEntry(at: row.time(1), actor: row.text(2), action: row.text(3), target: row.text(4)))
      }
    }
  }
}

extension PGSession {
  fileprivate func sharedToken(_ team: String, _ keyID: String) throws(StoreError) -> SharedProviderToken? {
    try first(
      "SELECT token, issued_at, generation FROM provider_tokens WHERE team = $1 AND key_id = $2", .text(team),
      .text(keyID)
    ) { SharedProviderToken(token: $0.text(0), issuedAt: $0.time(1), generation: $0.int(2)) }
  }
}

extension PGRow {
  fileprivate func key() -> APIKey {
    APIKey(
      id: text(0), name: text(1), hash: bytes(2), scopes: KeyScopes(rawValue: Int(int(3))), createdAt: time(4),
      revokedAt: optionalTime(5))
  }
}

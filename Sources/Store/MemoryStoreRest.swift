extension MemoryStore {
  // MARK: Devices

  package func upsert(_ device: NewDevice, now: Timestamp) throws(StoreError) -> DeviceChange {
    try check()
    let known = deviceKeys[device.token].flatMap { devices[$0] }
    let key = known?.key ?? next("device")
    let sameEnvironment = known?.profile.environment == device.profile.environment
    devices[key] = Device(
      key: key, token: device.token, profile: device.profile, user: device.user,
      groups: Array(Set(device.groups)).sorted(), secretHash: device.secretHash ?? known?.secretHash,
      registeredAt: now, isProven: sameEnvironment && known?.isProven == true)
    deviceKeys[device.token] = key
    return known == nil ? .registered : .renewed
  }

  package func removeDevice(token: String, reason: String, now: Timestamp) throws(StoreError) -> Bool {
    try check()
    guard let key = deviceKeys.removeValue(forKey: token) else { return false }
    let open = deliveries.values.filter { $0.deviceKey == key && ($0.state.isOpen || $0.state == .ambiguous) }
    for record in open.sorted(by: { $0.sequence > $1.sequence }) { change(record) { $0.fail(reason, now: now) } }
    devices[key] = nil
    return true
  }

  package func prune(token: String, unregisteredSince since: Timestamp, now: Timestamp) throws(StoreError)
    -> PruneOutcome
  {
    guard let device = try device(token: token) else { return .unknown }
    if device.registeredAt > since { return .registeredSince }
    _ = try removeDevice(token: token, reason: "device unregistered", now: now)
    return .removed
  }

  package func device(token: String) throws(StoreError) -> Device? {
    try check()
    return deviceKeys[token].flatMap { devices[$0] }
  }

  package func devices(for target: Target, limit: Int) throws(StoreError) -> [Device] {
    try check()
    return matching(target, limit: limit)
  }

  package func devices(after key: Int64, limit: Int) throws(StoreError) -> [Device] {
    try check()
    return devices.values.filter { $0.key > key }.sorted { $0.key < $1.key }.prefix(limit).map { $0 }
  }

  package func moveDevice(token: String, to environment: PushEnvironment, now: Timestamp) throws(StoreError) -> Bool {
    try check()
    guard let key = deviceKeys[token] else { return false }
    devices[key]?.profile.environment = environment
    devices[key]?.isProven = false
    return true
  }

  // MARK: Ladder and webhooks

  package func claimLadderSteps(limit: Int, leaseSeconds: Int, now: Timestamp) throws(StoreError) -> [DueLadderStep] {
    try check()
    let due = ladders.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
    return due.prefix(limit).compactMap { key, ladder in
      guard let event = events[key]?.record else { return nil }
      ladders[key]?.due = now.adding(seconds: leaseSeconds)
      ladders[key]?.epoch += 1
      return DueLadderStep(
        event: event, deliveries: summaries(of: key), step: ladder.steps[ladder.index], index: ladder.index,
        epoch: ladder.epoch + 1)
    }
  }

  package func advanceLadder(_ step: DueLadderStep, detail: String, now: Timestamp) throws(StoreError) -> Bool {
    try check()
    let key = step.event.key
    guard var ladder = ladders[key], ladder.epoch == step.epoch else { return false }
    events[key]?.timeline.append(
      TimelineEntry(at: now, kind: .fallback, detail: TimelineCodec.clean(detail)))
    ladder.index += 1
    ladder.epoch += 1
    if ladder.index < ladder.steps.count, let event = events[key] {
      ladder.due = event.record.acceptedAt.adding(seconds: ladder.steps[ladder.index].afterSeconds)
      ladders[key] = ladder
    } else {
      ladders[key] = nil
    }
    return true
  }

  package func enqueue(_ new: [NewWebhook], now: Timestamp) throws(StoreError) {
    try check()
    for webhook in new where webhooks[webhook.id] == nil {
      webhooks[webhook.id] = Hook(webhook: webhook, createdAt: now, due: webhook.due)
    }
    signal.wake()
  }

  package func claimWebhooks(limit: Int, leaseSeconds: Int, now: Timestamp) throws(StoreError) -> [ClaimedWebhook] {
    try check()
    let due = webhooks.filter { !$0.value.isDead && $0.value.due <= now }
    return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.prefix(limit).map { id, hook in
      webhooks[id]?.due = now.adding(seconds: leaseSeconds)
      webhooks[id]?.epoch += 1
      var webhook = hook.webhook
      webhook.due = hook.due
      return ClaimedWebhook(
        webhook: webhook, attempts: hook.attempts, createdAt: hook.createdAt, epoch: hook.epoch + 1)
    }
  }

  package func finishWebhook(_ claimed: ClaimedWebhook, _ outcome: WebhookOutcome, now: Timestamp) throws(StoreError)
    -> Bool
  {
    try check()
    let id = claimed.webhook.id
    guard webhooks[id]?.epoch == claimed.epoch, webhooks[id]?.isDead == false else { return false }
    webhooks[id]?.epoch += 1
    webhooks[id]?.attempts += 1
    switch outcome {
    case .delivered: webhooks[id] = nil
    case .retry(let time): webhooks[id]?.due = time
    case .dead: webhooks[id]?.isDead = true
    }
    return true
  }

  // MARK: Keys

  package func addKey(_ key: APIKey) throws(StoreError) {
    try check()
    if !apiKeys.contains(where: { $0.id == key.id || $0.hash == key.hash }) { apiKeys.append(key) }
  }

  package func key(hash: [UInt8]) throws(StoreError) -> APIKey? {
    try check()
    return apiKeys.first { $0.hash == hash }
  }

  package func keys() throws(StoreError) -> [APIKey] {
    try check()
    return apiKeys.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  package func revokeKey(id: String, now: Timestamp) throws(StoreError) -> Bool {
    try check()
    guard let index = apiKeys.firstIndex(where: { $0.id == id && $0.revokedAt == nil }) else { return false }
    apiKeys[index].revokedAt = now
    return true
  }

  package func providerToken(team: String, keyID: String) throws(StoreError) -> SharedProviderToken? {
    try check()
    return providerTokens[[team, keyID]]
  }

  package func offerProviderToken(
    _ token: String, team: String, keyID: String, replacing: Int64, now: Timestamp
  ) throws(StoreError) -> SharedProviderToken {
    try check()
    if let stored = providerTokens[[team, keyID]], stored.generation != replacing { return stored }
    let fresh = SharedProviderToken(token: token, issuedAt: now, generation: replacing + 1)
    providerTokens[[team, keyID]] = fresh
    return fresh
  }

  package func claimNonce(scope: String, nonce: String, until: Timestamp, now: Timestamp) throws(StoreError) -> Bool {
    try check()
    if let known = nonces[[scope, nonce]], known > now { return false }
    nonces[[scope, nonce]] = until
    return true
  }

  package func audit(_ entries: [AuditEntry]) throws(StoreError) {
    try check()
    for entry in entries { auditEntries.append(StoredAuditEntry(key: next("audit"), entry: entry)) }
  }

  package func auditLog(before: Int64?, limit: Int) throws(StoreError) -> [StoredAuditEntry] {
    try check()
    return auditEntries.filter { $0.key < before ?? .max }.suffix(limit).reversed()
  }

  // MARK: Housekeeping

  package func stats(now: Timestamp) throws(StoreError) -> StoreStats {
    try check()
    var stats = StoreStats()
    stats.backend = "memory"
    stats.devices = devices.count
    stats.unprovenDevices = devices.values.filter { !$0.isProven }.count
    for record in deliveries.values where record.state.isOpen || record.state == .ambiguous {
      stats.deliveries[record.lane, default: [:]][record.state, default: 0] += 1
      guard record.state == .waiting, record.due <= now else { continue }
      stats.oldestDue[record.lane] = min(record.due, stats.oldestDue[record.lane] ?? record.due)
    }
    stats.liveWorkers = workers.values.filter { $0.expiresAt > now }.count
    stats.waitingWebhooks = webhooks.values.filter { !$0.isDead }.count
    stats.deadWebhooks = webhooks.count - stats.waitingWebhooks
    stats.activeLadders = ladders.count
    return stats
  }

  package func sweep(_ policy: RetentionPolicy, limit: Int, now: Timestamp) throws(StoreError) -> SweepReport {
    try check()
    var report = SweepReport()
    let old = events.values.filter { $0.record.acceptedAt <= now.adding(seconds: -policy.eventSeconds) }
    for event in old.sorted(by: { $0.record.key < $1.record.key }).prefix(limit) {
      forget(event, now)
      report.events += 1
    }
    if let bodySeconds = policy.bodySeconds {
      for (key, event) in events where event.record.acceptedAt <= now.adding(seconds: -bodySeconds) {
        if event.record.body.isEmpty || isOpen(key) { continue }
        events[key]?.record.body = []
        report.bodies += 1
      }
    }
    let count = auditEntries.count + webhooks.count + nonces.count
    auditEntries.removeAll { $0.entry.at <= now.adding(seconds: -policy.auditSeconds) }
    webhooks = webhooks.filter { !$0.value.isDead || $0.value.createdAt > now.adding(seconds: -policy.webhookSeconds) }
    nonces = nonces.filter { $0.value > now }
    report.others = count - auditEntries.count - webhooks.count - nonces.count
    report.more = old.count > limit
    return report
  }

  private func isOpen(_ key: Int64) -> Bool {
    (deliveriesOfEvent[key] ?? []).contains {
      deliveries[$0].map { $0.state.isOpen || $0.state == .ambiguous } ?? false
    }
  }

  private func forget(_ event: StoredEvent, _ now: Timestamp) {
    let key = event.record.key
    for id in (deliveriesOfEvent[key] ?? []) {
      if let record = deliveries[id], record.state.isOpen { change(record) { $0.expire(now: now) } }
      deliveries[id] = nil
      held.remove(id)
    }
    deliveriesOfEvent[key] = nil
    events[key] = nil
    eventKeys[event.record.id] = nil
    ladders[key] = nil
    if let idempotencyKey = event.idempotencyKey { answers[idempotencyKey] = nil }
  }

  package func backup(to path: String) throws(StoreError) {
    throw .unsupported("The in-memory store has no backup. Use a SQLite file or PostgreSQL.")
  }
}

import AloudServer
import HTTPTransport
import Store
import TestSupport

/// A store that fails when the test says so, as a database does that restarts or loses a connection.
final class FaultyStore: Store {
  /// What can fail.
  enum Call { case claim, markSending, finish }
  /// Whether the call has done its work when it fails.
  enum Moment: CaseIterable { case undone, done }

  let inner: any Store
  /// Whether the store stays open when the server closes it, for the test to read what is left.
  let staysOpen = Locked(false)
  private let faults = Locked<[(call: Call, moment: Moment)]>([])
  private let chance = Locked<(random: SeededChance, oneIn: UInt64)?>(nil)
  private let failed = Locked(0)
  /// The names by which workers have registered.
  let registered = Locked<[String]>([])
  /// What goes on while the store works on a claim.
  let duringClaims = Locked<(@Sendable () async -> Void)?>(nil)

  init(_ inner: any Store) { self.inner = inner }

  /// The next such call fails; more than one may wait.
  func fail(_ call: Call, _ moment: Moment) { faults.withLock { $0.append((call, moment)) } }

  /// From now on about one of `count` calls of any kind fails, undone or done as the seed draws; nil ends it.
  func failOften(oneIn count: UInt64, seed: UInt64?) {
    chance.withLock { $0 = seed.map { (SeededChance(seed: $0), count) } }
  }

  /// How many calls have failed.
  var failures: Int { failed.withLock { $0 } }

  private func trying<Value>(
    _ call: Call?, _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let told = faults.withLock { faults in
      faults.firstIndex { $0.call == call }.map { faults.remove(at: $0).moment }
    }
    let drawn = chance.withLock { chance -> Moment? in
      guard var now = chance else { return nil }
      let fails = UInt64.random(in: 0..<now.oneIn, using: &now.random) == 0
      let isDone = Bool.random(using: &now.random)
      chance = now
      return fails ? isDone ? .done : .undone : nil
    }
    let moment = told ?? drawn
    guard let moment else { return try await body() }
    if moment == .done { _ = try await body() }
    failed.withLock { $0 += 1 }
    throw FaultyStore.lost
  }

  private static let lost = StoreError.unavailable(retryAfterSeconds: 1, reason: "The connection was lost.")

  // MARK: What may fail

  func claim(limit: Int, lease: WorkerLease, now: Timestamp) async throws(StoreError) -> ClaimBatch {
    await duringClaims.withLock { $0 }?()
    let waits = try await inner.nextDue().map { $0 <= now } ?? false
    if !waits { return try await inner.claim(limit: limit, lease: lease, now: now) }
    return try await trying(.claim) { () async throws(StoreError) in
      try await inner.claim(limit: limit, lease: lease, now: now)
    }
  }

  func markSending(_ intents: [SendIntent], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [IntentAnswer]
  {
    try await trying(.markSending) { () async throws(StoreError) in
      try await inner.markSending(intents, lease: lease, now: now)
    }
  }

  func finish(_ results: [SendResult], lease: WorkerLease, now: Timestamp) async throws(StoreError) -> [FinishAnswer] {
    try await trying(.finish) { () async throws(StoreError) in
      try await inner.finish(results, lease: lease, now: now)
    }
  }

  // MARK: What fails only by chance

  func close() async { if !staysOpen.withLock({ $0 }) { await inner.close() } }
  func wakeUps() -> AsyncStream<Void> { inner.wakeUps() }
  func nextDue() async throws(StoreError) -> Timestamp? {
    try await trying(nil) { () async throws(StoreError) in try await inner.nextDue() }
  }
  func recover(now: Timestamp) async throws(StoreError) -> RecoveryReport {
    try await trying(nil) { () async throws(StoreError) in try await inner.recover(now: now) }
  }
  func registerWorker(name: String, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> WorkerLease {
    registered.withLock { $0.append(name) }
    return try await trying(nil) { () async throws(StoreError) in
      try await inner.registerWorker(name: name, leaseSeconds: leaseSeconds, now: now)
    }
  }
  func heartbeat(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) -> WorkerLease {
    try await trying(nil) { () async throws(StoreError) in try await inner.heartbeat(lease, now: now) }
  }
  func retire(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) {
    try await trying(nil) { () async throws(StoreError) in try await inner.retire(lease, now: now) }
  }

  func accept(_ events: [NewEvent], now: Timestamp) async throws(StoreError) -> [AcceptOutcome] {
    try await trying(nil) { () async throws(StoreError) in try await inner.accept(events, now: now) }
  }
  func event(_ id: String) async throws(StoreError) -> EventHistory? {
    try await trying(nil) { () async throws(StoreError) in try await inner.event(id) }
  }
  func recentEvents(before: Int64?, limit: Int) async throws(StoreError) -> [EventRecord] {
    try await trying(nil) { () async throws(StoreError) in try await inner.recentEvents(before: before, limit: limit) }
  }
  func record(_ receipts: [NewReceipt], now: Timestamp) async throws(StoreError) -> [ReceiptOutcome] {
    try await trying(nil) { () async throws(StoreError) in try await inner.record(receipts, now: now) }
  }
  func pending(token: String, after: Int64, since: Timestamp, limit: Int) async throws(StoreError) -> [PendingEntry] {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.pending(token: token, after: after, since: since, limit: limit)
    }
  }
  func missed(by deliveries: [ClaimedDelivery], in window: MissedWindow, limit: Int) async throws(StoreError)
    -> [DeliveryID: [EventRecord]]
  {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.missed(by: deliveries, in: window, limit: limit)
    }
  }
  func requeue(_ requests: [Requeue], now: Timestamp) async throws(StoreError) -> [DeliveryID] {
    try await trying(nil) { () async throws(StoreError) in try await inner.requeue(requests, now: now) }
  }
  func extend(event id: String, to tokens: [String], due: Timestamp, note: String, now: Timestamp)
    async throws(StoreError) -> [DeliveryID]
  {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.extend(event: id, to: tokens, due: due, note: note, now: now)
    }
  }
  func note(_ notes: [TimelineNote], now: Timestamp) async throws(StoreError) {
    try await trying(nil) { () async throws(StoreError) in try await inner.note(notes, now: now) }
  }

  func upsert(_ device: NewDevice, now: Timestamp) async throws(StoreError) -> DeviceChange {
    try await trying(nil) { () async throws(StoreError) in try await inner.upsert(device, now: now) }
  }
  func removeDevice(token: String, reason: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.removeDevice(token: token, reason: reason, now: now)
    }
  }
  func prune(token: String, unregisteredSince since: Timestamp, now: Timestamp) async throws(StoreError)
    -> PruneOutcome
  {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.prune(token: token, unregisteredSince: since, now: now)
    }
  }
  func device(token: String) async throws(StoreError) -> Device? {
    try await trying(nil) { () async throws(StoreError) in try await inner.device(token: token) }
  }
  func devices(for target: Target, limit: Int) async throws(StoreError) -> [Device] {
    try await trying(nil) { () async throws(StoreError) in try await inner.devices(for: target, limit: limit) }
  }
  func devices(after key: Int64, limit: Int) async throws(StoreError) -> [Device] {
    try await trying(nil) { () async throws(StoreError) in try await inner.devices(after: key, limit: limit) }
  }
  func moveDevice(token: String, to environment: PushEnvironment, now: Timestamp) async throws(StoreError) -> Bool {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.moveDevice(token: token, to: environment, now: now)
    }
  }

  func claimLadderSteps(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> [DueLadderStep] {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.claimLadderSteps(limit: limit, leaseSeconds: leaseSeconds, now: now)
    }
  }
  func advanceLadder(_ step: DueLadderStep, detail: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await trying(nil) { () async throws(StoreError) in try await inner.advanceLadder(step, detail: detail, now: now)
    }
  }
  func enqueue(_ webhooks: [NewWebhook], now: Timestamp) async throws(StoreError) {
    try await trying(nil) { () async throws(StoreError) in try await inner.enqueue(webhooks, now: now) }
  }
  func claimWebhooks(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> [ClaimedWebhook] {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.claimWebhooks(limit: limit, leaseSeconds: leaseSeconds, now: now)
    }
  }
  func finishWebhook(_ webhook: ClaimedWebhook, _ outcome: WebhookOutcome, now: Timestamp) async throws(StoreError)
    -> Bool
  { try await trying(nil) { () async throws(StoreError) in try await inner.finishWebhook(webhook, outcome, now: now) } }

  func addKey(_ key: APIKey) async throws(StoreError) {
    try await trying(nil) { () async throws(StoreError) in try await inner.addKey(key) }
  }
  func key(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    try await trying(nil) { () async throws(StoreError) in try await inner.key(hash: hash) }
  }
  func keys() async throws(StoreError) -> [APIKey] {
    try await trying(nil) { () async throws(StoreError) in try await inner.keys() }
  }
  func revokeKey(id: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await trying(nil) { () async throws(StoreError) in try await inner.revokeKey(id: id, now: now) }
  }
  func providerToken(team: String, keyID: String) async throws(StoreError) -> SharedProviderToken? {
    try await trying(nil) { () async throws(StoreError) in try await inner.providerToken(team: team, keyID: keyID) }
  }
  func offerProviderToken(_ token: String, team: String, keyID: String, replacing: Int64, now: Timestamp)
    async throws(StoreError) -> SharedProviderToken
  {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.offerProviderToken(token, team: team, keyID: keyID, replacing: replacing, now: now)
    }
  }
  func claimNonce(scope: String, nonce: String, until: Timestamp, now: Timestamp) async throws(StoreError) -> Bool {
    try await trying(nil) { () async throws(StoreError) in
      try await inner.claimNonce(scope: scope, nonce: nonce, until: until, now: now)
    }
  }
  func audit(_ entries: [AuditEntry]) async throws(StoreError) {
    try await trying(nil) { () async throws(StoreError) in try await inner.audit(entries) }
  }
  func auditLog(before: Int64?, limit: Int) async throws(StoreError) -> [StoredAuditEntry] {
    try await trying(nil) { () async throws(StoreError) in try await inner.auditLog(before: before, limit: limit) }
  }
  func stats(now: Timestamp) async throws(StoreError) -> StoreStats {
    try await trying(nil) { () async throws(StoreError) in try await inner.stats(now: now) }
  }
  func sweep(_ policy: RetentionPolicy, limit: Int, now: Timestamp) async throws(StoreError) -> SweepReport {
    try await trying(nil) { () async throws(StoreError) in try await inner.sweep(policy, limit: limit, now: now) }
  }
  func backup(to path: String) async throws(StoreError) {
    try await trying(nil) { () async throws(StoreError) in try await inner.backup(to: path) }
  }
}

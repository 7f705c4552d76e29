// Room: the store protocol with its models, and an in-memory store.

/// Everything the server keeps: one value behind which memory, SQLite or PostgreSQL stands.
///
/// All three pass one contract suite (Tests/StoreTests). Rules that hold for every call:
/// - When a call that changes something returns, the change is durable (the in-memory store excepted);
///   when it throws, nothing of it was written.
/// - The store has no clock, no chance and no identity of its own: `now`, ids and due times are given.
/// - Calls may be made from any number of tasks at once.
/// - No error description and no log line of a store holds an event body, a token, a key or an amount.
package protocol Store: EventStore, DeviceStore, WorkQueue, LadderStore, WebhookStore, KeyStore, Housekeeping {
  /// Stops the store's threads after what is already queued has been committed. Later calls throw `StoreError.closed`.
  func close() async
}

/// Accepting events and telling what became of them.
package protocol EventStore: Sendable {
  /// Accepts a batch of events; one bad never fails the rest, and each gets its own outcome in the same order.
  ///
  /// In one transaction per batch: the idempotency check, the choice of devices for the target, the event and one
  /// delivery per device. A repeat (same idempotency key or same event id, same `digest`) gets the first answer.
  func accept(_ events: [NewEvent], now: Timestamp) async throws(StoreError) -> [AcceptOutcome]

  /// The event with its deliveries and its timeline in order of time, or nil when there is none (any more).
  func event(_ id: String) async throws(StoreError) -> EventHistory?

  /// The newest events first, for the console; `before` is the `key` of the last one of the page before.
  func recentEvents(before: Int64?, limit: Int) async throws(StoreError) -> [EventRecord]

  /// Notes receipts from phones. Proof only rises (see `Proof`), so receipts may come twice and in any order.
  ///
  /// Proof that the event was dealt with settles a delivery that waits or is held as ambiguous, so it is not sent again,
  /// and stops the event's fallback ladder.
  func record(_ receipts: [NewReceipt], now: Timestamp) async throws(StoreError) -> [ReceiptOutcome]

  /// The ledger of a device that was offline: its deliveries without any proof, oldest first, with their events.
  ///
  /// - Parameters:
  ///   - after: only entries with a greater per-device sequence number (0: from the start)
  ///   - since: only events accepted at or after this time
  func pending(token: String, after: Int64, since: Timestamp, limit: Int) async throws(StoreError) -> [PendingEntry]

  /// For each of these deliveries the earlier ones of its device that the gateway took and no receipt has come for, oldest first,
  /// at most `limit`: what a phone that was off has not heard. Only the last `MissedWindow.deliveries` of a device are looked at.
  func missed(by deliveries: [ClaimedDelivery], in window: MissedWindow, limit: Int) async throws(StoreError)
    -> [DeliveryID: [EventRecord]]

  /// Puts deliveries back into the queue: a resend by the fallback ladder, or a replay that a person asked for.
  ///
  /// Deliveries that are under way (claimed or sending) are left alone. Returns those that now wait.
  func requeue(_ requests: [Requeue], now: Timestamp) async throws(StoreError) -> [DeliveryID]

  /// Adds deliveries of a stored event to further devices (a step of the fallback ladder). Devices that have one are skipped.
  func extend(event id: String, to tokens: [String], due: Timestamp, note: String, now: Timestamp)
    async throws(StoreError) -> [DeliveryID]

  /// Adds entries to the timeline of an event (`delivery` nil) or of its deliveries.
  func note(_ notes: [TimelineNote], now: Timestamp) async throws(StoreError)

  /// Events that an application enqueued inside its own transaction (PostgreSQL: `aloud_enqueue(json)`), oldest first.
  ///
  /// They are leased for `leaseSeconds` and come again unless `settleEnqueued` is called. Accepting one twice is harmless:
  /// its `id` is the event id. Stores without such an inbox give none.
  func takeEnqueued(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> [EnqueuedEvent]

  /// Ends the stay of events in the inbox: accepted ones are deleted, refused ones are kept with the reason for a person.
  func settleEnqueued(_ outcomes: [EnqueuedOutcome], now: Timestamp) async throws(StoreError)
}

/// The registry of devices.
package protocol DeviceStore: Sendable {
  /// Registers a device, or renews what is known about it. `now` becomes `registeredAt`.
  func upsert(_ device: NewDevice, now: Timestamp) async throws(StoreError) -> DeviceChange

  /// Removes a device; its open deliveries fail with `reason`. Returns false when it was not registered.
  func removeDevice(token: String, reason: String, now: Timestamp) async throws(StoreError) -> Bool

  /// Removes a device that APNs calls unregistered since `since` (410), unless it was registered again after that time.
  func prune(token: String, unregisteredSince since: Timestamp, now: Timestamp) async throws(StoreError) -> PruneOutcome

  /// The device with this token.
  func device(token: String) async throws(StoreError) -> Device?

  /// The devices an event with this target would go to.
  func devices(for target: Target, limit: Int) async throws(StoreError) -> [Device]

  /// A page of all devices in order of their key; `after` is the `key` of the last one of the page before (0: from the start).
  func devices(after key: Int64, limit: Int) async throws(StoreError) -> [Device]

  /// Moves a device to another APNs environment after BadDeviceToken; it is unproven there. False: not registered.
  func moveDevice(token: String, to environment: PushEnvironment, now: Timestamp) async throws(StoreError) -> Bool
}

/// Work for the senders: leases, claims, the intent to send, results.
package protocol WorkQueue: Sendable {
  /// Registers a worker. An older registration of the same name is fenced at once and its work released (see `recover`).
  ///
  /// - Parameters:
  ///   - name: unique per running worker; a process that restarts with its old name gets its work back without waiting
  ///   - leaseSeconds: after this time without a heartbeat others take the work over
  func registerWorker(name: String, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> WorkerLease

  /// Extends the lease. Throws `StoreError.fenced` when others have taken the work over: drop it and register again.
  func heartbeat(_ lease: WorkerLease, now: Timestamp) async throws(StoreError) -> WorkerLease

  /// Ends a registration in good order; what it still holds is released as in `recover`.
  func retire(_ lease: WorkerLease, now: Timestamp) async throws(StoreError)

  /// Takes over the work of workers whose lease has run out, and expires what was held as ambiguous. Any worker may call it, often.
  ///
  /// Claimed deliveries wait again. Deliveries in `sending` are ambiguous: class `must-hear` waits again, marked as a
  /// re-send; class `at-most-once` is held until a receipt or its expiry.
  func recover(now: Timestamp) async throws(StoreError) -> RecoveryReport

  /// Claims deliveries that are due: per device and lane in order, lanes by weight without starvation.
  ///
  /// What is past its `until` is settled as expired instead. Throws `StoreError.fenced` for a lease that was taken over.
  func claim(limit: Int, lease: WorkerLease, now: Timestamp) async throws(StoreError) -> ClaimBatch

  /// Writes the intent to send before any byte leaves. Send only what answers `.go`.
  func markSending(_ intents: [SendIntent], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [IntentAnswer]

  /// Writes what became of claimed or sending deliveries. An outcome for something lost to another worker changes nothing.
  func finish(_ results: [SendResult], lease: WorkerLease, now: Timestamp) async throws(StoreError) -> [FinishAnswer]

  /// When the next waiting delivery, ladder step or webhook is due (it may be in the past); nil: nothing waits.
  func nextDue() async throws(StoreError) -> Timestamp?

  /// A stream that yields after commits (also of other processes, where the store can know) that made work due.
  ///
  /// It is a hint, buffered to one: after each element claim until a claim comes back empty. It ends when the store closes.
  func wakeUps() -> AsyncStream<Void>
}

/// Timers of the fallback ladder: one row for an event while steps remain and no proof has come.
package protocol LadderStore: Sendable {
  /// Claims steps that are due, for `leaseSeconds`.
  func claimLadderSteps(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> [DueLadderStep]

  /// Notes the step as done (a `fallback` entry in the timeline with `detail`) and goes to the next, or ends the ladder.
  /// False: proof came or another worker has it.
  func advanceLadder(_ step: DueLadderStep, detail: String, now: Timestamp) async throws(StoreError) -> Bool
}

/// The queue of outgoing webhooks.
package protocol WebhookStore: Sendable {
  /// Queues webhooks; one whose `id` is known is ignored.
  func enqueue(_ webhooks: [NewWebhook], now: Timestamp) async throws(StoreError)
  /// Claims webhooks that are due, for `leaseSeconds`; what is not finished by then comes again.
  func claimWebhooks(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> [ClaimedWebhook]
  /// Writes what became of a claimed webhook. False: the lease had run out and it was claimed again.
  func finishWebhook(_ webhook: ClaimedWebhook, _ outcome: WebhookOutcome, now: Timestamp) async throws(StoreError)
    -> Bool
}

/// Keys, shared provider tokens, nonces and the audit log.
package protocol KeyStore: Sendable {
  /// Adds an API key (only its hash is kept).
  func addKey(_ key: APIKey) async throws(StoreError)
  /// The key with this hash, also when it is revoked.
  func key(hash: [UInt8]) async throws(StoreError) -> APIKey?
  /// All keys, oldest first.
  func keys() async throws(StoreError) -> [APIKey]
  /// Revokes a key. False: unknown, or revoked before.
  func revokeKey(id: String, now: Timestamp) async throws(StoreError) -> Bool

  /// The provider token that all workers share for this team and signing key.
  func providerToken(team: String, keyID: String) async throws(StoreError) -> SharedProviderToken?
  /// Offers a freshly signed token. It is taken only if the stored generation is still `replacing` (0: none stored yet);
  /// the answer is the token that everyone must use now, one's own or that of a faster worker.
  func offerProviderToken(_ token: String, team: String, keyID: String, replacing: Int64, now: Timestamp)
    async throws(StoreError) -> SharedProviderToken

  /// Remembers a nonce (a replay guard for signed requests) until `until`. False: it was known and has not run out.
  func claimNonce(scope: String, nonce: String, until: Timestamp, now: Timestamp) async throws(StoreError) -> Bool

  /// Appends to the audit log.
  func audit(_ entries: [AuditEntry]) async throws(StoreError)
  /// The newest audit entries first; `before` is the `key` of the last one of the page before.
  func auditLog(before: Int64?, limit: Int) async throws(StoreError) -> [StoredAuditEntry]
}

/// Figures, retention, backup.
package protocol Housekeeping: Sendable {
  /// Figures for `/metrics` and `/readyz`.
  func stats(now: Timestamp) async throws(StoreError) -> StoreStats
  /// Deletes what is older than the policy allows, at most about `limit` rows. Call again while `more`.
  func sweep(_ policy: RetentionPolicy, limit: Int, now: Timestamp) async throws(StoreError) -> SweepReport
  /// Copies the whole store to a file while it stays in use. Stores without that throw `.unsupported` with what to do instead.
  func backup(to path: String) async throws(StoreError)
}

extension EventStore {
  package func takeEnqueued(limit: Int, leaseSeconds: Int, now: Timestamp) async throws(StoreError) -> [EnqueuedEvent] {
    []
  }

  package func settleEnqueued(_ outcomes: [EnqueuedOutcome], now: Timestamp) async throws(StoreError) {}

  /// Accepts one event.
  package func accept(_ event: NewEvent, now: Timestamp) async throws(StoreError) -> AcceptOutcome {
    let outcomes = try await accept([event], now: now)
    guard let first = outcomes.first else { throw .broken("The store gave no outcome for an event.") }
    return first
  }
}

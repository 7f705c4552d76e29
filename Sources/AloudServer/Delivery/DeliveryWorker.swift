internal import APNsWire
internal import ExactJSON
internal import HTTPTransport
internal import PushPayload
internal import SpokenText
internal import Store

/// Sends what waits in the queue: claims, writes the intent, hands to the gateway, writes what became of it.
///
/// Everything that matters is a row before it is a byte on the wire: a worker may be killed at any line here, and the next one
/// (or the same after its restart) goes on without losing an event and without saying one twice to an ear that heard it.
actor DeliveryWorker {
  /// What a worker needs.
  struct Environment: Sendable {
    var store: any Store
    var gateways: [String: any PushGateway]
    var maker: PushMaker
    /// Makes sounds; nil when this server renders none.
    var renderer: SoundRenderer?
    /// Whether somebody is told of deliveries that failed for good.
    var reportsFailures = false
    var time: TimeSource
    var log: ServerLog
    var metrics: Metrics
    /// A seed of chance for the jitter of retries.
    var chance: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  }

  /// A delivery with its push.
  private struct Ready {
    var delivery: ClaimedDelivery
    var push: GatewayPush
  }

  /// Its name, and the one it is registered by.
  private let name: String
  private var registeredName: String
  private let environment: Environment
  private var lease: WorkerLease?
  private var lookedAfterOthers = Timestamp.distantPast
  private var inFlight = 0
  private var isInRound = false
  private var results: [SendResult] = []
  /// Pushes whose intent is not written: the store did not answer, and is asked again.
  private var unwritten: [Ready] = []
  /// Whether a claim failed that may have left deliveries claimed of which this worker does not know.
  private var mayHoldUnknown = false
  private var isStopping = false
  private var tasks: [Task<Void, Never>] = []
  private var alarm: AsyncStream<Void>.Continuation?
  private var finished: [CheckedContinuation<Void, Never>] = []
  private let inbox = OutcomeInbox()
  private var isCollecting = false
  private var measures = DeliveryMeasures()

  /// Pushes under way at once.
  private static let width = 1_000
  /// A dead worker's lease runs out after so long at most, and the others look every second: taken over well within ten.
  private static let leaseSeconds = 7
  /// Deliveries in one claim: more would be a little cheaper, and would let an alarm wait for longer behind reports.
  private static let claimLimit = 128
  private static let tickSeconds = 1.0
  private static let missingGatewaySeconds = 15.0
  /// How far back a summary reaches, how many events it names, and how long a receipt may take.
  private static let missedSeconds = 86_400
  private static let missedLimit = 16
  private static let receiptSeconds = 15

  init(name: String, environment: Environment) {
    self.name = name
    registeredName = name
    self.environment = environment
  }

  /// Starts to work.
  func start() {
    let (alarms, alarm) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.alarm = alarm
    let wakeUps = environment.store.wakeUps()
    let time = environment.time
    inbox.onFilled { [weak self] in Task(executorPreference: TaskLane.deliveries) { await self?.collect() } }
    tasks = [
      Task(executorPreference: TaskLane.deliveries) { for await _ in wakeUps { alarm.yield() } },
      Task(executorPreference: TaskLane.deliveries) {
        while !Task.isCancelled {
          alarm.yield()
          do { try await time.sleep(DeliveryWorker.tickSeconds) } catch { return }
        }
      },
      Task(executorPreference: TaskLane.deliveries) { [weak self] in
        for await _ in alarms { await self?.round() }
        await self?.ended()
      },
    ]
  }

  /// Takes nothing new and waits for what is under way, for so long at most.
  func drain(seconds: Double) async {
    isStopping = true
    alarm?.yield()
    guard inFlight > 0 || isInRound else { return await flush() }
    let time = environment.time
    let limit = Task { [weak self] in
      do { try await time.sleep(seconds) } catch { return }
      await self?.endWaiting()
    }
    await withCheckedContinuation { finished.append($0) }
    limit.cancel()
    await flush()
  }

  private func endWaiting() {
    for waiting in finished { waiting.resume() }
    finished = []
  }

  /// Gives the lease back; what is still under way becomes of unknown fate, by the rules of its class.
  func stop() async {
    isStopping = true
    alarm?.finish()
    for task in tasks { task.cancel() }
    // The round that is under way comes to its end.
    await tasks.last?.value
    // The store may hold them as sending, and would take their fate for unknown; they have not left.
    results += unwritten.map {
      SendResult(ticket: $0.delivery.ticket, outcome: .retry(at: now, reason: "the server stops"))
    }
    unwritten = []
    await flush()
    if let lease { try? await environment.store.retire(lease, now: now) }
    lease = nil
  }

  private var now: Timestamp { Timestamp(milliseconds: environment.time.unixMilliseconds) }

  private func ended() { alarm = nil }

  // MARK: A round

  /// One look at the queue; never throws, because the next tick tries again.
  private func round() async {
    isInRound = true
    defer {
      isInRound = false
      if isStopping, inFlight == 0 { endWaiting() }
    }
    do throws(StoreError) {
      try await keepLease()
      try await writeIntents()
      while !isStopping, !mayHoldUnknown, inFlight < DeliveryWorker.width, try await claim() {
        // With much that waits a round outlasts any lease.
        try await keepLease()
      }
    } catch {
      if error == .fenced { await beginAnew() }
      if error != .closed {
        environment.log.write(.warning, "the store did not take part in a round", ["worker": .identifier(name)])
      }
    }
  }

  /// The lease is lost: taken over, or another process has registered by the same name.
  ///
  /// By another name from now on, so that two never take their work from each other in turns.
  private func beginAnew() async {
    if let lease { try? await environment.store.retire(lease, now: now) }
    lease = nil
    registeredName = "\(name)-\(String(environment.chance(), radix: 36))"
  }

  private func keepLease() async throws(StoreError) {
    // Registered anew, the worker gets back what it claimed without knowing; so nothing that it does know may be left.
    if mayHoldUnknown, inFlight == 0, unwritten.isEmpty, results.isEmpty { lease = nil }
    guard let held = lease else {
      lease = try await environment.store.registerWorker(
        name: registeredName, leaseSeconds: DeliveryWorker.leaseSeconds, now: now)
      mayHoldUnknown = false
      return try await lookAfterOthers()
    }
    if held.expiresAt.adding(milliseconds: -Int64(DeliveryWorker.leaseSeconds) * 500) < now {
      lease = try await environment.store.heartbeat(held, now: now)
    }
    if lookedAfterOthers.adding(seconds: 1) <= now { try await lookAfterOthers() }
  }

  /// Takes over the work of workers that have died, and ends what was held too long.
  private func lookAfterOthers() async throws(StoreError) {
    lookedAfterOthers = now
    _ = try await environment.store.recover(now: now)
  }

  /// Claims and sends one batch; whether more may wait.
  private func claim() async throws(StoreError) -> Bool {
    guard let lease else { return false }
    let limit = min(DeliveryWorker.claimLimit, DeliveryWorker.width - inFlight)
    let batch: ClaimBatch
    do { batch = try await environment.store.claim(limit: limit, lease: lease, now: now) } catch {
      mayHoldUnknown = true
      throw error
    }
    // Who has taken less than all that he may has emptied the queue; what comes later wakes the worker.
    let mayBeMore = batch.claimed.count == limit || !batch.expired.isEmpty
    guard !batch.claimed.isEmpty else { return mayBeMore }
    let missed = await missed(by: batch.claimed)
    var ready: [Ready] = []
    var unspoken: [PushMaker.Draft] = []
    for delivery in batch.claimed {
      do throws(PushMaker.Refusal) {
        let draft = try environment.maker.draft(delivery, missed: missed[delivery.ticket.id] ?? [])
        if draft.needsSound, environment.renderer != nil {
          unspoken.append(draft)
        } else {
          ready.append(Ready(delivery: delivery, push: try environment.maker.finish(draft)))
        }
      } catch {
        results.append(SendResult(ticket: delivery.ticket, outcome: .failed(reason: error.reason)))
      }
    }
    render(unspoken)
    unwritten += ready
    try await writeIntents()
    return mayBeMore
  }

  /// Writes the intents to send, then sends, then writes what became of others.
  private func writeIntents() async throws(StoreError) {
    guard let lease else { return }
    let ready = unwritten
    unwritten = []
    if !ready.isEmpty {
      let answers: [IntentAnswer]
      do {
        answers = try await environment.store.markSending(
          ready.map { SendIntent(ticket: $0.delivery.ticket, rendered: $0.push.routeName) }, lease: lease, now: now)
      } catch {
        // Asked again: an intent that was written answers its holder the same. A fenced worker's are another's business now.
        if error != .fenced { unwritten = ready + unwritten }
        throw error
      }
      var going: [String: [Ready]] = [:]
      for (one, answer) in zip(ready, answers) where answer == .go {
        going[one.delivery.device.profile.gateway, default: []].append(one)
      }
      for (gateway, group) in going { send(group, through: gateway) }
    }
    try await write()
  }

  /// Makes the sounds beside the other deliveries; what cannot be made in time goes its other way.
  private func render(_ drafts: [PushMaker.Draft]) {
    guard let renderer = environment.renderer else { return }
    let maker = environment.maker
    inFlight += drafts.count
    for draft in drafts {
      Task { [weak self] in
        var sound: SoundReference?
        if let phrase = draft.phrase, let locale = try? SpokenLocale(draft.locale) {
          sound = try? await renderer.sound(phrase, locale: locale)
        }
        let push = Result { () throws(PushMaker.Refusal) in try maker.finish(draft, sound: sound) }
        await self?.rendered(draft.delivery, push)
      }
    }
  }

  private func rendered(_ delivery: ClaimedDelivery, _ push: Result<GatewayPush, PushMaker.Refusal>) async {
    switch push {
    case .success(let push):
      unwritten.append(Ready(delivery: delivery, push: push))
      do throws(StoreError) { try await writeIntents() } catch {
        environment.log.write(.warning, "a rendered push waits for the store")
      }
    case .failure(let refusal):
      results.append(SendResult(ticket: delivery.ticket, outcome: .failed(reason: refusal.reason)))
      await flush()
    }
    settleInFlight(1)
  }

  /// Earlier events that these phones have not confirmed: they were off, and APNs kept only the newest.
  private func missed(by claimed: [ClaimedDelivery]) async -> [DeliveryID: [PushPayload.PendingEntry]] {
    let asking = claimed.filter { $0.sequence > 1 && $0.event.lane != .report && !$0.isReplay }
    if asking.isEmpty { return [:] }
    let window = MissedWindow(
      since: now.adding(seconds: -DeliveryWorker.missedSeconds),
      before: now.adding(seconds: -DeliveryWorker.receiptSeconds))
    let found = try? await environment.store.missed(by: asking, in: window, limit: DeliveryWorker.missedLimit)
    return (found ?? [:]).mapValues { events in
      events.compactMap { event in StoredEvent(event.body).map { PushPayload.PendingEntry($0.event) } }
    }
  }

  private func send(_ group: [Ready], through name: String) {
    guard let gateway = environment.gateways[name] else {
      // The operator may configure it in time: kept and tried again until it would be too late to be spoken.
      results += group.map { one in
        let delivery = one.delivery
        let moment = retry(delivery, DeliveryWorker.missingGatewaySeconds)
        return SendResult(
          ticket: delivery.ticket,
          outcome: moment.map { .retry(at: $0, reason: "this server has no gateway “\(name)”") } ?? .expired)
      }
      return
    }
    inFlight += group.count
    let (inbox, deliveries) = (inbox, group.map(\.delivery))
    // A second before the lease ends nothing more may leave: it may have been taken over when it does.
    let seconds = lease.map { Double($0.expiresAt.milliseconds - now.milliseconds) / 1_000 - 1 }
    let pushes = group.map { one in
      var push = one.push
      push.leaveWithinSeconds = seconds
      return push
    }
    gateway.send(pushes) { index, outcome in
      inbox.add(OutcomeInbox.Entry(group: deliveries, index: index, outcome: outcome))
    }
  }

  // MARK: Outcomes

  /// Settles what has come until nothing is left: what comes during one commit goes into the next.
  private func collect() async {
    guard !isCollecting else { return }
    isCollecting = true
    defer { isCollecting = false }
    while true {
      let outcomes = inbox.take()
      if outcomes.isEmpty { return }
      for one in outcomes where !settledAtOnce(one) { await settle(one.group[one.index], one.outcome) }
      await flush()
      settleInFlight(outcomes.count)
    }
  }

  private func settleInFlight(_ count: Int) {
    let wasFull = inFlight >= DeliveryWorker.width
    inFlight -= count
    if isStopping, inFlight == 0, !isInRound {
      endWaiting()
    } else if wasFull {
      // Otherwise whatever became due has woken the worker through the store.
      alarm?.yield()
    }
  }

  private func flush() async {
    measures.report(to: environment.metrics)
    do { try await write() } catch {
      environment.log.write(.warning, "outcomes wait for the store", ["count": .count(results.count)])
    }
  }

  /// Writes the outcomes; what could not be written stays for the next time.
  private func write() async throws(StoreError) {
    guard !results.isEmpty, let lease else { return }
    let batch = results
    results = []
    do {
      _ = try await environment.store.finish(batch, lease: lease, now: now)
    } catch {
      // A fenced worker's outcomes are another's business now.
      if error != .fenced { results = batch + results }
      throw error
    }
  }

  /// Settles what nearly every push is: accepted where it was sent to.
  ///
  /// False: ``settle(_:_:)`` has to look.
  private func settledAtOnce(_ entry: OutcomeInbox.Entry) -> Bool {
    guard case .accepted(let id, let accepted) = entry.outcome else { return false }
    return entry.group.withUnsafeBufferPointer { group in
      guard group[entry.index].device.profile.environment == accepted else { return false }
      add(group[entry.index], .sent(gatewayID: id))
      return true
    }
  }

  private func settle(_ delivery: ClaimedDelivery, _ outcome: GatewayOutcome) async {
    let store = environment.store
    let token = delivery.device.token
    switch outcome {
    case .accepted(let id, let accepted):
      _ = try? await store.moveDevice(token: token, to: accepted, now: now)
      add(delivery, .sent(gatewayID: id), provesDevice: true)
    case .refused(let reason):
      add(delivery, .failed(reason: reason))
      await report(delivery, reason)
    case .unregistered(let reason, let since):
      add(delivery, .failed(reason: reason))
      await report(delivery, reason)
      await flush()
      let moment = since.map { Timestamp(milliseconds: $0) } ?? now
      _ = try? await store.prune(token: token, unregisteredSince: moment, now: now)
    case .ambiguous(let reason):
      let resend = delivery.event.deliveryClass == .mustHear ? retry(delivery, nil) : nil
      add(delivery, .ambiguous(resendAt: resend, reason: reason))
    case .notSent(let reason, let seconds):
      if let moment = retry(delivery, seconds) {
        add(delivery, .retry(at: moment, reason: reason))
      } else {
        add(delivery, .expired)
      }
    }
  }

  /// Tells the owner's webhook of a delivery that failed for good.
  private func report(_ delivery: ClaimedDelivery, _ reason: String) async {
    guard environment.reportsFailures else { return }
    let webhook = NewWebhook(
      id: "\(delivery.event.id).failed.\(delivery.ticket.id.rawValue)", endpoint: WebhookRunner.endpoint,
      body: WebhookBody.failed(delivery, reason: reason, at: now).serializedBytes(), due: now)
    try? await environment.store.enqueue([webhook], now: now)
  }

  private func add(_ delivery: ClaimedDelivery, _ outcome: SendOutcome, provesDevice: Bool? = nil) {
    measures.add(
      gateway: delivery.device.profile.gateway, outcome: outcome,
      seconds: environment.time.now() - Double(delivery.event.acceptedAt.milliseconds) / 1_000)
    results.append(
      SendResult(ticket: delivery.ticket, outcome: outcome, provesDevice: provesDevice ?? !delivery.device.isProven))
  }

  /// When to try again, with full jitter; nil when it would be too late to be spoken.
  private func retry(_ delivery: ClaimedDelivery, _ askedSeconds: Double?) -> Timestamp? {
    var random = SeededStep(value: environment.chance())
    let current = environment.time.now()
    let decision = RetryPolicy().next(
      failures: delivery.attempts, retryAfterSeconds: askedSeconds, now: current,
      until: delivery.event.until.map { Double($0.milliseconds) / 1_000 }, using: &random)
    guard case .again(let seconds) = decision else { return nil }
    return now.adding(milliseconds: Int64(seconds * 1_000))
  }
}

extension GatewayPush {
  fileprivate var routeName: String { notification.payload["aloud"]?["route"]?.stringValue ?? "chime" }
}

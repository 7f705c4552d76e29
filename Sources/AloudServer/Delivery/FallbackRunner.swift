internal import ExactJSON
internal import PushPayload
internal import Store

/// Takes the steps of the fallback ladder: what is done while nobody has proof that an event was heard.
struct FallbackRunner: Sendable {
  let store: any Store
  let time: TimeSource
  let metrics: Metrics
  let log: ServerLog
  /// Whether the step `webhook` has somewhere to go.
  let hasWebhook: Bool

  private static let batch = 50
  private static let leaseSeconds = 30

  private var now: Timestamp { Timestamp(milliseconds: time.unixMilliseconds) }

  /// Takes every step that is due; true when there may be more.
  func round() async -> Bool {
    do throws(StoreError) {
      let steps = try await store.claimLadderSteps(
        limit: FallbackRunner.batch, leaseSeconds: FallbackRunner.leaseSeconds, now: now)
      for step in steps { try await take(step) }
      return steps.count == FallbackRunner.batch
    } catch {
      if error != .closed { log.write(.warning, "the fallback ladder waits for the store") }
      return false
    }
  }

  // Every step can be done twice without harm, so it is done before it is noted: a kill in between repeats it.
  private func take(_ due: DueLadderStep) async throws(StoreError) {
    let detail: String
    switch Ladder.Step(rawValue: due.step.action) {
    case .push: detail = try await sendAgain(due)
    case .device: detail = try await tryOtherDevices(due)
    case .webhook: detail = try await callWebhook(due)
    case nil: detail = "\(due.step.action): this server does not know this step"
    }
    metrics.count(.fallbacks, [due.step.action])
    _ = try await store.advanceLadder(due, detail: detail, now: now)
  }

  private func isStale(_ due: DueLadderStep) -> Bool { due.event.until.map { $0 <= now } ?? false }

  private func sendAgain(_ due: DueLadderStep) async throws(StoreError) -> String {
    guard !isStale(due) else { return "push: not again, it is too late to be spoken" }
    let open = due.deliveries.filter { $0.proof == .none && [.sent, .ambiguous].contains($0.state) }
    let requests = open.map { Requeue(delivery: $0.id, due: now, reason: .resend("no proof of hearing")) }
    let waiting = requests.isEmpty ? [] : try await store.requeue(requests, now: now)
    return waiting.isEmpty ? "push: nothing to send again" : "push: sent again to \(waiting.count)"
  }

  private func tryOtherDevices(_ due: DueLadderStep) async throws(StoreError) -> String {
    guard !isStale(due) else { return "device: not now, it is too late to be spoken" }
    let known = Set(due.deliveries.compactMap(\.token))
    var others: [String] = []
    for user in Set(due.deliveries.compactMap(\.user)).sorted() {
      others += try await store.devices(for: .user(user), limit: 20).map(\.token).filter { !known.contains($0) }
    }
    guard !others.isEmpty else { return "device: the user has no other" }
    let added = try await store.extend(
      event: due.event.id, to: others, due: now, note: "no proof of hearing on the first device", now: now)
    return "device: \(added.count) more"
  }

  private func callWebhook(_ due: DueLadderStep) async throws(StoreError) -> String {
    guard hasWebhook else { return "webhook: none is configured" }
    let body = WebhookBody.unheard(due, at: now)
    try await store.enqueue(
      [
        NewWebhook(
          id: "\(due.event.id).unheard.\(due.index)", endpoint: WebhookRunner.endpoint, eventID: due.event.id,
          body: body.serializedBytes(), due: now)
      ], now: now)
    return "webhook: queued"
  }
}

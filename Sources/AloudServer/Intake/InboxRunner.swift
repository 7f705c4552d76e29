internal import ExactJSON
internal import Store

/// Takes events that applications put into the database inside their own transactions (PostgreSQL: `aloud_enqueue(json)`).
struct InboxRunner: Sendable {
  let store: any Store
  let intake: EventIntake
  let time: TimeSource
  let log: ServerLog
  let metrics: Metrics

  private static let batch = 500
  private static let leaseSeconds = 30

  private var now: Timestamp { Timestamp(milliseconds: time.unixMilliseconds) }

  /// Takes what is there; true when there may be more.
  func round() async -> Bool {
    do throws(StoreError) {
      let taken = try await store.takeEnqueued(
        limit: InboxRunner.batch, leaseSeconds: InboxRunner.leaseSeconds, now: now)
      guard !taken.isEmpty else { return false }
      try await accept(taken)
      return taken.count == InboxRunner.batch
    } catch {
      if error != .closed { log.write(.warning, "the inbox waits for the store") }
      return false
    }
  }

  private func accept(_ taken: [EnqueuedEvent]) async throws(StoreError) {
    let made = taken.map { enqueued in
      Result { () throws(Problem) in try event(enqueued) }
    }
    var outcomes = try await store.accept(made.compactMap { try? $0.get() }, now: now)[...]
    let settled = zip(taken, made).map { enqueued, event in
      switch event {
      case .failure(let problem): return EnqueuedOutcome(id: enqueued.id, refusal: problem.detail)
      case .success:
        guard case .refused(let refusal)? = outcomes.popFirst() else {
          metrics.count(.accepted)
          return EnqueuedOutcome(id: enqueued.id, refusal: nil)
        }
        return EnqueuedOutcome(id: enqueued.id, refusal: "\(refusal)")
      }
    }
    try await store.settleEnqueued(settled, now: now)
  }

  private func event(_ enqueued: EnqueuedEvent) throws(Problem) -> NewEvent {
    guard let json = try? JSON.parse(enqueued.json), var object = json.objectValue else {
      throw .malformed("The inbox's event is no JSON object.")
    }
    object["id"] = .string(enqueued.id)
    let request = try intake.request(object, now: Int(enqueued.enqueuedAt.milliseconds / 1_000))
    return intake.newEvent(request, source: object, key: nil)
  }
}

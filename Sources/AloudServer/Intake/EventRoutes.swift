internal import ExactJSON
internal import HTTPTransport
internal import PushPayload
internal import Store

/// Events in, timelines out.
struct EventRoutes: Sendable {
  let store: any Store
  let intake: EventIntake
  let time: TimeSource
  let metrics: Metrics
  let gate: QueueGate

  /// Events in one batch.
  static let batchLimit = 1_000
  /// Events looked at for one page of those in some state; the page's `next` goes on from there.
  private static let searchLimit = 2_000

  var endpoints: [Endpoint] {
    [
      Endpoint("POST", "/v1/events", .key(.send)) { call in try await accept(call) },
      Endpoint("POST", "/v1/events/batch", .key(.send)) { call in try await acceptBatch(call) },
      Endpoint("GET", "/v1/events", .key(.read)) { call in try await list(call) },
      Endpoint("GET", "/v1/events/{id}", .key(.read)) { call in try await history(call) },
      Endpoint("POST", "/v1/events/{id}/replay", .key(.send)) { call in try await replay(call) },
    ]
  }

  private var now: Timestamp { Timestamp(milliseconds: time.unixMilliseconds) }

  // MARK: In

  private func accept(_ call: Call) async throws -> HTTPResponse {
    try await gate.admit()
    let object = try call.jsonObject()
    let event = try newEvent(object, call, key: call.request.headers["idempotency-key"])
    let outcome: AcceptOutcome
    do { outcome = try await store.accept(event, now: now) } catch { throw Problem(error) }
    return .json(try EventRoutes.answer(outcome, metrics), status: 202)
  }

  private func acceptBatch(_ call: Call) async throws -> HTTPResponse {
    try await gate.admit()
    let body = try call.json()
    guard let list = body.arrayValue ?? body["events"]?.arrayValue else {
      throw Problem.invalid("", "must be a list of events, or an object with such a list as “events”")
    }
    guard (1...EventRoutes.batchLimit).contains(list.count) else {
      throw Problem.invalid("", "must have 1 to \(EventRoutes.batchLimit) events; this one has \(list.count)")
    }
    let made = list.map { value in
      Result { () throws(Problem) in
        guard let object = value.objectValue else { throw .invalid("", "must be an object, not \(value.kindName)") }
        return try newEvent(object, call, key: nil)
      }
    }
    let good = made.compactMap { try? $0.get() }
    var outcomes: ArraySlice<AcceptOutcome>
    do { outcomes = try await store.accept(good, now: now)[...] } catch { throw Problem(error) }
    let answers = made.map { one -> JSON in
      do {
        _ = try one.get()
        guard let outcome = outcomes.popFirst() else { throw Problem.internalError }
        return try EventRoutes.answer(outcome, metrics)
      } catch {
        var object = (error as? Problem ?? .internalError).json.objectValue ?? [:]
        object["status"] = .int((error as? Problem)?.status ?? 500)
        return .object(object)
      }
    }
    return .json(["results": .array(answers)], status: 202)
  }

  private func newEvent(_ object: JSONObject, _ call: Call, key: String?) throws(Problem) -> NewEvent {
    let request = try intake.request(object, now: time.unixSeconds)
    guard case .key(let scope, _) = call.caller else { throw .unauthorised }
    guard let key else { return intake.newEvent(request, source: object, key: nil) }
    guard (1...200).contains(key.utf8.count) else {
      throw .invalid("", "The header Idempotency-Key must have 1 to 200 bytes.")
    }
    return intake.newEvent(request, source: object, key: IdempotencyKey(scope: scope, key: key))
  }

  static func answer(_ outcome: AcceptOutcome, _ metrics: Metrics) throws(Problem) -> JSON {
    switch outcome {
    case .accepted(let event):
      metrics.count(.accepted)
      return EventRoutes.json(event, repeated: false)
    case .repeated(let event):
      metrics.count(.repeated)
      return EventRoutes.json(event, repeated: true)
    case .refused(.noDevices):
      throw .invalid("/to", "names nobody whose phone has registered; register it with POST /v1/devices first")
    case .refused(.tooManyDevices(let allowed)):
      throw .invalid("/to", "is more than \(allowed) devices; use smaller groups")
    case .refused(.keyReused), .refused(.idReused):
      throw Problem(
        409, "reused", "The id belongs to another event",
        detail: "The same id or Idempotency-Key was used with other content. Nothing was accepted. Use a new one.")
    case .refused(.queueFull(let seconds)):
      throw .queueFull("Nothing was accepted. Send it again with the same id.", afterSeconds: seconds)
    }
  }

  private static func json(_ event: AcceptedEvent, repeated: Bool) -> JSON {
    [
      "id": .string(event.id), "acceptedAt": .string(text(event.acceptedAt)), "repeated": .bool(repeated),
      "deliveries": .array(event.deliveries.map { .string(name($0)) }),
    ]
  }

  // MARK: Out

  private func list(_ call: Call) async throws -> HTTPResponse {
    let limit = try call.integer("limit", in: 1...200) ?? 50
    let wanted = call.request.query("state")
    if let wanted, !EventRoutes.states.contains(wanted) {
      throw Problem.invalid("?state", "must be one of \(EventRoutes.states.joined(separator: ", "))")
    }
    var before = try call.place("before")
    do throws(StoreError) {
      var events: [JSON] = []
      var looked = 0
      var hasMore = true
      while hasMore, events.count < limit, looked < EventRoutes.searchLimit {
        let records = try await store.recentEvents(before: before, limit: limit - events.count)
        hasMore = records.count == limit - events.count
        looked += records.count
        for record in records {
          let state = try await store.event(record.id).map(EventRoutes.state) ?? "accepted"
          if wanted == nil || wanted == state { events.append(.object(EventRoutes.json(record, state: state))) }
          before = record.key
        }
      }
      var page: JSONObject = ["events": .array(events)]
      if hasMore, let before { page["next"] = .string(String(before)) }
      return .json(.object(page))
    } catch { throw Problem(error) }
  }

  private func history(_ call: Call) async throws -> HTTPResponse {
    let history: EventHistory?
    do { history = try await store.event(call.parameter("id")) } catch { throw Problem(error) }
    guard let history else {
      throw Problem.notFound("No event has this id, or it is older than this server keeps them.")
    }
    var object = EventRoutes.json(history.event, state: EventRoutes.state(history))
    let shared = history.timeline.filter { $0.delivery == nil }
    object["timeline"] = .array(shared.map(EventRoutes.json))
    object["deliveries"] = .array(
      history.deliveries.map { delivery in
        let own = history.timeline.filter { $0.delivery == delivery.id }
        var device = JSONObject()
        device["id"] = .string(delivery.token.map(DeviceRoutes.id) ?? "gone")
        if let user = delivery.user { device["user"] = .string(user) }
        return [
          "id": .string(EventRoutes.name(delivery.id)), "device": .object(device), "state": .string(delivery.status),
          "attempts": .int(delivery.attempts), "timeline": .array((shared + own).map(EventRoutes.json)),
        ]
      })
    if let next = history.nextLadderStep {
      object["nextStep"] = ["action": .string(next.step.action), "at": .string(EventRoutes.text(next.due))]
    }
    return .json(.object(object))
  }

  private func replay(_ call: Call) async throws -> HTTPResponse {
    do {
      guard let history = try await store.event(call.parameter("id")) else {
        throw Problem.notFound("No event has this id, or it is older than this server keeps them.")
      }
      let until = now.adding(
        seconds: intake.configuration.rules(EventClass(history.event.lane)).speakWithinSeconds)
      let requests = history.deliveries.map {
        Requeue(delivery: $0.id, due: now, until: until, reason: .replay(call.caller.auditName))
      }
      let waiting = try await store.requeue(requests, now: now)
      try await store.audit([
        AuditEntry(at: now, actor: call.caller.auditName, action: "replay", target: history.event.id)
      ])
      return .json(
        ["id": .string(history.event.id), "deliveries": .array(waiting.map { .string(EventRoutes.name($0)) })],
        status: 202)
    } catch let error as StoreError { throw Problem(error) }
  }
}

extension EventRoutes {
  static func name(_ id: DeliveryID) -> String { "dlv_\(id.rawValue)" }

  static func text(_ moment: Timestamp) -> String { RFC3339.text(unixSeconds: Double(moment.milliseconds) / 1_000) }

  /// Every state that an event can have.
  static let states =
    Set(["accepted"] + DeliveryState.allCases.map(\.name) + Proof.allCases.filter { $0 != .none }.map(\.name)).sorted()

  /// The most that is known of an event: proof before progress.
  static func state(_ history: EventHistory) -> String {
    if let proven = history.deliveries.map(\.proof).max(), proven != .none { return proven.name }
    return history.deliveries.map(\.state).min { $0.rawValue < $1.rawValue }?.name ?? "accepted"
  }

  private static func json(_ record: EventRecord, state: String) -> JSONObject {
    let stored = StoredEvent(record.body)
    return [
      "id": .string(record.id), "kind": .string(record.kind), "state": .string(state),
      "class": .string(record.deliveryClass.name), "lane": .string(record.lane.name),
      "acceptedAt": .string(text(record.acceptedAt)), "event": stored?.event.json ?? [:],
    ]
  }

  private static func json(_ entry: TimelineEntry) -> JSON {
    var object: JSONObject = ["step": .string(entry.kind.name), "at": .string(text(entry.at))]
    if !entry.detail.isEmpty { object["detail"] = .string(entry.detail) }
    return .object(object)
  }
}

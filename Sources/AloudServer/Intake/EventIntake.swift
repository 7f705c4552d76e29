internal import Announcing
internal import ExactJSON
internal import HTTPTransport
internal import PushPayload
internal import SpokenText
internal import Store

/// Turns what a caller posts into an event that can be said, or says everything that is wrong with it.
struct EventIntake: Sendable {
  let configuration: ServerConfiguration
  /// Makes the id of an event that came without one.
  let makeID: @Sendable () -> String
  /// Where workers of this process find what was just accepted; nil when there are none.
  var memory: EventMemory?

  /// Reads one event.
  ///
  /// - Parameters:
  ///   - object: `{"id","to":{"user"|"device"|"group"},"kind","amount","currency","brand","from","text","locale","at","until","route",…}`.
  ///   - now: UNIX seconds.
  /// - Throws: ``Problem`` with every member that cannot be used; amounts are never repeated in it.
  func request(_ object: JSONObject, now: Int) throws(Problem) -> EventRequest {
    var reader = FieldReader(object)
    let id = reader.identifier("id") ?? makeID()
    // Its timeline would have the address of something else.
    if id == "batch" { reader.object(to: "id", "must not be “batch”, which is a word of the interface") }
    let target = target(&reader)
    var event = SpokenEvent(id: id, kind: reader.identifier("kind") ?? "")
    if object["kind"] == nil { reader.object(to: "kind", "is missing; say what happened, such as payment.received") }
    event.amount = reader.decimal("amount")
    event.currency = reader.text("currency", limit: 3)?.uppercased()
    event.brand = reader.text("brand", limit: 60)
    event.from = reader.text("from", limit: 120)
    event.text = reader.text("text", limit: 1_000)
    event.suffix = reader.text("suffix", limit: 12)
    event.group = reader.text("thread", limit: 64)
    event.locale = reader.text("locale", limit: 35)
    event.route = reader.word("route", as: Route.self)
    let eventClass =
      reader.word("class", as: EventClass.self) ?? EventClass(kind: event.knownKind?.rawValue ?? event.kind)
    event.at = reader.integer("at", in: 0...4_102_444_800) ?? now
    event.until =
      reader.integer("until", in: 0...4_102_444_800) ?? now + configuration.rules(eventClass).speakWithinSeconds
    let request = (
      sound: reader.text("sound", limit: 80), title: reader.text("title", limit: 200),
      body: reader.text("body", limit: 1_000)
    )
    reader.refuseUnknown()
    checkSayable(event, &reader)
    guard reader.problems.isEmpty, let target else { throw .invalid(reader.problems) }
    event.amount = canonicalAmount(event)
    return EventRequest(
      event: event, target: target, eventClass: eventClass, bundledSound: request.sound, title: request.title,
      body: request.body)
  }

  private func target(_ reader: inout FieldReader) -> EventTarget? {
    guard var to = reader.nested("to") else {
      if reader.problems.isEmpty { reader.object(to: "to", "is missing; name a user, a device or a group") }
      return nil
    }
    let given = (
      to.identifier("user", limit: 120), to.identifier("device", limit: 200), to.identifier("group", limit: 120)
    )
    to.refuseUnknown()
    reader.absorb(to)
    switch given {
    case (let user?, nil, nil): return .user(user)
    case (nil, let device?, nil): return .device(DeviceToken.canonical(device))
    case (nil, nil, let group?): return .group(group)
    default:
      if to.problems.isEmpty { reader.object(to: "to", "must name exactly one of user, device and group") }
      return nil
    }
  }

  // Only to learn whether there is a sentence; the phone's locale makes the one that is spoken.
  private func checkSayable(_ event: SpokenEvent, _ reader: inout FieldReader) {
    guard reader.problems.isEmpty else { return }
    do {
      try PhraseBook(tag: event.locale ?? "en-US").check(event)
    } catch {
      reader.object(to: EventIntake.member(error.code), error.message)
    }
  }

  private static func member(_ code: ReasonCode) -> String {
    switch code {
    case .currencyUnknown: "currency"
    case .localeUnknown: "locale"
    case .kindUnknown: "kind"
    case .textMissing, .timeUnreadable: "text"
    default: "amount"
    }
  }

  private func canonicalAmount(_ event: SpokenEvent) -> String? {
    guard let amount = event.amount, let currency = event.currency else { return event.amount }
    return (try? Amount(decimal: amount, currency: currency))?.decimalText ?? amount
  }

  /// The event as the store keeps it.
  ///
  /// - Parameters:
  ///   - request: The event, checked.
  ///   - source: What the caller sent; a repeat with other content under one key is told apart by its digest.
  ///   - key: The caller's idempotency key, if there is one.
  func newEvent(_ request: EventRequest, source: JSONObject, key: IdempotencyKey?) -> NewEvent {
    let event = request.event
    let stored = StoredEvent(request)
    let body = stored.json.serializedBytes()
    memory?.keep(stored, as: body)
    return NewEvent(
      id: event.id, idempotencyKey: key, digest: Crypto.sha256(JSON.object(source).sortedBytes()),
      body: body, kind: event.kind,
      deliveryClass: request.eventClass.promise == .mustHear ? .mustHear : .atMostOnce, lane: request.eventClass.lane,
      target: request.target.stored, at: Timestamp(seconds: Int64(event.at ?? 0)),
      until: event.until.map { Timestamp(seconds: Int64($0)) },
      ladder: configuration.rules(request.eventClass).ladder.rungs.map {
        LadderStep(afterSeconds: $0.afterSeconds, action: $0.step.rawValue)
      })
  }
}

extension EventTarget {
  fileprivate var stored: Target {
    switch self {
    case .user(let user): .user(user)
    case .device(let token): .device(token: token)
    case .group(let group): .group(group)
    }
  }
}

/// An event as its row keeps it: what is said, and what the banner shows instead of the phrase book's words.
struct StoredEvent: Sendable, Hashable {
  var event: SpokenEvent
  var bundledSound: String?
  var title: String?
  var body: String?

  init(_ request: EventRequest) {
    (event, bundledSound, title, body) = (request.event, request.bundledSound, request.title, request.body)
  }

  /// Reads a row's body; nil when it is not one of ours.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSON.parse(bytes), let event = SpokenEvent(json["event"]) else { return nil }
    self.event = event
    (bundledSound, title, body) = (json["sound"]?.stringValue, json["title"]?.stringValue, json["body"]?.stringValue)
  }

  var json: JSON {
    var members = [JSONObject.Member("event", event.json)]
    if let bundledSound { members.append(.init("sound", .string(bundledSound))) }
    if let title { members.append(.init("title", .string(title))) }
    if let body { members.append(.init("body", .string(body))) }
    return .object(JSONObject(distinct: members))
  }
}

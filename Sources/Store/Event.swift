/// Which queue a delivery waits in.
///
/// Lanes share the senders by weight; within a lane a device's order is kept.
package enum Lane: Int, CaseIterable, Hashable, Sendable {
  /// Fire, fall, door: before everything.
  case alarm = 0
  /// Money: the usual lane.
  case payment = 1
  /// Reports and the like: whenever there is room.
  case report = 2

  /// The word for logs, metrics and JSON.
  package var name: String { ["alarm", "payment", "report"][rawValue] }
}

/// What an ambiguous send means for an event.
package enum DeliveryClass: Int, CaseIterable, Hashable, Sendable {
  /// Rather not heard than risked twice on the wire: held until a receipt or its expiry.
  case atMostOnce = 0
  /// Sent again with the same collapse id and the re-send mark; the phone's ledger keeps it to once to the ear.
  case mustHear = 1

  /// The word for JSON and configuration.
  package var name: String { self == .atMostOnce ? "at-most-once" : "must-hear" }
}

/// Whom an event is for.
package enum Target: Hashable, Sendable {
  case device(token: String)
  case user(String)
  case group(String)
}

/// A key under which a caller may repeat a request.
package struct IdempotencyKey: Hashable, Sendable {
  /// Whose key it is (the API key's id), so that callers cannot collide.
  package var scope: String
  /// The value of the `Idempotency-Key` header.
  package var key: String

  package init(scope: String, key: String) {
    self.scope = scope
    self.key = key
  }
}

/// An event to accept.
package struct NewEvent: Hashable, Sendable {
  /// The event id, unique in the store; also the collapse id and the phone's once-only key.
  package var id: String
  /// The caller's key; nil: the event id alone makes repeats recognisable.
  package var idempotencyKey: IdempotencyKey?
  /// A digest of what the caller asked (SHA-256, say).
  ///
  /// A repeat with another digest is refused.
  package var digest: [UInt8]
  /// The canonical event JSON, kept byte for byte: amounts stay the text they were.
  package var body: [UInt8]
  /// `payment.received` and so on.
  package var kind: String
  package var deliveryClass: DeliveryClass
  package var lane: Lane
  package var target: Target
  /// When it happened.
  package var at: Timestamp
  /// After this time it is stale and is not sent or spoken; nil: never.
  package var until: Timestamp?
  /// Not to be sent before this time; nil: at once.
  package var notBefore: Timestamp?
  /// Fallback steps, each after so many seconds from acceptance without proof.
  package var ladder: [LadderStep]
  /// Accept it even if no device is registered for the target (the ladder may still reach someone).
  package var keepsWithoutDevices: Bool

  package init(
    id: String, idempotencyKey: IdempotencyKey? = nil, digest: [UInt8], body: [UInt8], kind: String,
    deliveryClass: DeliveryClass, lane: Lane, target: Target, at: Timestamp, until: Timestamp? = nil,
    notBefore: Timestamp? = nil, ladder: [LadderStep] = [], keepsWithoutDevices: Bool = false
  ) {
    self.id = id
    self.idempotencyKey = idempotencyKey
    self.digest = digest
    self.body = body
    self.kind = kind
    self.deliveryClass = deliveryClass
    self.lane = lane
    self.target = target
    self.at = at
    self.until = until
    self.notBefore = notBefore
    self.ladder = ladder
    self.keepsWithoutDevices = keepsWithoutDevices
  }
}

/// What the store answered to an event that it has.
package struct AcceptedEvent: Hashable, Sendable {
  package var id: String
  package var acceptedAt: Timestamp
  /// One for each device the event went to at acceptance, in order of their ids.
  package var deliveries: [DeliveryID]

  package init(id: String, acceptedAt: Timestamp, deliveries: [DeliveryID]) {
    self.id = id
    self.acceptedAt = acceptedAt
    self.deliveries = deliveries
  }
}

/// What became of one event of a batch.
package enum AcceptOutcome: Hashable, Sendable {
  /// New; durable now.
  case accepted(AcceptedEvent)
  /// Seen before: the first answer.
  case repeated(AcceptedEvent)
  /// Not stored.
  case refused(AcceptRefusal)

  /// The stored event, new or seen before.
  package var event: AcceptedEvent? {
    switch self {
    case .accepted(let event), .repeated(let event): event
    case .refused: nil
    }
  }
}

/// Why an event was not stored.
package enum AcceptRefusal: Hashable, Sendable {
  /// No registered device for the target.
  case noDevices
  /// More devices than one event may reach; the largest number allowed.
  case tooManyDevices(allowed: Int)
  /// The idempotency key was used for another request.
  case keyReused
  /// The event id was used for another event.
  case idReused
  /// Too many deliveries wait: answer 429 with `Retry-After`.
  case queueFull(retryAfterSeconds: Int)
}

/// A stored event.
package struct EventRecord: Hashable, Sendable {
  /// The store's own number for it, rising with acceptance.
  package var key: Int64
  package var id: String
  package var kind: String
  /// The event JSON as accepted; empty after retention has dropped it.
  package var body: [UInt8]
  package var deliveryClass: DeliveryClass
  package var lane: Lane
  package var at: Timestamp
  package var until: Timestamp?
  package var acceptedAt: Timestamp

  package init(
    key: Int64, id: String, kind: String, body: [UInt8], deliveryClass: DeliveryClass, lane: Lane, at: Timestamp,
    until: Timestamp?, acceptedAt: Timestamp
  ) {
    self.key = key
    self.id = id
    self.kind = kind
    self.body = body
    self.deliveryClass = deliveryClass
    self.lane = lane
    self.at = at
    self.until = until
    self.acceptedAt = acceptedAt
  }

  /// What a store keeps of an event that it accepts.
  package init(_ event: NewEvent, key: Int64, acceptedAt: Timestamp) {
    self.init(
      key: key, id: event.id, kind: event.kind, body: event.body, deliveryClass: event.deliveryClass, lane: event.lane,
      at: event.at, until: event.until, acceptedAt: acceptedAt)
  }
}

/// An event with everything that happened to it.
package struct EventHistory: Hashable, Sendable {
  package var event: EventRecord
  /// In order of their ids.
  package var deliveries: [DeliverySummary]
  /// In order of time.
  package var timeline: [TimelineEntry]
  /// The ladder step that comes next and when; nil: no ladder, or it has ended.
  package var nextLadderStep: PendingLadderStep?

  package init(
    event: EventRecord, deliveries: [DeliverySummary], timeline: [TimelineEntry], nextLadderStep: PendingLadderStep?
  ) {
    self.event = event
    self.deliveries = deliveries
    self.timeline = timeline
    self.nextLadderStep = nextLadderStep
  }
}

/// An event that an application put into the database's inbox.
package struct EnqueuedEvent: Hashable, Sendable {
  /// The event id: from the JSON, or made by the database.
  package var id: String
  /// The JSON text as the application gave it.
  package var json: [UInt8]
  package var enqueuedAt: Timestamp

  package init(id: String, json: [UInt8], enqueuedAt: Timestamp) {
    self.id = id
    self.json = json
    self.enqueuedAt = enqueuedAt
  }
}

/// What became of an event from the inbox.
package struct EnqueuedOutcome: Hashable, Sendable {
  package var id: String
  /// Nil: accepted.
  ///
  /// Otherwise why not, in words without amounts or tokens.
  package var refusal: String?

  package init(id: String, refusal: String? = nil) {
    self.id = id
    self.refusal = refusal
  }
}

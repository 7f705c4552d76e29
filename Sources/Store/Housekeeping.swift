/// Bounds that keep a store answering.
package struct StoreLimits: Hashable, Sendable {
  /// Deliveries that may be open at once before events are refused with `queueFull`.
  package var openDeliveries: Int
  /// Devices that one event may reach.
  package var devicesPerEvent: Int
  /// Calls that may wait for the database before new ones get `unavailable`.
  package var waitingCalls: Int

  package init(openDeliveries: Int = 1_000_000, devicesPerEvent: Int = 10_000, waitingCalls: Int = 20_000) {
    self.openDeliveries = openDeliveries
    self.devicesPerEvent = devicesPerEvent
    self.waitingCalls = waitingCalls
  }
}

/// How long things are kept, in seconds.
package struct RetentionPolicy: Hashable, Sendable {
  /// Settled events with their deliveries and timelines.
  ///
  /// Never less than `answerSeconds`: they are the idempotency answers.
  package var eventSeconds: Int
  /// Bodies of settled events; nil: as long as the event.
  package var bodySeconds: Int?
  /// Audit entries.
  package var auditSeconds: Int
  /// Webhooks that were given up.
  package var webhookSeconds: Int

  /// How long a repeated request gets its first answer: 30 days.
  package static let answerSeconds = 30 * 86_400

  package init(
    eventSeconds: Int = RetentionPolicy.answerSeconds, bodySeconds: Int? = nil, auditSeconds: Int = 400 * 86_400,
    webhookSeconds: Int = 30 * 86_400
  ) {
    self.eventSeconds = max(eventSeconds, RetentionPolicy.answerSeconds)
    self.bodySeconds = bodySeconds
    self.auditSeconds = auditSeconds
    self.webhookSeconds = webhookSeconds
  }
}

/// What a retention sweep did.
package struct SweepReport: Hashable, Sendable {
  package var events = 0
  package var bodies = 0
  package var others = 0
  /// Whether there is more to delete.
  package var more = false

  package init() {}
}

/// Figures for `/metrics`.
package struct StoreStats: Hashable, Sendable {
  /// `memory`, `sqlite`, `postgresql`.
  package var backend = ""
  package var devices = 0
  package var unprovenDevices = 0
  /// Open and held deliveries by lane (first index) and state.
  package var deliveries: [Lane: [DeliveryState: Int]] = [:]
  /// When the oldest due delivery became due, by lane.
  package var oldestDue: [Lane: Timestamp] = [:]
  package var liveWorkers = 0
  package var waitingWebhooks = 0
  package var deadWebhooks = 0
  package var activeLadders = 0
  /// Size of the database in bytes.
  package var bytes: Int64 = 0
  package var schemaVersion = 0

  package init() {}

  /// Open deliveries in all lanes.
  package var openDeliveries: Int {
    deliveries.values.reduce(0) { sum, states in
      sum + states.reduce(0) { $0 + ($1.key.isOpen ? $1.value : 0) }
    }
  }
}

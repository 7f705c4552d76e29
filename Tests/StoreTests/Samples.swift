import ServerTestSupport
import TestSupport
import Store

/// When the tests begin.
let t0 = Timestamp(seconds: 1_796_000_000)

/// A time so many seconds after `t0`.
func t(_ seconds: Int) -> Timestamp { t0.adding(seconds: seconds) }

/// A token of 64 hexadecimal digits made of a number.
func token(_ number: Int) -> String {
  let digits = String(number, radix: 16)
  return "a" + String(repeating: "0", count: 63 - digits.count) + digits
}

func event(
  _ id: String, to target: Target = .device(token: token(1)), lane: Lane = .payment,
  class deliveryClass: DeliveryClass = .atMostOnce, until: Timestamp? = nil, notBefore: Timestamp? = nil,
  key: IdempotencyKey? = nil, digest: [UInt8] = [1, 2, 3], ladder: [LadderStep] = [], keepsWithoutDevices: Bool = false
) -> NewEvent {
  NewEvent(
    id: id, idempotencyKey: key, digest: digest, body: Array("{\"id\":\"\(id)\",\"amount\":28.50}".utf8),
    kind: "payment.received", deliveryClass: deliveryClass, lane: lane, target: target, at: t0, until: until,
    notBefore: notBefore, ladder: ladder, keepsWithoutDevices: keepsWithoutDevices)
}

func device(
  _ number: Int, user: String? = nil, groups: [String] = [], environment: PushEnvironment = .production,
  secretHash: [UInt8]? = nil
) -> NewDevice {
  NewDevice(
    token: token(number),
    profile: DeviceProfile(
      environment: environment, topic: "com.example.shop", locale: "zh-CN", packID: "aloud-zh-CN", packVersion: "1.0.0",
      sounds: ["paid.caf", "door.caf"], app: "Shop 2.1"), user: user, groups: groups, secretHash: secretHash)
}

extension Store {
  /// Registers devices 1 … count of one user.
  func register(_ count: Int = 1, user: String? = "u1") async throws {
    for number in 1...count { _ = try await upsert(StoreTests.device(number, user: user), now: t0) }
  }

  /// Accepts an event and gives its delivery ids.
  @discardableResult
  func take(_ event: NewEvent, now: Timestamp = t0) async throws -> [DeliveryID] {
    guard case .accepted(let accepted) = try await accept(event, now: now) else {
      throw TestFailure("Event \(event.id) was not accepted.")
    }
    return accepted.deliveries
  }

  /// Lets the gateway take a first push for a device.
  func prove(_ number: Int) async throws {
    try await take(StoreTests.event("prove-\(number)", to: .device(token: token(number))))
    let lease = try await worker("prover")
    let batch = try await claim(limit: 9, lease: lease, now: t0).claimed
    _ = try await markSending(batch.map { SendIntent(ticket: $0.ticket) }, lease: lease, now: t0)
    let results = batch.map {
      SendResult(ticket: $0.ticket, outcome: .sent(gatewayID: "g"), provesDevice: !$0.device.isProven)
    }
    _ = try await finish(results, lease: lease, now: t0)
    try await retire(lease, now: t0)
  }

  func worker(_ name: String = "w1", now: Timestamp = t0) async throws -> WorkerLease {
    try await registerWorker(name: name, leaseSeconds: 6, now: now)
  }

  /// Claims, marks and sends everything that is due; gives the event ids in the order they were sent.
  func sendAll(_ lease: WorkerLease, now: Timestamp = t0) async throws -> [String] {
    var sent: [String] = []
    while true {
      let batch = try await claim(limit: 100, lease: lease, now: now).claimed
      if batch.isEmpty { return sent }
      try await send(batch, lease, now: now)
      sent += batch.map(\.event.id)
    }
  }

  /// Marks and finishes claimed deliveries as sent.
  func send(_ batch: [ClaimedDelivery], _ lease: WorkerLease, now: Timestamp = t0) async throws {
    let answers = try await markSending(batch.map { SendIntent(ticket: $0.ticket) }, lease: lease, now: now)
    let results = zip(batch, answers).filter { $1 == .go }.map {
      SendResult(ticket: $0.0.ticket, outcome: .sent(gatewayID: "apns-\($0.0.event.id)"))
    }
    _ = try await finish(results, lease: lease, now: now)
  }

  /// The state of an event's only delivery.
  func state(_ id: String) async throws -> DeliveryState? { try await event(id)?.deliveries.first?.state }

  /// The kinds of an event's timeline.
  func kinds(_ id: String) async throws -> [TimelineKind] { try await event(id)?.timeline.map(\.kind) ?? [] }
}

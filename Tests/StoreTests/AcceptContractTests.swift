import Store
import Testing

/// Accepting events: durable, once, exact.
///
/// Each scenario runs on every store.
struct AcceptContractTests {
  @Test(arguments: Backend.allCases)
  func `an accepted event has a delivery for its device and keeps its bytes`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let deliveries = try await store.take(event("e1", until: t(120)))
      #expect(deliveries.count == 1)
      let history = try #require(try await store.event("e1"))
      #expect(history.event.body == event("e1").body)
      #expect(history.event.kind == "payment.received")
      #expect(history.event.at == t0)
      #expect(history.event.until == t(120))
      #expect(history.event.acceptedAt == t0)
      #expect(history.deliveries.map(\.id) == deliveries)
      #expect(history.deliveries.first?.token == token(1))
      #expect(history.deliveries.first?.user == "u1")
      #expect(history.deliveries.first?.state == .waiting)
      #expect(history.deliveries.first?.sequence == 1)
      #expect(history.timeline == [TimelineEntry(at: t0, kind: .accepted)])
      #expect(try await store.event("e2") == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `bytes that are no text are kept as they are`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      var odd = event("e1")
      odd.body = Array(0...255) + [0, 0, 39, 92]
      try await store.take(odd)
      #expect(try await store.event("e1")?.event.body == odd.body)
      let lease = try await store.worker()
      #expect(try await store.claim(limit: 1, lease: lease, now: t0).claimed.first?.event.body == odd.body)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a repeat gets the first answer and nothing new is sent`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let first = try await store.accept(event("e1"), now: t0).event
      let repeated = try await store.accept(event("e1"), now: t(50))
      #expect(repeated == .repeated(try #require(first)))
      #expect(try await store.event("e1")?.deliveries.count == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a repeat gets the first answer also after more devices were reached`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(2)
      let first = try await store.accept(event("e1"), now: t0).event
      _ = try await store.extend(event: "e1", to: [token(2)], due: t(9), note: "device", now: t(9))
      #expect(try await store.accept(event("e1"), now: t(50)) == .repeated(try #require(first)))
    }
  }

  @Test(arguments: Backend.allCases)
  func `the same id or key for another request is refused`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let key = IdempotencyKey(scope: "k1", key: "order-7")
      let other = IdempotencyKey(scope: "k2", key: "order-7")
      try await store.take(event("e1", key: key))
      #expect(try await store.accept(event("e1", digest: [9]), now: t0) == .refused(.idReused))
      #expect(try await store.accept(event("e2", key: key, digest: [9]), now: t0) == .refused(.keyReused))
      let repeated = try await store.accept(event("made-again", key: key), now: t0)
      #expect(repeated.event?.id == "e1")
      try await store.take(event("e2", key: other))
    }
  }

  @Test(arguments: Backend.allCases)
  func `the same key from 32 callers at once makes one event`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let key = IdempotencyKey(scope: "k1", key: "once")
      let outcomes = try await withThrowingTaskGroup(of: AcceptOutcome.self) { group in
        for _ in 0..<32 { group.addTask { try await store.accept(event("e1", key: key), now: t0) } }
        var all: [AcceptOutcome] = []
        for try await outcome in group { all.append(outcome) }
        return all
      }
      let accepted = outcomes.filter { if case .accepted = $0 { true } else { false } }
      #expect(accepted.count == 1)
      #expect(Set(outcomes.compactMap(\.event)).count == 1)
      #expect(outcomes.compactMap(\.event).count == 32)
      #expect(try await store.event("e1")?.deliveries.count == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `one bad event of a batch does not fail the rest`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let batch = [
        event("e1"), event("e2", to: .device(token: token(99))), event("e3"), event("e1", digest: [7]), event("e3"),
      ]
      let outcomes = try await store.accept(batch, now: t0)
      #expect(outcomes.count == 5)
      #expect(outcomes[0].event?.id == "e1")
      #expect(outcomes[1] == .refused(.noDevices))
      #expect(outcomes[2].event?.id == "e3")
      #expect(outcomes[3] == .refused(.idReused))
      #expect(outcomes[4] == .repeated(try #require(outcomes[2].event)))
    }
  }

  @Test(arguments: Backend.allCases)
  func `an event without devices leaves nothing behind`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let key = IdempotencyKey(scope: "k", key: "1")
      #expect(try await store.accept(event("e1", key: key), now: t0) == .refused(.noDevices))
      #expect(try await store.event("e1") == nil)
      try await store.register()
      try await store.take(event("e1", key: key))
    }
  }

  @Test(arguments: Backend.allCases)
  func `an event that may do without devices is kept for its ladder`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let steps = [LadderStep(afterSeconds: 60, action: "webhook:sms")]
      let made = try await store.take(event("e1", ladder: steps, keepsWithoutDevices: true))
      #expect(made.isEmpty)
      #expect(try await store.event("e1")?.nextLadderStep == PendingLadderStep(step: steps[0], due: t(60)))
    }
  }

  @Test(arguments: Backend.allCases)
  func `users and groups reach each of their devices once`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      _ = try await store.upsert(device(1, user: "u1", groups: ["night", "all"]), now: t0)
      _ = try await store.upsert(device(2, user: "u1", groups: ["all"]), now: t0)
      _ = try await store.upsert(device(3, user: "u2", groups: ["night", "night"]), now: t0)
      #expect(try await store.take(event("e1", to: .user("u1"))).count == 2)
      #expect(try await store.take(event("e2", to: .group("night"))).count == 2)
      #expect(try await store.take(event("e3", to: .group("all"))).count == 2)
      #expect(try await store.accept(event("e4", to: .group("day")), now: t0) == .refused(.noDevices))
      let tokens = try await store.event("e2")?.deliveries.compactMap(\.token)
      #expect(tokens == [token(1), token(3)])
      let sequences = try await store.event("e3")?.deliveries.map(\.sequence)
      #expect(sequences == [3, 2])
    }
  }

  @Test(arguments: Backend.allCases)
  func `bounds refuse what would not fit`(backend: Backend) async throws {
    let limits = StoreLimits(openDeliveries: 3, devicesPerEvent: 2)
    try await backend.withStore(limits: limits) { store async throws in
      try await store.register(3)
      #expect(try await store.accept(event("e1", to: .user("u1")), now: t0) == .refused(.tooManyDevices(allowed: 2)))
      for number in 1...3 { try await store.take(event("f\(number)", to: .device(token: token(number)))) }
      #expect(try await store.accept(event("e2"), now: t0) == .refused(.queueFull(retryAfterSeconds: 1)))
      let lease = try await store.worker()
      #expect(try await store.sendAll(lease).count == 3)
      try await store.take(event("e2"))
    }
  }

  @Test(arguments: Backend.allCases)
  func `the newest events come first, page by page`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      for number in 1...5 { try await store.take(event("e\(number)")) }
      let first = try await store.recentEvents(before: nil, limit: 2)
      #expect(first.map(\.id) == ["e5", "e4"])
      let second = try await store.recentEvents(before: first.last?.key, limit: 10)
      #expect(second.map(\.id) == ["e3", "e2", "e1"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a closed store says so`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      await store.close()
      await #expect(throws: StoreError.closed) { _ = try await store.accept(event("e1"), now: t0) }
      await #expect(throws: StoreError.closed) { _ = try await store.event("e1") }
    }
  }
}

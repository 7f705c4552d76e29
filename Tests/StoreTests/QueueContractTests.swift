import Store
import Testing

/// Claims, order, lanes, results.
///
/// Each scenario runs on every store.
struct QueueContractTests {
  @Test(arguments: Backend.allCases)
  func `a claim carries all that a sender needs`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      _ = try await store.upsert(device(1, user: "u1", groups: ["g"], secretHash: [5, 6]), now: t(-5))
      try await store.take(event("e1", class: .mustHear, until: t(120)))
      let lease = try await store.worker()
      let claimed = try #require(try await store.claim(limit: 10, lease: lease, now: t(1)).claimed.first)
      #expect(claimed.event.id == "e1")
      #expect(claimed.event.deliveryClass == .mustHear)
      #expect(claimed.device.token == token(1))
      #expect(claimed.device.profile == device(1).profile)
      #expect(claimed.device.registeredAt == t(-5))
      #expect(claimed.device.secretHash == [5, 6])
      #expect(!claimed.device.isProven)
      #expect(claimed.sequence == 1)
      #expect(claimed.attempts == 0)
      #expect(!claimed.isResend)
      #expect(!claimed.isReplay)
      #expect(try await store.claim(limit: 10, lease: lease, now: t(1)).claimed.isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `the timeline tells the way of a send`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1"))
      let lease = try await store.worker()
      let ticket = try #require(try await store.claim(limit: 1, lease: lease, now: t(1)).claimed.first).ticket
      let intent = SendIntent(ticket: ticket, rendered: "clips")
      #expect(try await store.markSending([intent], lease: lease, now: t(2)) == [.go])
      #expect(try await store.state("e1") == .sending)
      let result = SendResult(ticket: ticket, outcome: .sent(gatewayID: "0A-1"))
      #expect(try await store.finish([result], lease: lease, now: t(3)) == [.done])
      let history = try #require(try await store.event("e1"))
      #expect(history.deliveries.first?.state == .sent)
      #expect(history.deliveries.first?.attempts == 1)
      #expect(history.deliveries.first?.due == nil)
      #expect(
        history.timeline == [
          TimelineEntry(at: t0, kind: .accepted),
          TimelineEntry(at: t(2), kind: .rendered, delivery: ticket.id, detail: "clips"),
          TimelineEntry(at: t(2), kind: .sending, delivery: ticket.id),
          TimelineEntry(at: t(3), kind: .sent, delivery: ticket.id, detail: "0A-1"),
        ])
      #expect(try await store.finish([result], lease: lease, now: t(4)) == [.fenced])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a device's deliveries of one lane go out in order, one after another`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(2)
      for number in 1...3 { try await store.take(event("e\(number)")) }
      try await store.take(event("other", to: .device(token: token(2))))
      try await store.take(event("alarm", lane: .alarm))
      let lease = try await store.worker()
      let first = try await store.claim(limit: 10, lease: lease, now: t0).claimed
      #expect(first.map(\.event.id) == ["alarm", "e1", "other"])
      #expect(try await store.claim(limit: 10, lease: lease, now: t0).claimed.isEmpty)
      try await store.send(first, lease)
      let second = try await store.claim(limit: 10, lease: lease, now: t0).claimed
      #expect(second.map(\.event.id) == ["e2"])
      #expect(second.map(\.sequence) == [2])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a retry waits until its time and keeps its place in the order`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1"))
      try await store.take(event("e2"))
      let lease = try await store.worker()
      let claimed = try await store.claim(limit: 10, lease: lease, now: t0).claimed
      let retry = claimed.map { SendResult(ticket: $0.ticket, outcome: .retry(at: t(5), reason: "TooManyRequests")) }
      _ = try await store.finish(retry, lease: lease, now: t0)
      #expect(try await store.claim(limit: 10, lease: lease, now: t(4)).claimed.isEmpty)
      #expect(try await store.nextDue() == t(5))
      let again = try await store.claim(limit: 10, lease: lease, now: t(5)).claimed
      #expect(again.map(\.event.id) == ["e1"])
      #expect(again.map(\.attempts) == [1])
      #expect(again.map(\.isResend) == [false])
      try await store.send(again, lease, now: t(5))
      #expect(try await store.sendAll(lease, now: t(5)) == ["e2"])
      #expect(try await store.nextDue() == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an event is not sent before its time`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1", notBefore: t(30)))
      let lease = try await store.worker()
      #expect(try await store.sendAll(lease, now: t(29)) == [])
      #expect(try await store.sendAll(lease, now: t(30)) == ["e1"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `what is stale expires instead of being sent, and frees the next`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let stale = try await store.take(event("e1", until: t(10)))
      try await store.take(event("e2"))
      let lease = try await store.worker()
      let batch = try await store.claim(limit: 10, lease: lease, now: t(10))
      #expect(batch.expired == stale)
      #expect(batch.claimed.isEmpty || batch.claimed.map(\.event.id) == ["e2"])
      #expect(try await store.state("e1") == .expired)
      try await store.send(batch.claimed, lease, now: t(10))
      _ = try await store.sendAll(lease, now: t(10))
      #expect(try await store.state("e2") == .sent)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a retry after the end of its time comes up at the end and expires`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1", until: t(10)))
      let lease = try await store.worker()
      let claimed = try await store.claim(limit: 10, lease: lease, now: t0).claimed
      let retry = claimed.map { SendResult(ticket: $0.ticket, outcome: .retry(at: t(900), reason: "Shutdown")) }
      _ = try await store.finish(retry, lease: lease, now: t0)
      #expect(try await store.nextDue() == t(10))
      #expect(try await store.claim(limit: 10, lease: lease, now: t(10)).expired.count == 1)
      #expect(try await store.kinds("e1") == [.accepted, .retry, .expired])
    }
  }

  @Test(arguments: Backend.allCases)
  func `failed, dead and released end as they should`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(3)
      for number in 1...3 { try await store.take(event("e\(number)", to: .device(token: token(number)))) }
      let lease = try await store.worker()
      let claimed = try await store.claim(limit: 10, lease: lease, now: t0).claimed
      let outcomes: [SendOutcome] = [.failed(reason: "BadTopic"), .dead(reason: "no gateway"), .released]
      let results = zip(claimed, outcomes).map { SendResult(ticket: $0.ticket, outcome: $1) }
      #expect(try await store.finish(results, lease: lease, now: t(1)) == [.done, .done, .done])
      #expect(try await store.state("e1") == .failed)
      #expect(try await store.state("e2") == .dead)
      #expect(try await store.state("e3") == .waiting)
      #expect(try await store.event("e1")?.timeline.last?.detail == "BadTopic")
      #expect(try await store.sendAll(lease, now: t(1)) == ["e3"])
      #expect(try await store.event("e3")?.deliveries.first?.attempts == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `alarms go first, and no lane starves`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(40)
      for lane in Lane.allCases {
        let batch = (1...40).map { event("\(lane.name)-\($0)", to: .device(token: token($0)), lane: lane) }
        _ = try await store.accept(batch, now: t0)
      }
      let lease = try await store.worker()
      let first = try await store.claim(limit: 21, lease: lease, now: t0).claimed.map(\.event.lane)
      #expect(first == Array(repeating: .alarm, count: 16) + Array(repeating: .payment, count: 4) + [.report])
      let second = try await store.claim(limit: 42, lease: lease, now: t0).claimed.map(\.event.lane)
      // 24 alarms are left of the 32 that are its share; what it leaves goes to the payments.
      #expect(second.filter { $0 == .alarm }.count == 24)
      #expect(second.filter { $0 == .report }.count == 2)
      #expect(second.filter { $0 == .payment }.count == 16)
    }
  }

  @Test(arguments: Backend.allCases)
  func `claims of one go round the lanes by weight`(backend: Backend) async throws {
    try await backend.withStore(shares: LaneShares(weights: [2, 1, 1])) { store async throws in
      try await store.register(20)
      for lane in Lane.allCases {
        let batch = (1...20).map { event("\(lane.name)-\($0)", to: .device(token: token($0)), lane: lane) }
        _ = try await store.accept(batch, now: t0)
      }
      let lease = try await store.worker()
      var counts: [Lane: Int] = [:]
      for _ in 0..<20 {
        let claimed = try await store.claim(limit: 1, lease: lease, now: t0).claimed
        for delivery in claimed { counts[delivery.event.lane, default: 0] += 1 }
      }
      #expect(counts == [.alarm: 10, .payment: 5, .report: 5])
    }
  }

  @Test(arguments: Backend.allCases)
  func `claims by several workers never overlap`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(200)
      _ = try await store.accept((1...200).map { event("e\($0)", to: .device(token: token($0))) }, now: t0)
      let claimed = try await withThrowingTaskGroup(of: [DeliveryID].self) { group in
        for number in 1...4 {
          group.addTask {
            let lease = try await store.worker("w\(number)")
            var all: [DeliveryID] = []
            while true {
              let batch = try await store.claim(limit: 7, lease: lease, now: t0).claimed
              if batch.isEmpty { return all }
              all += batch.map(\.ticket.id)
            }
          }
        }
        var all: [DeliveryID] = []
        for try await part in group { all += part }
        return all
      }
      #expect(claimed.count == 200)
      #expect(Set(claimed).count == 200)
    }
  }

  @Test(arguments: Backend.allCases)
  func `accepting wakes a waiting worker`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      var wakeUps = store.wakeUps().makeAsyncIterator()
      try await store.take(event("e1"))
      #expect(await wakeUps.next() != nil)
      await store.close()
      while await wakeUps.next() != nil {}
    }
  }
}

import ServerTestSupport
import Store
import StorePostgres
import TestSupport
import Testing

/// What PostgreSQL stores as claimed for the only worker when it is accepted: as if the worker had claimed it from the queue.
struct PostgresHandOverTests {
  /// A store whose only worker has found the queue empty at `t0`, with the schema it is in.
  private func withWaitingWorker(
    devices: Int = 3, _ body: (PostgresStore, WorkerLease, PostgresCluster, String) async throws -> Void
  ) async throws {
    try await withTwo { store, _, cluster, schema in
      try await store.register(devices)
      let lease = try await store.worker()
      #expect(try await store.claim(limit: 100, lease: lease, now: t0) == ClaimBatch())
      try await body(store, lease, cluster, schema)
    }
  }

  @Test func `what is accepted for a worker that waits is claimed by it at once, as its claim would have`() async throws
  {
    try await withWaitingWorker { store, lease, _, _ in
      let memory = MemoryStore()
      try await memory.register(3)
      let other = try await memory.worker()
      let new = [
        event("e1", to: .user("u1"), lane: .report, until: t(60)),
        event("e2", to: .device(token: token(2)), lane: .alarm, class: .mustHear),
        event("e3", to: .device(token: token(2)), lane: .report),
        event("e4", to: .device(token: token(1)), notBefore: t(5)),
      ]
      #expect(try await store.accept(new, now: t0) == memory.accept(new, now: t0))
      #expect(try await store.event("e1")?.deliveries.map(\.state) == [.claimed, .claimed, .claimed])
      #expect(try await store.state("e2") == .claimed)
      // Behind another of its lane, and not due yet.
      #expect(try await store.state("e3") == .blocked)
      #expect(try await store.state("e4") == .waiting)

      let claimed = try await store.claim(limit: 100, lease: lease, now: t0).claimed
      let expected = try await memory.claim(limit: 100, lease: other, now: t0).claimed
      #expect(claimed == expected)
      #expect(claimed.map(\.event.id) == ["e2", "e1", "e1", "e1"])
      try await store.send(claimed, lease)
      #expect(try await store.state("e2") == .sent)
      #expect(try await store.sendAll(lease) == ["e3"])
      #expect(try await store.sendAll(lease, now: t(5)) == ["e4"])
      await memory.close()
    }
  }

  @Test func `more than a claim may take goes by the order of the queue and the shares of the lanes`() async throws {
    try await withWaitingWorker(devices: 9) { store, lease, _, _ in
      let memory = MemoryStore()
      try await memory.register(9)
      let other = try await memory.worker()
      _ = try await memory.claim(limit: 100, lease: other, now: t0)
      let new = (1...9).map { number in
        event("e\(number)", to: .device(token: token(number)), lane: Lane.allCases[number % 3])
      }
      _ = try await memory.accept(new, now: t0)
      _ = try await store.accept(new, now: t0)
      #expect(try await store.state("e1") == .claimed)
      for _ in 1...5 {
        #expect(
          try await store.claim(limit: 2, lease: lease, now: t0) == memory.claim(limit: 2, lease: other, now: t0))
      }
      await memory.close()
    }
  }

  @Test func `what is past its time when the worker comes is expired, and what stood behind it is sent`() async throws {
    try await withWaitingWorker { store, lease, _, _ in
      try await store.take(event("e1", until: t(2)))
      try await store.take(event("e2"))
      let batch = try await store.claim(limit: 100, lease: lease, now: t(3))
      #expect(batch.expired.count == 1)
      #expect(batch.claimed.map(\.event.id) == ["e2"])
      #expect(try await store.state("e1") == .expired)
    }
  }

  @Test(arguments: [true, false])
  func `what a worker that dies has not taken is another's`(comesBack: Bool) async throws {
    try await withTwo { store, other, _, _ in
      try await store.register()
      let lease = try await store.worker()
      _ = try await store.claim(limit: 100, lease: lease, now: t0)
      let ids = try await store.take(event("e1"))
      #expect(try await store.state("e1") == .claimed)
      let now = comesBack ? t(1) : t(7)
      let next = try await other.worker(comesBack ? "w1" : "w2", now: now)
      if !comesBack { #expect(try await other.recover(now: now).lostWorkers == ["w1"]) }
      // The lost one, woken later, has it in its memory, and must not send it.
      let late = ids.map { SendIntent(ticket: DeliveryTicket(id: $0, epoch: 1)) }
      await #expect(throws: StoreError.fenced) { try await store.markSending(late, lease: lease, now: now) }
      #expect(try await other.sendAll(next, now: now) == ["e1"])
    }
  }

  @Test func `a worker that goes gives back what it has not taken`() async throws {
    try await withWaitingWorker { store, lease, _, _ in
      try await store.take(event("e1"))
      try await store.retire(lease, now: t0)
      #expect(try await store.state("e1") == .waiting)
      #expect(try await store.sendAll(try await store.worker()) == ["e1"])
    }
  }

  @Test func `a second worker that comes takes nothing from the first, nor does one that goes`() async throws {
    try await withWaitingWorker { store, lease, _, _ in
      try await store.take(event("e1", to: .device(token: token(1))))
      let second = try await store.worker("w2")
      try await store.take(event("e2", to: .device(token: token(2))))
      #expect(try await store.state("e2") == .waiting)
      try await store.retire(second, now: t0)
      // What may be due beside it is found in the same claim, in the order of the queue.
      #expect(try await store.sendAll(lease) == ["e1", "e2"])
    }
  }

  @Test func `with another worker about, or after a while without a look, all goes through the queue`() async throws {
    try await withTwo { store, other, _, _ in
      try await store.register(5)
      let lease = try await store.worker()
      _ = try await store.claim(limit: 100, lease: lease, now: t0)
      try await store.take(event("e1", to: .device(token: token(1))))
      #expect(try await store.state("e1") == .claimed)
      #expect(try await store.sendAll(lease) == ["e1"])

      try await store.take(event("e2", to: .device(token: token(2))), now: t(1))
      #expect(try await store.state("e2") == .waiting)
      #expect(try await store.sendAll(lease, now: t(1)) == ["e2"])

      let second = try await store.worker("w2", now: t(1))
      _ = try await store.claim(limit: 100, lease: second, now: t(1))
      try await store.take(event("e3", to: .device(token: token(3))), now: t(1))
      #expect(try await store.state("e3") == .waiting)
      #expect(try await store.sendAll(second, now: t(1)) == ["e3"])
      try await store.retire(second, now: t(1))

      let third = try await other.worker("w3", now: t(1))
      _ = try await store.recover(now: t(1))
      _ = try await store.claim(limit: 100, lease: lease, now: t(1))
      try await store.take(event("e4", to: .device(token: token(4))), now: t(1))
      #expect(try await store.state("e4") == .waiting)
      #expect(try await other.sendAll(third, now: t(1)) == ["e4"])
    }
  }

  @Test func `what waits for longer goes first when it becomes due meanwhile`() async throws {
    try await withWaitingWorker { store, lease, _, _ in
      try await store.take(event("e1", to: .device(token: token(1)), notBefore: t(1)))
      _ = try await store.claim(limit: 100, lease: lease, now: t(1).adding(milliseconds: -1))
      try await store.take(event("e2", to: .device(token: token(2))), now: t(1).adding(milliseconds: 1))
      #expect(try await store.state("e2") == .claimed)
      // Whatever may have made something due lets the worker look.
      _ = try await store.removeDevice(token: token(3), reason: "gone", now: t(1))
      let batch = try await store.claim(limit: 1, lease: lease, now: t(2))
      #expect(batch.claimed.map(\.event.id) == ["e1"])
      #expect(batch.claimed.first?.ticket.epoch == 1)
      let next = try await store.claim(limit: 1, lease: lease, now: t(2))
      #expect(next.claimed.map(\.event.id) == ["e2"])
      #expect(next.claimed.first?.ticket.epoch == 1)
    }
  }

  @Test func `when the answer is lost, the events are accepted once and their claims come back`() async throws {
    try await withRelay { store, relay in
      try await store.register(2)
      let lease = try await store.worker()
      _ = try await store.claim(limit: 100, lease: lease, now: t0)
      relay.loseNextAnswer()
      #expect(try await store.take(event("e1", to: .user("u1"))).count == 2)
      #expect(relay.hasLost)
      #expect(try await store.event("e1")?.deliveries.map(\.state) == [.claimed, .claimed])
      // Nobody here knows the claims: the worker hears that it must register anew, until it has.
      for _ in 1...2 {
        let failure = await #expect(throws: StoreError.self) { try await store.claim(limit: 9, lease: lease, now: t0) }
        #expect(failure?.isTemporary == true)
      }
      let anew = try await store.worker()
      #expect(try await store.sendAll(anew) == ["e1", "e1"])
      try await store.take(event("e2"))
      #expect(try await store.sendAll(anew) == ["e2"])
    }
  }
}

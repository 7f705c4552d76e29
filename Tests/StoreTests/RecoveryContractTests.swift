import Store
import Testing

/// Lost workers, fencing, ambiguous sends.
///
/// Each scenario runs on every store.
struct RecoveryContractTests {
  /// Three deliveries with `old`: claimed, sending at most once, sending must hear.
  private func threeInFlight(_ store: any Store) async throws -> (WorkerLease, [ClaimedDelivery]) {
    try await store.register(3)
    try await store.take(event("claimed", to: .device(token: token(1)), until: t(100)))
    try await store.take(event("once", to: .device(token: token(2)), until: t(100)))
    try await store.take(event("must", to: .device(token: token(3)), class: .mustHear, until: t(100)))
    let old = try await store.worker("old")
    let batch = try await store.claim(limit: 10, lease: old, now: t0).claimed
    let sending = batch.filter { $0.event.id != "claimed" }.map { SendIntent(ticket: $0.ticket) }
    #expect(try await store.markSending(sending, lease: old, now: t(1)) == [.go, .go])
    return (old, batch)
  }

  @Test(arguments: Backend.allCases)
  func `the work of a lost worker is taken over when its lease runs out`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      _ = try await threeInFlight(store)
      let new = try await store.worker("new", now: t(5))
      #expect(try await store.recover(now: t(5)).isEmpty)
      let report = try await store.recover(now: t(6))
      #expect(report.lostWorkers == ["old"])
      #expect(report.released == 1)
      #expect(report.resent == 1)
      #expect(report.held == 1)
      let batch = try await store.claim(limit: 10, lease: new, now: t(6)).claimed
      #expect(Set(batch.map(\.event.id)) == ["claimed", "must"])
      #expect(batch.first { $0.event.id == "must" }?.isResend == true)
      #expect(batch.first { $0.event.id == "claimed" }?.isResend == false)
      #expect(try await store.state("once") == .ambiguous)
      #expect(try await store.kinds("must") == [.accepted, .sending, .takenOver, .ambiguous, .resend])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a fenced worker can neither mark, finish, claim nor beat`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let (old, batch) = try await threeInFlight(store)
      _ = try await store.recover(now: t(6))
      let new = try await store.worker("new", now: t(6))
      let again = try await store.claim(limit: 10, lease: new, now: t(6)).claimed
      #expect(again.count == 2)
      await #expect(throws: StoreError.fenced) { _ = try await store.heartbeat(old, now: t(6)) }
      await #expect(throws: StoreError.fenced) { _ = try await store.claim(limit: 1, lease: old, now: t(6)) }
      await #expect(throws: StoreError.fenced) {
        _ = try await store.markSending(batch.map { SendIntent(ticket: $0.ticket) }, lease: old, now: t(6))
      }
      let late = batch.map { SendResult(ticket: $0.ticket, outcome: .sent(gatewayID: "late")) }
      #expect(try await store.finish(late, lease: old, now: t(6)) == [.fenced, .fenced, .fenced])
      #expect(try await store.state("once") == .ambiguous)
      #expect(try await store.state("must") == .claimed)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an older claim of the same worker is fenced by its epoch`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1"))
      let lease = try await store.worker()
      let first = try #require(try await store.claim(limit: 1, lease: lease, now: t0).claimed.first)
      _ = try await store.finish([SendResult(ticket: first.ticket, outcome: .released)], lease: lease, now: t0)
      let second = try #require(try await store.claim(limit: 1, lease: lease, now: t0).claimed.first)
      #expect(second.ticket.epoch > first.ticket.epoch)
      #expect(try await store.markSending([SendIntent(ticket: first.ticket)], lease: lease, now: t0) == [.fenced])
      #expect(try await store.markSending([SendIntent(ticket: second.ticket)], lease: lease, now: t0) == [.go])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a heartbeat keeps the lease`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let lease = try await store.worker()
      let extended = try await store.heartbeat(lease, now: t(5))
      #expect(extended.expiresAt == t(11))
      #expect(try await store.recover(now: t(10)).isEmpty)
      #expect(try await store.recover(now: t(11)).lostWorkers == ["w1"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a worker that starts again under its name gets its work back at once`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let (old, _) = try await threeInFlight(store)
      let again = try await store.worker("old", now: t(2))
      #expect(again.number > old.number)
      await #expect(throws: StoreError.fenced) { _ = try await store.heartbeat(old, now: t(2)) }
      let batch = try await store.claim(limit: 10, lease: again, now: t(2)).claimed
      #expect(Set(batch.map(\.event.id)) == ["claimed", "must"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a worker that retires leaves nothing behind`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1"))
      let lease = try await store.worker()
      _ = try await store.claim(limit: 1, lease: lease, now: t0)
      try await store.retire(lease, now: t(1))
      let other = try await store.worker("other", now: t(1))
      #expect(try await store.sendAll(other, now: t(1)) == ["e1"])
      #expect(try await store.recover(now: t(6)).lostWorkers.isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a held delivery does not hold up the next, and a receipt resolves it`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1", until: t(100)))
      try await store.take(event("e2"))
      let lease = try await store.worker()
      let first = try await store.claim(limit: 1, lease: lease, now: t0).claimed
      _ = try await store.markSending(first.map { SendIntent(ticket: $0.ticket) }, lease: lease, now: t0)
      let lost = first.map { SendResult(ticket: $0.ticket, outcome: .ambiguous(resendAt: nil, reason: "cut")) }
      _ = try await store.finish(lost, lease: lease, now: t(1))
      #expect(try await store.state("e1") == .ambiguous)
      #expect(try await store.sendAll(lease, now: t(1)) == ["e2"])
      let receipt = NewReceipt(eventID: "e1", token: token(1), proof: .heard)
      _ = try await store.record([receipt], now: t(2))
      #expect(try await store.event("e1")?.deliveries.first?.status == "heard")
      #expect(try await store.recover(now: t(2)).expired.isEmpty)
      #expect(try await store.recover(now: t(200)).expired.isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a held delivery expires when nothing resolves it`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let made = try await store.take(event("e1", until: t(100)))
      let lease = try await store.worker()
      let first = try await store.claim(limit: 1, lease: lease, now: t0).claimed
      let lost = first.map { SendResult(ticket: $0.ticket, outcome: .ambiguous(resendAt: nil, reason: "cut")) }
      _ = try await store.finish(lost, lease: lease, now: t(1))
      #expect(try await store.recover(now: t(99)).expired.isEmpty)
      #expect(try await store.recover(now: t(100)).expired == made)
      #expect(try await store.state("e1") == .expired)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an ambiguous send may be sent again with the mark`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1", class: .mustHear))
      let lease = try await store.worker()
      let first = try await store.claim(limit: 1, lease: lease, now: t0).claimed
      let lost = first.map { SendResult(ticket: $0.ticket, outcome: .ambiguous(resendAt: t(3), reason: "cut")) }
      _ = try await store.finish(lost, lease: lease, now: t(1))
      let again = try await store.claim(limit: 1, lease: lease, now: t(3)).claimed
      #expect(again.map(\.isResend) == [true])
      #expect(again.map(\.attempts) == [1])
    }
  }
}

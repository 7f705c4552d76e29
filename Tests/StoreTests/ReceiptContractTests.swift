import Store
import Testing

/// Receipts, the ledger of an offline phone, replay, the fallback ladder.
///
/// Each scenario runs on every store.
struct ReceiptContractTests {
  private func receipt(_ id: String, _ proof: Proof, device: Int = 1, reason: String = "") -> NewReceipt {
    NewReceipt(eventID: id, token: token(device), proof: proof, reason: reason)
  }

  @Test(arguments: Backend.allCases)
  func `proof rises and never falls`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let made = try await store.take(event("e1"))
      _ = try await store.sendAll(try await store.worker())
      #expect(try await store.record([receipt("e1", .received)], now: t(1)) == [.recorded(made[0])])
      #expect(try await store.record([receipt("e1", .heard)], now: t(2)) == [.recorded(made[0])])
      #expect(try await store.record([receipt("e1", .heard)], now: t(3)) == [.known(made[0])])
      #expect(try await store.record([receipt("e1", .duplicate)], now: t(4)) == [.known(made[0])])
      #expect(
        try await store.record([receipt("nope", .heard), receipt("e1", .heard, device: 2)], now: t(4)) == [
          .unknown, .unknown,
        ])
      #expect(try await store.event("e1")?.deliveries.first?.proof == .heard)
      #expect(try await store.kinds("e1") == [.accepted, .sending, .sent, .received, .heard])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a silence keeps its reason code`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1"))
      _ = try await store.sendAll(try await store.worker())
      _ = try await store.record([receipt("e1", .silent, reason: "A117")], now: t(1))
      let last = try #require(try await store.event("e1")?.timeline.last)
      #expect(last.kind == .silent)
      #expect(last.detail == "A117")
      #expect(try await store.event("e1")?.deliveries.first?.status == "silent")
    }
  }

  @Test(arguments: Backend.allCases)
  func `a receipt for something that waits to be sent again settles it`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1", class: .mustHear))
      try await store.take(event("e2"))
      let lease = try await store.worker()
      let first = try await store.claim(limit: 1, lease: lease, now: t0).claimed
      let lost = first.map { SendResult(ticket: $0.ticket, outcome: .ambiguous(resendAt: t(3), reason: "cut")) }
      _ = try await store.finish(lost, lease: lease, now: t0)
      _ = try await store.record([receipt("e1", .heard)], now: t(1))
      #expect(try await store.sendAll(lease, now: t(5)) == ["e2"])
      #expect(try await store.state("e1") == .sent)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a receipt between claim and send stops the send`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1", class: .mustHear))
      let lease = try await store.worker()
      let claimed = try #require(try await store.claim(limit: 1, lease: lease, now: t0).claimed.first)
      _ = try await store.record([receipt("e1", .received)], now: t(1))
      let intent = SendIntent(ticket: claimed.ticket)
      #expect(try await store.markSending([intent], lease: lease, now: t(2)) == [.settled])
      #expect(try await store.state("e1") == .sent)
    }
  }

  @Test(arguments: Backend.allCases)
  func `the ledger gives what a phone has not proved, oldest first`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(2)
      for number in 1...5 { try await store.take(event("e\(number)", until: t(60)), now: t(number)) }
      try await store.take(event("other", to: .device(token: token(2))))
      let lease = try await store.worker()
      _ = try await store.sendAll(lease, now: t(10))
      _ = try await store.record([receipt("e2", .heard)], now: t(11))
      func pending(after: Int64 = 0, since: Timestamp = .distantPast, limit: Int = 10) async throws -> [String] {
        try await store.pending(token: token(1), after: after, since: since, limit: limit).map(\.event.id)
      }
      #expect(try await pending() == ["e1", "e3", "e4", "e5"])
      #expect(try await pending(after: 3) == ["e4", "e5"])
      #expect(try await pending(since: t(5)) == ["e5"])
      #expect(try await pending(limit: 2) == ["e1", "e3"])
      let entry = try #require(try await store.pending(token: token(1), after: 0, since: t0, limit: 1).first)
      #expect(entry.sequence == 1)
      #expect(entry.state == .sent)
      #expect(entry.event.body == event("e1").body)
      #expect(try await store.pending(token: token(9), after: 0, since: t0, limit: 1).isEmpty)
      let merged = ["e1", "e3", "e4", "e5"].map { receipt($0, .merged) }
      _ = try await store.record(merged, now: t(12))
      #expect(try await pending().isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a replay is sent and heard again under its own mark`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let made = try await store.take(event("e1", until: t(60)))
      let lease = try await store.worker()
      _ = try await store.sendAll(lease)
      _ = try await store.record([receipt("e1", .heard)], now: t(1))
      let replay = Requeue(delivery: made[0], due: t(100), until: t(200), reason: .replay("by key k1"))
      #expect(try await store.requeue([replay], now: t(100)) == made)
      let again = try await store.claim(limit: 1, lease: lease, now: t(100)).claimed
      #expect(again.map(\.isReplay) == [true])
      #expect(again.map(\.attempts) == [0])
      #expect(try await store.requeue([replay], now: t(100)) == [])
      try await store.send(again, lease, now: t(101))
      _ = try await store.record([receipt("e1", .heard)], now: t(102))
      let kinds = try await store.kinds("e1")
      #expect(kinds == [.accepted, .sending, .sent, .heard, .replay, .sending, .sent, .heard])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a dead or failed delivery can be sent again`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let made = try await store.take(event("e1"))
      let lease = try await store.worker()
      let claimed = try await store.claim(limit: 1, lease: lease, now: t0).claimed
      let dead = claimed.map { SendResult(ticket: $0.ticket, outcome: .dead(reason: "gave up")) }
      _ = try await store.finish(dead, lease: lease, now: t0)
      let again = Requeue(delivery: made[0], due: t(9), reason: .resend("by hand"))
      #expect(
        try await store.requeue([again, Requeue(delivery: DeliveryID(999), due: t0, reason: .resend(""))], now: t(9))
          == made)
      #expect(try await store.sendAll(lease, now: t(9)) == ["e1"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a requeued delivery waits its turn behind what is under way`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let first = try await store.take(event("e1"))
      let lease = try await store.worker()
      _ = try await store.sendAll(lease)
      try await store.take(event("e2"))
      let busy = try await store.claim(limit: 1, lease: lease, now: t0).claimed
      #expect(busy.map(\.event.id) == ["e2"])
      _ = try await store.requeue([Requeue(delivery: first[0], due: t0, reason: .resend("step"))], now: t0)
      #expect(try await store.claim(limit: 5, lease: lease, now: t0).claimed.isEmpty)
      try await store.send(busy, lease)
      let again = try await store.claim(limit: 5, lease: lease, now: t0).claimed
      #expect(again.map(\.event.id) == ["e1"])
      #expect(again.map(\.isResend) == [true])
    }
  }

  @Test(arguments: Backend.allCases)
  func `the ladder climbs step by step until proof comes`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(2)
      let steps = [
        LadderStep(afterSeconds: 60, action: "webhook:sms"), LadderStep(afterSeconds: 20, action: "resend"),
        LadderStep(afterSeconds: 90, action: "device"),
      ]
      try await store.take(event("e1", ladder: steps))
      try await store.take(event("e2"))
      #expect(try await store.claimLadderSteps(limit: 9, leaseSeconds: 5, now: t(19)).isEmpty)
      #expect(try await store.event("e1")?.nextLadderStep?.due == t(20))
      let first = try #require(try await store.claimLadderSteps(limit: 9, leaseSeconds: 5, now: t(20)).first)
      #expect(first.step == steps[1])
      #expect(first.event.id == "e1")
      #expect(first.deliveries.map(\.token) == [token(1)])
      #expect(try await store.claimLadderSteps(limit: 9, leaseSeconds: 5, now: t(24)).isEmpty)
      let second = try #require(try await store.claimLadderSteps(limit: 9, leaseSeconds: 5, now: t(25)).first)
      #expect(try await !store.advanceLadder(first, detail: "resend", now: t(25)))
      #expect(try await store.advanceLadder(second, detail: "resend", now: t(25)))
      #expect(try await store.kinds("e1") == [.accepted, .fallback])
      #expect(try await store.event("e1")?.nextLadderStep == PendingLadderStep(step: steps[0], due: t(60)))
      #expect(try await store.nextDue() == t0)
      _ = try await store.record([receipt("e1", .received)], now: t(26))
      #expect(try await store.event("e1")?.nextLadderStep != nil)
      _ = try await store.record([receipt("e1", .heard)], now: t(27))
      #expect(try await store.event("e1")?.nextLadderStep == nil)
      #expect(try await store.claimLadderSteps(limit: 9, leaseSeconds: 5, now: t(100)).isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `the last step ends the ladder`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      try await store.take(event("e1", ladder: [LadderStep(afterSeconds: 20, action: "resend")]))
      let step = try #require(try await store.claimLadderSteps(limit: 9, leaseSeconds: 5, now: t(20)).first)
      #expect(try await store.advanceLadder(step, detail: "resend", now: t(21)))
      #expect(try await !store.advanceLadder(step, detail: "resend", now: t(21)))
      #expect(try await store.claimLadderSteps(limit: 9, leaseSeconds: 5, now: t(500)).isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a second device can be added, once`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(2)
      try await store.take(event("e1"))
      let made = try await store.extend(
        event: "e1", to: [token(1), token(2), token(9)], due: t(5), note: "device", now: t(5))
      #expect(made.count == 1)
      #expect(try await store.extend(event: "e1", to: [token(2)], due: t(5), note: "device", now: t(5)) == [])
      #expect(try await store.extend(event: "nope", to: [token(2)], due: t(5), note: "device", now: t(5)) == [])
      let deliveries = try #require(try await store.event("e1")?.deliveries)
      #expect(deliveries.map(\.token) == [token(1), token(2)])
      let lease = try await store.worker()
      #expect(try await store.sendAll(lease, now: t(5)) == ["e1", "e1"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `notes are on one line, bounded, and in order of time`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let made = try await store.take(event("e1"))
      let long = String(repeating: "语", count: 100)
      try await store.note(
        [
          TimelineNote(eventID: "e1", kind: .fallback, detail: "line one\nline two"),
          TimelineNote(eventID: "e1", delivery: made[0], kind: .note, detail: long),
          TimelineNote(eventID: "nope", kind: .note, detail: "lost"),
        ], now: t(3))
      let timeline = try #require(try await store.event("e1")?.timeline)
      #expect(timeline.map(\.kind) == [.accepted, .fallback, .note])
      #expect(timeline[1].detail == "line one line two")
      #expect(timeline[2].detail == String(repeating: "语", count: 40))
      #expect(timeline[2].delivery == made[0])
    }
  }
}

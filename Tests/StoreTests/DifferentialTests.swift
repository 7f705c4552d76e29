import ServerTestSupport
import Store
import Testing
import TestSupport

/// The same seeded calls on a database and on the in-memory store must give the same answers, call by call.
struct DifferentialTests {
  private static let cases: [(Backend, UInt64)] = [Backend.sqlite, .postgresql].flatMap { backend in
    (1...8).map { (backend, $0) }
  }

  @Test(arguments: cases)
  func `a database answers as the memory does`(backend: Backend, seed: UInt64) async throws {
    try await backend.withStore { database async throws in
      let memory = MemoryStore()
      var play = Play(seed: seed)
      for turn in 0..<250 {
        let call = play.next()
        let expected = try await play.perform(call, on: memory)
        let answered = try await play.perform(call, on: database)
        let isSame = answered.words == expected.words
        try #require(isSame, "seed \(seed), turn \(turn), \(difference(answered.words, expected.words))")
        play.note(expected)
      }
      for id in play.eventIDs {
        #expect(try await database.event(id) == memory.event(id), "seed \(seed), event \(id)")
      }
      let figures = try await database.stats(now: play.now)
      let own = try await memory.stats(now: play.now)
      #expect(figures.deliveries == own.deliveries)
      #expect(figures.oldestDue == own.oldestDue)
      #expect(figures.activeLadders == own.activeLadders)
      await memory.close()
    }
  }
}

/// Where two answers part, with some words before and after.
private func difference(_ answered: String, _ expected: String) -> String {
  let common = zip(answered, expected).prefix { $0 == $1 }.count
  func part(_ words: String) -> Substring { words.dropFirst(max(0, common - 60)).prefix(200) }
  return "“…\(part(answered))…” instead of “…\(part(expected))…”"
}

/// A seeded player that makes calls and remembers what they gave.
private struct Play {
  enum Call {
    case upsert(NewDevice)
    case accept([NewEvent])
    case claim(Int)
    case mark([SendIntent])
    case finish([SendResult])
    case receipts([NewReceipt])
    case requeue([Requeue])
    case extend(String, [String])
    case remove(String)
    case recover
    case ladder
    case pending(String)
    case register
  }

  struct Answer {
    var words: String
    var claimed: [ClaimedDelivery] = []
    var lease: WorkerLease?
    var deliveries: [DeliveryID] = []
  }

  private var chance: SeededChance
  private(set) var now = t0
  private(set) var eventIDs: [String] = []
  private var lease: WorkerLease?
  private var inHand: [DeliveryTicket] = []
  private var deliveries: [DeliveryID] = []

  init(seed: UInt64) { chance = SeededChance(seed: seed) }

  private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &chance) }
  private mutating func aToken() -> String { token(roll(5)) }
  private mutating func anEvent() -> String { "e\(roll(eventIDs.count + 2))" }

  mutating func next() -> Call {
    now = now.adding(milliseconds: Int64(roll(1500)))
    if lease == nil { return .register }
    switch roll(20) {
    case 0...1: return .upsert(device(roll(5), user: "u\(roll(2))", groups: roll(2) == 0 ? ["g"] : []))
    case 2...5: return .accept((0...roll(4)).map { _ in newEvent() })
    case 6...8: return .claim(1 + roll(6))
    case 9...10: return .mark(inHand.filter { _ in roll(3) > 0 }.map { SendIntent(ticket: $0, rendered: "clips") })
    case 11...13:
      return .finish(
        inHand.filter { _ in roll(2) > 0 }.map { SendResult(ticket: $0, outcome: outcome(), provesDevice: roll(2) > 0) }
      )
    case 14...15:
      let proofs = Proof.allCases.dropFirst()
      return .receipts(
        (0...roll(3)).map { _ in
          NewReceipt(
            eventID: anEvent(), token: aToken(), proof: proofs.randomElement(using: &chance) ?? .heard, reason: "A1")
        })
    case 16:
      guard let id = deliveries.randomElement(using: &chance) else { return .recover }
      let reason: RequeueReason = roll(2) == 0 ? .replay("r") : .resend("s")
      return .requeue([
        Requeue(delivery: id, due: now, until: roll(2) == 0 ? nil : now.adding(seconds: 30), reason: reason)
      ])
    case 17: return roll(3) == 0 ? .remove(aToken()) : .extend(anEvent(), [aToken(), aToken()])
    case 18: return roll(2) == 0 ? .recover : .ladder
    default: return roll(4) == 0 ? .register : .pending(aToken())
    }
  }

  private mutating func newEvent() -> NewEvent {
    let id = roll(4) == 0 ? anEvent() : "e\(eventIDs.count)"
    if !eventIDs.contains(id) { eventIDs.append(id) }
    let targets: [Target] = [.device(token: aToken()), .user("u\(roll(2))"), .group("g")]
    return event(
      id, to: targets[roll(3)], lane: Lane.allCases[roll(3)], class: roll(2) == 0 ? .mustHear : .atMostOnce,
      until: roll(2) == 0 ? now.adding(seconds: roll(40)) : nil, notBefore: roll(5) == 0 ? now.adding(seconds: 3) : nil,
      key: roll(3) == 0 ? IdempotencyKey(scope: "k", key: "\(roll(20))") : nil, digest: [UInt8(roll(2))],
      ladder: roll(3) == 0 ? [LadderStep(afterSeconds: roll(9), action: "resend")] : [])
  }

  private mutating func outcome() -> SendOutcome {
    switch roll(8) {
    case 0...3: .sent(gatewayID: "g\(roll(1000))")
    case 4: .retry(at: now.adding(seconds: roll(10)), reason: "busy")
    case 5: .ambiguous(resendAt: roll(2) == 0 ? nil : now, reason: "cut")
    case 6: .released
    default: roll(2) == 0 ? .failed(reason: "bad") : .dead(reason: "tired")
    }
  }

  func perform(_ call: Call, on store: any Store) async throws -> Answer {
    guard case .register = call else {
      guard let lease else { throw TestFailure("No lease.") }
      return try await perform(call, on: store, lease)
    }
    let made = try await store.registerWorker(name: "w", leaseSeconds: 20, now: now)
    return Answer(words: "\(made)", lease: made)
  }

  private func perform(_ call: Call, on store: any Store, _ lease: WorkerLease) async throws -> Answer {
    switch call {
    case .register: return Answer(words: "")
    case .upsert(let device): return Answer(words: "\(try await store.upsert(device, now: now))")
    case .accept(let events):
      let outcomes = try await store.accept(events, now: now)
      return Answer(words: "\(outcomes)", deliveries: outcomes.compactMap(\.event).flatMap(\.deliveries))
    case .claim(let limit):
      do throws(StoreError) {
        let batch = try await store.claim(limit: limit, lease: lease, now: now)
        return Answer(words: "\(batch)", claimed: batch.claimed)
      } catch { return Answer(words: "\(error)") }
    case .mark(let intents):
      do throws(StoreError) {
        return Answer(words: "\(try await store.markSending(intents, lease: lease, now: now))")
      } catch { return Answer(words: "\(error)") }
    case .finish(let results): return Answer(words: "\(try await store.finish(results, lease: lease, now: now))")
    case .receipts(let receipts): return Answer(words: "\(try await store.record(receipts, now: now))")
    case .requeue(let requests): return Answer(words: "\(try await store.requeue(requests, now: now))")
    case .extend(let id, let tokens):
      let made = try await store.extend(event: id, to: tokens, due: now, note: "more", now: now)
      return Answer(words: "\(made)", deliveries: made)
    case .remove(let token):
      return Answer(words: "\(try await store.removeDevice(token: token, reason: "gone", now: now))")
    case .recover: return Answer(words: "\(try await store.recover(now: now))")
    case .ladder:
      let steps = try await store.claimLadderSteps(limit: 3, leaseSeconds: 5, now: now)
      var advanced: [Bool] = []
      for step in steps { advanced.append(try await store.advanceLadder(step, detail: "step", now: now)) }
      return Answer(words: "\(steps) \(advanced)")
    case .pending(let token):
      return Answer(words: "\(try await store.pending(token: token, after: 2, since: t0, limit: 5))")
    }
  }

  mutating func note(_ answer: Answer) {
    if let made = answer.lease {
      lease = made
      inHand = []
    }
    inHand += answer.claimed.map(\.ticket)
    inHand = inHand.suffix(30)
    deliveries = (deliveries + answer.deliveries).suffix(60)
  }
}

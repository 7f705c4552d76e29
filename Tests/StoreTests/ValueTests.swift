import Store
import Testing
import TestSupport

/// The values under the stores: times, text forms, lane shares, the delivery as a state machine.
struct ValueTests {
  @Test func `times stay within range`() {
    #expect(Timestamp(seconds: .max).milliseconds == .max)
    #expect(Timestamp(seconds: .min).milliseconds == .min)
    #expect(Timestamp(milliseconds: .max).adding(seconds: 1).milliseconds == .max)
    #expect(Timestamp(milliseconds: .min).adding(milliseconds: -1).milliseconds == .min)
    #expect(Timestamp(milliseconds: -1).seconds == -1)
    #expect(Timestamp(milliseconds: 1999).seconds == 1)
    #expect(t0.adding(seconds: -60) < t0)
  }

  @Test func `timeline lines come back, unknown ones are left out`() {
    for kind in TimelineKind.allCases {
      let entry = TimelineEntry(at: t(7), kind: kind, delivery: DeliveryID(4), detail: "apns-id 7")
      #expect(TimelineCodec.entries(TimelineCodec.line(entry), delivery: DeliveryID(4)) == [entry])
      #expect(!kind.name.isEmpty)
    }
    #expect(Set(TimelineKind.allCases.map(\.name)).count == TimelineKind.allCases.count)
    let odd = "Zabc\n" + TimelineCodec.line(TimelineEntry(at: t0, kind: .note)) + "a!!\n\n"
    #expect(TimelineCodec.entries(odd, delivery: nil) == [TimelineEntry(at: t0, kind: .note)])
  }

  @Test func `a detail is cut at a character and kept on one line`() {
    #expect(TimelineCodec.clean("a\nb\u{7F}c\td") == "a b c d")
    #expect(TimelineCodec.clean(String(repeating: "é", count: 100)) == String(repeating: "é", count: 60))
    #expect(TimelineCodec.clean("x" + String(repeating: "语", count: 100)).utf8.count == 118)
  }

  @Test func `a crowd is not forgotten because a few ran ahead of it`() {
    typealias Crowd = JobQueue<Int>.Crowd
    #expect(Crowd(expecting: 9) == nil)
    #expect(Crowd(expecting: 32)?.count == 32)
    #expect(Crowd.expected(after: 32, before: 0) == 32)
    #expect(Crowd.expected(after: 1, before: 32) == 28)
    var expected = 32
    for _ in 0..<20 { expected = Crowd.expected(after: 1, before: expected) }
    #expect(expected < 10)
  }

  @Test func `a queue waits for a crowd, but not for ever`() throws {
    let queue = JobQueue<Int>(capacity: 10)
    let taken = JobQueue<[Int]>(capacity: 10)
    let taker = BlockingThread {
      // Longer than any test: it ends because the third has come.
      if let all = queue.take(10, crowd: .init(count: 3, pauseSeconds: 600, seconds: 600)) { _ = taken.push(all) }
      // And this one because nobody came during the pause.
      if let one = queue.take(10, crowd: .init(count: 3, pauseSeconds: 0.001, seconds: 600)) { _ = taken.push(one) }
      // And this one because the time is over.
      if let one = queue.take(10, crowd: .init(count: 3, pauseSeconds: 600, seconds: 0.001)) { _ = taken.push(one) }
      // And this one because nothing more can come.
      if let rest = queue.take(10, crowd: .init(count: 3, pauseSeconds: 600, seconds: 600)) { _ = taken.push(rest) }
      if queue.take(10) == nil { _ = taken.push([]) }
    }
    for job in 1...3 { #expect(queue.push(job) == .queued) }
    #expect(taken.take(1) == [[1, 2, 3]])
    for job in 4...5 {
      #expect(queue.push(job) == .queued)
      #expect(taken.take(1) == [[job]])
    }
    #expect(queue.push(6) == .queued)
    queue.close()
    #expect(taken.take(1) == [[6]])
    #expect(taken.take(1) == [[]])
    try #require(taker).join()
  }

  @Test func `no two tokens are kept alike`() {
    var chance = SeededChance(seed: 20)
    let alphabet = Array("0123456789abcdefABCDEF-語")
    var seen: [[UInt8]: String] = [:]
    for _ in 0..<5000 {
      let token = String(
        (0..<Int.random(in: 0...6, using: &chance)).map { _ in alphabet.randomElement(using: &chance) ?? "0" })
      let kept = TokenCodec.encode(token)
      #expect(TokenCodec.decode(kept) == token)
      #expect(seen[kept, default: token] == token)
      seen[kept] = token
    }
    #expect(TokenCodec.encode(token(1)).count == 33)
  }

  @Test func `ladders keep their order and their words`() {
    let steps = [LadderStep(afterSeconds: 90, action: "webhook:sms"), LadderStep(afterSeconds: 5, action: "resend")]
    #expect(LadderCodec.encode(steps) == "5:resend;90:webhook:sms")
    #expect(LadderCodec.decode("5:resend;90:webhook:sms") == steps.reversed())
    #expect(LadderCodec.pending("5:resend", index: 1, due: t0) == nil)
    #expect(LadderCodec.decode("").isEmpty)
  }

  @Test func `lane shares follow the weights and leave nobody out`() {
    var shares = LaneShares(weights: [16, 4, 1])
    var counts = [0, 0, 0]
    var longestWait = [0, 0, 0]
    var wait = [0, 0, 0]
    for _ in 0..<2100 {
      let quota = shares.quotas(limit: 1)
      #expect(quota.reduce(0, +) == 1)
      for lane in 0..<3 {
        counts[lane] += quota[lane]
        wait[lane] = quota[lane] == 1 ? 0 : wait[lane] + 1
        longestWait[lane] = max(longestWait[lane], wait[lane])
      }
    }
    #expect(counts == [1600, 400, 100])
    #expect(longestWait[2] <= 20)
    #expect(LaneShares(weights: [0, -3]).weights == [1, 1, 1])
    for limit in [0, 5, 21, 100, 1000] {
      #expect(shares.quotas(limit: limit).reduce(0, +) == limit)
    }
  }

  @Test func `migrations are taken in order, and foreign ones are refused`() throws {
    let steps = [Migration(version: 1, name: "a", sql: "A"), Migration(version: 2, name: "b", sql: "B")]
    let first = AppliedMigration(version: 1, checksum: steps[0].checksum)
    #expect(try steps.missing(after: []) == steps)
    #expect(try steps.missing(after: [first]) == [steps[1]])
    #expect(throws: StoreError.newerSchema(found: 7, known: 2)) {
      try steps.missing(after: [first, AppliedMigration(version: 7, checksum: "x")])
    }
    #expect(throws: StoreError.changedMigration(version: 1)) {
      try steps.missing(after: [AppliedMigration(version: 1, checksum: "x")])
    }
    // FNV-1a of "a", from the authors' own test vectors.
    #expect(Migration(version: 1, name: "", sql: "a").checksum == "af63dc4c8601ec8c")
  }

  @Test func `errors say what is wrong and what to do, and nothing secret`() {
    #expect(StoreError.newerSchema(found: 3, known: 2).description.contains("3"))
    #expect(
      StoreError.unavailable(retryAfterSeconds: 4, reason: "It is full.").description.hasSuffix("Try again in 4 s."))
    #expect(StoreError.unavailable(retryAfterSeconds: 4, reason: "").isTemporary)
    #expect(!StoreError.fenced.isTemporary)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `whatever happens, a delivery keeps its rules`(seed: UInt64) {
    var chance = SeededChance(seed: seed)
    var record = DeliveryRecord(
      id: DeliveryID(1), eventKey: 1, deviceKey: 1, sequence: 1, lane: .payment, state: .waiting, due: t0, until: t(50),
      flags: Bool.random(using: &chance) ? [.mustHear] : [])
    var epochs: [Int64] = []
    for second in 0..<60 {
      let before = record
      _ = step(&record, at: t(second), &chance)
      #expect(record.proof >= before.proof)
      #expect(record.epoch >= before.epoch)
      let busy = record.state == .claimed || record.state == .sending
      #expect(busy == (record.worker != 0))
      if record.state == .waiting { #expect(record.due <= t(50)) }
      if record.state == .sending, before.state != .sending { epochs.append(record.epoch) }
      if before.state == .ambiguous, record.state == .waiting {
        #expect(record.flags.contains(.resend) || record.flags.contains(.replay))
      }
    }
    // Each claim is sent at most once.
    #expect(Set(epochs).count == epochs.count)
  }

  private func step(_ record: inout DeliveryRecord, at now: Timestamp, _ chance: inout SeededChance) -> [TimelineEntry]
  {
    let ticket = DeliveryTicket(
      id: record.id, epoch: record.epoch - (Int.random(in: 0...3, using: &chance) == 0 ? 1 : 0))
    switch Int.random(in: 0...7, using: &chance) {
    case 0...1:
      if record.state == .waiting, record.due <= now { record.claim(worker: 7) }
      return []
    case 2: return record.markSending(SendIntent(ticket: ticket), worker: 7, now: now).1
    case 3:
      let outcomes: [SendOutcome] = [
        .sent(gatewayID: "g"), .retry(at: now.adding(seconds: 5), reason: "r"), .failed(reason: "f"), .released,
        .ambiguous(resendAt: nil, reason: "a"), .ambiguous(resendAt: now, reason: "a"), .dead(reason: "d"),
      ]
      let outcome = outcomes.randomElement(using: &chance) ?? .released
      return record.finish(SendResult(ticket: ticket, outcome: outcome), worker: 7, now: now) ?? []
    case 4: return record.state == .claimed || record.state == .sending ? record.takeOver(now: now) : []
    case 5:
      let proof = Proof.allCases.randomElement(using: &chance) ?? .heard
      return record.receive(NewReceipt(eventID: "e", token: "t", proof: proof), now: now).entries
    case 6:
      let reason: RequeueReason = Bool.random(using: &chance) ? .resend("r") : .replay("r")
      return record.requeue(Requeue(delivery: record.id, due: now, reason: reason), behindAnother: false, now: now)
        ?? []
    default: return []
    }
  }
}

import Announcing
import PushPayload
import SpokenText
import TestSupport
import Testing

/// Design, section 5, in random runs: whatever the order of steps, the kills and the clock, nothing is heard twice, nothing
/// overlaps, and every amount is heard in the end.
struct HearingInvariantTests {
  static let runsOfAKind = 2000

  enum Story: CaseIterable {
    case calm, kills, failures, jumpingClock, restarts

    var mischief: HearingWorld.Mischief {
      switch self {
      case .calm: .init()
      case .kills: .init(killsPerMille: 60)
      case .failures: .init(killsPerMille: 15, failuresPerMille: 200)
      case .jumpingClock: .init(killsPerMille: 30, clockJumps: true)
      case .restarts: .init(killsPerMille: 20, clockJumps: true, restarts: true)
      }
    }
  }

  @Test(arguments: Story.allCases)
  func `ten thousand runs keep the rules of hearing`(story: Story) throws {
    for run in 0..<HearingInvariantTests.runsOfAKind {
      let seed = UInt64(run)
      var one = HearingRun(seed: seed, mischief: story.mischief)
      try one.play(named: "\(story) \(seed)")
    }
  }

  @Test func `without evidence nothing is heard twice, though something may be missed`() throws {
    for seed in 0..<500 {
      let mischief = HearingWorld.Mischief(killsPerMille: 80, evidenceIsLost: true)
      var one = HearingRun(seed: UInt64(seed) + 50_000, mischief: mischief)
      try one.play(named: "lost evidence \(seed)")
    }
  }
}

/// One random run and its rules.
struct HearingRun {
  var world: HearingWorld
  var events: [SpokenEvent] = []

  init(seed: UInt64, mischief: HearingWorld.Mischief) { world = HearingWorld(seed: seed, mischief: mischief) }

  mutating func play(named name: String) throws {
    for number in 0..<world.random(2..<9) { events.append(event(number)) }
    var queue = events
    // Resends and double callbacks of the same request.
    for event in events where world.happens(perMille: 250) { queue.append(event) }
    while !queue.isEmpty || !world.running.isEmpty {
      if !queue.isEmpty, world.running.count < 4, world.random(0..<4) == 0 {
        world.arrive(queue.remove(at: world.random(0..<min(2, queue.count))))
      } else if world.running.isEmpty {
        world.up += Double(world.random(0..<3000)) / 1000
      } else {
        world.step()
      }
    }
    try check(name)
    try flush(name)
  }

  private mutating func event(_ number: Int) -> SpokenEvent {
    SpokenEvent(
      id: "e\(number)", kind: world.random(0..<6) == 0 ? "payment.refunded" : "payment.received",
      amount: HearingRun.decimal(world.random(1..<1_000_000)), currency: world.random(0..<4) == 0 ? "USD" : "CNY")
  }

  static func decimal(_ cents: Int) -> String {
    "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }

  // MARK: Rules

  private func check(_ name: String) throws {
    let sentences = world.heard.filter { !$0.isChime }
    for (first, second) in zip(sentences, sentences.dropFirst()) where first.boot == second.boot {
      #expect(second.start >= first.end, "two sentences overlap in \(name)")
    }
    var spoken: Set<String> = []
    for key in sentences.flatMap(\.keys) { #expect(spoken.insert(key).inserted, "\(key) is heard twice in \(name)") }
    for handling in world.ended {
      #expect(handling.deliveries == 1, "the handler is called \(handling.deliveries) times in \(name)")
    }
    for sentence in sentences { try checkSums(sentence, name) }
  }

  /// The figures of a sentence against sums that were added up here in whole cents.
  private func checkSums(_ sentence: HearingWorld.Sentence, _ name: String) throws {
    let reader = Reader(.zhCN)
    for (kind, currency) in [
      ("payment.received", "CNY"), ("payment.received", "USD"), ("payment.refunded", "CNY"),
      ("payment.refunded", "USD"),
    ] {
      let members = events.filter { sentence.keys.contains($0.id) && $0.kind == kind && $0.currency == currency }
      guard !members.isEmpty else { continue }
      let cents = members.reduce(0) { $0 + Int(($1.amount ?? "").filter { $0 != "." })! }
      let figure = try reader.read("\(currency) \(HearingRun.decimal(cents))", as: .amount).text
      #expect(sentence.text.contains(figure), "\(sentence.text) lacks \(figure) in \(name)")
    }
  }

  /// After a minute one more push comes with the server's list of all that no receipt was seen for: now every event that
  /// ever reached the phone has been heard exactly once.
  private mutating func flush(_ name: String) throws {
    guard !world.mischief.evidenceIsLost else { return }
    world.up += 60
    let last = SpokenEvent(
      id: "last", kind: "payment.received", amount: "1.00", currency: "CNY", pending: events.map(PendingEntry.init))
    events.append(last)
    let quiet = HearingWorld.Mischief()
    var calm = HearingWorld(seed: 1, mischief: quiet)
    (calm.up, calm.boot, calm.state, calm.marks) = (world.up, world.boot, world.state, world.marks)
    calm.heard = world.heard
    calm.arrive(last)
    calm.runAll()
    world = calm
    try check(name + ", at the end")
    let spoken = Set(calm.heard.flatMap(\.keys))
    for event in events { #expect(spoken.contains(event.id), "\(event.id) is never heard in \(name)") }
  }
}

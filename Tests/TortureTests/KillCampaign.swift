import Glibc
import PhoneSandbox
import ServerTestSupport
import TestSupport

/// A row of kills of one world under load, and what came of it.
struct KillCampaign {
  /// What a campaign showed.
  struct Outcome {
    var accepted: Set<String> = []
    var kills: [Kill] = []
    var pushes: [Wire.Push] = []
    var heard = HeardCounts()

    /// Pushes beyond the first of an event, each with the kill between the two, or nil if there was none.
    var doubles: [(event: String, kill: Int?)] {
      var last: [String: Int64] = [:]
      var found: [(String, Int?)] = []
      for push in pushes {
        if let before = last[push.event] {
          found.append((push.event, kills.firstIndex { before <= $0.at + 50 && $0.at <= push.at }))
        }
        last[push.event] = push.at
      }
      return found
    }
  }

  /// One kill.
  struct Kill {
    var point: KillPoint
    /// Monotonic milliseconds.
    var at: Int64
    /// From the start of the new process until the first push of an event that waited; nil when none waited.
    var firstPushMilliseconds: Int64?
  }

  let seed: UInt64
  let world: TortureWorld
  private static let eventsPerKill = 18
  private static let callers = 3

  /// Kills at these points, then lets everything come to rest.
  ///
  /// - Parameter drainSeconds: How long the rest may take.
  func run(_ points: [KillPoint], drainSeconds: Int) async throws -> Outcome {
    var chance = SeededChance(seed: seed)
    var outcome = Outcome()
    for (number, point) in points.enumerated() {
      let plan = KillPlan(point, using: &chance)
      let ids = (0..<KillCampaign.eventsPerKill).map { "k\(seed)-\(number)-\($0)" }
      let until = Int(APNsSandboxConfiguration.wallClock()) + 86_400
      let events = ids.map { (id: $0, json: KillCampaign.event($0, world.tokens.count, until, &chance)) }
      outcome.kills.append(try await kill(plan, while: events.map(\.json)))
      outcome.accepted.formUnion(ids)
    }
    try await world.drain(seconds: drainSeconds)
    // What was answered last is written a moment later.
    await LivePhone.sleep(seconds: 0.3)
    outcome.pushes = world.wire.pushes
    outcome.heard = try await world.heard()
    return outcome
  }

  private func kill(_ plan: KillPlan, while events: [String]) async throws -> Kill {
    let world = world
    let index = KillCampaign.victim(plan, among: world.running.count)
    let (sprung, trigger) = AsyncStream<Int64>.makeStream()
    let victim = world.running[index]
    async let posting: Void = post(events)
    world.wire.arm(plan) {
      victim.signal(SIGKILL)
      trigger.yield(Monotonic.milliseconds())
    }
    async let rescue: Void = springLater()
    var moments = sprung.makeAsyncIterator()
    let at = await moments.next() ?? Monotonic.milliseconds()
    let started = Monotonic.milliseconds()
    let before = world.wire.count
    try await world.restart(index)
    try await posting
    await rescue
    let next = world.wire.pushes.dropFirst(before).first { $0.at >= started }
    return Kill(point: plan.point, at: at, firstPushMilliseconds: next.map { $0.at - started })
  }

  /// A point that was not reached (everything was sent before) is a kill all the same.
  private func springLater() async {
    await LivePhone.sleep(seconds: 1)
    world.wire.springNow()
  }

  private func post(_ events: [String]) async throws {
    let world = world
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<KillCampaign.callers {
        group.addTask {
          for place in stride(from: lane, to: events.count, by: KillCampaign.callers) {
            try await world.post(events[place])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Accepting is killed in the process that accepts, sending in one that sends.
  private static func victim(_ plan: KillPlan, among count: Int) -> Int {
    if count == 1 { return 0 }
    return [.duringAccept, .afterCommit].contains(plan.point) ? 0 : 1 + plan.victim % (count - 1)
  }

  /// A payment, which is sent at most once, or an approval, which must be heard.
  private static func event(_ id: String, _ phones: Int, _ until: Int, _ chance: inout SeededChance) -> String {
    let phone = Int.random(in: 0..<phones, using: &chance)
    let to = #""id":"\#(id)","to":{"user":"u\#(phone)"},"until":\#(until)"#
    if Bool.random(using: &chance) { return #"{\#(to),"kind":"approval.requested"}"# }
    let cents = Int.random(in: 100...99_999, using: &chance)
    return #"{\#(to),"kind":"payment.received","amount":"\#(cents / 100).\#(cents % 100 / 10)\#(cents % 10)","#
      + #""currency":"CNY"}"#
  }
}

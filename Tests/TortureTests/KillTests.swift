import ExactJSON
import Glibc
import PhoneSandbox
import ServerTestSupport
import Testing

/// The real server is killed with SIGKILL at seeded points under load.
///
/// Nothing that was answered with 202 may be lost, and nothing may be said twice, counted at virtual phones that run the extension's
/// own decisions. `make torture` sets `TORTURE_KILLS` to the number of kills for each database; without it there is one of each kind.
@Suite(.serialized) struct KillTests {
  private static let killsPerCampaign = 10

  /// Points of the campaigns; a campaign is run again with its seed.
  private static let campaigns: [(seed: UInt64, points: [KillPoint])] = {
    guard let asked = Torture.asked("TORTURE_KILLS") else { return [(seed: 1, points: KillPoint.allCases)] }
    let first = Torture.asked("TORTURE_SEED") ?? 1
    return stride(from: 0, to: asked, by: killsPerCampaign).map { done in
      let points = (done..<min(asked, done + killsPerCampaign)).map {
        KillPoint.allCases[$0 % KillPoint.allCases.count]
      }
      return (UInt64(first + done / killsPerCampaign), points)
    }
  }()

  @Test(arguments: campaigns.map(\.seed))
  func `SQLite: nothing is lost and nothing is said twice`(seed: UInt64) async throws {
    try await run(seed, .sqlite)
  }

  @Test(arguments: campaigns.map(\.seed))
  func `PostgreSQL and two workers: nothing is lost and nothing is said twice`(seed: UInt64) async throws {
    try await run(seed, .postgres(try PostgresCluster.shared.get(), workers: 2))
  }

  @Test(arguments: campaigns.map(\.seed))
  func `PostgreSQL and one process that does all: nothing is lost and nothing is said twice`(seed: UInt64) async throws
  {
    try await run(seed, .postgres(try PostgresCluster.shared.get(), workers: 0))
  }

  private func run(_ seed: UInt64, _ database: TortureWorld.Database) async throws {
    let points = KillTests.campaigns.first { $0.seed == seed }?.points ?? []
    let world = try await TortureWorld(database, phones: 48)
    let outcome: KillCampaign.Outcome
    do {
      outcome = try await KillCampaign(seed: seed, world: world).run(points, drainSeconds: 40)
    } catch {
      await world.stop()
      throw error
    }
    await world.stop()
    check(outcome, seed)
  }

  private func check(_ outcome: KillCampaign.Outcome, _ seed: UInt64) {
    let lost = outcome.heard.lost(of: outcome.accepted)
    let codes = lost.map { "\($0) \(outcome.heard.silent[$0] ?? [])" }
    #expect(lost.isEmpty, "seed \(seed): never said: \(codes)")
    #expect(outcome.heard.twice.isEmpty, "seed \(seed): said twice: \(outcome.heard.twice)")
    let doubles = outcome.doubles
    #expect(doubles.allSatisfy { $0.kill != nil }, "seed \(seed): pushed twice without a kill between: \(doubles)")
    // A process has two connections for proven tokens and one for the others.
    let perKill = Dictionary(grouping: doubles, by: \.kill).mapValues(\.count)
    #expect((perKill.values.max() ?? 0) <= 3 * Wire.streams, "seed \(seed): \(perKill)")
    let payments = Set(outcome.pushes.filter { $0.push.payload["aloud"]?["kind"] == "payment.received" }.map(\.event))
    #expect(doubles.allSatisfy { !payments.contains($0.event) }, "seed \(seed): a payment was pushed twice: \(doubles)")
    let slowest = outcome.kills.compactMap(\.firstPushMilliseconds).max() ?? 0
    #expect(slowest <= Torture.restartLimitMilliseconds, "seed \(seed): \(outcome.kills)")
    print(
      "seed \(seed): \(outcome.kills.count) kills, \(outcome.accepted.count) events accepted, lost \(lost.count), "
        + "said twice \(outcome.heard.twice.count), wire doubles \(doubles.count), "
        + "slowest first push after a restart \(slowest) ms")
  }
}

/// How much torture is asked for.
enum Torture {
  /// A number in the environment.
  static func asked(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  /// Two seconds for the program as it is shipped; the one that is built for tests starts slowly beside other tests.
  static let restartLimitMilliseconds: Int64 = asked("TORTURE_KILLS") == nil ? 10_000 : 2_000
}

import Glibc
import PhoneSandbox
import ServerTestSupport
import Testing

/// One server takes events, two workers share the sending, and one of them is stopped half-way.
///
/// `make torture` sets `TORTURE_EVENTS` to 100,000.
@Suite(.serialized) struct ShareTests {
  private static let events = Torture.asked("TORTURE_EVENTS") ?? 600
  private static let batch = 100

  @Test(arguments: [SIGKILL, SIGSTOP])
  func `two workers share the events, one is stopped half-way, and all are heard once`(signal: Int32) async throws {
    let count = Self.events
    let world = try await TortureWorld(
      .postgres(try PostgresCluster.shared.get(), workers: 2), phones: max(100, count / 20), streams: 100)
    do {
      try await share(count, signal, world)
      await world.stop()
    } catch {
      await world.stop()
      throw error
    }
  }

  /// - Parameter workers: zero: the server sends by itself, and what it accepts is claimed at once
  @Test(arguments: [2, 0])
  func `sessions of the database end again and again, and every push goes out once`(workers: Int) async throws {
    let count = Self.events
    let cluster = try PostgresCluster.shared.get()
    let world = try await TortureWorld(.postgres(cluster, workers: workers), phones: max(100, count / 20), streams: 100)
    let ending = Task {
      // About a third of the sessions each time, drawn by PostgreSQL.
      while !Task.isCancelled {
        try cluster.psql(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname LIKE 'torture%' AND pid <> pg_backend_pid() AND random() < 0.3
          """)
        await LivePhone.sleep(seconds: 0.05)
      }
    }
    do {
      try await post(count, world)
      try await world.drain(seconds: 60 + count / 100)
      ending.cancel()
      try await ending.value
      let heard = try await world.heard(onlyLedgers: count > 5_000)
      let all = (0..<count).map { "h\($0)" }
      #expect(heard.lost(of: all).isEmpty, "\(heard.lost(of: all).prefix(5)) \(heard.silent.prefix(3))")
      #expect(heard.twice.isEmpty, "\(heard.twice.prefix(5))")
      // No process died, so no fate was unknown: nothing is held, and nothing went out again.
      #expect(world.wire.count == count)
      #expect(Set(world.wire.pushes.map(\.event)).count == count)
      await world.stop()
    } catch {
      ending.cancel()
      await world.stop()
      throw error
    }
  }

  private func share(_ count: Int, _ signal: Int32, _ world: TortureWorld) async throws {
    async let posting: Void = post(count, world)
    while world.wire.count < count / 2 { await LivePhone.sleep(seconds: 0.01) }
    let victim = world.running[1]
    victim.signal(signal)
    let stopped = Monotonic.milliseconds()
    try await posting
    try await world.drain(seconds: 30 + count / 100)
    let settled = Monotonic.milliseconds() - stopped
    let taken = Set(world.wire.pushes.map(\.event)).count
    if signal == SIGSTOP {
      // Woken after others have taken its work over, it must send nothing of what it lost.
      victim.signal(SIGCONT)
      let before = world.wire.count
      await LivePhone.sleep(seconds: 2)
      #expect(world.wire.count - before <= 3 * 100, "more than was in flight came from the worker that was stopped")
    }
    let heard = try await world.heard(onlyLedgers: count > 5_000)
    let all = (0..<count).map { "h\($0)" }
    #expect(heard.lost(of: all).isEmpty, "\(heard.lost(of: all).prefix(5)) \(heard.silent.prefix(3))")
    #expect(heard.twice.isEmpty, "\(heard.twice.prefix(5))")
    let doubles = world.wire.count - Set(world.wire.pushes.map(\.event)).count
    print(
      "\(count) events, worker ended by signal \(signal) half-way: \(taken) reached APNs, \(count - taken) were held and "
        + "read from the ledger, lost \(heard.lost(of: all).count), said twice \(heard.twice.count), "
        + "wire doubles \(doubles), everything settled \(settled) ms after the signal")
  }

  private func post(_ count: Int, _ world: TortureWorld) async throws {
    let until = Int(APNsSandboxConfiguration.wallClock()) + 86_400
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          for first in stride(from: lane * Self.batch, to: count, by: 4 * Self.batch) {
            let events = (first..<min(count, first + Self.batch)).map { number in
              #"{"id":"h\#(number)","to":{"user":"u\#(number % world.tokens.count)"},"until":\#(until),"#
                + (number % 4 == 0
                  ? #""kind":"approval.requested"}"#
                  : #""kind":"payment.received","amount":"28.50","currency":"CNY"}"#)
            }
            try await world.post("[" + events.joined(separator: ",") + "]", path: "/v1/events/batch")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

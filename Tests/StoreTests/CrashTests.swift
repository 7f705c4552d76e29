import CLinux
import Glibc
import ServerTestSupport
import Store
import StorePostgres
import StoreSQLite
import TestSupport
import Testing

/// A process that works on a store is killed with SIGKILL at seeded points; what it had promised must be there.
///
/// `TORTURE_KILLS=200` runs that many points instead of a few.
struct CrashTests {
  private static var points: [UInt64] {
    let asked = getenv("TORTURE_KILLS").flatMap { UInt64(String(cString: $0)) }
    return Array(1...max(1, asked ?? 6))
  }

  @Test(arguments: points)
  func `SQLite keeps every promise of a killed process`(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let place = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [seed, place = place as String] in
      let store = try SQLiteStore(path: place + "/aloud.db", now: t0)
      try await Victim(store: store, log: place + "/promises", seed: seed).work()
    }
    let promises = try Promises(place + "/promises")
    let store = try SQLiteStore(path: place + "/aloud.db", now: t(1))
    try await promises.check(store, seed: seed)
    let lease = try await store.worker("victim", now: t(1))
    try await promises.checkNothingIsStuck(store, lease, seed: seed)
    await store.close()
  }

  @Test(arguments: points.prefix(max(2, points.count / 8)))
  func `PostgreSQL keeps every promise of a killed process, and another takes over`(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let place = folder.path
    let cluster = try PostgresCluster.shared.get()
    let connection = cluster.connection
    let schema = cluster.freshSchema()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [seed, place = place as String, connection = connection as String, schema = schema as String] in
      let store = try PostgresStore(options: PostgresOptions(connection: connection, schema: schema), now: t0)
      try await Victim(store: store, log: place + "/promises", seed: seed).work()
    }
    let promises = try Promises(place + "/promises")
    let store = try PostgresStore(options: PostgresOptions(connection: connection, schema: schema), now: t(1))
    try await promises.check(store, seed: seed)
    let lease = try await store.worker("another", now: t(1))
    #expect(try await store.recover(now: t(5)).lostWorkers.isEmpty)
    #expect(try await store.recover(now: t(6)).lostWorkers == ["victim"])
    try await promises.checkNothingIsStuck(store, lease, seed: seed)
    await store.close()
  }
}

/// Works like a server under load, writes down each promise once the store has given it, and kills itself at a seeded point.
private struct Victim: Sendable {
  let store: any Store
  let seed: UInt64
  private let log: Int32
  private let left: StoreLock<Int>

  init(store: any Store, log path: String, seed: UInt64) throws {
    self.store = store
    self.seed = seed
    log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if log < 0 { throw TestFailure("\(path) cannot be written.") }
    var chance = SeededChance(seed: seed)
    left = StoreLock(Int.random(in: 1...400, using: &chance))
  }

  /// Never returns in good order: the process dies when the seeded number of promises has been given.
  func work() async throws {
    try await store.register(8)
    let lease = try await store.worker("victim")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<16 { group.addTask { try await accept(caller) } }
      group.addTask { try await send(lease) }
      try await group.waitForAll()
    }
  }

  private func accept(_ caller: Int) async throws {
    for turn in 0..<1000 {
      let ids = (0...(turn % 3)).map { "e\(caller)-\(turn)-\($0)" }
      let batch = ids.map {
        event(
          $0, to: .device(token: token(1 + turn % 8)), class: turn % 2 == 0 ? .mustHear : .atMostOnce, until: t(900))
      }
      for outcome in try await store.accept(batch, now: t0) {
        if let accepted = outcome.event { promise("accepted \(accepted.id)") }
      }
    }
  }

  private func send(_ lease: WorkerLease) async throws {
    while true {
      let batch = try await store.claim(limit: 10, lease: lease, now: t0).claimed
      let answers = try await store.markSending(batch.map { SendIntent(ticket: $0.ticket) }, lease: lease, now: t0)
      for (delivery, answer) in zip(batch, answers) where answer == .go { promise("sending \(delivery.event.id)") }
      let results = batch.map { SendResult(ticket: $0.ticket, outcome: .sent(gatewayID: "g")) }
      _ = try await store.finish(results, lease: lease, now: t0)
      for delivery in batch { promise("sent \(delivery.event.id)") }
      await Task.yield()
    }
  }

  private func promise(_ line: String) {
    let text = line + "\n"
    _ = write(log, text, text.utf8.count)
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { kill(getpid(), SIGKILL) }
  }
}

/// What a killed process had promised.
private struct Promises {
  private var accepted: Set<String> = []
  private var sending: Set<String> = []
  private var sent: Set<String> = []

  init(_ path: String) throws {
    guard let file = fopen(path, "r") else { throw TestFailure("The killed process promised nothing.") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    while fgets(&line, 200, file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(separator: " ").map { String($0) }
      guard words.count == 2 else { continue }
      switch words[0] {
      case "accepted": accepted.insert(words[1])
      case "sending": sending.insert(words[1])
      default: sent.insert(words[1])
      }
    }
  }

  /// Every promise is kept, and a repeat of an accepted event makes no second one.
  func check(_ store: any Store, seed: UInt64) async throws {
    #expect(!accepted.isEmpty || !sending.isEmpty || !sent.isEmpty, "seed \(seed)")
    for id in accepted {
      let history = try await store.event(id)
      #expect(history?.event.body == event(id).body, "seed \(seed), \(id)")
      #expect(history?.deliveries.count == 1, "seed \(seed), \(id)")
    }
    for id in sending where !sent.contains(id) {
      let state = try await store.state(id)
      #expect(state == .sending || state == .sent, "seed \(seed), \(id)")
    }
    for id in sent { #expect(try await store.state(id) == .sent, "seed \(seed), \(id)") }
  }

  /// Everything that was accepted can still be sent, in the end.
  func checkNothingIsStuck(_ store: any Store, _ lease: WorkerLease, seed: UInt64) async throws {
    _ = try await store.sendAll(lease, now: t(10))
    for id in accepted {
      let state = try await store.state(id)
      #expect(state == .sent || state == .ambiguous, "seed \(seed), \(id)")
    }
    _ = try await store.recover(now: t(10))
    #expect(try await store.stats(now: t(10)).openDeliveries == 0, "seed \(seed)")
  }
}

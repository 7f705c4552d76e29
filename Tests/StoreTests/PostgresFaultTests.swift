import Glibc
import ServerTestSupport
import Store
import StorePostgres
import TestSupport
import Testing

/// What PostgreSQL alone has: several processes, notifications, restarts, the application's own transaction.
struct PostgresFaultTests {
  @Test func `two processes share the work and nothing is claimed twice`() async throws {
    try await withTwo { first, second, _, _ in
      try await first.register(20)
      for turn in 0..<10 {
        let store = turn.isMultiple(of: 2) ? first : second
        _ = try await store.accept((1...20).map { event("e\(turn)-\($0)", to: .device(token: token($0))) }, now: t0)
      }
      let lists = try await withThrowingTaskGroup(of: [String].self) { group in
        for (name, store) in [("a", first), ("b", second)] {
          group.addTask {
            let lease = try await store.worker(name)
            var sent: [String] = []
            var empty = 0
            while empty < 20 {
              let batch = try await store.claim(limit: 7, lease: lease, now: t0).claimed
              empty = batch.isEmpty ? empty + 1 : 0
              try await store.send(batch, lease)
              sent += batch.map(\.event.id)
            }
            return sent
          }
        }
        var lists: [[String]] = []
        for try await list in group { lists.append(list) }
        return lists
      }
      let all = lists.flatMap { $0 }
      #expect(all.count == Set(all).count)
      let lease = try await first.worker("rest")
      let rest = try await first.sendAll(lease)
      #expect(Set(all + rest).count == 200)
      #expect(try await first.stats(now: t0).openDeliveries == 0)
    }
  }

  @Test func `accepting, finishing and removing at once leaves nothing stuck`() async throws {
    try await withTwo { first, second, _, _ in
      try await first.register(6)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, store) in [first, second, first, second].enumerated() {
          group.addTask {
            for turn in 0..<15 {
              let batch = (1...6).map { event("e\(number)-\(turn)-\($0)", to: .device(token: token(7 - $0))) }
              _ = try await store.accept(batch, now: t0)
              let receipts = batch.map { NewReceipt(eventID: $0.id, token: token(1), proof: .heard) }
              _ = try await store.record(receipts.reversed(), now: t0)
            }
          }
        }
        for (name, store) in [("a", first), ("b", second)] {
          group.addTask {
            let lease = try await store.worker(name)
            for _ in 0..<40 {
              try await store.send(try await store.claim(limit: 9, lease: lease, now: t0).claimed, lease)
            }
          }
        }
        group.addTask {
          for _ in 0..<10 {
            _ = try await first.removeDevice(token: token(6), reason: "gone", now: t0)
            _ = try await second.upsert(device(6, user: "u1"), now: t0)
          }
        }
        try await group.waitForAll()
      }
      let lease = try await first.worker("rest")
      _ = try await first.sendAll(lease)
      #expect(try await first.stats(now: t0).openDeliveries == 0)
    }
  }

  @Test func `what one process accepts wakes the other`() async throws {
    try await withTwo { first, second, _, _ in
      try await first.register()
      var wakeUps = second.wakeUps().makeAsyncIterator()
      // The first element may be the one that a fresh listener gives itself.
      for number in 0..<3 {
        try await first.take(event("e\(number)"))
        #expect(await wakeUps.next() != nil)
      }
    }
  }

  @Test func `a process that was alone tells another that has come`() async throws {
    try await withTwo { first, second, _, _ in
      try await first.register()
      _ = try await first.worker("a")
      _ = try await first.recover(now: t0)
      try await first.take(event("e0"))
      _ = try await second.worker("b")
      _ = try await first.recover(now: t0)
      var wakeUps = second.wakeUps().makeAsyncIterator()
      // The first elements may be those that a fresh listener and a registration give.
      for number in 1...4 {
        try await first.take(event("e\(number)"))
        #expect(await wakeUps.next() != nil)
      }
    }
  }

  @Test func `a process that claims keeps its registration from being taken over half-way`() async throws {
    try await withTwo { first, second, _, _ in
      try await first.register(50)
      _ = try await first.accept((1...50).map { event("e\($0)", to: .device(token: token($0))) }, now: t0)
      let lease = try await first.worker("slow")
      async let claimed = { try? await first.claim(limit: 50, lease: lease, now: t0).claimed.count }()
      _ = try await second.recover(now: t(60))
      _ = await claimed
      // Claimed before or refused after: in neither case is anything left with a worker that is gone.
      let other = try await second.worker("other", now: t(60))
      #expect(try await second.sendAll(other, now: t(60)).count == 50)
    }
  }

  @Test func `a claim that PostgreSQL lost in a crash is worth nothing when it is made again`() async throws {
    try await withTwo { first, _, cluster, schema in
      try await first.register()
      try await first.take(event("e1"))
      let lease = try await first.worker()
      let lost = try #require(try await first.claim(limit: 1, lease: lease, now: t0).claimed.first).ticket
      // As it is after the crash: all connections have ended, and the row is what it was before the claim.
      try cluster.psql(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'aloud \(schema)';
        UPDATE \(schema).deliveries SET state = 1, ready = true, worker = 0, epoch = epoch - 1
        """)
      let again = try #require(try await first.claim(limit: 1, lease: lease, now: t(1)).claimed.first).ticket
      #expect(again.id == lost.id)
      let answers = try await first.markSending([lost, again].map { SendIntent(ticket: $0) }, lease: lease, now: t(1))
      #expect(answers == [.fenced, .go])
    }
  }

  @Test func `calls that fail wake nobody, who would only fail again`() async throws {
    try await withTwo { first, _, cluster, schema in
      try cluster.psql("DROP TABLE \(schema).workers")
      let wakeUps = first.wakeUps()
      let counting = Task { await wakeUps.reduce(0) { count, _ in count + 1 } }
      for _ in 1...200 { await #expect(throws: StoreError.self) { try await first.worker() } }
      await first.close()
      // The thread that listens for other processes wakes once, when it has connected.
      #expect(await counting.value <= 1)
    }
  }

  @Test func `a stopped server makes calls fail for a while, and nothing is lost`() async throws {
    let cluster = try PostgresCluster()
    defer { cluster.stop() }
    let store = try PostgresStore(options: PostgresOptions(connection: cluster.connection), now: t0)
    try await store.register()
    try await store.take(event("e1"))
    try cluster.halt(SIGINT)
    let failure = await #expect(throws: StoreError.self) { try await store.accept(event("e2"), now: t0) }
    #expect(failure?.isTemporary == true)
    await #expect(throws: StoreError.self) { try await store.event("e1") }
    try cluster.launch()
    let deadline = Monotonic.milliseconds() + 20_000
    var outcome: AcceptOutcome?
    while outcome == nil, Monotonic.milliseconds() < deadline {
      outcome = try? await store.accept(event("e2"), now: t0)
    }
    #expect(outcome?.event?.id == "e2")
    try cluster.halt(SIGQUIT)
    try cluster.launch()
    var state: DeliveryState?
    while state == nil, Monotonic.milliseconds() < deadline { state = try? await store.state("e2") }
    #expect(state == .blocked)
    #expect(try await store.event("e1") != nil)
    await store.close()
  }

  @Test func `an application enqueues in its own transaction`() async throws {
    try await withTwo { first, second, cluster, schema in
      var wakeUps = second.wakeUps().makeAsyncIterator()
      let json = #"{"id":"o1","to":{"user":"u1"},"kind":"payment.received","amount":28.50,"note":"it''s"}"#
      try cluster.psql("SET search_path = \(schema); BEGIN; SELECT aloud_enqueue('\(json)'); ROLLBACK")
      #expect(try await first.takeEnqueued(limit: 9, leaseSeconds: 5, now: t0).isEmpty)
      try cluster.psql(
        "BEGIN; SELECT \(schema).aloud_enqueue('\(json)'); SELECT \(schema).aloud_enqueue('\(json)'); COMMIT")
      #expect(await wakeUps.next() != nil)
      #expect(try await first.nextDue() == Timestamp(milliseconds: 0))
      let taken = try await first.takeEnqueued(limit: 9, leaseSeconds: 5, now: t0)
      #expect(taken.map(\.id) == ["o1"])
      #expect(String(decoding: taken[0].json, as: UTF8.self) == json.replacing("''", with: "'"))
      #expect(try await second.takeEnqueued(limit: 9, leaseSeconds: 5, now: t(4)).isEmpty)
      #expect(try await second.takeEnqueued(limit: 9, leaseSeconds: 5, now: t(5)).map(\.id) == ["o1"])
      try await second.settleEnqueued([EnqueuedOutcome(id: "o1")], now: t(5))
      #expect(try await first.takeEnqueued(limit: 9, leaseSeconds: 5, now: t(50)).isEmpty)
    }
  }

  @Test func `an enqueued event without an id gets one, one without a target is refused at once`() async throws {
    try await withTwo { first, _, cluster, schema in
      try cluster.psql("SELECT \(schema).aloud_enqueue('{\"to\":{\"device\":\"t\"}}')")
      let taken = try await first.takeEnqueued(limit: 9, leaseSeconds: 5, now: t0)
      #expect(taken.count == 1)
      #expect(taken.first?.id.hasPrefix("evt_") == true)
      #expect(taken.first?.id.count == 36)
      try await first.settleEnqueued(taken.map { EnqueuedOutcome(id: $0.id, refusal: "unknown device") }, now: t0)
      #expect(try await first.takeEnqueued(limit: 9, leaseSeconds: 5, now: t(50)).isEmpty)
      for bad in ["{\"id\":\"x\"}", "[]", "{\"to\":\"u1\"}", "null"] {
        #expect(throws: TestFailure.self) { try cluster.psql("SELECT \(schema).aloud_enqueue('\(bad)')") }
      }
    }
  }

  @Test func `a user's phones are found without walking all phones, also before the first statistics`() async throws {
    try await withTwo { _, _, cluster, schema in
      try cluster.psql(
        """
        SET search_path TO \(schema);
        ALTER TABLE devices SET (autovacuum_enabled = false);
        INSERT INTO devices(token, profile, owner, registered_at)
          SELECT decode(lpad(to_hex(n), 8, '0'), 'hex'), 1, 'u' || n, 0 FROM generate_series(1, 20000) AS n;
        -- As the store asks: prepared once, for any number of users and any limit.
        SET plan_cache_mode = force_generic_plan;
        PREPARE phones(text[], integer) AS SELECT u.owner, d.id FROM unnest($1) AS u(owner)
          CROSS JOIN LATERAL (SELECT id FROM devices WHERE owner = u.owner ORDER BY id LIMIT $2) AS d;
        DO $$ DECLARE line text; plan text := ''; BEGIN
          FOR line IN EXECUTE 'EXPLAIN EXECUTE phones(ARRAY[''u1'', ''u2''], 100)'
          LOOP plan := plan || line || chr(10); END LOOP;
          IF plan NOT LIKE '%devices_owner%' THEN RAISE EXCEPTION '%', plan; END IF;
        END $$
        """)
    }
  }

  @Test func `a database of the version before is brought forward with its work under way`() async throws {
    try await withTwo { first, second, cluster, schema in
      try await first.register()
      for id in ["e1", "e2", "e3"] { try await first.take(event(id)) }
      let lease = try await first.worker()
      try await first.send(try await first.claim(limit: 1, lease: lease, now: t0).claimed, lease)
      let batch = try await first.claim(limit: 1, lease: lease, now: t0).claimed
      _ = try await first.markSending(batch.map { SendIntent(ticket: $0.ticket) }, lease: lease, now: t0)
      let stats = try await first.stats(now: t0)
      try cluster.psql(
        """
        SET search_path TO \(schema);
        CREATE TABLE before(
          id bigint GENERATED ALWAYS AS IDENTITY, event bigint, device bigint, sequence bigint, lane smallint,
          state smallint, due bigint, until bigint, attempts integer, epoch bigint, worker bigint, proof smallint,
          flags integer, timeline text NOT NULL DEFAULT '');
        INSERT INTO before OVERRIDING SYSTEM VALUE
          SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags, timeline
          FROM deliveries;
        SELECT setval(pg_get_serial_sequence('before', 'id'), 3);
        DROP TABLE deliveries;
        ALTER TABLE before RENAME TO deliveries;
        CREATE INDEX deliveries_open ON deliveries(device, lane, sequence) WHERE state <= 3;
        DELETE FROM schema_migrations WHERE version = 3;
        """)
      let later = try PostgresStore(
        options: PostgresOptions(connection: cluster.connection, schema: schema), now: t(1))
      #expect(try await later.stats(now: t0).deliveries == stats.deliveries)
      #expect(try await later.state("e1") == .sent)
      #expect(try await later.state("e2") == .sending)
      #expect(try await later.state("e3") == .blocked)
      // The worker comes back under its name: what it was sending is of unknown fate, and the next is free.
      let again = try await later.worker(now: t(1))
      #expect(try await later.state("e2") == .ambiguous)
      #expect(try await later.sendAll(again, now: t(1)) == ["e3"])
      try await later.take(event("e4"))
      #expect(try await later.sendAll(again, now: t(1)) == ["e4"])
      await later.close()
      // A process of the version before that still runs is told that it cannot write any more.
      try await second.take(event("e5"))
      #expect(throws: TestFailure.self) {
        try cluster.psql("UPDATE \(schema).deliveries SET state = 2, worker = 1 WHERE state = 1")
      }
    }
  }

  @Test func `a newer or changed schema, an odd schema name and a missing server are refused`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let schema = cluster.freshSchema()
    func open(_ steps: [Migration]?, schema: String) throws -> PostgresStore {
      try PostgresStore(
        options: PostgresOptions(connection: cluster.connection, schema: schema, migrations: steps), now: t0)
    }
    let steps = [
      Migration(version: 1, name: "a", sql: "CREATE TABLE one(x integer)"),
      Migration(version: 2, name: "b", sql: "CREATE TABLE two(x integer)"),
    ]
    await (try open(steps, schema: schema)).close()
    #expect(throws: StoreError.newerSchema(found: 2, known: 1)) { try open([steps[0]], schema: schema) }
    #expect(throws: StoreError.changedMigration(version: 1)) { try open(nil, schema: schema) }
    let broken =
      steps + [Migration(version: 3, name: "c", sql: "CREATE TABLE three(x integer); CREATE TABLE two(x integer)")]
    #expect(throws: StoreError.self) { try open(broken, schema: schema) }
    await (try open(steps, schema: schema)).close()
    for name in ["", "A", "a;b", "a\"b", String(repeating: "a", count: 41)] {
      #expect(throws: StoreError.self) { try open(nil, schema: name) }
    }
    let nowhere = PostgresOptions(connection: "host=/nowhere password=secret dbname=x")
    let failure = #expect(throws: StoreError.self) { try PostgresStore(options: nowhere, now: t0) }
    #expect(failure?.description.contains("--database") == true)
    #expect(failure?.description.contains("secret") == false)
  }
}

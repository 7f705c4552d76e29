import ServerTestSupport
import Store
import StorePostgres
import TestSupport
import Testing

/// What happens when connections to PostgreSQL are lost: before a transaction, in it, and while its COMMIT is under way.
struct PostgresConnectionTests {
  @Test func `lost connections are mended without anyone noticing`() async throws {
    try await withTwo { first, second, cluster, schema in
      try await first.register()
      try await first.take(event("e1"))
      try await second.take(event("e2"))
      try cluster.psql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'aloud \(schema)'")
      try await first.take(event("e3"))
      #expect(try await first.event("e1") != nil)
      let lease = try await second.worker()
      #expect(try await second.sendAll(lease) == ["e1", "e2", "e3"])
    }
  }

  @Test func `a server that will accept is connected and has planned it before the first event comes`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let schema = cluster.freshSchema()
    let options = PostgresOptions(connection: cluster.connection, schema: schema, acceptsSoon: true)
    try await Gate.postgres.pass {
      let store = try PostgresStore(options: options, now: t0)
      // Both accepting sessions have ended a transaction, although nobody has called.
      let found = Result {
        try cluster.psql(
          """
          DO $$ BEGIN
            FOR turn IN 1..1000 LOOP
              IF (SELECT count(*) FROM pg_stat_activity
                WHERE application_name = 'aloud \(schema)' AND query = 'COMMIT' AND state = 'idle') = 2 THEN RETURN; END IF;
              PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
            END LOOP;
            RAISE EXCEPTION 'an accepting session is not ready';
          END $$
          """)
      }
      await store.close()
      try found.get()
    }
  }

  /// Has PostgreSQL end the session of the first that does something, as an administrator or a fail-over does.
  private func endSession(_ cluster: PostgresCluster, _ schema: String, _ trigger: String) throws {
    try cluster.psql(
      """
      SET search_path = \(schema);
      CREATE SEQUENCE ended;
      CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql SET search_path = \(schema) AS $$ BEGIN
        -- What a sequence has given stays given when the transaction is undone.
        IF nextval('ended') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NEW;
      END $$;
      CREATE \(trigger) EXECUTE FUNCTION end_session()
      """)
  }

  @Test(arguments: [
    "TRIGGER e BEFORE INSERT ON events FOR EACH ROW", "TRIGGER e BEFORE UPDATE ON devices FOR EACH ROW",
    // While PostgreSQL works on COMMIT: the store cannot know whether it was done.
    "CONSTRAINT TRIGGER e AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW",
  ])
  func `a session that ends while it accepts is mended without anyone noticing`(trigger: String) async throws {
    try await withTwo { first, _, cluster, schema in
      try await first.register(3)
      try endSession(cluster, schema, trigger)
      try await first.take(event("e1", to: .user("u1")))
      #expect(try await first.event("e1")?.deliveries.count == 3)
      #expect(try await first.stats(now: t0).openDeliveries == 3)
    }
  }

  @Test(arguments: [DeliveryState.claimed, .sending, .sent])
  func `a session that ends before COMMIT is mended for what must not be done twice, too`(
    state: DeliveryState
  ) async throws {
    try await withTwo { first, _, cluster, schema in
      try await first.register()
      try await first.take(event("e1"))
      let lease = try await first.worker()
      try endSession(
        cluster, schema,
        "TRIGGER e BEFORE UPDATE ON deliveries_open FOR EACH ROW WHEN (NEW.state = \(state.rawValue))")
      #expect(try await first.sendAll(lease) == ["e1"])
      #expect(try await first.state("e1") == .sent)
    }
  }

  @Test func `events that were stored when the connection was lost are accepted, once`() async throws {
    try await withRelay { store, relay in
      try await store.register(2)
      relay.loseNextAnswer()
      let ids = try await store.take(event("e1", to: .user("u1")))
      #expect(relay.hasLost)
      #expect(ids.count == 2)
      // Also by the way that is taken when a group holds something unusual.
      let key = IdempotencyKey(scope: "shop", key: "k1")
      _ = try await store.accept(event("e1", to: .user("u1")), now: t(1))
      relay.loseNextAnswer()
      #expect(try await store.take(event("e2", to: .user("u1"), key: key), now: t(2)).count == 2)
      #expect(relay.hasLost)
      guard case .repeated(let again) = try await store.accept(event("e3", to: .user("u1"), key: key), now: t(3)) else {
        Issue.record("The key gave no repeat.")
        return
      }
      #expect(again.id == "e2")
      #expect(try await store.stats(now: t(3)).openDeliveries == 4)
    }
  }

  @Test func `reading and registering go on when the connection is lost after COMMIT`() async throws {
    try await withRelay { store, relay in
      relay.loseNextAnswer()
      try await store.register()
      #expect(relay.hasLost)
      try await store.take(event("e1"))
      relay.loseNextAnswer()
      #expect(try await store.event("e1") != nil)
      #expect(relay.hasLost)
    }
  }

  @Test func `an intent whose answer was lost is found as written, and what was claimed so comes back`() async throws {
    try await withRelay { store, relay in
      try await store.register(2)
      for number in 1...2 { try await store.take(event("e\(number)", to: .device(token: token(number)))) }
      let lease = try await store.worker()
      let intents = try await store.claim(limit: 1, lease: lease, now: t0).claimed.map { SendIntent(ticket: $0.ticket) }
      relay.loseNextAnswer()
      #expect(try await store.markSending(intents, lease: lease, now: t0) == [.go])
      #expect(relay.hasLost)
      relay.loseNextAnswer()
      let failure = await #expect(throws: StoreError.self) { try await store.claim(limit: 1, lease: lease, now: t0) }
      #expect(failure?.isTemporary == true)
      #expect(try await store.state("e2") == .claimed)
      _ = try await store.finish(
        intents.map { SendResult(ticket: $0.ticket, outcome: .sent(gatewayID: "g1")) }, lease: lease, now: t0)
      #expect(try await store.sendAll(try await store.worker()) == ["e2"])
    }
  }
}

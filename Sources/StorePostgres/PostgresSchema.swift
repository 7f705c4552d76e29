internal import Store

/// The steps of the PostgreSQL schema.
///
/// Never edit one that has been released: add the next.
enum PostgresSchema {
  static let migrations = [
    Migration(version: 1, name: "first", sql: tables + enqueue), Migration(version: 2, name: "owner", sql: owner),
    Migration(version: 3, name: "open", sql: open), Migration(version: 4, name: "accept", sql: acceptBeforeHandOver),
    Migration(version: 5, name: "hand over", sql: PGAcceptFunction.sql),
  ]

  /// Open deliveries in a small table of their own, settled ones in another; `deliveries` is both.
  ///
  /// PostgreSQL writes every index of a row anew when one indexed column changes or the page has no room for the new row. In
  /// one table that was so at each step of a delivery, in six indexes with all the history in them. Now the way from claim to
  /// result touches no index (`ready` says what the queue's index has to know of `state`, and the pages are left half empty),
  /// and a settled delivery moves to the other table once. The checks stop a process of an older version that still runs.
  private static let open = """
    SET LOCAL statement_timeout = 0;
    DROP INDEX deliveries_open;
    ALTER TABLE deliveries RENAME TO deliveries_before;
    CREATE SEQUENCE delivery_ids;
    CREATE TABLE deliveries(
      id bigint NOT NULL DEFAULT nextval('delivery_ids'), event bigint NOT NULL, device bigint NOT NULL,
      sequence bigint NOT NULL, lane smallint NOT NULL, state smallint NOT NULL, due bigint NOT NULL, until bigint,
      attempts integer NOT NULL, epoch bigint NOT NULL, worker bigint NOT NULL, proof smallint NOT NULL,
      flags integer NOT NULL, timeline text NOT NULL DEFAULT '', open boolean NOT NULL, ready boolean NOT NULL,
      CHECK (open = (state <= 3)), CHECK (ready = (state = 1))) PARTITION BY LIST (open);
    ALTER SEQUENCE delivery_ids OWNED BY deliveries.id;
    CREATE TABLE deliveries_open PARTITION OF deliveries FOR VALUES IN (true)
      WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
    CREATE TABLE deliveries_settled PARTITION OF deliveries FOR VALUES IN (false)
      WITH (autovacuum_vacuum_scale_factor = 0.05);
    SELECT setval('delivery_ids', nextval(pg_get_serial_sequence('deliveries_before', 'id')), false);
    INSERT INTO deliveries
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags, timeline,
        state <= 3, state = 1
      FROM deliveries_before;
    DROP TABLE deliveries_before;
    CREATE UNIQUE INDEX deliveries_open_id ON deliveries_open(id);
    CREATE INDEX deliveries_open_event ON deliveries_open(event);
    CREATE INDEX deliveries_open_device ON deliveries_open(device, lane, sequence);
    CREATE INDEX deliveries_open_due ON deliveries_open(lane, due, id) WHERE ready;
    CREATE UNIQUE INDEX deliveries_settled_id ON deliveries_settled(id);
    CREATE INDEX deliveries_settled_event ON deliveries_settled(event);
    CREATE INDEX deliveries_settled_held ON deliveries_settled(due) WHERE state = 4;
    CREATE INDEX deliveries_settled_unproven ON deliveries_settled(device, sequence) WHERE proof = 0;

    """

  /// A user's phones in their order from the index alone: without the second column, and before the table has statistics, the
  /// planner walks the primary key for each user of a batch, through all phones there are.
  private static let owner = """
    DROP INDEX devices_owner;
    CREATE INDEX devices_owner ON devices(owner, id) WHERE owner IS NOT NULL;

    """

  private static let tables = """
    CREATE TABLE profiles(
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, gateway text NOT NULL, environment smallint NOT NULL,
      topic text NOT NULL, locale text NOT NULL, pack_id text NOT NULL, pack_version text NOT NULL, sounds text NOT NULL,
      app text NOT NULL, signature bytea NOT NULL UNIQUE);
    CREATE TABLE devices(
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, token bytea NOT NULL UNIQUE, profile bigint NOT NULL,
      owner text, secret bytea, registered_at bigint NOT NULL, proven boolean NOT NULL DEFAULT false,
      sequence bigint NOT NULL DEFAULT 0) WITH (fillfactor = 80);
    CREATE INDEX devices_owner ON devices(owner) WHERE owner IS NOT NULL;
    CREATE TABLE device_groups(name text NOT NULL, device bigint NOT NULL, PRIMARY KEY(name, device));
    CREATE INDEX device_groups_device ON device_groups(device);
    CREATE TABLE events(
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, kind text NOT NULL,
      body bytea NOT NULL, class smallint NOT NULL, lane smallint NOT NULL, at bigint NOT NULL, until bigint,
      accepted_at bigint NOT NULL, digest bytea NOT NULL, scope text, scope_key text, timeline text NOT NULL DEFAULT '');
    CREATE UNIQUE INDEX events_scope ON events(scope, scope_key) WHERE scope IS NOT NULL;
    CREATE TABLE deliveries(
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event bigint NOT NULL, device bigint NOT NULL,
      sequence bigint NOT NULL, lane smallint NOT NULL, state smallint NOT NULL, due bigint NOT NULL, until bigint,
      attempts integer NOT NULL, epoch bigint NOT NULL, worker bigint NOT NULL, proof smallint NOT NULL,
      flags integer NOT NULL, timeline text NOT NULL DEFAULT '')
      WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX deliveries_event ON deliveries(event);
    CREATE INDEX deliveries_due ON deliveries(lane, due, id) WHERE state = 1;
    CREATE INDEX deliveries_open ON deliveries(device, lane, sequence) WHERE state <= 3;
    CREATE INDEX deliveries_busy ON deliveries(worker) WHERE state IN (2, 3);
    CREATE INDEX deliveries_held ON deliveries(due) WHERE state = 4;
    CREATE INDEX deliveries_unproven ON deliveries(device, sequence) WHERE proof = 0;
    CREATE TABLE workers(
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, expires_at bigint NOT NULL);
    CREATE TABLE ladders(
      event bigint PRIMARY KEY, steps text NOT NULL, step integer NOT NULL, due bigint NOT NULL, epoch bigint NOT NULL);
    CREATE INDEX ladders_due ON ladders(due);
    CREATE TABLE webhooks(
      id text PRIMARY KEY, endpoint text NOT NULL, event text, body bytea NOT NULL, due bigint NOT NULL,
      attempts integer NOT NULL, epoch bigint NOT NULL, created_at bigint NOT NULL, dead boolean NOT NULL);
    CREATE INDEX webhooks_due ON webhooks(due) WHERE NOT dead;
    CREATE INDEX webhooks_dead ON webhooks(created_at) WHERE dead;
    CREATE TABLE api_keys(
      id text PRIMARY KEY, name text NOT NULL, hash bytea NOT NULL UNIQUE, scopes integer NOT NULL,
      created_at bigint NOT NULL, revoked_at bigint);
    CREATE TABLE provider_tokens(
      team text NOT NULL, key_id text NOT NULL, token text NOT NULL, issued_at bigint NOT NULL,
      generation bigint NOT NULL, PRIMARY KEY(team, key_id));
    CREATE TABLE nonces(scope text NOT NULL, nonce text NOT NULL, until bigint NOT NULL, PRIMARY KEY(scope, nonce));
    CREATE INDEX nonces_until ON nonces(until);
    CREATE TABLE audit(
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, actor text NOT NULL,
      action text NOT NULL, target text NOT NULL);
    CREATE TABLE settings(name text PRIMARY KEY, value bigint NOT NULL);
    CREATE TABLE inbox(
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, body text NOT NULL,
      enqueued_at bigint NOT NULL, due bigint NOT NULL, refusal text);
    CREATE INDEX inbox_due ON inbox(number) WHERE refusal IS NULL;

    """

  /// The function an application calls inside its own transaction.
  ///
  /// The type is json, not jsonb, because jsonb would
  /// rewrite numbers.
  private static let enqueue = """
    CREATE FUNCTION aloud_enqueue(event json) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $body$
    DECLARE
      event_id text;
    BEGIN
      IF json_typeof(event) IS DISTINCT FROM 'object' THEN
        RAISE EXCEPTION 'aloud_enqueue: the event must be a JSON object' USING ERRCODE = 'invalid_parameter_value';
      END IF;
      IF json_typeof(event -> 'to') IS DISTINCT FROM 'object' THEN
        RAISE EXCEPTION 'aloud_enqueue: the event has no "to" object' USING ERRCODE = 'invalid_parameter_value',
          HINT = 'Say whom it is for, as in {"to":{"user":"u1"},"kind":"payment.received",...}.';
      END IF;
      event_id := coalesce(nullif(event ->> 'id', ''), 'evt_' || replace(gen_random_uuid()::text, '-', ''));
      INSERT INTO inbox(id, body, enqueued_at, due)
        VALUES (event_id, event::text, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, 0)
        ON CONFLICT (id) DO NOTHING;
      PERFORM pg_notify('aloud_' || current_schema(), '');
      RETURN event_id;
    END
    $body$;
    REVOKE ALL ON FUNCTION aloud_enqueue(json) FROM PUBLIC;
    """

  /// Makes the schema and takes the missing steps.
  ///
  /// Several processes may start at once: a lock lets one go first.
  static func migrate(_ session: PGSession, _ options: PostgresOptions, now: Timestamp) throws(StoreError) {
    try session.transaction { session throws(StoreError) in
      // The number is arbitrary, only the same for every Aloud.
      // However long the first takes over a large database: the others wait for it instead of giving up after the usual seconds.
      try session.script(
        """
        SET LOCAL lock_timeout = 0;
        SET LOCAL statement_timeout = 0;
        SELECT pg_advisory_xact_lock(4158402931);
        SET LOCAL lock_timeout = '5s';
        SET LOCAL statement_timeout = '60s';
        """)
      try session.script(
        """
        CREATE SCHEMA IF NOT EXISTS \(options.schema);
        CREATE TABLE IF NOT EXISTS schema_migrations(
          version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL);
        """)
      let applied = try session.rows("SELECT version, checksum FROM schema_migrations") {
        AppliedMigration(version: Int($0.int(0)), checksum: $0.text(1))
      }
      for step in try options.migrations.missing(after: applied) {
        try session.script(step.sql)
        try session.run(
          "INSERT INTO schema_migrations VALUES($1, $2, $3, $4)", .int(step.version), .text(step.name),
          .text(step.checksum), .time(now))
      }
    }
  }
}

internal import Store

/// The steps of the SQLite schema.
///
/// Never edit one that has been released: add the next.
enum SQLiteSchema {
  static let migrations = [
    Migration(version: 1, name: "first", sql: first), Migration(version: 2, name: "open", sql: open),
    Migration(version: 3, name: "lean", sql: lean),
  ]

  private static let first = """
    CREATE TABLE profiles(
      id INTEGER PRIMARY KEY, gateway TEXT NOT NULL, environment INTEGER NOT NULL, topic TEXT NOT NULL,
      locale TEXT NOT NULL, pack_id TEXT NOT NULL, pack_version TEXT NOT NULL, sounds TEXT NOT NULL, app TEXT NOT NULL,
      UNIQUE(gateway, environment, topic, locale, pack_id, pack_version, sounds, app)) STRICT;
    CREATE TABLE devices(
      id INTEGER PRIMARY KEY AUTOINCREMENT, token BLOB NOT NULL UNIQUE, profile INTEGER NOT NULL REFERENCES profiles(id),
      user TEXT, secret BLOB, registered_at INTEGER NOT NULL, proven INTEGER NOT NULL DEFAULT 0,
      sequence INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX devices_user ON devices(user) WHERE user IS NOT NULL;
    CREATE INDEX devices_unproven ON devices(id) WHERE proven = 0;
    CREATE TABLE device_groups(name TEXT NOT NULL, device INTEGER NOT NULL, PRIMARY KEY(name, device)) STRICT, WITHOUT ROWID;
    CREATE INDEX device_groups_device ON device_groups(device);
    CREATE TABLE events(
      key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, body BLOB NOT NULL,
      class INTEGER NOT NULL, lane INTEGER NOT NULL, at INTEGER NOT NULL, until INTEGER, accepted_at INTEGER NOT NULL,
      digest BLOB NOT NULL, scope TEXT, scope_key TEXT, timeline TEXT NOT NULL DEFAULT '') STRICT;
    CREATE TABLE answers(scope TEXT NOT NULL, key TEXT NOT NULL, event INTEGER NOT NULL, PRIMARY KEY(scope, key))
      STRICT, WITHOUT ROWID;
    CREATE TABLE deliveries(
      id INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL, device INTEGER NOT NULL, sequence INTEGER NOT NULL,
      lane INTEGER NOT NULL, state INTEGER NOT NULL, due INTEGER NOT NULL, until INTEGER, attempts INTEGER NOT NULL,
      epoch INTEGER NOT NULL, worker INTEGER NOT NULL, proof INTEGER NOT NULL, flags INTEGER NOT NULL,
      timeline TEXT NOT NULL DEFAULT '') STRICT;
    CREATE INDEX deliveries_event ON deliveries(event);
    CREATE INDEX deliveries_due ON deliveries(lane, due) WHERE state = 1;
    CREATE INDEX deliveries_open ON deliveries(device, lane, sequence) WHERE state <= 3;
    CREATE INDEX deliveries_busy ON deliveries(worker) WHERE state IN (2, 3);
    CREATE INDEX deliveries_held ON deliveries(due) WHERE state = 4;
    CREATE INDEX deliveries_unproven ON deliveries(device, sequence) WHERE proof = 0;
    CREATE TABLE workers(
      number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
    CREATE TABLE ladders(
      event INTEGER PRIMARY KEY, steps TEXT NOT NULL, step INTEGER NOT NULL, due INTEGER NOT NULL,
      epoch INTEGER NOT NULL) STRICT;
    CREATE INDEX ladders_due ON ladders(due);
    CREATE TABLE webhooks(
      id TEXT PRIMARY KEY, endpoint TEXT NOT NULL, event TEXT, body BLOB NOT NULL, due INTEGER NOT NULL,
      attempts INTEGER NOT NULL, epoch INTEGER NOT NULL, created_at INTEGER NOT NULL, dead INTEGER NOT NULL) STRICT;
    CREATE INDEX webhooks_due ON webhooks(due) WHERE dead = 0;
    CREATE INDEX webhooks_dead ON webhooks(created_at) WHERE dead = 1;
    CREATE TABLE api_keys(
      id TEXT PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL UNIQUE, scopes INTEGER NOT NULL,
      created_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;
    CREATE TABLE provider_tokens(
      team TEXT NOT NULL, key_id TEXT NOT NULL, token TEXT NOT NULL, issued_at INTEGER NOT NULL,
      generation INTEGER NOT NULL, PRIMARY KEY(team, key_id)) STRICT, WITHOUT ROWID;
    CREATE TABLE nonces(scope TEXT NOT NULL, nonce TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY(scope, nonce))
      STRICT, WITHOUT ROWID;
    CREATE INDEX nonces_until ON nonces(until);
    CREATE TABLE audit(
      key INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
      target TEXT NOT NULL) STRICT;
    CREATE TABLE settings(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """

  /// A column of its own for “not finished yet”: the way from claim to result changes no index any more.
  ///
  /// From here on the column `state` says “claimed” while a push is being sent, and `SQLiteFlags.sending` tells the two apart.
  private static let open = """
    ALTER TABLE deliveries ADD COLUMN open INTEGER;
    UPDATE deliveries SET open = 1 WHERE state <= 3;
    UPDATE deliveries SET worker = 0 WHERE state NOT IN (2, 3) AND worker != 0;
    DROP INDEX deliveries_open;
    DROP INDEX deliveries_busy;
    UPDATE deliveries SET state = 2, flags = flags | 32 WHERE state = 3;
    CREATE INDEX deliveries_open ON deliveries(device, lane, sequence) WHERE open = 1;
    CREATE INDEX deliveries_busy ON deliveries(worker) WHERE worker > 0;
    """

  /// The audit log's few actors and actions are numbers and its devices bytes, which makes it less than half as large.
  ///
  /// What a lost worker had is found among the open deliveries, which is rare, instead of by an index that every claim and every
  /// result has to keep.
  private static let lean = """
    DROP INDEX deliveries_busy;
    CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE) STRICT;
    INSERT INTO words(word) SELECT actor FROM audit UNION SELECT action FROM audit;
    ALTER TABLE audit RENAME TO audit_in_full;
    CREATE TABLE audit(
      key INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor INTEGER NOT NULL REFERENCES words(id),
      action INTEGER NOT NULL REFERENCES words(id), target ANY NOT NULL) STRICT;
    INSERT INTO audit SELECT f.key, f.at, a.id, b.id, f.target
      FROM audit_in_full f JOIN words a ON a.word = f.actor JOIN words b ON b.word = f.action;
    DROP TABLE audit_in_full;
    """

  /// Takes the missing steps, each in a transaction of its own.
  static func migrate(_ database: SQLiteConnection, with steps: [Migration], now: Timestamp) throws(StoreError) {
    try database.script(
      """
      CREATE TABLE IF NOT EXISTS schema_migrations(
        version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;
      """)
    let applied = try database.rows("SELECT version, checksum FROM schema_migrations ORDER BY version") {
      AppliedMigration(version: Int($0.int(0)), checksum: $0.text(1))
    }
    for step in try steps.missing(after: applied) {
      try database.script("BEGIN IMMEDIATE")
      do {
        try database.script(step.sql)
        try database.run(
          "INSERT INTO schema_migrations VALUES(?, ?, ?, ?)", .int(step.version), .text(step.name),
          .text(step.checksum), .time(now))
        try database.script("COMMIT")
      } catch {
        if database.isInTransaction { try database.script("ROLLBACK") }
        throw error
      }
    }
  }
}

import CLinux
import CSQLite
import Glibc
import ServerTestSupport
import Store
import StoreSQLite
import TestSupport
import Testing

/// What a SQLite file does when it is in use, newer, damaged, locked or full.
struct SQLiteFaultTests {
  private func inFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try await body(folder.path + "/aloud.db")
  }

  @Test func `everything is there after closing and opening again`() async throws {
    try await inFolder { path in
      let first = try SQLiteStore(path: path, now: t0)
      try await first.register()
      let made = try await first.take(event("e1", until: t(90)))
      let lease = try await first.worker()
      let claimed = try await first.claim(limit: 1, lease: lease, now: t0).claimed
      await first.close()
      let second = try SQLiteStore(path: path, now: t(1))
      #expect(try await second.accept(event("e1"), now: t(1)).event?.deliveries == made)
      #expect(try await second.state("e1") == .claimed)
      let again = try await second.worker(now: t(1))
      let taken = try await second.claim(limit: 1, lease: again, now: t(1)).claimed
      #expect(taken.map(\.ticket.id) == claimed.map(\.ticket.id))
      await second.close()
    }
  }

  @Test func `only the owner may read the file`() async throws {
    try await inFolder { path in
      let store = try SQLiteStore(path: path, now: t0)
      try await store.register()
      for name in [path, path + "-wal", path + "-lock"] {
        var facts = stat()
        #expect(stat(name, &facts) == 0)
        #expect(facts.st_mode & 0o077 == 0, "\(name)")
      }
      await store.close()
    }
  }

  @Test func `the write-ahead log begins again while changes go on`() async throws {
    try await inFolder { path in
      let store = try SQLiteStore(path: path, now: t0)
      try await store.register()
      var written = 0
      var facts = stat()
      repeat {
        let batch = (written..<written + 100).map { number in
          var new = event("e\(number)")
          new.body = [UInt8](repeating: 1, count: 4_000)
          return new
        }
        _ = try await store.accept(batch, now: t0)
        written += batch.count
        #expect(stat(path + "-wal", &facts) == 0)
        // At least a page for each; a log that never began again would hold all of them.
      } while facts.st_size >= written * 4_096 && written < 30_000
      #expect(facts.st_size < written * 4_096)
      #expect(try await store.event("e0") != nil)
      await store.close()
      #expect(stat(path + "-wal", &facts) != 0 || facts.st_size == 0)
    }
  }

  @Test func `a second server is kept out, a tool is not`() async throws {
    try await inFolder { path in
      let server = try SQLiteStore(path: path, now: t0)
      let refused = #expect(throws: StoreError.self) { try SQLiteStore(path: path, now: t0) }
      guard case .inUse(let reason) = refused else { throw TestFailure("\(String(describing: refused))") }
      #expect(reason.contains("Another Aloud server"))
      let tool = try SQLiteStore(path: path, options: SQLiteOptions(isExclusive: false), now: t0)
      try await tool.addKey(APIKey(id: "k1", name: "n", hash: [1], scopes: .send, createdAt: t0))
      await tool.close()
      #expect(try await server.key(hash: [1])?.id == "k1")
      await server.close()
      await (try SQLiteStore(path: path, now: t0)).close()
    }
  }

  @Test func `a newer or changed schema is refused`() async throws {
    try await inFolder { path in
      let steps = [
        Migration(version: 1, name: "a", sql: "CREATE TABLE deliveries(state, open)"),
        Migration(version: 2, name: "b", sql: "CREATE TABLE two(x)"),
      ]
      await (try SQLiteStore(path: path, options: SQLiteOptions(migrations: steps), now: t0)).close()
      #expect(throws: StoreError.newerSchema(found: 2, known: 1)) {
        try SQLiteStore(path: path, options: SQLiteOptions(migrations: [steps[0]]), now: t0)
      }
      #expect(throws: StoreError.changedMigration(version: 1)) { try SQLiteStore(path: path, now: t0) }
      let third = steps + [Migration(version: 3, name: "c", sql: "CREATE TABLE three(x); CREATE TABLE two(x)")]
      #expect(throws: StoreError.self) {
        try SQLiteStore(path: path, options: SQLiteOptions(migrations: third), now: t0)
      }
      // The failed step left nothing: the old steps still open it.
      await (try SQLiteStore(path: path, options: SQLiteOptions(migrations: steps), now: t0)).close()
    }
  }

  @Test func `a file of the first version is brought forward, with what was under way in it`() async throws {
    try await inFolder { path in
      let store = try SQLiteStore(path: path, now: t0)
      try await store.register()
      for id in ["e1", "e2", "e3"] { try await store.take(event(id)) }
      let lease = try await store.worker()
      try await store.send(try await store.claim(limit: 1, lease: lease, now: t0).claimed, lease)
      let batch = try await store.claim(limit: 1, lease: lease, now: t0).claimed
      _ = try await store.markSending(batch.map { SendIntent(ticket: $0.ticket) }, lease: lease, now: t0)
      let stats = try await store.stats(now: t0)
      let audit = [
        AuditEntry(at: t0, actor: "key:a", action: "device.register", target: "dev_12ab"),
        AuditEntry(at: t0, actor: "key:a", action: "device.remove", target: "evt_1"),
      ]
      try await store.audit(audit)
      await store.close()
      try RawSQLite(path).run(
        """
        UPDATE deliveries SET state = 3, flags = flags & ~32 WHERE flags & 32;
        DROP INDEX deliveries_open;
        ALTER TABLE deliveries DROP COLUMN open;
        CREATE INDEX deliveries_open ON deliveries(device, lane, sequence) WHERE state <= 3;
        CREATE INDEX deliveries_busy ON deliveries(worker) WHERE state IN (2, 3);
        CREATE TABLE full_audit(
          key INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
          target TEXT NOT NULL) STRICT;
        INSERT INTO full_audit SELECT l.key, l.at, a.word, b.word,
          iif(typeof(l.target) = 'blob', 'dev_' || substr(lower(hex(l.target)), 3), l.target) FROM audit l
          JOIN words a ON a.id = l.actor JOIN words b ON b.id = l.action;
        DROP TABLE audit; DROP TABLE words; ALTER TABLE full_audit RENAME TO audit;
        DELETE FROM schema_migrations WHERE version >= 2;
        """)
      let later = try SQLiteStore(path: path, now: t(1))
      #expect(try await later.stats(now: t0).deliveries == stats.deliveries)
      #expect(try await later.auditLog(before: nil, limit: 9).map(\.entry) == audit.reversed())
      #expect(try await later.state("e1") == .sent)
      #expect(try await later.state("e2") == .sending)
      #expect(try await later.state("e3") == .blocked)
      // The worker comes back under its name: what it was sending is of unknown fate, and the next is free.
      let again = try await later.worker(now: t(1))
      #expect(try await later.state("e2") == .ambiguous)
      #expect(try await later.sendAll(again, now: t(1)) == ["e3"])
      await later.close()
    }
  }

  @Test func `a file that is no database and a folder that is missing are named`() async throws {
    try await inFolder { path in
      let file = open(path, O_WRONLY | O_CREAT, 0o600)
      let text = String(repeating: "this is no database ", count: 100)
      #expect(write(file, text, text.utf8.count) == text.utf8.count)
      close(file)
      let damaged = #expect(throws: StoreError.self) { try SQLiteStore(path: path, now: t0) }
      #expect(damaged?.description.contains("Restore a backup") == true)
      let missing = #expect(throws: StoreError.self) { try SQLiteStore(path: path + "/none/aloud.db", now: t0) }
      #expect(missing?.description.contains("/none/aloud.db") == true)
    }
  }

  @Test func `a locked file answers that it is busy, and goes on when it is free`() async throws {
    try await inFolder { path in
      let store = try SQLiteStore(path: path, options: SQLiteOptions(busyMilliseconds: 20), now: t0)
      try await store.register()
      try await store.take(event("e1"))
      let other = try RawSQLite(path)
      try other.run("BEGIN IMMEDIATE")
      let busy = await #expect(throws: StoreError.self) { try await store.accept(event("e2"), now: t0) }
      #expect(busy?.isTemporary == true)
      #expect(try await store.event("e1") != nil)
      #expect(try await store.event("e2") == nil)
      try other.run("ROLLBACK")
      try await store.take(event("e2"))
      await store.close()
    }
  }

  @Test func `a full file refuses in whole, keeps what it has, and takes more after retention`() async throws {
    try await inFolder { path in
      let store = try SQLiteStore(path: path, options: SQLiteOptions(maximumPages: 120), now: t0)
      try await store.register()
      var accepted: [String] = []
      var failure: StoreError?
      while failure == nil, accepted.count < 5000 {
        let ids = (0..<10).map { "e\(accepted.count + $0)" }
        do throws(StoreError) {
          _ = try await store.accept(ids.map { event($0) }, now: t0)
          accepted += ids
        } catch {
          failure = error
          for id in ids { #expect(try await store.event(id) == nil) }
        }
      }
      #expect(failure?.isTemporary == true)
      #expect(accepted.count >= 100)
      for id in accepted { #expect(try await store.event(id)?.deliveries.count == 1) }
      let stats = try await store.stats(now: t0)
      #expect(stats.openDeliveries == accepted.count)
      let late = t(31 * 86_400)
      while try await store.sweep(RetentionPolicy(), limit: 50, now: late).more {}
      try await store.take(event("new"), now: late)
      await store.close()
    }
  }

  @Test func `a backup made in use opens as a store of its own`() async throws {
    try await inFolder { path in
      let store = try SQLiteStore(path: path, now: t0)
      try await store.register()
      for number in 0..<50 { try await store.take(event("e\(number)")) }
      let copy = path + ".backup"
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await store.backup(to: copy) }
        for number in 50..<100 { group.addTask { _ = try await store.accept(event("e\(number)"), now: t0) } }
        try await group.waitForAll()
      }
      await store.close()
      let opened = try SQLiteStore(path: copy, now: t0)
      for number in 0..<50 { #expect(try await opened.event("e\(number)")?.event.body == event("e\(number)").body) }
      var facts = stat()
      #expect(stat(copy, &facts) == 0)
      #expect(facts.st_mode & 0o077 == 0)
      #expect(access(copy + ".part", F_OK) != 0)
      await opened.close()
      let nowhere = await #expect(throws: StoreError.self) { try await opened.backup(to: path + "/none/x") }
      #expect(nowhere == .closed)
    }
  }

  @Test func `a hundred callers at once each get their own answer`() async throws {
    try await inFolder { path in
      let store = try SQLiteStore(path: path, now: t0)
      try await store.register()
      let outcomes = try await withThrowingTaskGroup(of: (Int, AcceptOutcome).self) { group in
        for number in 0..<100 {
          let target = Target.device(token: token(number.isMultiple(of: 3) ? 9 : 1))
          group.addTask { (number, try await store.accept(event("e\(number)", to: target), now: t0)) }
        }
        var all: [Int: AcceptOutcome] = [:]
        for try await (number, outcome) in group { all[number] = outcome }
        return all
      }
      for (number, outcome) in outcomes {
        if number.isMultiple(of: 3) {
          #expect(outcome == .refused(.noDevices))
        } else {
          #expect(outcome.event?.id == "e\(number)")
        }
      }
      await store.close()
    }
  }
}

/// SQLite without the store, to stand in its way.
final class RawSQLite {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw TestFailure("\(path) cannot be opened.") }
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw TestFailure("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
    }
  }
}

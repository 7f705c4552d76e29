import Glibc
import HTTPTransport

/// What a database can do at best, measured beside the server.
struct BenchPeers {
  private let options: BenchServer.Options

  init(_ options: BenchServer.Options) { self.options = options }

  /// Inserts a second with pgbench, one in each transaction.
  func pgbench(_ database: String, clients: Int) throws -> Double {
    let script = "/tmp/aloud-pgbench-\(getpid()).sql"
    let table = "bench_\(getpid())"
    try FileBytes.write(
      Array("INSERT INTO \(table)(id, body) VALUES (md5(random()::text), repeat('x', 250));\n".utf8), path: script)
    defer { unlink(script) }
    let made = try BenchProcess.run([
      "psql", "-X", "-q", "-c",
      "CREATE TABLE \(table)(key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, body text)",
      database,
    ])
    guard made.exitStatus == 0 else { throw BenchSender.Failure(description: "psql cannot make a table") }
    defer { _ = try? BenchProcess.run(["psql", "-X", "-q", "-c", "DROP TABLE \(table)", database]) }
    let run = try BenchProcess.run([
      "pgbench", "-n", "-c", "\(clients)", "-j", "2", "-T", "5", "-f", script, database,
    ])
    guard let line = run.output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
      let rate = Double(line.dropFirst(6).prefix { $0 != " " })
    else { throw BenchSender.Failure(description: "pgbench failed; Debian's package postgresql-contrib has it") }
    return rate
  }

  /// Rows a second with SQLite from C, FULL, one and 32 in a commit.
  func sqlite(folder: String) throws -> [(what: String, figure: String)] {
    let program = "/tmp/aloud-sqlite-floor-\(getpid())"
    let built = try BenchProcess.run([
      "cc", "-O2", "-o", program, options.toolsFolder + "/sqlite_floor.c", "-lsqlite3",
    ])
    guard built.exitStatus == 0 else {
      throw BenchSender.Failure(description: "cc cannot build \(options.toolsFolder)/sqlite_floor.c")
    }
    defer { unlink(program) }
    return try [(1, 2_000), (32, 20_000)].map { rows, count in
      let path = folder + "/floor.db"
      let began = EventLoop.monotonicSeconds()
      let run = try BenchProcess.run([program, path, "\(count)", "\(rows)"])
      let seconds = EventLoop.monotonicSeconds() - began
      for end in ["", "-wal", "-shm"] { unlink(path + end) }
      guard run.exitStatus == 0 else { throw BenchSender.Failure(description: "sqlite_floor failed") }
      return (
        "SQLite from C, \(rows) \(rows == 1 ? "row" : "rows") a commit",
        "\(Int(Double(count) / seconds))/s, \(Int(run.cpuSeconds / Double(count) * 1e6)) µs a row"
      )
    }
  }
}

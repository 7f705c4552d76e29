// Room: what tests of the server as a whole share: a private PostgreSQL, child processes, temporary folders. In no product.

internal import AudioTools
internal import CLinux
internal import Glibc
internal import Store
package import TestSupport

/// A private PostgreSQL server for the test run: a Unix socket in a folder of its own, no TCP, no fsync of the system's
/// own cluster touched.
///
/// It is started by the first test that needs it and stopped when the test process ends.
package final class PostgresCluster: Sendable {
  /// Where Debian 12's package postgresql-15 puts its programs.
  package static let programs = "/usr/lib/postgresql/15/bin"

  package let folder: String
  private let process = StoreLock<Int32>(0)
  private let arguments: [String]
  private let numbers = StoreLock(0)

  /// The cluster of this test run.
  package static let shared: Result<PostgresCluster, TestFailure> = {
    do {
      let cluster = try PostgresCluster()
      atexit { if case .success(let cluster) = PostgresCluster.shared { cluster.stop() } }
      return .success(cluster)
    } catch let failure as TestFailure {
      return .failure(failure)
    } catch {
      return .failure(TestFailure("\(error)"))
    }
  }()

  /// What libpq needs to connect.
  package var connection: String { "host=\(folder) user=postgres dbname=postgres" }

  /// A schema name that no other test uses.
  package func freshSchema() -> String {
    numbers.withLock { number in
      number += 1
      return "test_\(number)"
    }
  }

  /// A cluster that is running.
  ///
  /// `settings` are lines for postgresql.conf.
  package init(settings: [String] = []) throws {
    guard access(PostgresCluster.programs + "/initdb", X_OK) == 0 else {
      throw TestFailure(
        "\(PostgresCluster.programs)/initdb is missing. These tests need Debian's package: apt-get install postgresql-15"
      )
    }
    let folder = try TemporaryFolder()
    self.folder = folder.path
    if geteuid() == 0, let owner = getpwnam("postgres") {
      chown(folder.path, owner.pointee.pw_uid, owner.pointee.pw_gid)
    }
    let data = folder.path + "/data"
    let made = try Command.run(
      PostgresCluster.asOwner + [
        PostgresCluster.programs + "/initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8",
        "--locale=C.UTF-8", "-D", data,
      ], log: folder.path + "/initdb.log")
    if made != 0 { throw TestFailure("initdb failed with \(made); see \(folder.path)/initdb.log") }
    let lines =
      [
        "listen_addresses = ''", "unix_socket_directories = '\(folder.path)'", "max_connections = 400",
        "shared_buffers = 32MB", "log_min_messages = fatal",
      ] + settings
    let arguments = lines.flatMap { line -> [String] in
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != "'" && $0 != " " } }
      return ["-c", "\(parts[0])=\(parts[1])"]
    }
    self.arguments =
      PostgresCluster.asOwner + [PostgresCluster.programs + "/postgres", "-D", data] + arguments
    try launch()
  }

  /// Starts the server and waits until it answers.
  package func launch() throws {
    let started = try Command.start(arguments, log: folder + "/postgres.log")
    process.withLock { $0 = started }
    try waitUntilReady()
  }

  /// Ends the server (SIGINT: fast; SIGQUIT: at once, as a crash would) and keeps its data.
  package func halt(_ signal: Int32) throws {
    let running = process.withLock { $0 }
    kill(running, signal)
    _ = try Command.end(of: running)
  }

  /// Ends the server at once and removes its folder.
  package func stop() {
    // A server that has gone already needs no end.
    try? halt(SIGQUIT)
    TemporaryFolder(existing: folder).remove()
  }

  /// Runs SQL with psql, as an application of its own would.
  package func psql(_ sql: String) throws {
    let log = folder + "/psql-\(numbers.withLock { $0 += 1; return $0 }).log"
    let code = try Command.run(
      [
        PostgresCluster.programs + "/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", "-d",
        "postgres", "-c", sql,
      ], log: log)
    if code != 0 { throw TestFailure("psql ended with \(code): \(ServerProgram.text(of: log))") }
  }

  /// PostgreSQL refuses to run as root: become its user, and end with the test process whatever happens to it.
  private static var asOwner: [String] {
    let user = geteuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    return ["/usr/bin/setpriv"] + user + ["--pdeathsig=QUIT"]
  }

  private func waitUntilReady() throws {
    let deadline = Monotonic.milliseconds() + 30_000
    while true {
      let code = try Command.run(
        [PostgresCluster.programs + "/pg_isready", "-q", "-h", folder], log: folder + "/ready.log")
      if code == 0 { return }
      if Monotonic.milliseconds() > deadline {
        throw TestFailure("PostgreSQL did not become ready in 30 s; see \(folder)/postgres.log")
      }
      poll(nil, 0, 20)
    }
  }
}

/// The system's monotonic clock.
package enum Monotonic {
  package static func milliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}

/// Starts programs.
///
/// They are children of a thread that lives as long as the process, because a parent-death signal
/// follows the thread that started them (prctl(2), PR_SET_PDEATHSIG).
package enum Command {
  private struct Order: Sendable {
    var words: [String]
    var log: String
    var answer: @Sendable (Int32) -> Void
  }

  private static let orders: JobQueue<Order> = {
    let queue = JobQueue<Order>(capacity: 100)
    let thread = BlockingThread {
      while let taken = queue.take(1) {
        for order in taken { order.answer(spawn(order.words, log: order.log)) }
      }
    }
    if thread == nil { queue.close() }
    return queue
  }()

  /// Starts a program; its output goes to a file.
  package static func start(_ words: [String], log: String) throws -> Int32 {
    let box = StoreLock<Int32?>(nil)
    let done = eventfd(0, Int32(EFD_CLOEXEC))
    defer { close(done) }
    let order = Order(words: words, log: log) { process in
      box.withLock { $0 = process }
      var one: UInt64 = 1
      _ = write(done, &one, 8)
    }
    guard orders.push(order) == .queued else { throw TestFailure("No thread to start programs from.") }
    var count: UInt64 = 0
    _ = read(done, &count, 8)
    guard let process = box.withLock({ $0 }), process > 0 else {
      throw TestFailure("\(words.first ?? "?") could not be started.")
    }
    return process
  }

  /// Runs a program to its end; gives its exit code, or 128 and the signal that ended it.
  package static func run(_ words: [String], log: String) throws -> Int {
    try end(of: try start(words, log: log))
  }

  /// Waits for the end of a program.
  package static func end(of process: Int32) throws -> Int {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { throw TestFailure("waitpid: \(String(cString: strerror(errno)))") }
    }
    return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
  }

  private static func spawn(_ words: [String], log: String) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var process: Int32 = 0
    let code = ChildProcess.spawn(words.first ?? "", words, &actions, &process)
    return code == 0 ? process : -1
  }
}

import ExactJSON
import Glibc
import HTTPTransport

/// `aloud bench server`: the whole way of an event, REST to push, on server processes of their own, beside what the database can do at
/// best in the same run.
struct BenchServer: Sendable {
  struct Options: Sendable {
    /// Events in a phase.
    var count = 20_000
    var callers = 32
    /// Registered devices.
    var tokens = 100_000
    /// Rows that wait in the phases with a backlog: a queue takes no more than a million.
    var backlog: Int { min(tokens, 100_000) }
    /// A PostgreSQL database that may be filled; nil leaves PostgreSQL out.
    var postgres: String?
    /// Whether the SQLite part is run.
    var measuresSQLite = true
    var toolsFolder = "Tools/bench"
    /// Under its own name, so that lists of processes say what it is.
    var program = VoiceLibrary.programPath() ?? "/proc/self/exe"
  }

  let options: Options
  let folder: BenchFolder
  let pushes = BenchPushService()

  init(_ options: Options) throws {
    self.options = options
    folder = try BenchFolder()
  }

  /// Runs all phases.
  ///
  /// - Parameter progress: Hears what is being done, one line each.
  func run(progress: @escaping @Sendable (String) -> Void) async throws -> [BenchRow] {
    defer { folder.remove() }
    let files = try folder.prepare()
    chmod(files.key, 0o600)
    let identity = String(decoding: try FileBytes.read(path: files.identity), as: UTF8.self)
    let apnsPort = try await pushes.start(TLSIdentity(certificateChainPEM: identity, privateKeyPEM: identity))
    var rows: [BenchRow] = []
    if options.measuresSQLite {
      let place = BenchPlace(options, files: files, apnsPort: apnsPort, database: "sqlite")
      defer { place.removeData() }
      rows += try await BenchServerRun(self, place, progress).all()
      // PostgreSQL takes longer, and something may be missing for it.
      if options.postgres != nil { progress(BenchRow.table(rows)) }
    }
    if let address = options.postgres {
      let place = BenchPlace(options, files: files, apnsPort: apnsPort, database: address)
      defer { place.removeData() }
      rows += try await BenchServerRun(self, place, progress).all()
    }
    rows.append(BenchRow("pushes beyond one an event, all phases", "\(pushes.doubles)", "0", pushes.doubles == 0))
    await pushes.stop()
    return rows
  }
}

/// Where the servers of one database live, and how they are started.
struct BenchPlace: Sendable {
  let database: String
  let data: String
  /// Where the bench itself may write, on the disk under test.
  let scratch: String
  private let program: String
  private let arguments: [String]

  var isPostgres: Bool { database.hasPrefix("postgres") }
  /// The name in front of each line.
  var name: String { isPostgres ? "PostgreSQL" : "SQLite" }

  init(_ options: BenchServer.Options, files: BenchFolder.Files, apnsPort: Int, database: String) {
    self.database = database
    program = options.program
    scratch = files.folder
    data = files.folder + "/data"
    arguments = [
      "--data", data, "--database", database, "--apns-key", files.key, "--apns-key-id", BenchSender.keyID,
      "--apns-team-id", BenchSender.teamID, "--apns-topic", BenchSender.topic, "--apns-host", "localhost:\(apnsPort)",
      "--apns-ca", files.authority, "--log-level", "warning", "--queue-age", "3600",
      // No receipts come here: after twenty seconds every alarm would be pushed again, rightly, and count as a double.
      "--ladder-alarm", "none",
    ]
  }

  /// A server process that listens.
  func serve(workers: Int = 1) throws -> (process: BenchProcess, port: Int, key: String?, readyMilliseconds: Int) {
    let began = EventLoop.monotonicSeconds()
    let process = try BenchProcess(
      [program, "serve", "--listen", "127.0.0.1:0", "--workers", "\(workers)"] + arguments)
    var port: Int?
    while let line = process.readLine() {
      let milliseconds = Int((EventLoop.monotonicSeconds() - began) * 1_000)
      if port == nil, let colon = line.lastIndex(of: ":") { port = Int(line[line.index(after: colon)...]) }
      if line.hasPrefix("Console"), let port {
        let key = line.firstIndex(of: "#").map { String(line[$0...].dropFirst("#key=".count)) }
        return (process, port, key, milliseconds)
      }
    }
    throw BenchSender.Failure(description: "the server did not start")
  }

  /// A process that only sends.
  func worker() throws -> BenchProcess { try BenchProcess([program, "worker"] + arguments) }

  func removeData() {
    for name in ["aloud.db", "aloud.db-wal", "aloud.db-shm", "aloud.db-lock"] { unlink("\(data)/\(name)") }
    rmdir(data)
  }
}

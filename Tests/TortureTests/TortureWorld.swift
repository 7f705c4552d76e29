import ExactJSON
import Glibc
import HTTPTransport
import PhoneSandbox
import PushPayload
import ServerTestSupport
import TestSupport

/// A real server process (and real workers), a real push service on loopback, and virtual phones behind its tokens.
final class TortureWorld: Sendable {
  static let topic = "com.example.till"
  private static let keyID = "TORTURE001"
  private static let teamID = "ALOUDTEAM1"

  /// Where the server keeps its data.
  enum Database: Sendable {
    /// One process does everything.
    case sqlite
    /// One process takes events, so many others send them.
    case postgres(PostgresCluster, workers: Int)
  }

  let wire = Wire()
  let tokens: [String]
  private let folder: TemporaryFolder
  private let sandbox: APNsSandbox
  private let apnsPort: Int
  private let port: Int
  private let database: Database
  private let databaseArgument: String
  private let processes = Locked<[ServerProgram]>([])
  private let starts = Locked(0)
  private let key = Locked("")

  /// Makes the world and starts its processes.
  ///
  /// - Parameters:
  ///   - phones: How many phones are registered, each a user of its own.
  ///   - streams: How many streams APNs allows a connection.
  init(_ database: Database, phones: Int, streams: Int = Wire.streams) async throws {
    self.database = database
    folder = try TemporaryFolder()
    tokens = (0..<phones).map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 64 - digits.count) + digits
    }
    let authority = try CertificateAuthority(name: "torture authority")
    let signing = try SigningKey.generate()
    try TortureWorld.write(try authority.certificatePEM(), folder.path + "/authority.pem")
    try TortureWorld.write(try signing.privatePEM(), folder.path + "/key.p8")
    var configuration = APNsSandboxConfiguration(
      identity: try authority.issue(),
      keys: [ProviderKey(keyID: TortureWorld.keyID, teamID: TortureWorld.teamID, key: try signing.verifyingKey())])
    configuration.maxConcurrentStreams = streams
    let wire = wire
    sandbox = APNsSandbox(configuration, faults: { wire.fault($0) })
    for token in tokens { sandbox.register(token: token, topic: TortureWorld.topic) { wire.took($0) } }
    apnsPort = try await sandbox.start()
    port = try await TortureWorld.freePort()
    databaseArgument = try TortureWorld.prepare(database)
    try await startAll()
  }

  /// The processes: the one that takes events first.
  var running: [ServerProgram] { processes.withLock { $0 } }

  /// Starts the process at `index` again; returns when it runs.
  func restart(_ index: Int) async throws {
    processes.withLock { $0 }[index].wait()
    let started = try start(index)
    processes.withLock { $0[index] = started }
    try await Thread.run { Result { _ = try started.line(containing: index == 0 ? "listens on" : "Ctrl-C") } }.get()
  }

  /// Ends everything and removes the folder.
  func stop() async {
    for process in running {
      process.signal(SIGCONT)
      process.signal(SIGKILL)
      process.wait()
    }
    await sandbox.stop()
    folder.remove()
  }

  // MARK: callers

  /// Posts one event until it is accepted, however often the server dies meanwhile.
  func post(_ event: String, path: String = "/v1/events") async throws {
    let deadline = Monotonic.milliseconds() + 60_000
    while Monotonic.milliseconds() < deadline {
      if let answer = try? await http.send("POST", path, event) {
        if answer.status == 202 { return wire.happened(.afterCommit) }
        // 429 and 503 are answers of a server that wants time; anything else is a fault of this test.
        if ![429, 500, 502, 503].contains(answer.status) {
          throw TestFailure("an event was refused: \(answer.status) \(answer.text)")
        }
      }
      await LivePhone.sleep(seconds: 0.01)
    }
    throw TestFailure("an event was not accepted within a minute")
  }

  /// Waits until nothing waits to be sent; deliveries of unknown fate may be held.
  func drain(seconds: Int) async throws {
    let deadline = Monotonic.milliseconds() + Int64(seconds) * 1_000
    var left = -1
    while Monotonic.milliseconds() < deadline {
      if let text = try? await http.send("GET", "/metrics").text {
        left = text.split(separator: "\n").filter { $0.hasPrefix("aloud_queue_rows{") }
          .reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
        if left == 0 { return }
      }
      await LivePhone.sleep(seconds: 0.1)
    }
    throw TestFailure("\(left) deliveries still wait after \(seconds) s")
  }

  /// What the phones said in the end: their pushes in order, then the ledger that the app reads.
  ///
  /// - Parameter onlyLedgers: Phones that only decide, for very many pushes.
  func heard(onlyLedgers: Bool = false) async throws -> HeardCounts {
    var pushes = Dictionary(grouping: wire.pushes, by: \.push.token).mapValues { $0.map(\.push) }
    var counts = HeardCounts()
    for token in tokens {
      let answer = try await http.send("GET", "/v1/devices/\(token)/pending")
      let entries = try JSON.parse(answer.body)["pending"]?.arrayValue?.compactMap(PendingEntry.init) ?? []
      let phone = PlayedPhone(token: token, pushes: pushes.removeValue(forKey: token) ?? [], ledger: entries)
      if phone.pushes.isEmpty && entries.isEmpty { continue }
      if onlyLedgers {
        var quick = LedgerPhone()
        quick.hear(phone.pushes, ledger: entries, into: &counts)
      } else {
        counts.add(try phone.play())
      }
    }
    return counts
  }

  private var http: PlainHTTP {
    PlainHTTP(port: port, headers: [("Authorization", "Bearer \(key.withLock { $0 })")])
  }

  // MARK: start

  private func startAll() async throws {
    var made = [try start(0)]
    processes.withLock { $0 = made }
    let first = made[0]
    let line = try await Thread.run { Result { try first.line(containing: "#key=") } }.get()
    let text = line.split(separator: "=").last.map(String.init) ?? ""
    key.withLock { $0 = text }
    if case .postgres(_, let workers) = database, workers > 0 {
      for index in 1...workers {
        made.append(try start(index))
        let worker = made[index]
        try await Thread.run { Result { _ = try worker.line(containing: "Ctrl-C") } }.get()
      }
    }
    processes.withLock { $0 = made }
    try await register()
  }

  private func register() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask { [self] in
          for number in stride(from: lane, to: tokens.count, by: 4) {
            let answer = try await http.send(
              "POST", "/v1/devices",
              #"{"token":"\#(tokens[number])","topic":"\#(TortureWorld.topic)","user":"u\#(number)","#
                + #""locale":"zh-CN","environment":"sandbox","pack":{"id":"tones-zh-CN","version":"1.0.0"}}"#)
            guard answer.status == 201 else { throw TestFailure("a phone was not registered: \(answer.text)") }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func start(_ index: Int) throws -> ServerProgram {
    let number = starts.withLock { starts in
      starts += 1
      return starts
    }
    let sending = [
      "--apns-key", folder.path + "/key.p8", "--apns-key-id", TortureWorld.keyID, "--apns-team-id",
      TortureWorld.teamID, "--apns-topic", TortureWorld.topic, "--apns-host", "localhost:\(apnsPort)", "--apns-ca",
      folder.path + "/authority.pem", "--log-level", "warning", "--data", folder.path, "--database", databaseArgument,
      "--ladder-alarm", "none", "--rate-per-address", "0",
    ]
    let own: [String]
    if index > 0 {
      own = ["worker"]
    } else if case .postgres(_, let workers) = database, workers > 0 {
      own = ["serve", "--listen", "127.0.0.1:\(port)", "--workers", "0"]
    } else {
      own = ["serve", "--listen", "127.0.0.1:\(port)"]
    }
    return try ServerProgram(own + sending, log: folder.path + "/output-\(number).log")
  }

  private static let databases = Locked(0)

  private static func prepare(_ database: Database) throws -> String {
    guard case .postgres(let cluster, _) = database else { return "sqlite" }
    let name = databases.withLock { number in
      number += 1
      return "torture_\(number)"
    }
    try cluster.psql("CREATE DATABASE \(name)")
    return "postgres://postgres@/\(name)?host=\(cluster.folder.split(separator: "/").map { "%2F" + $0 }.joined())"
  }

  /// A port that was free a moment ago: the server must come back on the same one.
  private static func freePort() async throws -> Int {
    let server = MicroHTTPServer(HTTPServerConfiguration(host: "127.0.0.1", port: 0)) { _ in .text("") }
    let port = try await server.start()
    await server.stop(graceSeconds: 0)
    return port
  }

  private static func write(_ text: String, _ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw TestFailure("\(path) cannot be written") }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw TestFailure("\(path) cannot be written") }
  }
}

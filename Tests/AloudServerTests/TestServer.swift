import AloudServer
import ExactJSON
import Glibc
import HTTPTransport
import Store
import TestSupport
import Testing

/// A server on a free port of the loopback, with its clock, its gateway and its log in hand.
struct TestServer: Sendable {
  let server: AloudServer
  let http: PlainHTTP
  let lines: Locked<[String]>
  let store: MemoryStore
  /// What stands between the server and the store in memory.
  let faults: FaultyStore
  let time: ManualTime
  let port: Int
  let gateway: FakeGateway
  /// What must never stand in a log line.
  let secrets: Locked<[String]>

  /// Starts a server whose clock is the test's.
  ///
  /// - Parameters:
  ///   - database: A SQLite file instead of memory.
  ///   - clock: The moment at which the clock stands, in seconds since 1970.
  static func start(
    limits: StoreLimits = StoreLimits(), database: String? = nil, clock: Double = 1_796_000_000,
    _ change: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws -> TestServer {
    var configuration = ServerConfiguration()
    configuration.ratePerAddress = 0
    change(&configuration)
    let lines = Locked<[String]>([])
    let store = MemoryStore(limits: limits)
    let faults = FaultyStore(store)
    let time = ManualTime(clock)
    let gateway = FakeGateway()
    var parts = AloudServer.Parts()
    if let database { configuration.database = .sqlite(path: database) } else { parts.store = faults }
    parts.time = time.source
    parts.gateways = ["apns": gateway]
    parts.log = ServerLog(level: .debug, time: time.source) { line in lines.withLock { $0.append(line) } }
    let server = AloudServer(configuration, parts: parts)
    let address = try await server.start()
    let key = try #require(address.firstKey)
    return TestServer(
      server: server, http: PlainHTTP(port: address.port, headers: [("Authorization", "Bearer \(key)")]), lines: lines,
      store: store, faults: faults, time: time, port: address.port, gateway: gateway, secrets: Locked([key]))
  }

  /// Registers a phone and gives its secret.
  func register(
    _ token: String = "00aa11bb22cc", user: String = "shop", _ more: String = ""
  ) async throws -> String {
    let answer = try await http.send(
      "POST", "/v1/devices",
      #"{"token":"\#(token)","topic":"com.example.till","user":"\#(user)","locale":"zh-CN","environment":"sandbox"\#(more)}"#
    )
    let secret = try #require(JSON.parse(answer.body)["secret"]?.stringValue, "\(answer.text)")
    secrets.withLock { $0 += [secret, token] }
    return secret
  }

  static func payment(_ id: String, amount: String = "90210.77", user: String = "shop", _ more: String = "") -> String {
    #"{"id":"\#(id)","to":{"user":"\#(user)"},"kind":"payment.received","amount":"\#(amount)","currency":"CNY"\#(more)}"#
  }

  static func alarm(_ id: String, user: String = "shop") -> String {
    #"{"id":"\#(id)","to":{"user":"\#(user)"},"kind":"text","class":"alarm","text":"水浸"}"#
  }

  /// Posts an event that must be taken.
  func post(_ event: String) async throws {
    let answer = try await http.send("POST", "/v1/events", event)
    #expect(answer.status == 202, "\(answer.text)")
  }

  /// What the server tells of an event.
  func event(_ id: String) async throws -> JSON { try JSON.parse(try await http.send("GET", "/v1/events/\(id)").body) }

  /// The steps of an event's first delivery, with their details.
  func steps(_ id: String) async throws -> [String] {
    try await event(id)["deliveries"]?[0]?["timeline"]?.arrayValue?.map { step in
      [step["step"]?.stringValue, step["detail"]?.stringValue].compactMap { $0 }.joined(separator: " ")
    } ?? []
  }

  /// A phone's receipt.
  func receipt(_ event: String, state: String = "played", token: String = "00aa11bb22cc", secret: String) async throws {
    var phone = http
    phone.headers = [("Authorization", "Device \(secret)")]
    let answer = try await phone.send(
      "POST", "/v1/receipts",
      #"{"token":"\#(token)","event":"\#(event)","state":"\#(state)","code":"A100","at":\#(time.seconds)}"#)
    #expect(answer.status == 202, "\(answer.text)")
  }

  /// Moves the clock until something holds; the test's own limit ends a wait for ever.
  func until(_ limit: Int = 120, _ holds: () async throws -> Bool) async throws {
    for _ in 0..<limit {
      if try await holds() { return }
      try await advance()
    }
    Issue.record("what was waited for did not happen within \(limit) s of the server's clock")
  }

  /// Moves the clock by so many seconds at most and lets it stand: whatever the work takes on a busy machine, nothing later on the
  /// clock may be needed for it.
  func within(_ seconds: Int, _ holds: () async throws -> Bool) async throws {
    for _ in 0..<seconds {
      if try await holds() { return }
      try await advance()
    }
    try await eventually(holds)
  }

  /// Moves the clock by a second, with a round trip through the server's own threads, so that it does not run away from their work.
  private func advance() async throws {
    await time.advance(1)
    _ = try await http.send("GET", "/healthz")
  }

  /// Waits for something that needs real time (a program, a socket) while the server's clock stands.
  func eventually(_ holds: () async throws -> Bool) async throws {
    for _ in 0..<20_000 {
      if try await holds() { return }
      _ = try await http.send("GET", "/healthz")
    }
    Issue.record("what was waited for did not happen")
  }

  /// Stops the server, if it still runs, and looks whether anything secret reached its log.
  ///
  /// Every test of a server ends here, so every line that the suite logs is looked at.
  func stop() async {
    await server.stop()
    let log = lines.withLock { $0.joined() }
    #expect(log.contains("ready"))
    for secret in secrets.withLock({ $0 }) + ["90210"] {
      #expect(!log.contains(secret), "a secret or an amount stands in the log: \(secret)")
      // Of a key also its secret part alone; random underscores may cut it short.
      for part in secret.split(separator: "_") where part.count > 12 { #expect(!log.contains(part), "\(part)") }
    }
  }
}

/// A folder of its own for a test; it goes when the test process ends, because servers may outlive the test's last line.
struct TestFolder: Sendable {
  let path: String

  private static let made = Locked<[String]>([])

  init() throws {
    path = try TemporaryFolder().path
    let isFirst = TestFolder.made.withLock { made in
      made.append(path)
      return made.count == 1
    }
    if isFirst { atexit { TestFolder.made.withLock { $0 }.forEach { TemporaryFolder(existing: $0).remove() } } }
  }

  /// Writes a file that only its owner may read.
  func write(_ text: String, _ name: String, mode: mode_t = 0o600) throws -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, mode)
    try #require(descriptor >= 0)
    _ = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
    close(descriptor)
    chmod(file, mode)
    return file
  }
}

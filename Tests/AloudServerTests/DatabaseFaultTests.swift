import AloudServer
import CSQLite
import ExactJSON
import Glibc
import HTTPTransport
import Store
import StoreSQLite
import TestSupport
import Testing

/// What callers see while the database does not take anything.
struct DatabaseFaultTests {
  @Test func `a locked database is answered with 503 and a time, and the repeat is accepted once it is free`()
    async throws
  {
    let folder = try TestFolder()
    let path = folder.path + "/aloud.db"
    var parts = AloudServer.Parts()
    let store = try SQLiteStore(
      path: path, options: SQLiteOptions(busyMilliseconds: 50), now: Timestamp(milliseconds: 0))
    let gateway = FakeGateway()
    parts.store = store
    parts.gateways = ["apns": gateway]
    parts.log = ServerLog(level: .error, time: .live) { _ in }
    let server = AloudServer(ServerConfiguration(), parts: parts)
    let address = try await server.start()
    let http = PlainHTTP(port: address.port, headers: [("Authorization", "Bearer \(try #require(address.firstKey))")])
    let device = #"{"token":"00aa","topic":"com.example.till","user":"shop","locale":"zh-CN"}"#
    #expect(try await http.send("POST", "/v1/devices", device).status == 201)

    let other = try Lock(path)
    let event = TestServer.payment("e1")
    let refused = try await http.send("POST", "/v1/events", event)
    #expect(refused.status == 503, "\(refused.text)")
    #expect((refused.headers["retry-after"].flatMap { Int($0) } ?? 0) >= 1, "\(refused.headers)")
    #expect(gateway.pushes.isEmpty)

    try other.release()
    let accepted = try await http.send("POST", "/v1/events", event)
    #expect(accepted.status == 202, "\(accepted.text)")
    #expect(try JSON.parse(accepted.body)["repeated"] == false, "what was answered with 503 was not accepted")
    for _ in 0..<2_000 where gateway.pushes.isEmpty { _ = try await http.send("GET", "/healthz") }
    #expect(gateway.pushes.count == 1)
    await server.stop()
  }

  @Test func `two servers of one name share a database instead of fencing each other in turns`() async throws {
    let (store, time) = (FaultyStore(MemoryStore()), ManualTime(1_796_000_000))
    store.staysOpen.withLock { $0 = true }
    let gateway = FakeGateway()
    var servers: [(server: AloudServer, http: PlainHTTP)] = []
    var key: String?
    for _ in 1...2 {
      var configuration = ServerConfiguration()
      configuration.ratePerAddress = 0
      var parts = AloudServer.Parts()
      parts.store = store
      parts.time = time.source
      parts.gateways = ["apns": gateway]
      parts.log = ServerLog(level: .error, time: time.source) { _ in }
      parts.identity = "same"
      let server = AloudServer(configuration, parts: parts)
      let address = try await server.start()
      key = key ?? address.firstKey
      servers.append((server, PlainHTTP(port: address.port, headers: [("Authorization", "Bearer \(key ?? "")")])))
    }
    let device = #"{"token":"00aa","topic":"com.example.till","user":"shop","locale":"zh-CN"}"#
    #expect(try await servers[0].http.send("POST", "/v1/devices", device).status == 201)
    for number in 1...20 {
      await time.advance(1)
      let http = servers[number % 2].http
      #expect(try await http.send("POST", "/v1/events", TestServer.payment("e\(number)")).status == 202)
      for _ in 0..<5_000 where gateway.pushes.count < number { _ = try await http.send("GET", "/healthz") }
    }
    #expect(gateway.parts.compactMap { $0["id"]?.stringValue } == (1...20).map { "e\($0)" })
    let names = store.registered.withLock { $0 }
    #expect(names.count == 3 && Set(names).count == 2, "\(names)")
    for (server, _) in servers { await server.stop() }
  }

  @Test func `a server has one name for each data folder, also before there is a folder`() async throws {
    let folder = try TestFolder()
    var names: [String] = []
    for data in ["/a", "/a", "/b"] {
      let store = FaultyStore(MemoryStore())
      var configuration = ServerConfiguration()
      configuration.dataFolder = folder.path + data
      var parts = AloudServer.Parts()
      parts.store = store
      parts.gateways = ["apns": FakeGateway()]
      parts.log = ServerLog(level: .error, time: .live) { _ in }
      let server = AloudServer(configuration, parts: parts)
      _ = try await server.start()
      for _ in 0..<100_000 where store.registered.withLock({ $0.isEmpty }) { await Task.yield() }
      names += store.registered.withLock { $0.prefix(1) }
      await server.stop()
      mkdir(configuration.dataFolder, 0o700)
    }
    #expect(names.count == 3 && names[0] == names[1] && names[1] != names[2], "\(names)")
  }

  @Test func `a worker with much to do keeps its lease however slow the database is`() async throws {
    let server = try await TestServer.start()
    let (store, time) = (server.store, server.time)
    let phones = 1_600
    for number in 0..<phones {
      let profile = DeviceProfile(environment: .sandbox, topic: "com.example.till", locale: "zh-CN")
      let device = NewDevice(
        token: "00aa\(String(number + 4_096, radix: 16))", profile: profile, user: "u\(number / 100)")
      _ = try await store.upsert(device, now: Timestamp(milliseconds: 0))
    }
    let lost = Locked<[String]>([])
    server.faults.duringClaims.withLock {
      $0 = {
        // Another process looks after lost workers.
        await time.advance(1)
        let report = try? await store.recover(now: Timestamp(milliseconds: time.source.unixMilliseconds))
        lost.withLock { $0 += report?.lostWorkers ?? ["recover failed"] }
      }
    }
    let all = (0..<phones / 100).map { TestServer.payment("e\($0)", user: "u\($0)") }
    #expect(try await server.http.send("POST", "/v1/events/batch", "[\(all.joined(separator: ","))]").status == 202)
    try await server.eventually { server.gateway.pushes.count >= phones }
    try await server.eventually { try await store.stats(now: .distantPast).openDeliveries == 0 }
    #expect(lost.withLock { $0 }.isEmpty)
    #expect(server.gateway.pushes.count == phones)
    server.faults.duringClaims.withLock { $0 = nil }
    await server.stop()
  }

  @Test(arguments: [FaultyStore.Call.claim, .markSending, .finish], FaultyStore.Moment.allCases)
  func `a push that a fault of the database held up leaves soon after it, once`(
    call: FaultyStore.Call, moment: FaultyStore.Moment
  ) async throws {
    let server = try await TestServer.start()
    _ = try await server.register()
    server.faults.fail(call, moment)
    for id in ["e1", "e2"] { try await server.post(TestServer.payment(id)) }
    try await server.until(20) {
      for id in ["e1", "e2"] where try await server.steps(id).last?.hasPrefix("sent ") != true { return false }
      return true
    }
    #expect(server.faults.failures == 1)
    #expect(server.gateway.parts.compactMap { $0["id"]?.stringValue } == ["e1", "e2"])
    await server.stop()
  }

  @Test(arguments: 1...8)
  func `while calls of the database fail at random nothing is lost and nothing sent twice`(seed: UInt64) async throws {
    let server = try await TestServer.start()
    for phone in 0..<4 { _ = try await server.register("00aa\(phone)", user: "u\(phone)") }
    server.faults.failOften(oneIn: 4, seed: seed)
    let ids = (0..<40).map { "e\($0)" }
    for (number, id) in ids.enumerated() {
      let event = TestServer.payment(id, user: "u\(number % 4)")
      // As a caller does: the same again until it is taken.
      while try await server.http.send("POST", "/v1/events", event).status != 202 {}
      if number.isMultiple(of: 10) { await server.time.advance(1) }
    }
    try await server.until(240) { server.gateway.pushes.count >= ids.count }
    server.faults.failOften(oneIn: 4, seed: nil)
    try await server.until(60) { try await server.store.stats(now: .distantPast).openDeliveries == 0 }
    #expect(server.faults.failures > 20)
    #expect(server.gateway.parts.compactMap { $0["id"]?.stringValue }.sorted() == ids.sorted())
    for id in ids { #expect(try await server.store.event(id)?.deliveries.map(\.state) == [.sent]) }
    await server.stop()
  }

  @Test(arguments: FaultyStore.Moment.allCases)
  func `a server that stops after a fault of the database leaves no push behind of unknown fate`(
    moment: FaultyStore.Moment
  ) async throws {
    let server = try await TestServer.start()
    _ = try await server.register()
    server.faults.fail(.markSending, moment)
    // What wakes the worker meanwhile finds the database no better.
    for _ in 0..<1_000 { server.faults.fail(.markSending, .undone) }
    try await server.post(TestServer.payment("e1"))
    try await server.eventually { server.faults.failures > 0 }
    server.faults.staysOpen.withLock { $0 = true }
    await server.stop()
    #expect(server.gateway.pushes.isEmpty)
    #expect(try await server.store.event("e1")?.deliveries.map(\.state) == [.waiting])
  }

  /// Another process's write lock on the file.
  private final class Lock {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
      try #require(sqlite3_open(path, &handle) == SQLITE_OK)
      try #require(sqlite3_exec(handle, "PRAGMA busy_timeout=2000; BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    }

    deinit { sqlite3_close(handle) }

    func release() throws { try #require(sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) == SQLITE_OK) }
  }
}

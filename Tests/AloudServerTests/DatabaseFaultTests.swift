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

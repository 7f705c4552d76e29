import AloudServer
import ExactJSON
import HTTPTransport
import Store
import StoreSQLite
import TestSupport
import Testing

/// A stop in good order: readiness first, then the drain, and an end in any case.
struct StopTests {
  /// Starts a stop while one push is under way.
  private func stopping(_ test: TestServer) async throws -> Task<Void, Never> {
    _ = try await test.register()
    test.gateway.hold()
    try await test.post(TestServer.payment("e1"))
    try await test.until { test.gateway.pushes.count == 1 }
    let stop = Task { await test.server.stop() }
    try await test.eventually { try await test.http.send("GET", "/readyz").status == 503 }
    return stop
  }

  @Test func `while pushes drain it is alive and not ready, and refuses work with when to come again`() async throws {
    let test = try await TestServer.start()
    let stop = try await stopping(test)
    let ready = try await test.http.send("GET", "/readyz")
    #expect(ready.status == 503 && ready.headers["retry-after"] != nil)
    #expect(try await test.http.send("GET", "/healthz").status == 200)
    let refused = try await test.http.send("POST", "/v1/events", TestServer.payment("e2"))
    #expect(refused.status == 503 && refused.headers["retry-after"] != nil, "\(refused.text)")
    #expect(try await test.event("e1")["state"] == "sending")
    test.gateway.release()
    await stop.value
    #expect(test.lines.withLock { $0.joined() }.contains("stopped"))
    await test.stop()
  }

  @Test func `a gateway that never answers does not hold the stop beyond its time`() async throws {
    let path = try TestFolder().path + "/aloud.db"
    let test = try await TestServer.start(database: path) { $0.stopSeconds = 10 }
    let stop = try await stopping(test)
    let ended = Locked(false)
    Task {
      await stop.value
      ended.withLock { $0 = true }
    }
    // Each step of the stop waits on the clock or on the store's thread, so both get their turns until it has ended.
    while !ended.withLock({ $0 }) {
      await test.time.advance(1)
      await Thread.run("turn") {}
    }
    await stop.value
    // What was under way is of unknown fate, as it is: nobody knows whether the phone heard it.
    let store = try SQLiteStore(path: path, now: .distantPast)
    #expect(try await store.event("e1")?.deliveries.first?.state == .ambiguous)
    await store.close()
    await test.stop()
  }

  @Test func `a store that is down makes the server not ready, and its answers say when to come again`() async throws {
    let test = try await TestServer.start()
    #expect(try await test.http.send("GET", "/readyz").status == 200)
    await test.store.close()
    let ready = try await test.http.send("GET", "/readyz")
    #expect(ready.status == 503 && ready.headers["retry-after"] != nil)
    #expect(try await test.http.send("GET", "/healthz").status == 200)
    let answer = try await test.http.send("POST", "/v1/events", TestServer.payment("e1"))
    #expect(answer.status == 503 && answer.headers["retry-after"] != nil, "\(answer.text)")
    await test.stop()
  }
}

/// Workers beside each other.
struct TakeoverTests {
  @Test func `what a dead worker had claimed is sent by another within ten seconds`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    try await test.post(TestServer.payment("e0"))
    try await test.until { try await test.event("e0")["state"] == "sent" }
    let body = try #require(await test.store.event("e0")?.event.body)
    let now = Timestamp(seconds: Int64(test.time.seconds))
    let dead = try await test.store.registerWorker(name: "dead", leaseSeconds: 7, now: now)
    // Due in a second, so that the server's own worker leaves it to the one that is about to die.
    let event = NewEvent(
      id: "e1", digest: [1], body: body, kind: "payment.received", deliveryClass: .atMostOnce,
      lane: .payment, target: .user("shop"), at: now, until: now.adding(seconds: 60), notBefore: now.adding(seconds: 1))
    _ = try await test.store.accept(event, now: now)
    let claimed = try await test.store.claim(limit: 1, lease: dead, now: now.adding(seconds: 1)).claimed
    #expect(claimed.count == 1)
    try await test.within(10) { test.gateway.pushes.count == 2 }
    await test.stop()
  }
}

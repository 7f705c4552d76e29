import AloudServer
import ExactJSON
import Glibc
import HTTPTransport
import PushPayload
import Store
import TestSupport
import Testing

struct EventIntakeTests {
  @Test func `accepts an event once, whatever the order of its members`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let first = try await test.http.send("POST", "/v1/events", TestServer.payment("e1"))
    #expect(first.status == 202)
    let again = try await test.http.send(
      "POST", "/v1/events",
      #"{"currency":"CNY","amount":"90210.77","kind":"payment.received","to":{"user":"shop"},"id":"e1"}"#)
    #expect(again.status == 202)
    let (one, two) = (try JSON.parse(first.body), try JSON.parse(again.body))
    #expect(one["deliveries"] == two["deliveries"])
    #expect(one["repeated"] == false && two["repeated"] == true)
    await test.stop()
  }

  @Test func `refuses the same id with another amount`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    _ = try await test.http.send("POST", "/v1/events", TestServer.payment("e1"))
    let other = try await test.http.send("POST", "/v1/events", TestServer.payment("e1", amount: "28.51"))
    #expect(other.status == 409)
    await test.stop()
  }

  @Test(arguments: [
    (#"{"id":"e1",}"#, 400, "Line 1, column 11"), ("", 400, "empty"), ("[]", 422, "must be an object"),
    (TestServer.payment("e1", amount: "28.505"), 422, "/amount"),
    (TestServer.payment("e1", amount: "NaN"), 422, "/amount"),
    (TestServer.payment("e1", amount: "1,2,3"), 422, "/amount"), (TestServer.payment("e1", user: "nobody"), 422, "/to"),
    (#"{"to":{"user":"shop"},"kind":"payment.received","amount":"1","currency":"XXZ"}"#, 422, "/currency"),
    (#"{"to":{"user":"shop"},"kind":"payment.received","amount":"1","currency":"CNY","locale":"xx"}"#, 422, "/locale"),
    (#"{"to":{"user":"shop"},"kind":"payment.received","amonut":"1","currency":"CNY"}"#, 422, "/amonut"),
    (#"{"to":{"user":"shop"},"kind":"payment.received","currency":"CNY"}"#, 422, "/amount"),
    (#"{"to":{},"kind":"text","text":"x"}"#, 422, "/to"), (#"{"kind":"text","text":"x"}"#, 422, "/to"),
    (#"{"to":{"user":"shop"},"kind":"text"}"#, 422, "/text"),
    (#"{"to":{"user":"shop"},"kind":"payment.received","amount":"1","amount":"2","currency":"CNY"}"#, 400, "twice"),
  ])
  func `says what is wrong and where, and keeps nothing`(body: String, status: Int, detail: String) async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let answer = try await test.http.send("POST", "/v1/events", body)
    #expect(answer.status == status)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(answer.text.contains(detail), "\(answer.text)")
    #expect(try await test.store.recentEvents(before: nil, limit: 10).isEmpty)
    await test.stop()
  }

  @Test(arguments: [
    ("application/json", true), ("Application/JSON", true), (" application/json ; charset=utf-8", true),
    ("application/json;", true), ("application/jsonp", false), ("application/json x", false), ("text/plain", false),
    ("application\u{0F}json", false), ("", false), ("json", false),
  ])
  func `takes JSON by its media type only`(type: String, isTaken: Bool) async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let body = TestServer.payment("e1")
    let answer = try await test.http.raw(
      Array(
        ("POST /v1/events HTTP/1.1\r\nHost: x\r\n\(test.http.headers[0].0): \(test.http.headers[0].1)\r\n"
          + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)").utf8),
      closesWriting: false)
    #expect((answer.status == 202) == isTaken, "\(type): \(answer.status)")
    await test.stop()
  }

  @Test func `the worker beside sends the same as one that reads the row after a restart`() async throws {
    let folder = try TestFolder()
    let shapes = [
      "", #","brand":"微信","suffix":"0042","thread":"till-1""#, #","title":"Ζήτα \"x\"","body":"a\\b""#,
      #","sound":"coin.caf","route":"bundled""#, #","route":"chime","locale":"en-US""#,
      #","at":1795999990,"until":1796000100"#,
      #","class":"alarm","from":"张三""#,
    ]
    let events = shapes.enumerated().map { TestServer.payment("e\($0.offset)", user: "shop\($0.offset)", $0.element) }
    func payloads(_ gateway: FakeGateway) -> [String] {
      gateway.pushes.map { $0.notification.payload.serialized() }.sorted()
    }
    func filled(_ path: String, workers: Int) async throws -> TestServer {
      let test = try await TestServer.start(database: path) { $0.workers = workers }
      for place in events.indices { _ = try await test.register("00aa\(place)0", user: "shop\(place)") }
      for event in events { try await test.post(event.replacing("\"CNY\"", with: "\"cny\"")) }
      return test
    }
    let beside = try await filled(folder.path + "/a.sqlite", workers: 1)
    try await beside.until { beside.gateway.pushes.count == events.count }
    await beside.stop()

    await (try filled(folder.path + "/b.sqlite", workers: 0)).stop()
    let (time, gateway) = (ManualTime(), FakeGateway())
    var parts = AloudServer.Parts()
    (parts.time, parts.gateways) = (time.source, ["apns": gateway])
    parts.log = ServerLog(level: .error, time: time.source) { _ in }
    var configuration = ServerConfiguration()
    configuration.database = .sqlite(path: folder.path + "/b.sqlite")
    let server = AloudServer(configuration, parts: parts)
    let http = PlainHTTP(port: try await server.start().port)
    for _ in 0..<20_000 where gateway.pushes.count < events.count { _ = try await http.send("GET", "/healthz") }
    await server.stop()
    #expect(payloads(gateway).count == events.count)
    #expect(payloads(gateway) == payloads(beside.gateway))
  }

  @Test func `takes an amount as a number literal, exactly`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let body = #"{"id":"e1","to":{"user":"shop"},"kind":"payment.received","amount":12345678.90,"currency":"CNY"}"#
    #expect(try await test.http.send("POST", "/v1/events", body).status == 202)
    let event = try JSON.parse(try await test.http.send("GET", "/v1/events/e1").body)
    #expect(event["event"]?["amount"] == "12345678.90")
    await test.stop()
  }

  @Test func `answers a body that is too large with a problem and lives on`() async throws {
    let test = try await TestServer.start { $0.bodyLimit = 4_096 }
    let large = try await test.http.send("POST", "/v1/events", String(repeating: "x", count: 100_000))
    #expect(large.status == 413)
    #expect(large.text.contains("4096"))
    #expect(try await test.http.send("GET", "/healthz").status == 200)
    await test.stop()
  }

  @Test func `one bad event in a batch does not fail the rest`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let batch = "[\(TestServer.payment("a")),\(TestServer.payment("b", amount: "x")),\(TestServer.payment("c")),5]"
    let answer = try await test.http.send("POST", "/v1/events/batch", batch)
    #expect(answer.status == 202)
    let results = try #require(JSON.parse(answer.body)["results"]?.arrayValue)
    #expect(results.map { $0["id"]?.stringValue } == ["a", nil, "c", nil])
    #expect(results[1]["status"] == 422 && results[3]["status"] == 422)
    await test.stop()
  }

  @Test func `the same idempotency key from many callers at once is one event`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let body = #"{"to":{"user":"shop"},"kind":"payment.received","amount":"5","currency":"CNY","at":1796000000}"#
    let ids = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<32 {
        group.addTask {
          let answer = try await test.http.send("POST", "/v1/events", body, headers: [("Idempotency-Key", "k1")])
          return try JSON.parse(answer.body)["id"]?.stringValue
        }
      }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids.count == 1 && !ids.contains(nil))
    #expect(try await test.store.recentEvents(before: nil, limit: 10).count == 1)
    await test.stop()
  }
}

struct AccessTests {
  @Test func `answers strangers with 401 and keys without the scope with 403`() async throws {
    let test = try await TestServer.start()
    var stranger = test.http
    stranger.headers = []
    #expect(try await stranger.send("GET", "/v1/events").status == 401)
    stranger.headers = [("Authorization", "Bearer aloud_0000000000_" + String(repeating: "A", count: 43))]
    #expect(try await stranger.send("GET", "/v1/events").status == 401)
    #expect(try await stranger.send("GET", "/healthz").status == 200)

    let key = AccessKey()
    try await test.store.addKey(
      APIKey(id: key.id, name: "till", hash: key.digest, scopes: .send, createdAt: .distantPast))
    var till = test.http
    till.headers = [("Authorization", "Bearer \(key.text)")]
    #expect(try await till.send("GET", "/v1/events").status == 403)
    _ = try await test.register()
    #expect(try await till.send("POST", "/v1/events", TestServer.payment("e1")).status == 202)
    _ = try await test.store.revokeKey(id: key.id, now: Timestamp(milliseconds: 5))
    await test.time.advance(1)
    #expect(try await till.send("POST", "/v1/events", TestServer.payment("e2")).status == 401)
    await test.stop()
  }

  @Test func `a receipt needs the device's own secret and settles the event`() async throws {
    let test = try await TestServer.start()
    let secret = try await test.register("00aa11bb22cc")
    _ = try await test.register("00bb", user: "other")
    _ = try await test.http.send("POST", "/v1/events", TestServer.payment("e1"))
    let receipt = #"{"token":"00aa11bb22cc","event":"e1","state":"played","code":"A100","at":1796000001}"#
    var phone = test.http
    phone.headers = [("Authorization", "Device wrong")]
    #expect(try await phone.send("POST", "/v1/receipts", receipt).status == 401)
    phone.headers = [("Authorization", "Device \(secret)")]
    #expect(try await phone.send("POST", "/v1/receipts", receipt).status == 202)
    #expect(try await phone.send("GET", "/v1/devices/00bb/pending").status == 401)
    let event = try JSON.parse(try await test.http.send("GET", "/v1/events/e1").body)
    #expect(event["state"] == "heard")
    await test.stop()
  }

  @Test func `the ledger lists what a phone has not proven, with exact amounts`() async throws {
    let test = try await TestServer.start()
    let secret = try await test.register()
    for (id, amount) in [("a", "1.10"), ("b", "2.20"), ("c", "3.30")] {
      _ = try await test.http.send("POST", "/v1/events", TestServer.payment(id, amount: amount))
    }
    var phone = test.http
    phone.headers = [("Authorization", "Device \(secret)")]
    _ = try await phone.send(
      "POST", "/v1/receipts", #"{"token":"00aa11bb22cc","event":"b","state":"merged","code":"A101","at":1796000001}"#)
    let ledger = try JSON.parse(try await phone.send("GET", "/v1/devices/00aa11bb22cc/pending").body)
    #expect(ledger["pending"]?.arrayValue?.map { $0["amount"] } == ["1.10", "3.30"])
    await test.stop()
  }

  @Test func `no amount, token, key or secret reaches the log`() async throws {
    let test = try await TestServer.start()
    let secret = try await test.register("00aabbccdd")
    _ = try await test.http.send("POST", "/v1/events", TestServer.payment("e1", amount: "90210.77"))
    _ = try await test.http.send("POST", "/v1/events", TestServer.payment("e2", amount: "90210.775"))
    _ = try await test.http.send("GET", "/v1/devices/00aabbccdd/pending")
    _ = try await test.http.send("GET", "/no/such/90210.77?key=\(secret)")
    let key = try #require(test.http.headers.first?.1.split(separator: " ").last)
    await test.stop()
    let log = test.lines.withLock { $0.joined() }
    #expect(log.contains("request"))
    for word in ["90210", "00aabbccdd", secret, String(key)] { #expect(!log.contains(word)) }
  }

  @Test(arguments: [
    "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "y", count: 100_000))\r\n\r\n",
    "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "GET /%00%ff/../.. HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  ])
  func `bad bytes are refused and the server lives on`(bytes: String) async throws {
    let test = try await TestServer.start()
    let answer = try? await test.http.raw(Array(bytes.utf8))
    #expect(answer.map { (400..<600).contains($0.status) } ?? true)
    #expect(try await test.http.send("GET", "/healthz").status == 200)
    await test.stop()
  }
}

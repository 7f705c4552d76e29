import AloudServer
import ExactJSON
import Glibc
import HTTPTransport
import Store
import TestSupport
import Testing

/// What an operator sees and relies on.
struct OperationsTests {
  @Test func `the OpenAPI document and the routes are the same`() throws {
    let document = try JSON.parse(OpenAPIRoutes.document)
    #expect(document["openapi"] == "3.1.0")
    var documented: [String: String] = [:]
    for (path, operations) in try #require(document["paths"]?.objectValue) {
      for (method, operation) in try #require(operations.objectValue) {
        let security = operation["security"]?.arrayValue ?? []
        documented["\(method.uppercased()) \(path)"] =
          security.isEmpty
          ? "open"
          : security[0]["device"] != nil
            ? "device"
            : security[0]["signature"] != nil
              ? "signature" : "key \(security[0]["key"]?[0]?.stringValue ?? "")"
      }
    }
    var routes: [String: String] = [:]
    for route in try AloudServer.routes() {
      let words = route.access.split { "(.)".contains($0) }.map(String.init)
      routes["\(route.method) \(route.path)"] = words[0] == "key" ? "key \(words.last ?? "")" : words[0]
    }
    #expect(documented == routes)
  }

  @Test func `every reference in the OpenAPI document leads somewhere`() throws {
    let document = try JSON.parse(OpenAPIRoutes.document)
    var references: Set<String> = []
    func collect(_ value: JSON) {
      if let reference = value["$ref"]?.stringValue { references.insert(reference) }
      for (_, member) in value.objectValue ?? [:] { collect(member) }
      for element in value.arrayValue ?? [] { collect(element) }
    }
    collect(document)
    #expect(references.count > 15)
    for reference in references {
      let target = reference.split(separator: "/").dropFirst().reduce(document as JSON?) { $0?[String($1)] }
      #expect(target != nil, "\(reference)")
    }
  }

  @Test func `figures tell what waits, what was sent and what was heard`() async throws {
    let test = try await TestServer.start()
    let secret = try await test.register()
    try await test.post(TestServer.payment("e1"))
    try await test.until { test.gateway.pushes.count == 1 }
    try await test.receipt("e1", secret: secret)
    let answer = try await test.http.send("GET", "/metrics")
    #expect(answer.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    for line in [
      "aloud_events_accepted_total 1", "aloud_deliveries_total{gateway=\"apns\",outcome=\"sent\"} 1",
      "aloud_receipts_total{state=\"heard\"} 1", "aloud_queue_rows{lane=\"payment\"} 0",
      "aloud_devices{which=\"all\"} 1",
      "# TYPE aloud_http_request_seconds histogram",
    ] {
      #expect(answer.text.contains(line + "\n"), "\(line)")
    }
    var stranger = test.http
    stranger.headers = []
    #expect(try await stranger.send("GET", "/metrics").status == 401)
    #expect(try await stranger.send("GET", "/readyz").status == 200)
    await test.stop()
  }

  @Test func `more than may wait is answered with 503 and when to come again`() async throws {
    let test = try await TestServer.start(limits: StoreLimits(openDeliveries: 2))
    _ = try await test.register()
    test.gateway.hold()
    var answers: [PlainHTTP.Answer] = []
    for number in 0..<4 {
      answers.append(try await test.http.send("POST", "/v1/events", TestServer.payment("e\(number)")))
    }
    #expect(answers.prefix(2).map(\.status) == [202, 202])
    let refused = try #require(answers.first { $0.status == 503 })
    #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
    test.gateway.release()
    await test.stop()
  }

  @Test func `what waits too long closes the door until it is sent`() async throws {
    let test = try await TestServer.start { configuration in
      configuration.queueAgeLimitSeconds = 30
      configuration.workers = 0
    }
    _ = try await test.register()
    try await test.post(TestServer.payment("e1"))
    for _ in 0..<40 { await test.time.advance(1) }
    let answer = try await test.http.send("POST", "/v1/events", TestServer.payment("e2"))
    #expect(answer.status == 503 && answer.text.contains("queue-age"))
    await test.stop()
  }

  @Test func `a caller without a key is slowed down, a caller with one is not`() async throws {
    let test = try await TestServer.start { $0.ratePerAddress = 2 }
    var stranger = test.http
    stranger.headers = []
    var statuses: [Int] = []
    for _ in 0..<6 { statuses.append(try await stranger.send("GET", "/v1/events").status) }
    #expect(statuses == [401, 401, 401, 401, 429, 429])
    #expect(try await test.http.send("GET", "/v1/events").status == 200)
    await test.time.advance(1)
    #expect(try await stranger.send("GET", "/v1/events").status == 401)
    await test.stop()
  }

  @Test func `each key has its own rate, and the answer says when to come again`() async throws {
    let test = try await TestServer.start { $0.ratePerKey = 2 }
    var other = test.http
    let second = AccessKey()
    try await test.store.addKey(
      APIKey(id: second.id, name: "second", hash: second.digest, scopes: [.read], createdAt: .distantPast))
    other.headers = [("Authorization", "Bearer \(second.text)")]
    test.secrets.withLock { $0.append(second.text) }
    var statuses: [Int] = []
    for _ in 0..<5 { statuses.append(try await test.http.send("GET", "/v1/events").status) }
    #expect(statuses == [200, 200, 200, 200, 429])
    let refused = try await test.http.send("GET", "/v1/events")
    #expect(refused.status == 429 && refused.headers["retry-after"] == "1")
    #expect(try await other.send("GET", "/v1/events").status == 200)
    await test.time.advance(1)
    #expect(try await test.http.send("GET", "/v1/events").status == 200)
    await test.stop()
  }

  @Test func `a method that does not fit is answered with those that do`() async throws {
    let test = try await TestServer.start()
    for (path, methods) in [
      ("/v1/events", "GET, POST, HEAD"), ("/v1/events/batch", "POST"), ("/v1/events/e1", "GET, HEAD"),
      ("/v1/devices/aa", "DELETE"),
    ] {
      let answer = try await test.http.send("PATCH", path)
      #expect(answer.status == 405 && answer.headers["allow"] == methods, "\(path): \(answer.headers)")
    }
    #expect(try await test.http.send("PATCH", "/v2").status == 404)
    _ = try await test.register()
    #expect(try await test.http.send("POST", "/v1/events", TestServer.payment("batch")).status == 422)
    await test.stop()
  }

  @Test func `other origins get nothing from a browser`() async throws {
    let test = try await TestServer.start()
    let answer = try await test.http.send("GET", "/healthz", headers: [("Origin", "https://evil.example")])
    #expect(answer.headers.keys.filter { $0.hasPrefix("access-control") }.isEmpty)
    let preflight = try await test.http.send("OPTIONS", "/v1/events", headers: [("Origin", "https://evil.example")])
    #expect(preflight.status == 405)
    let page = try await test.http.send("GET", "/")
    #expect(page.headers["content-security-policy"]?.contains("default-src 'self'") == true)
    #expect(page.headers["x-content-type-options"] == "nosniff")
    // A form of another site cannot send JSON.
    let form = try await test.http.raw(
      Array(
        "POST /v1/events HTTP/1.1\r\nHost: x\r\n\(test.http.headers[0].0): \(test.http.headers[0].1)\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
          .utf8), closesWriting: false)
    #expect(form.status == 415)
    await test.stop()
  }

  @Test func `the console has nothing from elsewhere and both languages say the same`() async throws {
    let test = try await TestServer.start()
    let page = try await test.http.send("GET", "/").text
    let script = try await test.http.send("GET", "/console.js").text
    let style = try await test.http.send("GET", "/console.css").text
    for text in [page, script, style] { #expect(!text.contains("http://") && !text.contains("https://")) }
    // Each word of the page has a text in both languages.
    let names = page.split(separator: "data-t=\"").dropFirst().compactMap { $0.split(separator: "\"").first }
    #expect(names.count > 20)
    // The server takes device tokens, which it never shows; the console must not offer its short ids as if they were some.
    #expect(!script.contains("device:${device.id}"))
    let halves = script.split(separator: "  zh: {")
    #expect(halves.count == 2)
    for name in Set(names) { for half in halves { #expect(half.contains("\(name): \""), "\(name)") } }
    await test.stop()
  }

  @Test func `a new certificate is taken into use without a restart`() async throws {
    let folder = try TestFolder()
    func identity() throws -> CertificateAuthority {
      let authority = try CertificateAuthority()
      let identity = try authority.issue()
      _ = try folder.write(identity.certificateChainPEM, "tls.pem")
      _ = try folder.write(identity.privateKeyPEM, "tls.key")
      return authority
    }
    let first = try identity()
    var configuration = ServerConfiguration()
    configuration.listening.certificatePath = folder.path + "/tls.pem"
    configuration.listening.keyPath = folder.path + "/tls.key"
    let time = ManualTime()
    var parts = AloudServer.Parts()
    (parts.time, parts.store) = (time.source, MemoryStore())
    parts.log = ServerLog(level: .error, time: time.source, sink: { _ in })
    let server = AloudServer(configuration, parts: parts)
    let address = try await server.start()
    #expect(address.url.hasPrefix("https://"))
    let client = HTTPClient(rule: .any)
    func status(_ authority: CertificateAuthority) async throws -> Int? {
      try? await client.send(
        HTTPClientRequest(
          url: "https://localhost:\(address.port)/healthz", trust: .authorities(pem: try authority.certificatePEM()))
      ).status
    }
    #expect(try await status(first) == 200)
    let second = try identity()
    #expect(try await status(second) == nil)
    for _ in 0..<400 {
      await time.advance(1)
      if try await status(second) == 200 { break }
    }
    #expect(try await status(second) == 200)
    await server.stop()
  }

  @Test func `a server that cannot start says why and what to do`() async throws {
    let folder = try TestFolder()
    let key = try folder.write("not a key", "key.p8", mode: 0o644)
    func failure(_ change: (inout ServerConfiguration) -> Void) async -> String {
      var configuration = ServerConfiguration()
      change(&configuration)
      var parts = AloudServer.Parts()
      parts.log = ServerLog(level: .error, time: .live, sink: { _ in })
      do {
        _ = try await AloudServer(configuration, parts: parts).start()
        return "started"
      } catch { return error.description }
    }
    let apns = ServerConfiguration.APNs(keyPath: key, keyID: "ABCDEFGHIJ", teamID: "ABCDEFGHIJ", topic: "com.example")
    #expect(await failure { $0.apns = apns }.contains("chmod 600"))
    chmod(key, 0o600)
    #expect(await failure { $0.apns = apns }.contains("PEM"))
    #expect(await failure { $0.voicesFolder = folder.path }.contains(".voicepack"))
    #expect(await failure { $0.database = .sqlite(path: "/proc/no/aloud.db") } != "started")
    let short = try folder.write("short", "short")
    #expect(
      await failure { $0.incoming = [.init(name: "x", scheme: .generic, secretPath: short)] }.contains("8 characters"))
  }
}

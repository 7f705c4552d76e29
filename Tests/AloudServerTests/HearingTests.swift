import AloudServer
import ExactJSON
import HTTPTransport
import PushPayload
import Store
import StoreSQLite
import TestSupport
import Testing

/// Once to the ear: what is done when nobody knows whether an event was heard.
struct HearingTests {
  @Test func `a payment is pushed with everything that a phone needs to say it`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    try await test.post(TestServer.payment("e1", amount: "28.50"))
    try await test.until { !test.gateway.pushes.isEmpty }
    let push = try #require(test.gateway.pushes.first)
    let aps = try #require(push.notification.payload["aps"])
    #expect(aps["mutable-content"] == 1)
    #expect(aps["sound"] == "fallback.caf")
    #expect(aps["alert"]?["body"]?.stringValue?.contains("28.50") == true)
    #expect(push.notification.headers.pushType == .alert)
    #expect(push.notification.headers.priority == 10)
    #expect(push.notification.headers.collapseID == "e1")
    #expect((push.notification.headers.expiration ?? 0) > test.time.seconds)
    #expect(push.notification.findings.isEmpty)
    await test.stop()
  }

  @Test func `a payment whose send is of unknown fate is held, never sent again, and settled by the receipt`()
    async throws
  {
    let test = try await TestServer.start()
    let secret = try await test.register()
    test.gateway.answerNext(.ambiguous(reason: "the connection broke"))
    try await test.post(TestServer.payment("e1"))
    try await test.until { try await test.event("e1")["state"] == "ambiguous" }
    for _ in 0..<60 { await test.time.advance(1) }
    #expect(test.gateway.pushes.count == 1)
    try await test.receipt("e1", secret: secret)
    #expect(try await test.event("e1")["state"] == "heard")
    await test.stop()
  }

  @Test func `a held payment is given up when it would be too late to be spoken`() async throws {
    let test = try await TestServer.start { $0.rules[.payment]?.speakWithinSeconds = 60 }
    _ = try await test.register()
    test.gateway.answerNext(.ambiguous(reason: "the connection broke"))
    try await test.post(TestServer.payment("e1"))
    try await test.until(200) { try await test.event("e1")["state"] == "expired" }
    #expect(test.gateway.pushes.count == 1)
    await test.stop()
  }

  @Test func `an alarm whose send is of unknown fate goes again with the same collapse id and the mark`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    test.gateway.answerNext(.ambiguous(reason: "the connection broke"))
    try await test.post(TestServer.alarm("a1"))
    try await test.until { test.gateway.pushes.count == 2 }
    #expect(test.gateway.pushes.map(\.notification.headers.collapseID) == ["a1", "a1"])
    #expect(test.gateway.parts.map { $0["resend"] } == [nil, true])
    await test.stop()
  }

  @Test func `what cannot be sent in time is not sent at all`() async throws {
    let test = try await TestServer.start { $0.rules[.payment]?.speakWithinSeconds = 30 }
    _ = try await test.register()
    for _ in 0..<40 { test.gateway.answerNext(.notSent(reason: "ServiceUnavailable", retryAfterSeconds: 10)) }
    try await test.post(TestServer.payment("e1"))
    try await test.until(200) { try await test.event("e1")["state"] == "expired" }
    let tries = test.gateway.pushes.count
    #expect((1...4).contains(tries))
    for _ in 0..<30 { await test.time.advance(1) }
    #expect(test.gateway.pushes.count == tries)
    await test.stop()
  }

  @Test func `a dead token is forgotten, unless the phone registered after it died`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let before = Int64(test.time.seconds - 100) * 1_000
    test.gateway.answerNext(.unregistered(reason: "Unregistered", sinceMilliseconds: before))
    try await test.post(TestServer.payment("e1"))
    try await test.until { try await test.event("e1")["state"] == "failed" }
    #expect(try await test.store.device(token: "00aa11bb22cc") != nil)
    let later = Int64(test.time.seconds + 100) * 1_000
    test.gateway.answerNext(.unregistered(reason: "Unregistered", sinceMilliseconds: later))
    try await test.post(TestServer.payment("e2"))
    try await test.until { try await test.store.device(token: "00aa11bb22cc") == nil }
    await test.stop()
  }

  @Test func `dead letters are listed with their reason, and a replay sends them again`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    test.gateway.answerNext(.refused(reason: "PayloadEmpty"))
    for id in ["e1", "e2", "e3"] { try await test.post(TestServer.payment(id)) }
    try await test.until { try await test.event("e3")["state"] == "sent" }
    func ids(_ query: String) async throws -> [String] {
      let page = try JSON.parse(try await test.http.send("GET", "/v1/events?\(query)").body)
      return page["events"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    }
    #expect(try await ids("state=failed") == ["e1"])
    #expect(try await ids("state=failed&limit=1") == ["e1"])
    #expect(try await ids("state=sent") == ["e3", "e2"])
    #expect(try await test.steps("e1").contains { $0.contains("PayloadEmpty") })
    #expect(try await test.http.send("GET", "/v1/events?state=lost").status == 422)
    #expect(try await test.http.send("POST", "/v1/events/e1/replay").status == 202)
    try await test.until { try await test.event("e1")["state"] == "sent" }
    #expect(try await ids("state=failed").isEmpty)
    await test.stop()
  }

  @Test func `a replay is asked for by a person, keeps the id and is marked`() async throws {
    let test = try await TestServer.start()
    let secret = try await test.register()
    try await test.post(TestServer.payment("e1"))
    try await test.until { test.gateway.pushes.count == 1 }
    try await test.receipt("e1", secret: secret)
    let answer = try await test.http.send("POST", "/v1/events/e1/replay", "{}")
    #expect(answer.status == 202)
    try await test.until { test.gateway.pushes.count == 2 }
    #expect(test.gateway.parts.map { $0["id"] } == ["e1", "e1"])
    #expect(test.gateway.parts[1]["replay"] == true)
    let audit = try await test.http.send("GET", "/v1/audit")
    #expect(audit.text.contains("replay"))
    await test.stop()
  }

  @Test func `the next push carries what a phone that was off has not confirmed`() async throws {
    let test = try await TestServer.start()
    let secret = try await test.register()
    for (id, amount) in [("a", "1.10"), ("b", "2.20")] {
      try await test.post(TestServer.payment(id, amount: amount))
      try await test.until { test.gateway.parts.contains { $0["id"]?.stringValue == id } }
    }
    try await test.receipt("a", secret: secret)
    for _ in 0..<20 { await test.time.advance(1) }
    try await test.post(TestServer.payment("c", amount: "3.30"))
    try await test.until { test.gateway.parts.contains { $0["id"] == "c" } }
    let part = try #require(test.gateway.parts.last)
    #expect(part["pending"]?.arrayValue?.map { $0["id"] } == ["b"])
    #expect(part["pending"]?[0]?["amount"] == "2.20")
    await test.stop()
  }

  @Test func `a stop waits for what is under way`() async throws {
    let path = try TestFolder().path + "/aloud.db"
    let test = try await TestServer.start(database: path)
    _ = try await test.register()
    test.gateway.hold()
    try await test.post(TestServer.payment("e1"))
    try await test.until { test.gateway.pushes.count == 1 }
    let stopped = Locked(false)
    let stopping = Task {
      await test.server.stop()
      stopped.withLock { $0 = true }
    }
    await test.time.settle()
    #expect(!stopped.withLock { $0 })
    test.gateway.release()
    await stopping.value
    let store = try SQLiteStore(path: path, now: .distantPast)
    #expect(try await store.event("e1")?.deliveries.first?.state == .sent)
    await store.close()
    await test.stop()
  }
}

/// The fallback ladder: each step in its turn, each in the timeline, none after proof.
struct LadderTests {
  private static func start(_ ladder: String, webhook: String? = nil, secret: String? = nil) async throws -> TestServer
  {
    let steps = try #require(Ladder(ladder))
    return try await TestServer.start { configuration in
      configuration.rules[.alarm] = .init(speakWithinSeconds: 900, ladder: steps)
      configuration.webhookURL = webhook
      configuration.webhookSecretPath = secret
      configuration.webhookMayBePrivate = true
    }
  }

  @Test func `without proof: again, then the user's other phone, then the webhook`() async throws {
    let folder = try TestFolder()
    let peer = MockPeer { _ in HTTPResponse(status: 200) }
    let url = try await peer.start()
    let secret = try folder.write("a-shared-secret", "secret")
    let test = try await Self.start("20:push,40:device,60:webhook", webhook: url + "/sms", secret: secret)
    _ = try await test.register("00aa11bb22cc")
    try await test.post(#"{"id":"a1","to":{"device":"00aa11bb22cc"},"kind":"text","class":"alarm","text":"水浸"}"#)
    try await test.until { test.gateway.pushes.count == 1 }
    _ = try await test.register("00dd11bb22cc")
    try await test.until(300) { peer.requests.count == 1 }
    #expect(test.gateway.pushes.map(\.token) == ["00aa11bb22cc", "00aa11bb22cc", "00dd11bb22cc"])
    #expect(test.gateway.parts.map { $0["resend"] } == [nil, true, nil])
    let call = try #require(peer.requests.first)
    let check = IncomingSignature(scheme: .generic, secret: Array("a-shared-secret".utf8), windowSeconds: 60)
    _ = try check.check(header: { call.headers[$0] }, body: call.body, now: test.time.seconds)
    let body = try JSON.parse(call.body)
    #expect(body["type"] == "event.unheard" && body["id"] == "a1" && body["users"]?[0] == "shop")
    try await test.until { try await test.event("a1")["timeline"]?.serialized().contains("answered 200") == true }
    let timeline = try await test.event("a1")["timeline"]?.serialized() ?? ""
    for step in ["push: sent again to 1", "device: 1 more", "webhook: queued"] { #expect(timeline.contains(step)) }
    await test.stop()
    await peer.stop()
  }

  @Test func `proof ends the ladder`() async throws {
    let test = try await Self.start("20:push")
    let secret = try await test.register()
    try await test.post(TestServer.alarm("a1"))
    try await test.until { test.gateway.pushes.count == 1 }
    try await test.receipt("a1", secret: secret)
    for _ in 0..<60 { await test.time.advance(1) }
    #expect(test.gateway.pushes.count == 1)
    #expect(try await test.event("a1")["nextStep"] == nil)
    await test.stop()
  }

  @Test func `a webhook into a private network is not called unless that is allowed`() async throws {
    let folder = try TestFolder()
    let peer = MockPeer { _ in HTTPResponse(status: 200) }
    let url = try await peer.start()
    let secret = try folder.write("a-shared-secret", "secret")
    let test = try await TestServer.start { configuration in
      configuration.rules[.alarm] = .init(speakWithinSeconds: 900, ladder: Ladder("5:webhook") ?? .none)
      configuration.webhookURL = url
      configuration.webhookSecretPath = secret
    }
    _ = try await test.register()
    try await test.post(TestServer.alarm("a1"))
    try await test.until { try await test.event("a1")["timeline"]?.serialized().contains("did not answer") == true }
    #expect(peer.requests.isEmpty)
    await test.stop()
    await peer.stop()
  }

  @Test(arguments: ["", "push", "0:push", "20:ring", "40:push,20:device", "20:push,20:device", "20:push,"])
  func `a ladder that makes no sense is refused`(text: String) { #expect(Ladder(text) == nil) }

  @Test func `a ladder is read in order`() {
    #expect(Ladder("none") == Ladder.none)
    #expect(Ladder("5:push, 9:webhook")?.rungs.map(\.afterSeconds) == [5, 9])
  }
}

import APNsWire
import Announcing
import ExactJSON
import HTTPTransport
import PhoneSandbox
import PushPayload
import Testing
import VoiceAudio

/// The sandbox over HTTP/2 and TLS on loopback, with a phone behind a token.
struct APNsSandboxTests {
  /// A running sandbox and a client that trusts it.
  private struct Stage {
    let sandbox: APNsSandbox
    let client: HTTP2Client
    let provider: TestProvider
    private let issuedAt = Int(APNsSandboxConfiguration.wallClock())

    init(
      faults: @escaping @Sendable (APNsDeskRequest) -> APNsFault? = { _ in nil },
      change: (inout APNsSandboxConfiguration) -> Void = { _ in }
    ) async throws {
      let authority = try CertificateAuthority()
      provider = try TestProvider()
      var configuration = APNsSandboxConfiguration(identity: try authority.issue(), keys: [try provider.known])
      change(&configuration)
      sandbox = APNsSandbox(configuration, faults: faults)
      let port = try await sandbox.start()
      let trust = TLSTrust.authorities(pem: try authority.certificatePEM())
      client = HTTP2Client(
        HTTP2Endpoint(host: "localhost", port: port, tls: try TLSContext(trust: trust, protocols: ["h2"])))
    }

    func push(_ payload: JSON, token: String = "a10d", id: String? = nil) async throws -> HTTP2Response {
      var request = HTTP2Request(
        method: "POST", authority: client.authority, path: "/3/device/\(token)",
        body: Array(payload.serialized().utf8))
      request.add("authorization", "bearer \(try provider.token(at: issuedAt))")
      request.add("apns-topic", "com.example.till")
      request.add("apns-push-type", "alert")
      if let id { request.add("apns-collapse-id", id) }
      switch await client.send(request) {
      case .response(let response): return response
      case .notProcessed(let failure), .ambiguous(let failure): throw failure
      }
    }

    func stop() async {
      await client.close()
      await sandbox.stop()
    }
  }

  @Test func `a push is taken, answered and handed on`() async throws {
    let stage = try await Stage()
    let (pushes, continuation) = AsyncStream<AcceptedPush>.makeStream()
    stage.sandbox.register(token: "A10D", topic: "com.example.till") { continuation.yield($0) }
    let answer = try await stage.push(["aps": ["alert": "x"]], id: "evt_1")
    #expect(answer.status == 200 && answer.body.isEmpty)
    let id = try #require(answer.header("apns-id"))
    #expect(PushRules.isUUID(id) && answer.header("apns-unique-id") != nil)
    var iterator = pushes.makeAsyncIterator()
    let push = try #require(await iterator.next())
    #expect(push.apnsID == id && push.headers.collapseID == "evt_1" && push.token == "a10d")
    #expect(stage.sandbox.counts.taken == 1 && stage.sandbox.counts.connections == 1)
    await stage.stop()
  }

  @Test func `only the development service gives a unique id`() async throws {
    let stage = try await Stage(change: { $0.environment = .production })
    stage.sandbox.register(token: "a10d", topic: "com.example.till") { _ in }
    let answer = try await stage.push(["aps": ["alert": "x"]])
    #expect(answer.status == 200 && answer.header("apns-unique-id") == nil)
    await stage.stop()
  }

  @Test func `an idle connection is closed, and the next push opens another`() async throws {
    let stage = try await Stage(change: { $0.idleSeconds = 0.2 })
    stage.sandbox.register(token: "a10d", topic: "com.example.till") { _ in }
    #expect(try await stage.push(["aps": ["alert": "x"]]).status == 200)
    while stage.sandbox.counts.closed == 0 { await Task.yield() }
    #expect(try await stage.push(["aps": ["alert": "x"]]).status == 200)
    #expect(stage.sandbox.counts.connections == 2)
    await stage.stop()
  }

  @Test func `a refusal carries Apple's reason, and a removed app its time`() async throws {
    let stage = try await Stage()
    let unknown = try await stage.push(["aps": ["alert": "x"]])
    #expect(unknown.status == 400)
    #expect(try JSON.parse(unknown.body)["reason"]?.stringValue == "BadDeviceToken")
    stage.sandbox.register(token: "a10d", topic: "com.example.till") { _ in }
    stage.sandbox.unregister(token: "a10d")
    let gone = try await stage.push(["aps": ["alert": "x"]])
    #expect(gone.status == 410)
    #expect(try JSON.parse(gone.body)["timestamp"]?.intValue ?? 0 > 1_600_000_000_000)
    #expect(stage.sandbox.counts.refused == ["BadDeviceToken": 1, "Unregistered": 1])
    await stage.stop()
  }

  @Test func `many pushes at once come through after the first, which proves the token`() async throws {
    let stage = try await Stage()
    stage.sandbox.register(token: "a10d", topic: "com.example.till") { _ in }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 {
        group.addTask { try await stage.push(["aps": ["alert": "x"], "n": .int(number)]).status }
      }
      var all: [Int] = []
      for try await status in group { all.append(status) }
      return all
    }
    #expect(statuses == Array(repeating: 200, count: 50))
    #expect(stage.sandbox.counts.taken == 50)
    await stage.stop()
  }

  @Test func `faults on purpose happen as told`() async throws {
    let stage = try await Stage(faults: { request in
      switch request.path {
      case "/3/device/01": .refuse(status: 503, reason: "ServiceUnavailable")
      case "/3/device/02": .reset(errorCode: 7)
      case "/3/device/03": .cutAfterTaking
      case "/3/device/04": .delay(seconds: 0.05)
      case "/3/device/05": .goAway(reason: "Shutdown")
      default: nil
      }
    })
    for token in ["01", "02", "03", "04", "05"] {
      stage.sandbox.register(token: token, topic: "com.example.till") { _ in }
    }
    #expect(try await stage.push(["aps": ["alert": "x"]], token: "01").status == 503)
    #expect(try await stage.push(["aps": ["alert": "x"]], token: "04").status == 200)
    for token in ["02", "03", "05"] {
      await #expect(throws: HTTP2Failure.self) { try await stage.push(["aps": ["alert": "x"]], token: token) }
    }
    #expect(stage.sandbox.counts.taken == 2, "The delayed one and the one that was cut after it was taken")
    await stage.stop()
  }

  @Test func `a payment goes over the wire to a phone that says it and posts its receipt`() async throws {
    let stage = try await Stage()
    let (receipts, continuation) = AsyncStream<String>.makeStream()
    let phone = LivePhone(
      voice: StoryVoices.voice,
      network: PhoneNetwork(receipts: { list in
        for receipt in list {
          continuation.yield("\(receipt.eventID) \(receipt.state.rawValue) \(receipt.code.rawValue)")
        }
        return true
      }))
    stage.sandbox.register(token: "a10d", topic: "com.example.till") { phone.receive($0) }
    let event = SpokenEvent(id: "evt_1", kind: "payment.received", amount: "28.50", currency: "CNY", brand: "微信")
    let payload = try PayloadBuilder.alert(event, alert: AlertText(title: "微信收款", body: "28.50 元"))
    var iterator = receipts.makeAsyncIterator()
    #expect(try await stage.push(payload, id: "evt_1").status == 200)
    #expect(await iterator.next() == "evt_1 played A100")
    #expect(try await stage.push(payload, id: "evt_1").status == 200)
    #expect(await iterator.next() == "evt_1 duplicate A110")
    #expect(phone.outcome.heard.map(\.text) == ["微信收款二十八点五元"])
    #expect(phone.track().samples.contains { $0 != 0 })
    await stage.stop()
  }
}

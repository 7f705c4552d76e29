import AloudServer
import ExactJSON
import HTTPTransport
import TestSupport
import Testing

/// JPush's REST interface, against a server that answers as JPush documents.
struct JPushTests {
  private static func start(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) async throws -> (
    TestServer, MockPeer
  ) {
    let folder = try TestFolder()
    let peer = MockPeer(answer)
    let url = try await peer.start()
    let secret = try folder.write("master-secret-1", "secret")
    let test = try await TestServer.start { configuration in
      configuration.jpush = .init(appKey: "app-key-1", secretPath: secret, url: url)
    }
    _ = try await test.register("1a0018970a8df5a4Xy", user: "shop", #","gateway":"jpush""#)
    return (test, peer)
  }

  private static let accepted: @Sendable (HTTPRequest) -> HTTPResponse = { _ in
    .text(#"{"sendno":"0","msg_id":"1828256757"}"#, type: "application/json")
  }

  @Test func `a push carries what the extension needs`() async throws {
    let (test, peer) = try await Self.start(Self.accepted)
    try await test.post(TestServer.payment("e1"))
    try await test.until { try await test.event("e1")["state"] == "sent" }
    let request = try #require(peer.requests.first)
    #expect(request.method == "POST" && request.path == "/v3/push")
    #expect(request.headers["authorization"] == "Basic " + Crypto.base64(Array("app-key-1:master-secret-1".utf8)))
    let body = try JSON.parse(request.body)
    #expect(body["platform"] == ["ios"])
    // The registration id keeps its case.
    #expect(body["audience"] == ["registration_id": ["1a0018970a8df5a4Xy"]])
    let ios = try #require(body["notification"]?["ios"])
    #expect(ios["mutable-content"] == true && ios["sound"] == "fallback.caf")
    #expect(ios["extras"]?["aloud"]?["id"] == "e1" && ios["extras"]?["aloud"]?["amount"] == "90210.77")
    #expect(body["options"]?["apns_collapse_id"] == "e1" && body["options"]?["apns_production"] == false)
    #expect((body["options"]?["time_to_live"]?.intValue ?? 0) > 0)
    #expect(try await test.steps("e1").contains { $0.contains("1828256757") })
    await test.stop()
    await peer.stop()
  }

  @Test func `a phone of JPush is addressed by its registration id as it stands`() async throws {
    let (test, peer) = try await Self.start(Self.accepted)
    try await test.post(
      #"{"id":"e1","to":{"device":"1a0018970a8df5a4Xy"},"kind":"payment.received","amount":"90210.77","currency":"CNY"}"#
    )
    try await test.until { peer.requests.count == 1 }
    _ = try await test.register("AB01", user: "till")
    try await test.post(
      #"{"id":"e2","to":{"device":"aB01"},"kind":"payment.received","amount":"90210.77","currency":"CNY"}"#)
    try await test.until { test.gateway.pushes.map(\.token) == ["ab01"] }
    await test.stop()
    await peer.stop()
  }

  @Test(arguments: [
    (400, 1011, "failed"), (401, 1004, "failed"), (403, 2003, "failed"), (500, 1000, "ambiguous"),
    (503, 1030, "ambiguous"), (200, 0, "ambiguous"),
  ])
  func `an error means what JPush says`(status: Int, code: Int, state: String) async throws {
    let (test, peer) = try await Self.start { _ in
      .text(#"{"error":{"code":\#(code),"message":"x"}}"#, status: status, type: "application/json")
    }
    try await test.post(TestServer.payment("e1"))
    try await test.until { try await test.event("e1")["state"]?.stringValue == state }
    #expect(peer.requests.count == 1)
    await test.stop()
    await peer.stop()
  }

  @Test func `the rate limit is obeyed`() async throws {
    let isFirst = Locked(true)
    let (test, peer) = try await Self.start { request in
      let limits = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      guard limits else { return Self.accepted(request) }
      var answer = HTTPResponse.text(#"{"error":{"code":2002,"message":"x"}}"#, status: 429, type: "application/json")
      answer.headers["X-Rate-Limit-Reset"] = "30"
      return answer
    }
    try await test.post(TestServer.payment("e1"))
    try await test.until { peer.requests.count == 1 }
    for _ in 0..<25 { await test.time.advance(1) }
    #expect(peer.requests.count == 1)
    try await test.until { try await test.event("e1")["state"] == "sent" }
    #expect(peer.requests.count == 2)
    await test.stop()
    await peer.stop()
  }

  @Test func `what JPush cannot take is refused here, with the reason`() async throws {
    let (test, peer) = try await Self.start(Self.accepted)
    let text = String(repeating: "字", count: 330)
    try await test.post(
      #"{"id":"e1","to":{"user":"shop"},"kind":"text","text":"\#(text)","body":"\#(text)","locale":"zh-CN"}"#)
    try await test.until { try await test.event("e1")["state"] == "failed" }
    #expect(try await test.steps("e1").contains { $0.contains("longer than JPush takes") })
    #expect(peer.requests.isEmpty)
    await test.stop()
    await peer.stop()
  }
}

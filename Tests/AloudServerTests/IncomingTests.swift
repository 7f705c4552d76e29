import AloudServer
import ExactJSON
import HTTPTransport
import Store
import TestSupport
import Testing

/// Signed requests of payment providers.
struct IncomingTests {
  private static let secret = "whsec_a_shared_secret"

  private static func start() async throws -> (test: TestServer, http: PlainHTTP) {
    let folder = try TestFolder()
    let path = try folder.write(secret, "secret")
    let test = try await TestServer.start { configuration in
      configuration.incoming = [
        .init(name: "till", scheme: .generic, secretPath: path),
        .init(name: "stripe", scheme: .stripe, secretPath: path),
      ]
    }
    test.secrets.withLock { $0.append(secret) }
    _ = try await test.register("00aa11bb22cc", user: "shop", #","groups":["stripe"]"#)
    var http = test.http
    http.headers = []
    return (test, http)
  }

  private static func generic(_ body: String, at seconds: Int, secret: String = secret) -> [(String, String)] {
    let signed = IncomingSignature.sign(Array(body.utf8), secret: Array(secret.utf8), at: seconds)
    return [("Aloud-Timestamp", signed.timestamp), ("Aloud-Signature", signed.signature)]
  }

  private static func stripe(_ body: String, at seconds: Int) -> [(String, String)] {
    let signed = IncomingSignature.sign(Array(body.utf8), secret: Array(secret.utf8), at: seconds)
    return [
      ("Stripe-Signature", "t=\(signed.timestamp),v1=\(String(repeating: "0", count: 64)),\(signed.signature),v0=x")
    ]
  }

  @Test func `a signed event is taken once, however often it is sent`() async throws {
    let (test, http) = try await Self.start()
    let body = #"{"to":{"user":"shop"},"kind":"payment.received","amount":"90210.77","currency":"CNY"}"#
    let headers = Self.generic(body, at: test.time.seconds)
    let first = try await http.send("POST", "/v1/incoming/till", body, headers: headers)
    #expect(first.status == 202, "\(first.text)")
    let second = try await http.send("POST", "/v1/incoming/till", body, headers: headers)
    #expect(second.status == 202)
    #expect(try JSON.parse(second.body)["repeated"] == true)
    #expect(try JSON.parse(second.body)["id"] == JSON.parse(first.body)["id"])
    #expect(try await test.store.recentEvents(before: nil, limit: 10).count == 1)
    await test.stop()
  }

  @Test func `what is not genuine, or too old, is refused and noted`() async throws {
    let (test, http) = try await Self.start()
    let body = TestServer.payment("e1")
    let now = test.time.seconds
    let bad: [([(String, String)], String)] = [
      ([], "missing"), ([("Aloud-Timestamp", "x"), ("Aloud-Signature", "v1=00")], "cannot be read"),
      ([("Aloud-Timestamp", "\(now)"), ("Aloud-Signature", "v2=00")], "cannot be read"),
      (Self.generic(body, at: now, secret: "another secret"), "does not fit"),
      (Self.generic(body + " ", at: now), "does not fit"), (Self.generic(body, at: now - 301), "older"),
      (Self.generic(body, at: now + 301), "future"),
    ]
    for (headers, words) in bad {
      let answer = try await http.send("POST", "/v1/incoming/till", body, headers: headers)
      #expect(answer.status == 401)
      #expect(answer.text.contains(words), "\(answer.text)")
    }
    #expect(try await http.send("POST", "/v1/incoming/other", body).status == 404)
    #expect(try await test.store.recentEvents(before: nil, limit: 10).isEmpty)
    #expect(try await test.http.send("GET", "/v1/audit").text.contains("incoming.refused"))
    await test.stop()
  }

  @Test(arguments: [
    ("charge.succeeded", "amount", 2850, "usd", "payment.received", "28.5"),
    ("payment_intent.succeeded", "amount_received", 5, "eur", "payment.received", "0.05"),
    ("checkout.session.completed", "amount_total", 1980, "jpy", "payment.received", "1980"),
    ("charge.refunded", "amount_refunded", 100, "cny", "payment.refunded", "1"),
    ("charge.succeeded", "amount", 1234, "bhd", "payment.received", "1.234"),
  ])
  func `a Stripe-shaped event has the exact amount`(
    type: String, member: String, units: Int, currency: String, kind: String, amount: String
  ) async throws {
    let (test, http) = try await Self.start()
    let body =
      #"{"id":"evt_1","type":"\#(type)","created":\#(test.time.seconds),"data":{"object":{"\#(member)":\#(units),"currency":"\#(currency)","metadata":{"aloud_user":"shop"}}}}"#
    let answer = try await http.send(
      "POST", "/v1/incoming/stripe", body, headers: Self.stripe(body, at: test.time.seconds))
    #expect(answer.status == 202, "\(answer.text)")
    let event = try await test.event("evt_1")
    #expect(event["kind"]?.stringValue == kind)
    let stored = try #require(event["event"]?["amount"]?.stringValue)
    #expect(stored == amount || stored == amount + "0" || stored == amount + ".00", "\(stored)")
    await test.stop()
  }

  @Test func `other types of a provider are answered and ignored; a phone group stands in for a user`() async throws {
    let (test, http) = try await Self.start()
    let other = #"{"id":"evt_2","type":"customer.created","data":{"object":{}}}"#
    let answer = try await http.send(
      "POST", "/v1/incoming/stripe", other, headers: Self.stripe(other, at: test.time.seconds))
    #expect(answer.status == 200 && answer.text.contains("ignored"))
    let body = #"{"id":"evt_3","type":"charge.succeeded","data":{"object":{"amount":100,"currency":"usd"}}}"#
    let grouped = try await http.send(
      "POST", "/v1/incoming/stripe", body, headers: Self.stripe(body, at: test.time.seconds))
    #expect(grouped.status == 202, "\(grouped.text)")
    let broken = #"{"id":"evt_4","type":"charge.succeeded","data":{"object":{"amount":1.5,"currency":"usd"}}}"#
    let refused = try await http.send(
      "POST", "/v1/incoming/stripe", broken, headers: Self.stripe(broken, at: test.time.seconds))
    #expect(refused.status == 422)
    await test.stop()
  }
}

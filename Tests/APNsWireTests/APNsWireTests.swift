import APNsWire
import PushPayload
import TestSupport
import Testing

@Suite struct APNsReasonTests {
  @Test func `every reason of Apple's table is known with its status`() {
    #expect(APNsReason.table.count == 32)
    #expect(Set(APNsReason.table.map(\.reason)).count == 32)
    for row in APNsReason.table {
      #expect(row.reason.status == row.status)
      #expect(row.reason.remedy != .unknown)
      #expect(!row.reason.advice.isEmpty)
    }
  }

  @Test func `both spellings of the environment reason are one`() {
    #expect(APNsReason("BadEnvironmentKeyInToken") == APNsReason("BadEnvironmentKeyIdInToken"))
    #expect(APNsReason("BadEnvironmentKeyInToken").remedy == .correctCredential)
  }

  @Test func `an unknown reason keeps its text`() {
    let reason = APNsReason("BrandNew")
    #expect(reason.remedy == .unknown)
    #expect(reason.description == "BrandNew")
    #expect(reason.status == nil)
  }

  @Test(arguments: [
    "BadDeviceToken", "DeviceTokenNotForTopic", "Forbidden", "ExpiredToken", "Unregistered", "PayloadTooLarge",
  ])
  func `what Apple says never to retry is never sent later`(reason: String) {
    let verdict = APNsVerdict(APNsResponse(status: APNsReason(reason).status ?? 0, reason: APNsReason(reason)))
    if case .later = verdict { Issue.record("\(reason) would be sent again") }
    #expect(verdict != .accepted)
  }
}

@Suite struct APNsVerdictTests {
  private func read(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> APNsResponse {
    APNsResponse(status: status, body: Array(body.utf8), now: 1_000) { name in headers["\(name)"] }
  }

  @Test func `an accepted push carries its ids`() {
    let response = read(200, "", ["apns-id": "a", "apns-unique-id": "u"])
    #expect(response.apnsID == "a")
    #expect(response.uniqueID == "u")
    #expect(APNsVerdict(response) == .accepted)
  }

  @Test func `the timestamp of a gone token is in milliseconds`() {
    let response = read(410, #"{"reason":"Unregistered","timestamp":1454948015990}"#)
    #expect(
      APNsVerdict(response) == .forgetToken(APNsReason("Unregistered"), sinceMilliseconds: 1_454_948_015_990))
  }

  @Test(arguments: [
    (410, APNsVerdict.forgetToken(APNsReason("HTTP 410"), sinceMilliseconds: nil)),
    (429, .later(APNsReason("HTTP 429"), afterSeconds: nil, isForDevice: true)),
    (502, .later(APNsReason("HTTP 502"), afterSeconds: nil, isForDevice: false)),
    (404, .refused(APNsReason("HTTP 404"))),
  ])
  func `an answer without a reason is judged by its status`(status: Int, verdict: APNsVerdict) {
    #expect(APNsVerdict(read(status, "<html>")) == verdict)
  }

  @Test func `only too many requests concern one device`() {
    let device = read(429, #"{"reason":"TooManyRequests"}"#, ["retry-after": "3"])
    #expect(APNsVerdict(device) == .later(APNsReason("TooManyRequests"), afterSeconds: 3, isForDevice: true))
    let everybody = read(429, #"{"reason":"TooManyProviderTokenUpdates"}"#)
    #expect(
      APNsVerdict(everybody)
        == .later(APNsReason("TooManyProviderTokenUpdates"), afterSeconds: nil, isForDevice: false))
  }

  @Test func `the reason in a goodbye is read`() {
    #expect(APNsResponse.goAwayReason(#"{"reason":"BadCertificate"}"#) == APNsReason("BadCertificate"))
    #expect(APNsResponse.goAwayReason("") == nil)
    #expect(APNsResponse.goAwayReason("{") == nil)
  }
}

@Suite struct RetryAfterTests {
  @Test(arguments: [
    ("0", 0.0), ("120", 120), (" 5 ", 5), ("99999999", 86_400), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
    ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
  ])
  func `seconds and dates are understood`(text: String, seconds: Double) {
    // 06 Nov 1994 08:49:00 GMT.
    #expect(RetryAfter.seconds(text, now: 784_111_740) == seconds)
  }

  @Test(arguments: ["", "-1", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "1.5"])
  func `anything else is ignored`(text: String) {
    #expect(RetryAfter.seconds(text, now: 0) == nil)
  }
}

@Suite struct TokenPruningTests {
  @Test func `a token that was registered again later stays`() {
    #expect(TokenPruning.mustForget(sinceMilliseconds: 5_000, registeredAtSeconds: 4))
    #expect(TokenPruning.mustForget(sinceMilliseconds: 5_000, registeredAtSeconds: 5))
    #expect(!TokenPruning.mustForget(sinceMilliseconds: 5_000, registeredAtSeconds: 5.001))
    #expect(TokenPruning.mustForget(sinceMilliseconds: nil, registeredAtSeconds: 9_999))
  }
}

@Suite struct ProviderTokenPolicyTests {
  private let policy = ProviderTokenPolicy()
  private let token = ProviderToken(text: "t", issuedAt: 10_000)

  @Test func `a token is used for fifty minutes and then renewed`() {
    #expect(policy.decide(current: nil, refused: nil, now: 10_000) == .sign)
    #expect(policy.decide(current: token, refused: nil, now: 10_000 + 2_999) == .use(token))
    #expect(policy.decide(current: token, refused: nil, now: 10_000 + 3_000) == .sign)
    #expect(policy.mayBridge(token, now: 10_000 + 3_400))
    #expect(!policy.mayBridge(token, now: 10_000 + 3_500))
  }

  @Test func `a refused token is renewed after twenty minutes and not before`() {
    #expect(policy.decide(current: token, refused: token, now: 10_000 + 1_200) == .sign)
    #expect(policy.decide(current: token, refused: token, now: 10_000 + 200) == .wait(seconds: 1_000))
  }

  @Test func `a refused token that somebody has replaced leads to the new one`() {
    let old = ProviderToken(text: "old", issuedAt: 5_000)
    #expect(policy.decide(current: token, refused: old, now: 10_100) == .use(token))
  }

  @Test func `a token from the future is signed anew`() {
    #expect(policy.decide(current: token, refused: nil, now: 9_000) == .sign)
  }

  @Test func `its description does not show it`() {
    #expect("\(ProviderToken(text: "secret", issuedAt: 0))" == "ProviderToken")
  }
}

@Suite struct RetryPolicyTests {
  @Test func `delays stay under a ceiling that doubles up to fifteen minutes`() {
    var chance = SeededChance(seed: 1)
    let policy = RetryPolicy()
    for failures in 1...40 {
      let ceiling = min(900, 0.5 * Double(1 << min(failures - 1, 30)))
      for _ in 0..<50 {
        guard
          case .again(let seconds) = policy.next(
            failures: failures, retryAfterSeconds: nil, now: 0, until: nil, using: &chance)
        else {
          Issue.record("expected another attempt")
          return
        }
        #expect((0...ceiling).contains(seconds))
      }
    }
  }

  @Test func `the jitter is full`() {
    var chance = SeededChance(seed: 2)
    let delays = (0..<200).compactMap { _ -> Double? in
      if case .again(let seconds) = RetryPolicy().next(
        failures: 5, retryAfterSeconds: nil, now: 0, until: nil, using: &chance)
      {
        seconds
      } else {
        nil
      }
    }
    #expect(delays.count == 200)
    #expect(delays.contains { $0 < 1 })
    #expect(delays.contains { $0 > 7 })
  }

  @Test func `what the server asks for is a lower bound`() {
    var chance = SeededChance(seed: 3)
    for failures in 1...10 {
      guard
        case .again(let seconds) = RetryPolicy().next(
          failures: failures, retryAfterSeconds: 60, now: 0, until: nil, using: &chance)
      else {
        Issue.record("expected another attempt")
        return
      }
      #expect((60...65).contains(seconds))
    }
  }

  @Test func `nothing is tried after the event's deadline`() {
    var chance = SeededChance(seed: 4)
    #expect(
      RetryPolicy().next(failures: 1, retryAfterSeconds: 30, now: 100, until: 120, using: &chance) == .expired)
  }
}

@Suite struct ConnectionPolicyTests {
  @Test func `one connection is made at a time and only for a backlog`() {
    let policy = ConnectionPolicy(maximumConnections: 2)
    #expect(!policy.mayConnect(open: 0, connecting: 0, waiting: 0, streams: 0, now: 0))
    #expect(policy.mayConnect(open: 0, connecting: 0, waiting: 1, streams: 0, now: 0))
    #expect(!policy.mayConnect(open: 1, connecting: 1, waiting: 9, streams: 0, now: 0))
    #expect(!policy.mayConnect(open: 1, connecting: 0, waiting: 9, streams: 10, now: 0))
    #expect(policy.mayConnect(open: 1, connecting: 0, waiting: 11, streams: 10, now: 0))
    #expect(!policy.mayConnect(open: 2, connecting: 0, waiting: 999, streams: 10, now: 0))
  }

  @Test func `failures space attempts out up to a minute`() {
    var chance = SeededChance(seed: 5)
    var policy = ConnectionPolicy()
    var now = 0.0
    for failures in 1...30 {
      policy.failed(now: now, using: &chance)
      let until = policy.waitsUntil(now: now) ?? now
      let ceiling = min(60, 0.5 * Double(1 << min(failures - 1, 20)))
      #expect(until > now)
      #expect(until - now <= ceiling)
      #expect(!policy.mayConnect(open: 0, connecting: 0, waiting: 1, streams: 0, now: now))
      #expect(policy.mayConnect(open: 0, connecting: 0, waiting: 1, streams: 0, now: until))
      now = until
    }
    policy.connected()
    #expect(policy.waitsUntil(now: now) == nil)
  }

  @Test func `a refused credential pauses for a minute`() {
    var policy = ConnectionPolicy()
    policy.credentialRefused(now: 100)
    #expect(policy.waitsUntil(now: 100) == 160)
    #expect(policy.waitsUntil(now: 160) == nil)
  }
}

@Suite struct APNsRequestTests {
  private func request(_ change: (inout APNsRequest) -> Void = { _ in }) -> APNsRequest {
    var made = APNsRequest(
      deviceToken: "00ffAA", headers: PushHeaders(topic: "com.example"), payload: Array("{}".utf8),
      environment: .production)
    change(&made)
    return made
  }

  @Test func `a sound request is not refused`() {
    #expect(request().refusal == nil)
    #expect(request { $0.headers = .background(topic: "com.example") }.refusal == nil)
  }

  @Test(arguments: PushType.allCases)
  func `only alert and background may carry speech`(type: PushType) {
    let refusal = SpeechPushRules.refusal(type)
    #expect((refusal == nil) == [.alert, .background].contains(type))
    #expect(refusal?.contains("alert") != false)
  }

  @Test func `what APNs would refuse is not sent`() {
    #expect(request { $0.deviceToken = "" }.refusal?.contains("hexadecimal") == true)
    #expect(request { $0.deviceToken = "aa/../bb" }.refusal?.contains("hexadecimal") == true)
    #expect(request { $0.payload = [] }.refusal?.contains("empty") == true)
    #expect(request { $0.payload = [UInt8](repeating: 0x20, count: 4_097) }.refusal?.contains("4097") == true)
    #expect(request { $0.payload = [UInt8](repeating: 0x20, count: 4_096) }.refusal == nil)
    #expect(request { $0.headers.topic = "a\nb" }.refusal?.contains("ASCII") == true)
    #expect(request { $0.headers.collapseID = "收款" }.refusal?.contains("ASCII") == true)
    #expect(
      request {
        $0.headers.pushType = .background
        $0.headers.priority = 10
      }.refusal?.contains("priority 5") == true)
  }
}

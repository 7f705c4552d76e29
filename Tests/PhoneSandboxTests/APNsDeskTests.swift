import APNsWire
import ExactJSON
import HTTPTransport
import PhoneSandbox
import PushPayload
import Testing

/// A provider with a key that the sandbox knows.
struct TestProvider {
  let signing: SigningKey
  let keyID = "SANDBOX001"
  let teamID = "ALOUDTEAM1"
  /// Made once for each time of issue: another signature is another token to APNs.
  private let made = Locked<[Int: String]>([:])

  init() throws { signing = try SigningKey.generate() }

  var known: ProviderKey { get throws { ProviderKey(keyID: keyID, teamID: teamID, key: try signing.verifyingKey()) } }

  /// The provider token of a time of issue, as a careful sender uses it: the same one for every push.
  func token(at issuedAt: Int) throws -> String {
    try made.withLock { made in
      if let known = made[issuedAt] { return known }
      let token = try token(issuedAt: issuedAt)
      made[issuedAt] = token
      return token
    }
  }

  /// A fresh provider token, right in everything but what is changed.
  func token(
    issuedAt: Int, algorithm: String = "ES256", keyID: String? = nil, teamID: String? = nil, signer: SigningKey? = nil
  ) throws -> String {
    let header: JSON = ["alg": .string(algorithm), "kid": .string(keyID ?? self.keyID)]
    let claims: JSON = ["iss": .string(teamID ?? self.teamID), "iat": .int(issuedAt)]
    let body = [header, claims].map { Crypto.base64URL(Array($0.serialized().utf8)) }.joined(separator: ".")
    return body + "." + Crypto.base64URL(try (signer ?? signing).sign(Array(body.utf8)))
  }
}

/// Every refusal of the sandbox, with Apple's status and reason.
struct APNsDeskTests {
  private let provider: TestProvider
  private let now = 1_796_000_000.0
  private let device = "a10d"

  init() throws { provider = try TestProvider() }

  private func desk() throws -> APNsDesk {
    var desk = APNsDesk(keys: [try provider.known])
    desk.register(token: device, topic: "com.example.till")
    return desk
  }

  private func request(
    path: String = "/3/device/a10d", method: String = "POST", body: String = #"{"aps":{"alert":"x"}}"#,
    _ headers: [String: String?] = [:]
  ) throws -> APNsDeskRequest {
    var fields: HTTPHeaders = [
      "authorization": "bearer \(try provider.token(at: Int(now)))", "apns-topic": "com.example.till",
      "apns-push-type": "alert",
    ]
    for (name, value) in headers { fields[name] = value }
    return APNsDeskRequest(method: method, path: path, headers: fields, body: Array(body.utf8))
  }

  private func reason(_ request: APNsDeskRequest) throws -> String {
    var desk = try desk()
    let answer = desk.answer(request, now: now, makeID: { "123e4567-e89b-12d3-a456-426614174000" })
    let reason = answer.reason ?? "none"
    if answer.reason != nil {
      #expect(answer.status == APNsReason(reason).status, "\(reason)")
      #expect(try JSON.parse(answer.body)["reason"]?.stringValue == reason)
    } else {
      #expect(answer.status == 200 && answer.body.isEmpty)
    }
    return reason
  }

  @Test func `a good push is taken as it stands`() throws {
    var desk = try desk()
    let id = "123e4567-e89b-12d3-a456-426614174999"
    let asked = try request([
      "apns-id": id, "apns-collapse-id": "evt_1", "apns-expiration": "1796000600", "apns-priority": "10",
    ])
    let answer = desk.answer(asked, now: now, makeID: { "made" })
    let push = try #require(answer.push)
    #expect(answer.status == 200 && answer.apnsID == id && push.token == device && push.apnsID == id)
    #expect(push.headers.collapseID == "evt_1" && push.headers.expiration == 1_796_000_600)
    #expect(push.payload == ["aps": ["alert": "x"]])
  }

  @Test func `an id is made for a push that has none`() throws {
    var desk = try desk()
    #expect(desk.answer(try request(), now: now, makeID: { "made" }).apnsID == "made")
  }

  @Test func `faults of the request`() throws {
    #expect(try reason(request(method: "GET")) == "MethodNotAllowed")
    #expect(try reason(request(path: "/4/device/a10d")) == "BadPath")
    #expect(try reason(request(path: "/3/device/")) == "MissingDeviceToken")
    #expect(try reason(request(["apns-topic": nil])) == "MissingTopic")
    #expect(try reason(request(["apns-push-type": "loud"])) == "InvalidPushType")
    #expect(try reason(request(["apns-priority": "7"])) == "BadPriority")
    #expect(try reason(request(["apns-priority": "high"])) == "BadPriority")
    #expect(try reason(request(["apns-push-type": "background", "apns-priority": "10"])) == "BadPriority")
    #expect(try reason(request(["apns-expiration": "soon"])) == "BadExpirationDate")
    #expect(try reason(request(["apns-collapse-id": String(repeating: "x", count: 65)])) == "BadCollapseId")
    #expect(try reason(request(["apns-id": "ABC"])) == "BadMessageId")
    #expect(try reason(request(["apns-id": "123E4567-E89B-12D3-A456-426614174999"])) == "BadMessageId")
    #expect(try reason(request(["apns-topic": "com.example.till", "apns-push-type": "voip"])) == "BadTopic")
    #expect(try reason(request(body: "")) == "PayloadEmpty")
    #expect(try reason(request(body: "{}")) == "PayloadEmpty")
    #expect(try reason(request(body: "not JSON")) == "PayloadEmpty")
    let long = #"{"aps":{"alert":""# + String(repeating: "x", count: 4080) + #""}}"#
    #expect(try reason(request(body: long)) == "PayloadTooLarge")
    let voip: [String: String?] = ["apns-topic": "com.example.till.voip", "apns-push-type": "voip"]
    #expect(try reason(request(body: long, voip)) == "none", "5,120 bytes for VoIP")
    let longer = #"{"aps":{"alert":""# + String(repeating: "x", count: 5110) + #""}}"#
    #expect(try reason(request(body: longer, voip)) == "PayloadTooLarge")
    var twice = try request()
    twice.headers = HTTPHeaders(Array(twice.headers) + [.init("apns-topic", "com.example.other")])
    #expect(try reason(twice) == "DuplicateHeaders")
  }

  @Test func `faults of the provider token`() throws {
    func with(_ token: String?) throws -> String { try reason(request(["authorization": token])) }
    let seconds = Int(now)
    #expect(try with(nil) == "MissingProviderToken")
    #expect(try with("bearer") == "InvalidProviderToken")
    #expect(try with("bearer a.b.c") == "InvalidProviderToken")
    #expect(try with("Basic \(provider.token(issuedAt: seconds))") == "InvalidProviderToken")
    #expect(try with("bearer \(provider.token(issuedAt: seconds - 3700))") == "ExpiredProviderToken")
    #expect(try with("bearer \(provider.token(issuedAt: seconds + 600))") == "InvalidProviderToken")
    #expect(try with("bearer \(provider.token(issuedAt: seconds, algorithm: "HS256"))") == "InvalidProviderToken")
    #expect(try with("bearer \(provider.token(issuedAt: seconds, keyID: "OTHER00001"))") == "InvalidProviderToken")
    #expect(try with("bearer \(provider.token(issuedAt: seconds, teamID: "OTHERTEAM1"))") == "InvalidProviderToken")
    let forged = try provider.token(issuedAt: seconds, signer: try SigningKey.generate())
    #expect(try with("bearer \(forged)") == "InvalidProviderToken")
  }

  @Test func `a connection may bring a new token after twenty minutes, not before`() throws {
    var desk = try desk()
    func answer(_ issuedAt: Int, connection: Int = 1) throws -> Int {
      var asked = try request(["authorization": "bearer \(provider.token(at: issuedAt))"])
      asked.connection = connection
      return desk.answer(asked, now: now, makeID: { "x" }).status
    }
    let start = Int(now) - 1500
    #expect(try answer(start) == 200)
    #expect(try answer(start) == 200)
    #expect(try answer(start + 60) == 429)
    #expect(try answer(start + 60, connection: 2) == 200)
    #expect(try answer(start + 1200) == 200)
  }

  @Test func `a connection is bound to the team and the kind of key of its first push`() throws {
    let other = try SigningKey.generate()
    let keys = [
      try provider.known,
      ProviderKey(keyID: "OTHER00001", teamID: "OTHERTEAM1", key: try other.verifyingKey()),
      ProviderKey(
        keyID: "TOPIC00001", teamID: provider.teamID, key: try other.verifyingKey(), topics: ["com.example.till"]),
      ProviderKey(
        keyID: "PRODONLY01", teamID: provider.teamID, key: try other.verifyingKey(), environments: [.production]),
    ]
    var desk = APNsDesk(keys: keys)
    desk.register(token: device, topic: "com.example.till")
    func answer(_ keyID: String?, _ teamID: String? = nil, connection: Int, topic: String = "com.example.till") throws
      -> String
    {
      let token = try provider.token(
        issuedAt: Int(now), keyID: keyID, teamID: teamID, signer: keyID == nil ? nil : other)
      var asked = try request(["authorization": "bearer \(token)", "apns-topic": topic])
      asked.connection = connection
      let answer = desk.answer(asked, now: now, makeID: { "x" })
      #expect(answer.status == 200 || answer.status == 403)
      return answer.reason ?? "none"
    }
    #expect(try answer(nil, connection: 1) == "none")
    #expect(
      try answer("OTHER00001", "OTHERTEAM1", connection: 1) == "InvalidProviderToken", "two teams on one connection")
    #expect(try answer("TOPIC00001", connection: 1) == "UnrelatedKeyIdInToken")
    #expect(try answer("TOPIC00001", connection: 2) == "none")
    #expect(try answer("TOPIC00001", connection: 3, topic: "com.example.other") == "InvalidProviderToken")
    // Spelt as Apple's servers spell it, not as Apple's page does.
    #expect(try answer("PRODONLY01", connection: 4) == "BadEnvironmentKeyInToken")
  }

  @Test func `every reason of Apple's table can be had on purpose`() throws {
    for row in APNsReason.table {
      let plan = try #require(APNsFaultPlan("a1=\(row.reason.text)"), "\(row.reason)")
      #expect(plan.fault(for: try request()) == .refuse(status: row.status, reason: row.reason.text))
      #expect(plan.fault(for: try request(path: "/3/device/ffff")) == nil)
    }
    let plan = try #require(APNsFaultPlan("a=silence,A10=delay:0.5,a1=cut,f=refuse,e=goaway,d=reset"))
    #expect(plan.fault(for: try request()) == .delay(seconds: 0.5), "the longest prefix decides")
    #expect(plan.fault(for: try request(path: "/3/device/F0")) == .reset(errorCode: 7))
    for text in ["", "a1", "a1=loud", "a1=delay:x", "a1=delay:61", "a1=cut,"] { #expect(APNsFaultPlan(text) == nil) }
  }

  @Test func `the log has a line for each push, without its text`() throws {
    var desk = try desk()
    let asked = try request(body: #"{"aps":{"alert":"secret"}}"#, ["apns-collapse-id": "evt_1"])
    let answer = desk.answer(asked, now: now, makeID: { "made" })
    let line = try JSON.parse(Array(APNsPushLog.line(asked, answer, at: now).utf8))
    #expect(line["status"] == 200 && line["apns-id"] == "made" && line["apns-collapse-id"] == "evt_1")
    #expect(line["path"] == "/3/device/a10d" && line["bytes"] == 26)
    let refused = APNsPushLog.line(asked, nil, at: now)
    #expect(refused.contains(#""status":null"#) && !refused.contains("secret") && !refused.contains("bearer"))
  }

  @Test func `faults of the device`() throws {
    #expect(try reason(request(path: "/3/device/ffff")) == "BadDeviceToken")
    #expect(try reason(request(path: "/3/device/zz")) == "BadDeviceToken")
    #expect(try reason(request(["apns-topic": "com.example.other"])) == "DeviceTokenNotForTopic")
    var other = APNsDesk(keys: [try provider.known], topics: ["com.example.till"])
    other.register(token: device, topic: "com.example.other")
    let asked = try request(["apns-topic": "com.example.other"])
    #expect(other.answer(asked, now: now, makeID: { "x" }).reason == "TopicDisallowed")
  }

  @Test func `a removed app is told with the time in milliseconds`() throws {
    var desk = try desk()
    desk.unregister(token: device, atMilliseconds: 1_795_999_000_123)
    let answer = desk.answer(try request(), now: now, makeID: { "x" })
    #expect(answer.status == 410 && answer.reason == "Unregistered")
    #expect(try JSON.parse(answer.body)["timestamp"]?.intValue == 1_795_999_000_123)
    desk.register(token: device.uppercased(), topic: "com.example.till")
    #expect(desk.answer(try request(), now: now, makeID: { "x" }).status == 200)
  }

  @Test func `a token that has run out is told apart from an app that is gone`() throws {
    var desk = try desk()
    desk.unregister(token: device, atMilliseconds: 5, reason: "ExpiredToken")
    let answer = desk.answer(try request(), now: now, makeID: { "x" })
    #expect(answer.status == 410 && answer.reason == "ExpiredToken" && answer.timestampMilliseconds == 5)
  }

  @Test func `too many pushes to one device in a second are refused`() throws {
    var desk = try desk()
    desk.pushesPerDeviceSecond = 2
    let asked = try request()
    let statuses = (0..<3).map { _ in desk.answer(asked, now: now, makeID: { "x" }).status }
    #expect(statuses == [200, 200, 429])
    #expect(desk.answer(asked, now: now + 1, makeID: { "x" }).status == 200)
  }
}

import ExactJSON
import PushPayload
import TestSupport
import Testing

struct PayloadBuilderTests {
  private let alert = AlertText(title: "微信收款", body: "28.50 元", fallbackSound: "fallback.caf", threadID: "till")

  private func event(pending: Int = 0) -> SpokenEvent {
    SpokenEvent(
      id: "evt_1", kind: "payment.received", amount: "28.50", currency: "CNY", brand: "微信",
      pending: (0..<pending).map {
        PendingEntry(id: "evt_missed_\($0)", kind: "payment.received", amount: "1.00", currency: "CNY")
      })
  }

  @Test func `a spoken push keeps every rule`() throws {
    let payload = try PayloadBuilder.alert(event(), alert: alert)
    let headers = PushHeaders.alert(topic: "com.example.till", event: event(), expiration: 1_796_086_400)
    #expect(PushNotification(payload: payload, headers: headers).findings.isEmpty)
    #expect(payload["aps"]?["mutable-content"]?.intValue == 1)
    #expect(payload["aps"]?["sound"]?.stringValue == "fallback.caf")
    #expect(headers.priority == 10 && headers.collapseID == "evt_1" && headers.expiration == 1_796_086_400)
  }

  @Test func `what is built is read back as it was`() throws {
    var full = event(pending: 3)
    (full.locale, full.from, full.text, full.suffix, full.group) = ("zh-CN", "张三", "午餐", "整", "till")
    (full.at, full.until, full.route, full.replay, full.replayToken) = (1, 2, .download, true, "r1")
    full.sound = SoundReference(url: "https://push.example/s.caf", sha256: "ab", bytes: 9)
    full.pendingCount = 3
    let payload = try PayloadBuilder.alert(full, alert: alert)
    let bytes = Array(payload.serialized().utf8)
    #expect(PayloadDecoder.decode(try JSON.parse(bytes), requestID: "x").event == full)
  }

  @Test func `missed events that do not fit are counted, so that the phone fetches them`() throws {
    let payload = try PayloadBuilder.alert(event(pending: 200), alert: alert)
    #expect(payload.serialized().utf8.count <= 4096)
    let read = try #require(PayloadDecoder.decode(payload, requestID: "x").event)
    #expect(read.pendingCount == 200)
    #expect((10..<200).contains(read.pending.count))
  }

  @Test func `a payload that cannot fit says by how much`() throws {
    var long = event()
    long.text = String(repeating: "长", count: 2000)
    let error = #expect(throws: PayloadError.self) { try PayloadBuilder.alert(long, alert: alert) }
    guard case .tooLarge(let bytes, 4096) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(bytes > 6000)
  }

  @Test(arguments: ["", "has space", "名字", String(repeating: "a", count: 65)])
  func `an id that no header can carry is refused`(id: String) {
    #expect(throws: PayloadError.badID) { try PayloadBuilder.alert(SpokenEvent(id: id, kind: "text"), alert: alert) }
    #expect(throws: PayloadError.badID) { try PayloadBuilder.background(SpokenEvent(id: id, kind: "text")) }
  }

  @Test func `a spoken push that shows nothing is refused`() {
    #expect(throws: PayloadError.noText) { try PayloadBuilder.alert(event(), alert: AlertText(title: "", body: "")) }
  }

  @Test func `a background push has nothing but content-available`() throws {
    let payload = try PayloadBuilder.background(event())
    #expect(payload["aps"] == ["content-available": 1])
    #expect(PushRules.findings(payload: payload, headers: .background(topic: "com.example.till")).isEmpty)
  }

  @Test func `no error repeats an amount or a text`() {
    for error in [PayloadError.badID, .noText, .tooLarge(bytes: 5000, limit: 4096)] {
      #expect(!error.description.contains("28.50"))
    }
  }
}

/// The rules that APNs and iOS keep, one by one: a push that breaks it, and the reason.
struct PushRuleTests {
  private let good: JSON = [
    "aps": ["alert": ["title": "t"], "sound": "a.caf", "mutable-content": 1], "aloud": ["id": "e", "kind": "text"],
  ]

  private func codes(_ payload: JSON? = nil, _ change: (inout PushHeaders) -> Void = { _ in }) -> [PushFinding.Code] {
    var headers = PushHeaders(topic: "com.example.till")
    change(&headers)
    return PushRules.findings(payload: payload ?? good, headers: headers).map(\.code)
  }

  @Test func `a good push breaks none`() { #expect(codes().isEmpty) }

  @Test func `each header rule is noticed`() {
    #expect(codes { $0.topic = "" } == [.badTopic])
    #expect(codes { $0.priority = 7 } == [.badPriority])
    #expect(codes { $0.collapseID = String(repeating: "x", count: 65) } == [.badCollapseID])
    #expect(codes { $0.id = "ABC" } == [.badMessageID])
    #expect(codes { $0.expiration = -1 } == [.badExpiration])
    #expect(codes { $0.pushType = .voip }.contains(.badTopic))
    let silent: JSON = ["aps": ["content-available": 1]]
    #expect(codes(silent) { $0.pushType = .background } == [.backgroundPriority])
  }

  @Test func `each rule of the body is noticed`() {
    #expect(codes([:]) == [.payloadEmpty])
    #expect(codes(["a": 1]) == [.noAPS])
    #expect(codes(["aps": ["alert": ["title": "t"], "sound": "a.caf"], "aloud": ["id": "e"]]) == [.notMutable])
    #expect(codes(["aps": ["sound": "a.caf", "mutable-content": 1], "aloud": ["id": "e"]]) == [.alertWithoutText])
    #expect(codes(["aps": ["alert": "t", "mutable-content": 1], "aloud": ["id": "e"]]) == [.noFallbackSound])
    #expect(
      codes(["aps": ["alert": "t", "mutable-content": "1", "sound": "a"], "aloud": ["id": "e"]]) == [.notMutable])
    #expect(
      codes(["aps": ["content-available": 1, "alert": "t"]]) { ($0.pushType, $0.priority) = (.background, 5) }
        == [.backgroundWithAlert])
  }

  @Test func `the size limit is 4,096 bytes, for VoIP 5,120`() {
    func padded(_ bytes: Int) -> JSON {
      let empty: JSON = ["aps": ["alert": "t"], "x": ""]
      return [
        "aps": ["alert": "t"], "x": .string(String(repeating: "x", count: bytes - empty.serialized().utf8.count)),
      ]
    }
    #expect(codes(padded(4096)).isEmpty)
    #expect(codes(padded(4097)) == [.payloadTooLarge])
    let voip: (inout PushHeaders) -> Void = { ($0.pushType, $0.topic) = (.voip, "com.example.till.voip") }
    #expect(codes(padded(5120), voip).isEmpty)
    #expect(codes(padded(5121), voip) == [.payloadTooLarge])
  }

  @Test func `only the canonical lower-case form is a UUID`() {
    #expect(PushRules.isUUID("123e4567-e89b-12d3-a456-426614174000"))
    for odd in [
      "123E4567-E89B-12D3-A456-426614174000", "123e4567e89b12d3a456426614174000", "",
      "123e4567-e89b-12d3-a456-42661417400g",
    ] {
      #expect(!PushRules.isUUID(odd))
    }
  }

  @Test func `every push type has the suffix that its topic needs`() {
    for type in PushType.allCases {
      let headers = PushHeaders(
        topic: "com.example.till" + type.topicSuffix, pushType: type, priority: type == .background ? 5 : 10)
      #expect(PushRules.headerFindings(headers).isEmpty)
    }
  }
}

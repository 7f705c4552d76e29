import ProjectDoctor
import Testing

/// One rule of payloads and headers: a text that breaks it, and a like one that does not.
struct LintCase: Sendable, CustomTestStringConvertible {
  var code: RuleCode
  var failing: String
  var passing: String
  var testDescription: String { code.rawValue }

  init(_ code: RuleCode, _ failing: String, _ passing: String) {
    (self.code, self.failing, self.passing) = (code, failing, passing)
  }

  static func curl(_ headers: String, _ body: String = spoken, url: String = "https://api.push.apple.com/3/device/0a1b")
    -> String
  {
    "curl --http2 \(headers) \\\n  -d '\(body)' \\\n  \(url)\n"
  }

  static let good = "-H 'apns-topic: com.example.shop' -H 'apns-push-type: alert' -H 'apns-expiration: 1800000600'"
  static let silentGood = "-H 'apns-topic: com.example.shop' -H 'apns-push-type: background' -H 'apns-priority: 5'"
  static let silent = #"{"aps":{"content-available":1}}"#
  static let spoken = event()

  static func event(aps: String = "", aloud: String = "", sound: String = #""sound":"paid.caf","#) -> String {
    #"{"aps":{"alert":{"title":"Paid","body":"28.50"},"# + sound + #""mutable-content":1"# + aps
      + #"},"aloud":{"v":1,"id":"evt_1","kind":"payment.received","locale":"zh-CN","amount":"28.50","currency":"CNY""#
      + aloud
      + "}}"
  }

  static let text =
    #"{"aps":{"alert":"x","sound":"paid.caf","mutable-content":1},"msg_id":"1","text":"WORDS","voice_type":"zh-CN"}"#

  static func says(_ words: String) -> String { text.components(around: "WORDS").joined(separator: words) }
  static func swap(_ old: String, _ new: String) -> String { spoken.components(around: old).joined(separator: new) }

  static let payload: [LintCase] = [
    .init(.invalidJSON, #"{"aps": {"alert": "x",}}"#, #"{"aps": {"alert": "x"}}"#),
    .init(.duplicateKey, #"{"aps":{"alert":"a","alert":"b"}}"#, #"{"aps":{"alert":"a"}}"#),
    .init(.noAPS, #"{"alert":"a"}"#, #"{"aps":{"alert":"a"}}"#),
    .init(.misspeltKey, #"{"aps":{"alert":"a","mutable_content":1}}"#, #"{"aps":{"alert":"a","mutable-content":1}}"#),
    .init(.flagNotOne, #"{"aps":{"alert":"a","mutable-content":true}}"#, #"{"aps":{"alert":"a","mutable-content":1}}"#),
    .init(.customKeyInside, #"{"aps":{"alert":"a","orderType":"x"}}"#, #"{"aps":{"alert":"a"},"orderType":"x"}"#),
    .init(.mutableSilent, #"{"aps":{"content-available":1,"mutable-content":1}}"#, silent),
    .init(.mutableZero, #"{"aps":{"content-available":1,"mutable-content":0}}"#, silent),
    .init(
      .mixedSilent, #"{"aps":{"content-available":1,"alert":"a"}}"#,
      curl(good, #"{"aps":{"content-available":1,"alert":"a"}}"#)),
    .init(.notMutable, swap(#""mutable-content":1"#, #""badge":1"#), spoken),
    .init(.spokenSilent, #"{"aps":{"content-available":1},"msg_id":"1","text":"好","voice_type":"zh-CN"}"#, silent),
    .init(
      .tooLarge, #"{"aps":{"alert":"a"},"note":""# + String(repeating: "x", count: 4_100) + #""}"#,
      #"{"aps":{"alert":"a"},"note":""# + String(repeating: "x", count: 4_000) + #""}"#),
    .init(
      .soundWithoutExtension, #"{"aps":{"alert":"a","sound":"paid"}}"#, #"{"aps":{"alert":"a","sound":"default"}}"#),
    .init(
      .soundFormatName, #"{"aps":{"alert":"a","sound":"paid.mp3"}}"#, #"{"aps":{"alert":"a","sound":"paid.aiff"}}"#),
    .init(
      .soundPath, #"{"aps":{"alert":"a","sound":"Sounds/paid.caf"}}"#, #"{"aps":{"alert":"a","sound":"paid.caf"}}"#),
    .init(
      .criticalSound, #"{"aps":{"alert":"a","sound":{"critical":1,"name":"a.caf","volume":7}}}"#,
      #"{"aps":{"alert":"a","sound":{"critical":1,"name":"a.caf","volume":0.7}}}"#),
    .init(
      .criticalNeedsEntitlement, #"{"aps":{"alert":"a","sound":{"critical":1,"name":"a.caf"}}}"#,
      #"{"aps":{"alert":"a","sound":"a.caf","interruption-level":"time-sensitive"}}"#),
    .init(.soundNull, #"{"aps":{"alert":"a","sound":null}}"#, #"{"aps":{"alert":"a"}}"#),
    .init(
      .badLevel, #"{"aps":{"alert":"a","interruption-level":"urgent"}}"#,
      #"{"aps":{"alert":"a","interruption-level":"active"}}"#),
    .init(
      .passiveSound, #"{"aps":{"alert":"a","sound":"a.caf","interruption-level":"passive"}}"#,
      #"{"aps":{"alert":"a","interruption-level":"passive"}}"#),
    .init(.expired, event(aloud: #","until":1700000000"#), event(aloud: #","until":1800000600"#)),
    .init(.noEventID, swap(#""id":"evt_1","#, ""), spoken),
    .init(.dedupeByAmount, swap("evt_1", "28.50"), spoken),
    .init(.floatAmount, swap(#""amount":"28.50""#, #""amount":28.50"#), swap(#""amount":"28.50""#, #""amount":28"#)),
    .init(.badAmount, swap(#""amount":"28.50""#, #""amount":"28.505""#), spoken),
    .init(.longSpeech, says("您有一笔转账已经到账请您打开应用查看明细谢谢您的使用"), says("转账成功")),
    .init(.tooLongSpeech, says(String(repeating: "您有一笔转账已经到账", count: 15)), says("转账成功")),
    .init(.noAlertText, swap(#""alert":{"title":"Paid","body":"28.50"}"#, #""alert":{"body":" "}"#), spoken),
    .init(.noFallbackSound, event(sound: ""), spoken),
    .init(
      .insecureSoundURL, event(aloud: #","sound":{"url":"http://a.example/x.caf"}"#),
      event(aloud: #","sound":{"url":"https://a.example/x.caf"}"#)),
    .init(.spokenKeyInsideAPS, #"{"aps":{"alert":"a","amount":"28.50"}}"#, #"{"aps":{"alert":"a"},"amount":"28.50"}"#),
    .init(.wrongType, #"{"aps":{"alert":"a","badge":"1"}}"#, #"{"aps":{"alert":"a","badge":1}}"#),
    .init(.vagueLocale, swap("zh-CN", "zh"), spoken),
  ]

  static let headers: [LintCase] = [
    .init(.noPushType, curl("-H 'apns-topic: com.example.shop'"), curl(good)),
    .init(.unknownPushType, curl(good.components(around: "alert").joined(separator: "alerts")), curl(good)),
    .init(.pushTypeMismatch, curl(silentGood), curl(silentGood, silent)),
    .init(
      .backgroundPriority, curl(silentGood.components(around: "5'").joined(separator: "10'"), silent),
      curl(silentGood, silent)),
    .init(.badPriority, curl(good + " -H 'apns-priority: 7'"), curl(good + " -H 'apns-priority: 10'")),
    .init(
      .badTopic, curl(good.components(around: "com.example.shop").joined(separator: "com.example.shop.voip")),
      curl(good)),
    .init(
      .badCollapseID, curl(good + " -H 'apns-collapse-id: \(String(repeating: "k", count: 65))'"),
      curl(good + " -H 'apns-collapse-id: \(String(repeating: "k", count: 64))'")),
    .init(
      .badMessageID, curl(good + " -H 'apns-id: EC1BF194-B3B2-424A-89F6-0FF25B8E8D1D'"),
      curl(good + " -H 'apns-id: ec1bf194-b3b2-424a-89f6-0ff25b8e8d1d'")),
    .init(.badExpiration, curl(good.components(around: "1800000600").joined(separator: "60")), curl(good)),
    .init(.noExpiration, curl("-H 'apns-topic: com.example.shop' -H 'apns-push-type: alert'"), curl(good)),
    .init(
      .voipPush, curl("-H 'apns-topic: com.example.shop.voip' -H 'apns-push-type: voip'", #"{"aps":{}}"#), curl(good)),
    .init(
      .wrongHost, curl(good, url: "https://gateway.push.apple.com/3/device/0a1b"),
      curl(good, url: "https://api.push.apple.com:2197/3/device/0a1b")),
    .init(
      .badToken, curl(good, url: "'https://api.push.apple.com/3/device/<0a1b 2c3d>'"),
      curl(good, url: "https://api.push.apple.com/3/device/$TOKEN")),
    .init(.wrongMethod, curl(good + " -X PUT"), curl(good + " -X POST")),
  ]
}

struct LintRuleTests {
  private func lint(_ text: String) -> Report {
    PayloadLinter(now: 1_800_000_000).lint(Array(text.utf8), file: "push.json")
  }

  @Test(arguments: LintCase.payload + LintCase.headers)
  func `each rule finds its fault and is silent without it`(_ sample: LintCase) {
    #expect(lint(sample.failing).codes.contains(sample.code), "\(sample.failing)")
    #expect(!lint(sample.passing).codes.contains(sample.code), "\(sample.passing)")
  }

  @Test(arguments: [
    LintCase.spoken, LintCase.curl(LintCase.good), LintCase.curl(LintCase.silentGood, LintCase.silent), LintCase.silent,
    #"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["a"]},"badge":0,"thread-id":"t","relevance-score":0.5}}"#,
    #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":1},"stale-date":2}}"#,
    #"{"aps":{"content-changed":true}}"#,
  ])
  func `usual pushes give nothing above a hint`(_ text: String) {
    #expect(lint(text).serious == [])
  }

  @Test func `each line of JSON lines is checked at its place`() {
    let report = lint(LintCase.silent + "\n" + #"{"alert":1}"# + "\n" + #"{"aps":{"badge":"1"}}"# + "\n")
    #expect(report.findings.map(\.place.line) == [2, 3])
    #expect(report.codes == [.noAPS, .wrongType])
  }

  @Test func `an http file holds several requests`() {
    let text = """
      # two pushes
      POST https://api.push.apple.com/3/device/0a1b HTTP/2
      apns-topic: com.example.shop
      apns-push-type: background
      apns-priority: 10

      {"aps":{"content-available":1}}

      ### the second
      POST https://api.push.apple.com/3/device/0a1b
      apns-topic: com.example.shop
      apns-push-type: alert

      {
        "aps": {"alert": "a", "sound": "a.mp3"}
      }
      """
    let report = lint(text)
    #expect(report.codes == [.soundFormatName, .backgroundPriority])
    #expect(report.findings.first { $0.code == .backgroundPriority }?.place.line == 5)
    #expect(report.findings.first { $0.code == .soundFormatName }?.place.line == 15)
  }

  @Test func `full-width punctuation and trailing commas are named with line and column`() {
    let comma = lint("{\n  \"aps\": {\"alert\": \"a\",\n  }\n}")
    #expect(comma.findings[0].place.description == "push.json:2:23")
    #expect(comma.findings[0].detail.contains("Remove the comma"))
    let wide = lint("{\n  \"aps\"：{}}")
    #expect(wide.findings[0].place.description == "push.json:2:8")
    #expect(wide.findings[0].detail.contains("full-width"))
  }

  @Test func `an unreadable body in another file is said, not guessed`() {
    #expect(
      lint("curl -H 'apns-topic: a' -d @body.json https://api.push.apple.com/3/device/0a").codes.contains(.incomplete))
  }

  @Test func `what makes a payload large is named`() {
    let detail = lint(LintCase.payload.first { $0.code == .tooLarge }?.failing ?? "").findings[0].detail
    #expect(detail == "4131 of 4096 bytes; without note (4110) it has 21")
  }

  @Test func `safe fixes lead to a payload without the finding`() {
    let text =
      "{\"aps\":{\"alert\":\"a\",\"sound\":\"a.caf\",\"Mutable_Content\":\"1\"},\"event\":\"payment_received\",\"amount\":28.50,\"currency\":\"CNY\"}\n"
    let before = lint(text)
    #expect(before.codes == [.misspeltKey, .flagNotOne, .floatAmount])
    let after = FixApplier.apply(before.findings, file: "push.json", to: Array(text.utf8))
    #expect(lint(String(decoding: after, as: UTF8.self)).codes == [])
    let diff = FixApplier.diff(before.findings, file: "push.json", of: Array(text.utf8))
    #expect(diff.hasPrefix("--- push.json\n+++ push.json\n@@ -1,1 +1,1 @@\n-{"))
  }
}

import ExactJSON
import ProjectDoctor
import Testing

/// Payloads that no sender should make: whatever stands there, the linter gives a report with places inside the text.
@Suite(.timeLimit(.minutes(10)))
struct AdversaryTests {
  private static let values = [
    "1", "\"1\"", "true", "null", "[]", "{}", "1.0", "1e0", "1e400", "-1e400", "-0", "2", "\"\"", "\"\\u0000\"",
    "\"😀\"",
    "\"\u{202E}abc\"", "[[[]]]", "123456789012345678901234567890", "0.1e-999999999", "\"a\\ud800b\"",
    "{\"a\":{\"b\":[1,{\"c\":null}]}}", "NaN", "Infinity", "0x1", "\"é\"", "[1,\"a\",null]",
  ]
  private static let keys = [
    "alert", "badge", "sound", "content-available", "mutable-content", "interruption-level", "relevance-score",
    "category",
    "thread-id", "filter-criteria", "event", "timestamp", "target-content-id",
  ]

  /// Every value at every place where a push or an event has one.
  private static var payloads: [String] {
    values.flatMap { value in
      let every = ["id", "until", "at", "locale", "currency", "amount", "text", "sound", "route", "kind", "v"]
        .map { "\"\($0)\":\(value)" }.joined(separator: ",")
      let flat = ["text", "msg_id", "voice_type", "amount", "event", "currency", "voice", "sound_url", "useVoice"]
        .map { "\"\($0)\":\(value)" }.joined(separator: ",")
      return keys.map { "{\"aps\":{\"\($0)\":\(value)}}" } + [
        value, "{\"aps\":\(value)}", "{\"aps\":{\"alert\":\"a\"},\"aloud\":\(value)}",
        "{\"aps\":{\"alert\":\"a\",\"mutable-content\":1},\"aloud\":{\(every)}}",
        "{\"aps\":{\"alert\":\"a\",\"mutable-content\":1},\(flat)}",
        "{\"aps\":{\"alert\":{\"title\":\(value),\"body\":\(value),\"loc-args\":\(value)}}}",
        "{\"aps\":{\"alert\":\"a\",\"sound\":{\"critical\":\(value),\"name\":\(value),\"volume\":\(value)}}}",
        "{\"aps\":{\"aps\":{\"alert\":\(value)}}}", "{\"aps\":{\"alert\":\(value),\"alert\":\(value)}}",
      ]
    }
  }

  private func check(_ bytes: [UInt8], _ name: String) {
    let report = PayloadLinter(now: 1_800_000_000).lint(bytes, file: "f")
    let lines = bytes.count { $0 == 10 } + 1
    #expect(report.findings.allSatisfy { ($0.place.line ?? 1) <= lines && ($0.place.column ?? 1) > 0 }, "\(name)")
    let fixed = FixApplier.apply(report.findings, file: "f", to: bytes)
    // A fix takes its own finding away, and never breaks what could be read.
    if report.codes.contains(.invalidJSON) == false {
      #expect(!PayloadLinter(now: 1_800_000_000).lint(fixed, file: "f").codes.contains(.invalidJSON), "\(name)")
    }
    #expect(report.sarif(toolVersion: "1")["runs"]?[0]?["results"]?.arrayValue?.count == report.findings.count)
  }

  @Test func `hundreds of payloads with odd values everywhere`() {
    #expect(AdversaryTests.payloads.count > 500)
    for payload in AdversaryTests.payloads { check(Array(payload.utf8), payload) }
  }

  /// Texts that are made to cost much or to confuse.
  private static var texts: [String] {
    func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    var texts = [many("[", 30_000), many("{\"a\":", 30_000), "[" + many(",]", 30_000), "{" + many(",}", 30_000)]
    texts += [many("｛", 10_000), many("“", 10_000), many("'", 30_000), many("/*", 30_000), many("#", 30_000)]
    texts += [many("\n", 60_000), many("\0", 10_000), "{\"x\":[" + many("[1,],", 20_000) + "1]}"]
    texts.append("{\"aps\":{\"alert\":\"\(many("x", 300_000))\"}}")
    texts.append("{\"aps\":{\((0..<10_000).map { "\"k\($0)\":1" }.joined(separator: ","))}}")
    texts.append("{\"aps\":{\(many("\"alert\":1,", 10_000))\"badge\":1}}")
    texts.append("{\"aps\":{\"\(many("content-available", 20_000))\":1}}")
    let spoken = "{\"aps\":{\"alert\":\"a\",\"mutable-content\":1},"
    texts.append("\(spoken)\"msg_id\":\"1\",\"text\":\"\(many("字", 20_000))\"}")
    let amount = many("9", 20_000)
    texts.append(
      "\(spoken)\"aloud\":{\"v\":1,\"id\":\"e\",\"kind\":\"x\",\"currency\":\"CNY\",\"amount\":\"\(amount)\"}}")
    texts += ["curl -d '" + many("x", 60_000), "curl -d \"" + many("$(", 20_000), "curl " + many("<<", 20_000)]
    texts += ["curl " + many("<<A\n", 20_000), "curl " + many("`", 20_000), many("|", 20_000) + "curl -d x"]
    texts.append("cat <<E\(many(" | cat", 5_000)) | curl -d @- h\n{}\nE")
    texts.append("curl -d @- \((0..<2_000).map { "<<E\($0)" }.joined(separator: " "))\n")
    texts += ["curl -", "curl --", "curl -d @", "curl -d @-", "curl -X", "curl -H", "curl //// -d {} -H apns-topic:"]
    texts += ["curl -d $'\\x\\u\\U99999999\\xff\\uD800' h", "curl -d {} https://api.push.apple.com/3/device/"]
    texts += ["POST /3/device/a\n" + many("a:b\n", 10_000), "POST /3/device/a\n\n" + many("###\n", 10_000)]
    texts += [many("@a\n", 10_000) + "POST /3/device/x\n\n{}", "POST /\n:\n::\n\n", "### \nGET http\n"]
    return texts
  }

  @Test(arguments: texts)
  func `texts that are made to cost much or to confuse`(_ text: String) {
    check(Array(text.utf8), String(text.prefix(40)))
  }

  @Test(
    arguments: [
      [0xFF], [0xFF, 0xFE], [0xFE, 0xFF, 0], [0, 0, 0xFE, 0xFF, 0xFF], [0xEF, 0xBB, 0xBF], [0xEF, 0xBB], [0xC3, 0x28],
      [0xFF, 0xFE, 0x7B], [0xFF, 0xFE, 0, 0, 1, 2, 3], [0x7B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x7D], [0xD8, 0, 0xD8, 0],
    ] as [[UInt8]])
  func `bytes that are no text`(_ bytes: [UInt8]) {
    check(bytes, "\(bytes)")
    #expect(PayloadLinter(now: 0).lint(bytes, file: "f").codes.contains(.invalidJSON))
  }

  @Test func `headers with odd values`() {
    let names = [
      "apns-topic", "apns-priority", "apns-expiration", "apns-push-type", "apns-id", "apns-collapse-id",
      "authorization",
    ]
    let values = [
      "", " ", "-1", "1e9", "99999999999999999999", "9223372036854775807", "\u{0}", "\u{202E}", "é", "voip", ".", "a/b",
      String(repeating: "é", count: 40), "{{x}}", "$X", "10 ", "\"5\"",
    ]
    for name in names {
      for value in values {
        check(
          Array("POST https://api.push.apple.com/3/device/0a\n\(name): \(value)\n\n{\"aps\":{\"alert\":\"a\"}}".utf8),
          "\(name): \(value)")
      }
    }
  }
}

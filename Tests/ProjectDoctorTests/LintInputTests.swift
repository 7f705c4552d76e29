import ProjectDoctor
import Testing

/// A slip in JSON with the place and the cause that the linter must name.
struct SlipCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var text: String
  var place: String
  var cause: String
  var chinese: String

  init(_ name: String, _ text: String, _ place: String, _ cause: String, _ chinese: String) {
    (testDescription, self.text, self.place) = (name, text, place)
    (self.cause, self.chinese) = (cause, chinese)
  }

  static let all: [SlipCase] = [
    .init("trailing comma", "{\"aps\": {\"alert\": \"a\",\n}}", "1:22", "Remove the comma", "逗号"),
    .init("full-width colon", "{\n \"aps\"：{\"alert\":\"a\"}}", "2:7", "full-width", "全角"),
    .init("full-width comma", "{\"aps\":{\"alert\":\"到账\"，\"badge\":1}}", "1:21", "full-width", "全角"),
    .init("full-width braces", "｛\"aps\":{\"alert\":\"a\"}｝", "1:1", "full-width", "全角"),
    .init("smart quotes", "{“aps”:{\"alert\":\"a\"}}", "1:2", "typographic", "排版标点"),
    .init("guillemets", "{\"aps\":{\"alert\":«a»}}", "1:17", "typographic", "排版标点"),
    .init("line comment", "{\"aps\":{\"alert\":\"a\"} // note\n}", "1:22", "no comments", "注释"),
    .init("block comment", "{/* note */\"aps\":{\"alert\":\"a\"}}", "1:2", "no comments", "注释"),
    .init("shell comment", "{\n# note\n\"aps\":{\"alert\":\"a\"}}", "2:1", "no comments", "注释"),
    .init("byte order mark", "\u{FEFF}{\"aps\":{\"alert\":\"a\"}}", "1:1", "byte order mark", "BOM"),
    .init("single quotes", "{'aps':{\"alert\":\"a\"}}", "1:2", "double quotes", "双引号"),
    .init("single quotes in a value", "{\"aps\":{\"alert\":'it'}}", "1:17", "double quotes", "双引号"),
    .init("unclosed text", "{\"aps\":{\"alert\":\"a,\n\"badge\":1}}", "1:17", "not closed", "结束"),
    .init("text cut off", "{\"aps\":{\"alert\":\"a", "1:17", "cut off", "截断"),
    .init("object cut off", "{\"aps\":{\"alert\":\"a\"}", "1:21", "cut off", "截断"),
    .init("unquoted key", "{aps:{\"alert\":\"a\"}}", "1:2", "double quotes", "双引号"),
    .init("missing comma", "{\"aps\":{\"alert\":\"a\" \"badge\":1}}", "1:21", "comma", "逗号"),
    .init("missing colon", "{\"aps\" {\"alert\":\"a\"}}", "1:8", "colon", "冒号"),
    .init("word of Python", "{\"aps\":{\"alert\":\"a\",\"mutable-content\":True}}", "1:39", "lower case", "小写"),
    .init("leading zero", "{\"aps\":{\"badge\":01}}", "1:17", "leading zero", "0"),
    .init("tab in a text", "{\"aps\":{\"alert\":\"a\tb\"}}", "1:19", "control character", "控制字符"),
    .init("not a number", "{\"aps\":{\"badge\":NaN}}", "1:17", "NaN", "小写"),
    .init("two values", "{\"aps\":{\"alert\":\"a\"}} {}", "1:23", "follows", "还有内容"),
    .init("nothing", "  \n", "1", "0 bytes", "0 bytes"),
  ]
}

struct LintInputTests {
  private func lint(_ text: String, file: String = "push", files: [String: String] = [:]) -> Report {
    PayloadLinter(now: 1_800_000_000) { files[$0].map { Array($0.utf8) } }.lint(Array(text.utf8), file: file)
  }

  private func lines(_ report: Report) -> [String] { report.findings.map { "\($0.place) \($0.code.rawValue)" } }

  @Test(arguments: SlipCase.all)
  func `a slip in JSON is named with its line, column and cause in both languages`(_ slip: SlipCase) throws {
    let report = lint(slip.text)
    let first = try #require(report.findings.first { $0.code == .invalidJSON })
    #expect(first.place.description == "push:\(slip.place)")
    #expect(first.detail.contains(slip.cause), "\(first.detail)")
    #expect(first.detail(isChinese: true).contains(slip.chinese))
  }

  @Test func `every slip is told in one run, and what was meant is checked as well`() {
    let text = """
      {
        // the push
        "aps"： {“alert”: ‘到账’, 'sound': "a.mp3", "mutable-content": True,},
      }
      """
    let report = lint(text)
    #expect(report.findings.count { $0.code == .invalidJSON } == 8)
    #expect(report.codes == [.invalidJSON, .flagNotOne, .soundFormatName])
    let fixed = FixApplier.apply(report.findings, file: "push", to: Array(text.utf8))
    #expect(lint(String(decoding: fixed, as: UTF8.self)).codes == [.soundFormatName])
  }

  @Test func `UTF-16 is named, and what it says is checked`() {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in #"{"aps":{"alert":"到账","sound":"a.mp3"}}"#.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
    let report = PayloadLinter(now: 0).lint(bytes, file: "push")
    #expect(lines(report) == ["push:1:1 ALD101", "push:1:22 ALD114"])
    #expect(report.findings.allSatisfy { $0.fix == nil })
  }

  private static let headers = "-H 'apns-topic: a.b' -H 'apns-push-type: alert' https://api.push.apple.com/3/device/0a"

  @Test(arguments: [
    #"curl -d '{"aps":{"alert":"a","sound":"a.mp3"}}' HEADERS"#,
    #"curl -d'{"aps":{"alert":"a","sound":"a.mp3"}}' HEADERS"#,
    #"curl --data "{\"aps\":{\"alert\":\"a\",\"sound\":\"a.mp3\"}}" HEADERS"#,
    #"curl --data-raw $'{"aps":{"alert":"it\'s","sound":"a.mp3"}}' HEADERS"#,
    #"curl --json '{"aps":{"alert":"a","sound":"a.mp3"}}' HEADERS"#,
    #"curl -sSLXPOST --http2 -vd '{"aps":{"alert":"a","sound":"a.mp3"}}' HEADERS"#,
    #"curl -d '{"aps":{"alert":"'"$TEXT"'","sound":"a.mp3"}}' HEADERS"#,
    #"curl -H "authorization: bearer $(token "x")" -d '{"aps":{"alert":"a","sound":"a.mp3"}}' HEADERS"#,
    #"$ curl -d '{"aps":{"alert":"a","sound":"a.mp3"}}' HEADERS | jq . # show"#,
    "#!/bin/sh\nset -e\nT=1\nANSWER=$(curl -d '{\"aps\":{\"alert\":\"a\",\"sound\":\"a.mp3\"}}' HEADERS)\necho \"$ANSWER\"",
    "curl \\\n  -d '{\"aps\":{\"alert\":\"a\",\n  \"sound\":\"a.mp3\"}}' \\\n  HEADERS",
    "curl ^\r\n  -d \"{\\\"aps\\\":{\\\"alert\\\":\\\"a\\\",\\\"sound\\\":\\\"a.mp3\\\"}}\" ^\r\n  HEADERS\r\n",
    "curl -d @- HEADERS <<'END'\n{\"aps\":{\"alert\":\"a\",\"sound\":\"a.mp3\"}}\nEND\n",
    "cat <<END | curl -d @- HEADERS\n{\"aps\":{\"alert\":\"a\",\"sound\":\"a.mp3\"}}\nEND\n",
    #"echo '{"aps":{"alert":"a","sound":"a.mp3"}}' | curl --data-binary @- HEADERS"#,
    #"curl -d @- HEADERS <<< '{"aps":{"alert":"a","sound":"a.mp3"}}'"#,
    "HTTP2=1 sudo curl -T body.json -X POST HEADERS 2>/dev/null",
    "curl -d @body.json HEADERS",
  ])
  func `curl is read in every way of quoting`(_ command: String) {
    let text = command.components(around: "HEADERS").joined(separator: LintInputTests.headers)
    let report = lint(text, files: ["body.json": #"{"aps":{"alert":"a","sound":"a.mp3"}}"#])
    #expect(report.codes == [.soundFormatName], "\(report.findings)")
  }

  @Test func `a place inside a quoted word is the place in the file`() {
    let text = "curl \\\n -d \"{\\\"aps\\\":{\\\"alert\\\":1}}\" " + LintInputTests.headers
    #expect(lines(lint(text)) == ["push:2:17 ALD132"])
    let other = lint("curl -d @body.json " + LintInputTests.headers, files: ["body.json": "\n{\"aps\":{\"alert\":1}}"])
    #expect(lines(other) == ["body.json:2:9 ALD132"])
  }

  @Test(arguments: [
    "POST https://api.push.apple.com/3/device/0a HTTP/2\nHEADERS\n\nBODY\n",
    "POST https://api.push.apple.com/3/device/0a\r\nHEADERS\r\n\r\nBODY\r\n",
    "@host = https://api.push.apple.com\n\n### alert\n# @name first\nPOST {{host}}/3/device/0a\n// aside\nHEADERS\n\nBODY\n",
    "post /3/device/0a HTTP/2\nhost: api.push.apple.com\nHEADERS\n\nBODY\n\n> {% client.log(1) %}\n",
    "POST https://api.push.apple.com/3/device/0a\nHEADERS\n\nBODY\n\nHTTP/1.1 200 OK\napns-id: x\n",
    "POST https://api.push.apple.com/3/device/0a\nHEADERS\n\n< ./body.json\n",
  ])
  func `requests are read as editors write them`(_ form: String) {
    let body = #"{"aps":{"alert":"a","sound":"a.mp3"}}"#
    let text = form.components(around: "HEADERS").joined(separator: "apns-topic: a.b\napns-push-type: alert")
      .components(around: "BODY").joined(separator: body)
    #expect(lint(text, files: ["./body.json": body]).codes == [.soundFormatName])
  }

  @Test func `one broken line among lines of JSON is one fault`() {
    let good = #"{"aps":{"alert":"a"}}"#
    let text = [good, good, #"{"aps":{"alert":"a"}"#, "", good, "nonsense"].joined(separator: "\n")
    #expect(lines(lint(text)) == ["push:3:21 ALD101", "push:6:1 ALD101"])
    // The name settles it where the text does not.
    #expect(lines(lint("{\n\(good)\n", file: "push.jsonl")) == ["push.jsonl:1:2 ALD101"])
    // Objects over several lines are one payload.
    #expect(lint("{\"aps\":{\"alert\":\"a\"}\n,\"n\":1}").findings == [])
  }

  @Test func `an identity that is made of the amount is found in any dress`() {
    for id in ["28.50", "CNY28.50", "alice-28.50"] {
      #expect(lint(LintCase.swap("evt_1", id)).codes == [.dedupeByAmount], "\(id)")
    }
    for id in ["evt_2850", "28.501", "evt_1"] { #expect(lint(LintCase.swap("evt_1", id)).codes == []) }
  }

  @Test(arguments: [
    (#""a":"LONG","b":"x""#, "without a ("), (#""a":"HALF","b":"HALF""#, "without b (2107) it has 2128"),
    (#""a":"HALF","b":"HALF","c":"LONG""#, "without c (4107), a (2107) it has 2128"),
  ])
  func `what to leave out of a large payload is the least that suffices`(_ members: String, _ expected: String) {
    let text = members.components(around: "LONG").joined(separator: String(repeating: "x", count: 4_100))
      .components(around: "HALF").joined(separator: String(repeating: "y", count: 2_100))
    let detail = lint(#"{"aps":{"alert":"a"},"# + text + "}").findings.first { $0.code == .tooLarge }?.detail ?? ""
    #expect(detail.contains(expected), "\(detail)")
  }

  @Test func `a large text of the alert itself is to be shortened`() {
    let detail = lint(#"{"aps":{"alert":{"body":""# + String(repeating: "z", count: 4_200) + #""}}}"#).findings[0]
    #expect(detail.detail == "4229 of 4096 bytes; shorten aps.alert.body (4210) by 133")
    #expect(detail.detail(isChinese: true).contains("缩短 133 字节"))
  }
}

import ExactJSON
import PushPayload
import Testing

/// The payloads of other systems, as they stand, and what gateways make of ours.
struct DialectTests {
  private func decode(_ text: String, request: String = "req-1") throws -> DecodedPayload {
    PayloadDecoder.decode(try JSON.parse(text), requestID: request)
  }

  @Test func `reads our own payload`() throws {
    let decoded = try decode(
      """
      {"aps":{"alert":{"title":"微信收款","body":"收到 28.50 元"},"sound":"fallback.caf","mutable-content":1,"thread-id":"payments"},
       "aloud":{"v":1,"id":"evt_01J","kind":"payment.received","locale":"zh-CN","amount":"28.50","currency":"CNY","from":"张三",
                "at":1796000000,"until":1796000120,"route":"clips",
                "sound":{"url":"https://push.example/sounds/ab.caf","sha256":"AB","bytes":12345}}}
      """)
    var expected = SpokenEvent(
      id: "evt_01J", kind: "payment.received", locale: "zh-CN", amount: "28.50", currency: "CNY", from: "张三",
      group: "payments", at: 1_796_000_000, until: 1_796_000_120, route: .clips)
    expected.sound = SoundReference(url: "https://push.example/sounds/ab.caf", sha256: "ab", bytes: 12345)
    #expect(decoded.dialect == .aloud)
    #expect(decoded.event == expected)
    #expect(decoded.aps.startsExtension)
  }

  @Test func `keeps the digits of an amount that came as a number`() throws {
    for digits in ["28.50", "0.10", "12345678901234.56", "1e2"] {
      let decoded = try decode(#"{"aps":{},"aloud":{"id":"e","kind":"payment.received","amount":\#(digits)}}"#)
      #expect(decoded.event?.amount == digits)
    }
  }

  @Test func `reads a message text`() throws {
    let decoded = try decode(
      """
      {"aps":{"content-available":1,"mutable-content":1},"msg_id":"20240521_abc123","text":"您的快递已签收","voice_type":"zh-CN"}
      """)
    #expect(decoded.dialect == .messageText)
    #expect(decoded.event == SpokenEvent(id: "20240521_abc123", kind: "text", locale: "zh-CN", text: "您的快递已签收"))
    #expect(decoded.aps.isSilentPush)
  }

  @Test func `reads a flat event, which has no id, by the request's`() throws {
    let decoded = try decode(
      #"{"aps":{"content-available":1},"event":"payment_received","amount":28.50,"currency":"cny","from":"张三","timestamp":1717023456}"#
    )
    #expect(decoded.dialect == .flatEvent)
    #expect(
      decoded.event
        == SpokenEvent(
          id: "req-1", kind: "payment.received", amount: "28.50", currency: "CNY", from: "张三", at: 1_717_023_456))
  }

  @Test func `reads a nested voice part, whose text wins over its amount`() throws {
    let part = #""metadata":{"event_id":"evt_abc","timestamp":1680307200}"#
    let amount = try decode(#"{"aps":{},"voice":{"amount":1234.56,"unit":"元","suffix":"整"},\#(part)}"#)
    #expect(amount.dialect == .voice)
    #expect(
      amount.event
        == SpokenEvent(
          id: "evt_abc", kind: "payment.received", locale: "zh-CN", amount: "1234.56", currency: "CNY", suffix: "整",
          at: 1_680_307_200))
    let text = try decode(#"{"aps":{},"voice":{"text":"转账成功","amount":1234.56},\#(part)}"#)
    #expect(text.event == SpokenEvent(id: "evt_abc", kind: "text", text: "转账成功", at: 1_680_307_200))
  }

  @Test func `reads a flat order, whose order id names the event`() throws {
    let decoded = try decode(
      #"{"aps":{"alert":"您有一笔转账到账"},"amount":"1234.56","type":"transfer","action":"pay_success","order_id":"ORD1"}"#)
    #expect(decoded.dialect == .flatOrder)
    #expect(decoded.event?.id == "ORD1")
    #expect(decoded.event?.kind == "payment.received")
    #expect(decoded.event?.currency == "CNY")
  }

  @Test func `reads a sound to fetch; what is shown is what it says`() throws {
    let decoded = try decode(
      """
      {"aps":{"alert":{"title":"审批提醒","body":"张三提交了一条请假申请"},"sound":"default"},"sound_url":"https://cdn.example/a.caf"}
      """)
    #expect(decoded.dialect == .soundURL)
    #expect(decoded.event?.route == .download)
    #expect(decoded.event?.sound == SoundReference(url: "https://cdn.example/a.caf"))
    #expect(decoded.event?.text == "张三提交了一条请假申请")
    #expect(!decoded.aps.isMutable)
  }

  @Test(arguments: ["true", "1", "\"true\"", "\"1\"", "\"YES\""])
  func `reads truth in every form that it takes on the way`(form: String) throws {
    let decoded = try decode(#"{"aps":{"alert":"下午三点"},"useVoice":\#(form)}"#)
    #expect(decoded.dialect == .useVoice)
    #expect(decoded.event?.route == nil)
    #expect(decoded.event?.text == "下午三点")
  }

  @Test(arguments: ["false", "0", "\"false\"", "\"no\""])
  func `reads untruth in every form that it takes on the way`(form: String) throws {
    #expect(try decode(#"{"aps":{"alert":"下午三点"},"useVoice":\#(form)}"#).event?.route == .chime)
  }

  @Test func `understands keys in any case and a part that became text`() throws {
    let decoded = try decode(
      #"{"aps":{},"ALOUD":"{\"ID\":\"e1\",\"Kind\":\"order.new\",\"UNTIL\":\"1796000120\",\"replay\":\"1\"}"}"#)
    #expect(decoded.event?.id == "e1")
    #expect(decoded.event?.until == 1_796_000_120)
    #expect(decoded.event?.replay == true)
  }

  @Test(arguments: [
    "{}", #"{"aps":{"alert":"早"}}"#, #"{"aps":{},"aloud":7}"#, #"{"aps":{},"event":"login"}"#, "[]", "null",
  ])
  func `finds nothing to say where there is nothing`(payload: String) throws {
    let decoded = try decode(payload)
    #expect(decoded.event == nil)
    #expect(decoded.dialect == .none)
  }

  @Test func `survives every payload that is cut or bent`() throws {
    let whole = try JSON.parse(
      #"{"aps":{"alert":{"title":"a"},"sound":{"critical":1,"name":"x.caf"}},"aloud":{"id":"e","kind":"k","pending":[{"id":"p","kind":"k"}]}}"#
    )
    for key in ["id", "kind", "pending", "sound", "amount", "at", "route", "replay"] {
      for odd: JSON in [.null, true, 7, "x", [1], ["a": []]] {
        var part = whole["aloud"]?.objectValue ?? [:]
        part[key] = odd
        let decoded = PayloadDecoder.decode(
          .object(["aps": whole["aps"] ?? .null, "aloud": .object(part)]), requestID: "r")
        #expect(decoded.aps.sound == "x.caf" && decoded.aps.isCritical)
        if let event = decoded.event { #expect(!event.id.isEmpty) }
      }
    }
  }
}

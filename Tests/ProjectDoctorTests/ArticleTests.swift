import ProjectDoctor
import Testing

/// What the reference articles show, typed in as it stands, with the findings that the table of verdicts lists for it.
///
/// A number in a comment is the row of that table; rows about claims that no payload or setting shows have no line here.
struct ArticleTests {
  private func lint(_ text: String) -> [RuleCode] {
    PayloadLinter(now: 1_717_000_000).lint(Array(text.utf8), file: "push.json").codes
  }

  private func doctor(_ files: [String: String]) -> [RuleCode] {
    ProjectDoctor(now: 1_717_000_000).check("", in: MemoryTree(files.mapValues { Array($0.utf8) }), subject: "article")
      .codes
  }

  @Test func `silent push with a text`() {
    // 1: does not reach a force-quit app. 8: mutable-content on a silent push does nothing.
    let payload = """
      { "aps": { "content-available": 1, "mutable-content": 1 },
        "msg_id": "20240521_abc123", "text": "您的快递已签收，请查收", "voice_type": "zh-CN" }
      """
    #expect(lint(payload) == [.mutableSilent, .spokenSilent])
    // 7: no apns-push-type. 5: priority 5 is right.
    let request =
      "curl -H 'apns-priority: 5' -H 'apns-topic: com.example.myapp' -d '\(payload)' https://api.push.apple.com/3/device/00"
    #expect(lint(request) == [.mutableSilent, .spokenSilent, .noPushType])
  }

  @Test func `silent push that carries a payment`() {
    // 47: the extension can set a sound. 48: mutable-content 0 is not needed.
    let payload = """
      { "aps": { "content-available": 1, "mutable-content": 0 },
        "event": "payment_received", "amount": "28.50", "currency": "CNY", "from": "张三", "timestamp": 1717023456 }
      """
    #expect(lint(payload) == [.mutableZero, .spokenSilent])
    // 6: priority 10 is an error. 7: no apns-push-type.
    let sender = """
      POST https://api.push.apple.com/3/device/00
      apns-topic: com.example.myapp
      apns-priority: 10
      apns-expiration: 1717027056

      { "aps": { "content-available": 1 }, "event": "payment_received", "amount": "28.50", "from": "张三" }
      """
    #expect(lint(sender) == [.spokenSilent, .noPushType, .backgroundPriority])
    // 7 and 6: without the header the priority is 10.
    let minimal =
      "curl -v --http2 -H 'apns-topic: com.example.myapp' --cert ./dev-cert.pem --key ./dev-key.pem "
      + "https://api.sandbox.push.apple.com/3/device/YOUR_DEVICE_TOKEN -d '{\"aps\":{\"content-available\":1}}'"
    #expect(lint(minimal) == [.noPushType, .backgroundPriority])
  }

  @Test func `alert push for joined clips`() {
    // 16: without mutable-content the extension never runs.
    let flat = """
      { "aps": { "alert": "您有一笔转账到账", "sound": "default" },
        "amount": "1234.56", "type": "transfer", "action": "pay_success", "order_id": "ORD20230401001" }
      """
    #expect(lint(flat) == [.notMutable])
    // 16, and 18: "sound": null is not described.
    let nested = """
      { "aps": { "alert": { "title": "资金到账提醒", "body": "您的账户已收到一笔转账" }, "sound": null },
        "voice": { "text": "转账成功", "amount": "1234.56", "unit": "元", "suffix": "整" },
        "metadata": { "event_id": "evt_20230401_abc123", "timestamp": 1680307200 } }
      """
    #expect(lint(nested) == [.notMutable, .soundNull])
  }

  @Test func `bundled sound and downloaded sound`() {
    // The first is right (37). The second lacks mutable-content as well: the fact of row 16.
    let bundled = """
      { "aps": { "alert": { "title": "请假审批", "body": "张三提交了一条请假申请待您审批" },
        "sound": "leave_apply.caf", "badge": 1 } }
      """
    #expect(lint(bundled) == [])
    let download = """
      { "aps": { "alert": { "title": "审批提醒", "body": "张三提交了一条请假申请" }, "sound": "default" },
        "sound_url": "https://your-cdn.com/voice/leave_apply_zhangsan.caf" }
      """
    #expect(lint(download) == [.notMutable])
  }

  @Test func `settings of the speech app`() {
    // 11: audio and remote-notification. 64: microphone for speech. 82: no such key.
    let plist = ShopText.plist(
      """
      <key>UIBackgroundModes</key>
      <array>
        <string>audio</string>
        <string>remote-notification</string>
      </array>
      <key>NSMicrophoneUsageDescription</key>
      <string>用于语音播报功能</string>
      <key>UIUserNotificationTypes</key>
      <array/>
      """)
    #expect(doctor(["Info.plist": plist]) == [.audioModeUnused, .microphoneText, .unknownPlistKey])
  }

  @Test func `settings of the payment app`() {
    // 84: arbitrary loads have nothing to do with push.
    let plist = ShopText.plist(
      """
      <key>UIBackgroundModes</key>
      <array>
        <string>remote-notification</string>
      </array>
      <key>NSAppTransportSecurity</key>
      <dict>
        <key>NSAllowsArbitraryLoads</key>
        <true/>
      </dict>
      """)
    #expect(doctor(["Info.plist": plist]) == [.arbitraryLoads])
  }

  @Test func `settings of the extension that joins clips`() {
    // 24: the entitlement does not exist. 30: the variable already is the extension's id.
    let service = ShopText.bellPlist.components(around: "$(PRODUCT_BUNDLE_IDENTIFIER)")
      .joined(separator: "$(PRODUCT_BUNDLE_IDENTIFIER).notificationService")
    let rights = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"> <dict>
        <key>com.apple.developer.user-notifications</key>
        <true/>
      </dict> </plist>
      """
    let files = ["Service/Info.plist": service, "Service/Service.entitlements": rights]
    #expect(doctor(files) == [.inventedEntitlement, .doubledBundleID])
  }

  @Test func `settings of the office app and of the clock`() {
    // 79 and 76: audio mode without audible content of its own (2.5.4).
    let audio = ShopText.plist("<key>UIBackgroundModes</key>\n<array>\n<string>audio</string>\n</array>")
    #expect(doctor(["Info.plist": audio]) == [.audioModeUnused])
    // 45: an exception in the extension's plist is possible, but HTTPS is better.
    let service = ShopText.bellPlist.components(around: "\t<key>NSExtension</key>").joined(
      separator:
        "<key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key><true/></dict>\n<key>NSExtension</key>"
    )
    #expect(doctor(["Voice/Info.plist": service]) == [.arbitraryLoads])
  }
}

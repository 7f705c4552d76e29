extension Rule {
  static let headers: [Rule] = [
    Rule(
      .noPushType, .warning,
      RuleText(
        "The header apns-push-type is missing; newer features and watches then fail.",
        "Send alert for visible pushes, background for silent ones."),
      RuleText("缺少 apns-push-type 头，新功能和手表会失效。", "可见推送写 alert，静默推送写 background。"), Basis.sending),
    Rule(
      .unknownPushType, .error,
      RuleText("This apns-push-type does not exist.", "Use one of Apple's values, usually alert or background."),
      RuleText("没有这个 apns-push-type。", "使用苹果列出的值，通常是 alert 或 background。"), Basis.sending),
    Rule(
      .pushTypeMismatch, .error,
      RuleText(
        "apns-push-type does not fit the payload; APNs may delay or drop the push.",
        "Send alert with an alert, sound or badge; background with nothing but content-available."),
      RuleText("apns-push-type 与内容不符，APNs 可能延迟或丢弃。", "有 alert、sound、badge 用 alert；只有 content-available 用 background。"),
      Basis.sending),
    Rule(
      .backgroundPriority, .error,
      RuleText("A silent push must have priority 5; Apple calls 10 an error.", "Send apns-priority: 5."),
      RuleText("静默推送的优先级必须是 5，苹果说明 10 是错误。", "发送 apns-priority: 5。"), Basis.sending),
    Rule(
      .badPriority, .error,
      RuleText("This apns-priority does not exist.", "Use 10, 5 or 1."),
      RuleText("没有这个 apns-priority。", "使用 10、5 或 1。"), Basis.sending),
    Rule(
      .badTopic, .error,
      RuleText(
        "apns-topic is missing or does not fit the push type.",
        "Use the app's bundle id, with the suffix of the push type if it has one."),
      RuleText("缺少 apns-topic，或与推送类型不符。", "使用应用的 bundle id，需要时加推送类型的后缀。"), Basis.sending),
    Rule(
      .badCollapseID, .error,
      RuleText("apns-collapse-id must have 1 to 64 bytes.", "Shorten it, for example to a hash."),
      RuleText("apns-collapse-id 必须是 1 到 64 字节。", "缩短，例如用哈希。"), Basis.sending),
    Rule(
      .badMessageID, .error,
      RuleText("apns-id is no lower-case UUID.", "Send a UUID in the form 8-4-4-4-12, or leave the header out."),
      RuleText("apns-id 不是小写 UUID。", "用 8-4-4-4-12 形式，或不发送。"), Basis.sending),
    Rule(
      .badExpiration, .error,
      RuleText(
        "apns-expiration is neither 0 nor UNIX seconds in the future.", "Send 0 for one attempt, or seconds since 1970."
      ),
      RuleText("apns-expiration 既不是 0，也不是将来的 UNIX 秒。", "只试一次写 0，否则写 1970 年以来的秒数。"), Basis.sending),
    Rule(
      .noExpiration, .hint,
      RuleText(
        "A spoken push has no apns-expiration, so that it may be spoken hours later.",
        "Set it to the time after which speaking makes no sense."),
      RuleText("要播报的推送没有 apns-expiration，可能几小时后才响。", "设为不再需要播报的时间。"), Basis.sending),
    Rule(
      .voipPush, .warning,
      RuleText(
        "A VoIP push must report a call to CallKit; apps that do not are killed and then no longer started.",
        "Use an alert push with a service extension."),
      RuleText("VoIP 推送必须向 CallKit 报告来电，否则应用会被结束并不再启动。", "改用提醒推送加服务扩展。"), Basis.voip),
    Rule(
      .wrongHost, .error,
      RuleText("This host is not APNs' HTTP/2 service.", "Use api.push.apple.com or api.sandbox.push.apple.com."),
      RuleText("这个主机不是 APNs 的 HTTP/2 服务。", "使用 api.push.apple.com 或 api.sandbox.push.apple.com。"), Basis.sending),
    Rule(
      .badToken, .error,
      RuleText(
        "The device token in the address is not plain hexadecimal.",
        "Strip spaces and brackets and write the bytes in hexadecimal."),
      RuleText("地址里的设备令牌不是纯十六进制。", "去掉空格和尖括号，用十六进制书写。"), Basis.deviceResponses),
    Rule(
      .wrongMethod, .error,
      RuleText("APNs takes POST only.", "Send the payload as the body of a POST."),
      RuleText("APNs 只接受 POST。", "用 POST 把内容放在正文里。"), Basis.sending),
  ]
}

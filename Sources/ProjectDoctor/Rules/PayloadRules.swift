extension Rule {
  static let payload: [Rule] = [
    Rule(
      .invalidJSON, .error,
      RuleText("The payload is not JSON.", "Correct the text at this place; APNs refuses it otherwise."),
      RuleText("推送内容不是合法的 JSON。", "按所示位置改正，否则 APNs 会拒收。"), Basis.json),
    Rule(
      .duplicateKey, .error,
      RuleText("A key stands twice in one object, so that one of the values is lost.", "Keep one of them."),
      RuleText("同一对象里同一个键出现两次，其中一个值会丢失。", "只保留一个。"), Basis.json),
    Rule(
      .noAPS, .error,
      RuleText(
        "There is no “aps” object, so iOS does nothing with the push.", "Put the notification inside \"aps\": {…}."),
      RuleText("缺少 aps 对象，iOS 不会处理这条推送。", "把通知内容放进 \"aps\": {…}。"), Basis.payload),
    Rule(
      .misspeltKey, .error,
      RuleText("A key of “aps” is misspelt, so iOS ignores it.", "Write it as Apple does: lower case with hyphens."),
      RuleText("aps 里的键拼写有误，iOS 会忽略它。", "按苹果的写法：小写加连字符。"), Basis.payload),
    Rule(
      .flagNotOne, .error,
      RuleText("This flag must be the number 1; a text or true is not the documented form.", "Write 1 without quotes."),
      RuleText("这个开关必须是数字 1，字符串或 true 都不符合文档。", "写成不带引号的 1。"), Basis.payload),
    Rule(
      .customKeyInside, .warning,
      RuleText("A key that Apple does not define stands inside “aps”, where it is ignored.", "Move it beside “aps”."),
      RuleText("自定义键放在 aps 里面会被忽略。", "移到 aps 外面，与它并列。"), Basis.payload),
    Rule(
      .mutableSilent, .warning,
      RuleText(
        "“mutable-content” on a silent push does nothing: the service extension only runs for pushes with alert text.",
        "Leave it out, or send an alert push if the extension is to run."),
      RuleText("静默推送里的 mutable-content 不起作用：只有带提醒文字的推送才会启动服务扩展。", "去掉它；要启动扩展就改发提醒推送。"),
      Basis.modify),
    Rule(
      .mutableZero, .hint,
      RuleText(
        "“mutable-content”: 0 is the same as leaving it out; the extension has its own process and its own 30 seconds.",
        "Leave it out, or set it to 1 and let the extension make the sound."),
      RuleText("mutable-content 写 0 与不写相同；扩展有独立进程和自己的 30 秒。", "删掉，或设为 1 让扩展来准备声音。"), Basis.service),
    Rule(
      .mixedSilent, .warning,
      RuleText(
        "“content-available” stands together with an alert, a badge or a sound, so this is no silent push.",
        "Send it with apns-push-type alert, or take the visible keys out."),
      RuleText("content-available 与 alert、badge 或 sound 同时出现，就不再是静默推送。", "按 alert 类型发送，或去掉可见的键。"), Basis.background),
    Rule(
      .notMutable, .error,
      RuleText(
        "This push is to be spoken, but “mutable-content”: 1 is missing inside “aps”, so the service extension never runs.",
        "Add \"mutable-content\": 1 inside aps."),
      RuleText("要播报的推送缺少 aps 内的 \"mutable-content\": 1，服务扩展不会运行。", "在 aps 里加上 \"mutable-content\": 1。"), Basis.modify),
    Rule(
      .spokenSilent, .warning,
      RuleText(
        "Something to say travels in a silent push: it does not reach an app that was force-quit, is throttled to a few an hour and cannot start audio in the background.",
        "Send an alert push with mutable-content 1 and let the extension set a sound file."),
      RuleText("用静默推送来播报：应用被上滑结束后收不到，每小时只有两三条，而且后台不能开始播放声音。", "改用带 mutable-content 1 的提醒推送，由扩展设置声音文件。"),
      Basis.background),
    Rule(
      .tooLarge, .error,
      RuleText(
        "The payload is larger than APNs takes.",
        "Shorten the largest members that are named, or send an address instead of the content."),
      RuleText("推送内容超过 APNs 的上限。", "缩短所列的最大成员，或只传地址。"), Basis.payload),
    Rule(
      .soundWithoutExtension, .warning,
      RuleText(
        "The sound's name has no file extension; several iOS versions then play the default sound.",
        "Give the full name, such as paid.caf."),
      RuleText("声音名没有扩展名，部分 iOS 版本会播放默认声音。", "写完整文件名，例如 paid.caf。"), Basis.sound),
    Rule(
      .soundFormatName, .error,
      RuleText(
        "iOS does not play this kind of file as a notification sound.",
        "Use .caf, .wav or .aiff (aloud convert makes one)."),
      RuleText("iOS 不支持用这种文件作为通知声音。", "使用 .caf、.wav 或 .aiff（可用 aloud convert 转换）。"), Basis.sound),
    Rule(
      .soundPath, .error,
      RuleText(
        "The sound's name contains a folder; iOS looks for a plain file name.",
        "Put the file at the bundle's root or in Library/Sounds and name only the file."),
      RuleText("声音名里带有目录，而 iOS 只按文件名查找。", "把文件放在包的根目录或 Library/Sounds，只写文件名。"), Basis.lookUp),
    Rule(
      .criticalSound, .error,
      RuleText(
        "The sound dictionary is not complete: it takes critical 1, a name, and a volume from 0 to 1.",
        "Correct it, or use a plain text for an ordinary sound."),
      RuleText("声音字典不完整：需要 critical 为 1、name，以及 0 到 1 的 volume。", "改正，或普通声音直接写文件名。"), Basis.payload),
    Rule(
      .criticalNeedsEntitlement, .hint,
      RuleText(
        "A critical sound needs an entitlement that Apple grants; without it the default sound plays instead of the named one.",
        "Use a plain named sound unless Apple has granted it."),
      RuleText("紧急声音需要苹果单独批准的权限，没有时会改播默认声音。", "未获批准就用普通声音名。"), Basis.critical),
    Rule(
      .soundNull, .warning,
      RuleText(
        "“sound”: null is not described by Apple.", "Leave the key out, or better name a bundled fallback sound."),
      RuleText("\"sound\": null 不在苹果文档之内。", "删去此键，最好写一个包内的后备声音。"), Basis.payload),
    Rule(
      .badLevel, .error,
      RuleText("This interruption level does not exist.", "Use passive, active, time-sensitive or critical."),
      RuleText("没有这个中断级别。", "使用 passive、active、time-sensitive 或 critical。"), Basis.level),
    Rule(
      .passiveSound, .warning,
      RuleText(
        "A passive notification plays no sound, so nothing is heard.",
        "Use active, or time-sensitive with its capability."),
      RuleText("passive 级别不会播放声音。", "改用 active，或具备权限时用 time-sensitive。"), Basis.level),
    Rule(
      .expired, .warning,
      RuleText(
        "The event's “until” has passed or lies before its “at”, so the phone shows it without speaking.",
        "Set until to the UNIX seconds until which speaking makes sense."),
      RuleText("事件的 until 已过或早于 at，手机只显示不播报。", "把 until 设为仍有必要播报的 UNIX 秒。"), Basis.sending),
    Rule(
      .noEventID, .error,
      RuleText(
        "The event has no id, so that a resend is spoken twice or a second sale is lost.",
        "Give each event an id of its own, such as the order's."),
      RuleText("事件没有 id，重发会重复播报，或漏掉第二笔。", "给每个事件唯一的 id，例如订单号。"), "https://github.com/breez/glow-web/pull/8"),
    Rule(
      .dedupeByAmount, .error,
      RuleText(
        "The identity of the event is made from its amount; two customers who pay the same are then one.",
        "Use the transaction's own id."),
      RuleText("用金额作为去重标识，会把两位付款相同的顾客当成一笔。", "使用交易自己的编号。"), "https://github.com/breez/glow-web/pull/8"),
    Rule(
      .floatAmount, .warning,
      RuleText(
        "The amount is a JSON number; the phone reads it as a binary fraction and may lose cents.",
        "Send it as text in quotes."),
      RuleText("金额是 JSON 数字，手机会按二进制小数读取，可能差一分。", "用带引号的文本发送。"), "https://www.rfc-editor.org/rfc/rfc8259#section-6"),
    Rule(
      .badAmount, .error,
      RuleText(
        "The amount cannot be read exactly, so the phone will not say it.",
        "Send digits with a point and an ISO 4217 currency, such as \"28.50\" and \"CNY\"."),
      RuleText("金额无法精确读取，手机不会播报。", "发送数字文本和 ISO 4217 币种，例如 \"28.50\"、\"CNY\"。"),
      "https://www.iso.org/iso-4217-currency-codes.html"),
    Rule(
      .longSpeech, .warning,
      RuleText(
        "Saying this takes more than 5 seconds; with the screen on iOS stops the sound when the banner goes.",
        "Say the amount first and shorten the rest."),
      RuleText("播报超过 5 秒；亮屏时横幅消失声音就停止。", "先说金额，其余缩短。"), "https://github.com/invertase/notifee/issues/436"),
    Rule(
      .tooLongSpeech, .error,
      RuleText(
        "Saying this takes more than 29 seconds; from 30 on iOS plays the default sound instead.", "Shorten the text."),
      RuleText("播报超过 29 秒；达到 30 秒 iOS 会改播默认声音。", "缩短文字。"), Basis.sound),
    Rule(
      .noAlertText, .error,
      RuleText(
        "A spoken push has no alert text, so iOS does not start the service extension.",
        "Add a title or a body that is not blank."),
      RuleText("要播报的推送没有提醒文字，iOS 不会启动服务扩展。", "加上非空的标题或正文。"), Basis.modify),
    Rule(
      .noFallbackSound, .warning,
      RuleText(
        "A spoken push names no sound, so it is silent when the extension cannot make one.",
        "Name a bundled file or \"default\" in aps.sound."),
      RuleText("要播报的推送没有 sound，扩展失败时就没有声音。", "在 aps.sound 写包内文件或 \"default\"。"), Basis.payload),
    Rule(
      .insecureSoundURL, .error,
      RuleText(
        "The sound is to be fetched without HTTPS; App Transport Security refuses that.", "Use an https address."),
      RuleText("声音地址不是 HTTPS，会被 ATS 拦截。", "使用 https 地址。"), Basis.plist + "/nsapptransportsecurity"),
    Rule(
      .spokenKeyInsideAPS, .error,
      RuleText(
        "What is to be said stands inside “aps”, where the extension's decoder does not look for it.",
        "Move it beside “aps”."),
      RuleText("播报内容放在 aps 里面，解码时不会读取。", "移到 aps 外面，与它并列。"), Basis.payload),
    Rule(
      .wrongType, .error,
      RuleText("A key of “aps” has a value of the wrong type.", "Use the type that Apple's table names."),
      RuleText("aps 里某个键的值类型不对。", "使用苹果文档表中的类型。"), Basis.payload),
    Rule(
      .vagueLocale, .warning,
      RuleText(
        "The locale is not one that can be spoken, or leaves open which language is meant.",
        "Use a full tag such as zh-CN, zh-TW or yue-HK."),
      RuleText("locale 不受支持，或没有说明是哪种语言。", "使用完整标签，如 zh-CN、zh-TW、yue-HK。"), "https://www.rfc-editor.org/rfc/rfc5646"),
  ]
}

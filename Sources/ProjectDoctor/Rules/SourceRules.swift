extension Rule {
  static let sourceCode: [Rule] = [
    Rule(
      .audioInExtension, .error,
      RuleText(
        "The service extension starts audio; iOS refuses that there with error 561015905.",
        "Write a sound file into the App Group and set content.sound."),
      RuleText("服务扩展里启动了音频，iOS 会以错误 561015905 拒绝。", "把声音文件写入 App Group 并设置 content.sound。"), Basis.playing),
    Rule(
      .speechInExtension, .error,
      RuleText(
        "The service extension speaks; a synthesizer is not heard there.",
        "Join clips or fetch a file, and set content.sound."),
      RuleText("服务扩展里直接朗读，是听不到的。", "拼接片段或下载文件，然后设置 content.sound。"), "https://developer.apple.com/forums/thread/764335"),
    Rule(
      .pushKitForSpeech, .error,
      RuleText(
        "PushKit is used for VoIP pushes without CallKit; iOS kills the app and then stops starting it.",
        "Use an alert push with a service extension."),
      RuleText("使用 PushKit 的 VoIP 推送却没有 CallKit，应用会被结束并不再启动。", "改用提醒推送加服务扩展。"), Basis.voip),
    Rule(
      .microphoneForSpeech, .warning,
      RuleText(
        "The code asks for the microphone, but nothing records; speech output does not need it.",
        "Take the request out."),
      RuleText("代码请求了麦克风，却没有录音；语音播报不需要它。", "删掉该请求。"), Basis.microphone),
    Rule(
      .fixedSoundName, .warning,
      RuleText(
        "A sound made at run time always has the same name; iOS may play the old one, and a second push overwrites the first.",
        "Name it by a hash or UUID and delete it later."),
      RuleText("运行时生成的声音总用同一个名字，iOS 可能播放旧内容，第二条会覆盖第一条。", "用哈希或 UUID 命名，之后再删。"),
      "https://github.com/dedene/zentty/pull/19"),
    Rule(
      .secondsSoundName, .warning,
      RuleText(
        "A sound is named by the clock in seconds; two pushes within a second collide.",
        "Name it by the event's id or a UUID."),
      RuleText("用秒级时间命名声音，同一秒的两条推送会冲突。", "用事件 id 或 UUID 命名。"), Basis.lookUp),
    Rule(
      .handlerNeverCalled, .error,
      RuleText(
        "The service extension never calls its content handler, so that the original content appears after 30 seconds.",
        "Call it on every way out."),
      RuleText("服务扩展没有调用 contentHandler，30 秒后才显示原内容。", "在每条出路上都调用它。"), Basis.receive),
    Rule(
      .handlerMaybeTwice, .warning,
      RuleText(
        "The content handler may be called twice: several functions call it and nothing clears it.",
        "Take it out and set it to nil under a lock before calling it."),
      RuleText("contentHandler 可能被调用两次：多个函数都会调用而没有清空。", "加锁取出并置 nil 后再调用。"),
      "https://github.com/nextcloud/ios/pull/4174"),
    Rule(
      .noExpiryHandler, .error,
      RuleText(
        "The service extension has no serviceExtensionTimeWillExpire, so that its work is lost when time runs out.",
        "Implement it and deliver the best content so far."),
      RuleText("服务扩展没有实现 serviceExtensionTimeWillExpire，超时后前功尽弃。", "实现它并交出当前最好的内容。"), Basis.expire),
    Rule(
      .silentLoop, .error,
      RuleText(
        "An endless, all but silent sound keeps the app alive; reviewers refuse that under 2.5.4, and it drains the battery.",
        "Use repeating calendar notifications with sound files."),
      RuleText("用几乎无声的循环音频保活，会因 2.5.4 被拒，也很耗电。", "改用带声音文件的重复日历通知。"), Basis.review),
    Rule(
      .unretainedSynthesizer, .error,
      RuleText(
        "The speech synthesizer is not kept while it speaks, so that nothing is heard.",
        "Keep one in a strong property for the life of the app."),
      RuleText("朗读时没有保留合成器，会没有声音。", "用强引用属性长期保留一个。"), Basis.synthesizer),
    Rule(
      .inventedAPI, .error,
      RuleText("This API does not exist.", "Use what the detail names."),
      RuleText("没有这个接口。", "使用详情所列的接口。"), Basis.session),
    Rule(
      .speakerWithPlayback, .error,
      RuleText(
        "defaultToSpeaker only goes with the category playAndRecord; with playback setting the category fails.",
        "Leave it out: playback never uses the receiver."),
      RuleText("defaultToSpeaker 只能用于 playAndRecord，与 playback 同用会失败。", "去掉：playback 本来就不用听筒。"), Basis.session),
    Rule(
      .spokenAudioMode, .hint,
      RuleText(
        "The mode spokenAudio is for podcasts: it pauses your speech for others' prompts.",
        "Use voicePrompt (iOS 12 and later) for announcements."),
      RuleText("spokenAudio 模式用于播客，会因别人的提示而暂停你的语音。", "播报用 voicePrompt（iOS 12 起）。"), Basis.session),
    Rule(
      .loudUtterance, .warning,
      RuleText(
        "The volume of an utterance goes from 0 to 1; more has no effect.", "Use 1 and level the clips instead."),
      RuleText("朗读音量范围是 0 到 1，更大没有作用。", "用 1，改为统一片段响度。"), Basis.utterance),
    Rule(
      .darwinUserInfo, .error,
      RuleText(
        "A Darwin notification carries no userInfo and no object; the receiver gets neither.",
        "Write the data into the App Group and send the bare name."),
      RuleText("Darwin 通知不传递 userInfo 和 object。", "把数据写入 App Group，只发送名字。"), Basis.darwin),
    Rule(
      .standardDefaults, .hint,
      RuleText(
        "UserDefaults.standard of the extension is not the app's.", "Use UserDefaults(suiteName:) with the App Group."),
      RuleText("扩展的 UserDefaults.standard 与应用的不是同一个。", "使用 App Group 的 UserDefaults(suiteName:)。"), Basis.groups),
    Rule(
      .exportSession, .warning,
      RuleText(
        "An export session fails in extensions and in the background.", "Join the samples and write the file yourself."),
      RuleText("导出会话在扩展和后台会失败。", "自行拼接样本并写文件。"), "https://github.com/RunOfTheSnail/PlayCustomVoiceDemo/issues/7"),
    Rule(
      .amountAsDouble, .warning,
      RuleText(
        "An amount goes through a binary fraction; cents may be lost.", "Keep it as text, Decimal or minor units."),
      RuleText("金额经过二进制小数，可能差一分。", "用文本、Decimal 或最小货币单位。"),
      "https://github.com/A-kirami/nonebot-plugin-alipayvoice/issues/2"),
    Rule(
      .alertPresentation, .hint,
      RuleText("The presentation option alert is outdated since iOS 14.", "Use banner, list and sound."),
      RuleText("alert 显示选项自 iOS 14 起已过时。", "使用 banner、list 和 sound。"),
      "https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions"),
    Rule(
      .vagueVoice, .warning,
      RuleText(
        "The voice is chosen by a language tag that leaves the region open or does not exist.",
        "Use zh-CN, zh-HK or zh-TW and check that a voice came back."),
      RuleText("选择语音的语言标签没有地区或并不存在。", "使用 zh-CN、zh-HK 或 zh-TW，并检查是否取到语音。"), Basis.synthesizer),
    Rule(
      .speechInBackground, .warning,
      RuleText(
        "Speech is started in the callback of a silent push; an app cannot begin audio in the background.",
        "Post a notification with a sound file instead, and speak only in the foreground."),
      RuleText("在静默推送回调里开始朗读；应用不能在后台开始播放声音。", "改为带声音文件的通知，仅在前台朗读。"), Basis.backgroundAudio),
    Rule(
      .protectedSound, .warning,
      RuleText(
        "A file is written with complete protection; on a locked phone the system cannot play it.",
        "Use completeFileProtectionUntilFirstUserAuthentication or none."),
      RuleText("文件使用了完全保护，锁屏时系统无法播放。", "使用首次解锁后可读的保护级别或不保护。"), "https://github.com/signalapp/Signal-iOS/issues/5556"),
    Rule(
      .sharedState, .hint,
      RuleText(
        "The extension keeps state in a static variable; its process is reused and calls may overlap.",
        "Keep state in locals of the request, or lock it."),
      RuleText("扩展用静态变量保存状态；进程会复用，调用可能重叠。", "状态放在请求的局部变量里，或加锁。"),
      "https://github.com/element-hq/element-ios/issues/3326"),
  ]

  static let review: [Rule] = [
    Rule(
      .pushToTalkMode, .warning,
      RuleText("Push to Talk is declared without a channel manager; it is for walkie-talkies only.", "Take it out."),
      RuleText("声明了 Push to Talk 却没有频道管理，它只用于对讲。", "删掉。"),
      "https://developer.apple.com/documentation/pushtotalk/creating-a-push-to-talk-app"),
    Rule(
      .criticalGranted, .hint,
      RuleText(
        "The critical-alerts entitlement works only after Apple has granted it; payment notices are refused.",
        "Keep a plain sound as the ordinary way."),
      RuleText("紧急提醒权限须经苹果批准，收款类一般不予批准。", "平时使用普通声音。"), Basis.critical),
    Rule(
      .webViewInExtension, .warning,
      RuleText(
        "The service extension uses a web view; that is heavy, and hidden remote content is refused in review.",
        "Take it out."),
      RuleText("服务扩展使用了网页视图，既占资源，又可能因隐藏内容被拒。", "删掉。"), Basis.review),
  ]
}

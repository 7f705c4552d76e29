extension Rule {
  static let configuration: [Rule] = [
    Rule(
      .audioModeUnused, .warning,
      RuleText(
        "The background mode audio is declared, but the app plays nothing that a listener would start; reviewers refuse this under 2.5.4.",
        "Take it out: a notification's sound needs no background mode."),
      RuleText("声明了 audio 后台模式，却没有用户主动播放的内容，会因 2.5.4 被拒。", "删掉：通知声音不需要任何后台模式。"), Basis.review),
    Rule(
      .voipModeUnused, .error,
      RuleText(
        "The background mode voip is declared without PushKit and CallKit; reviewers refuse this.",
        "Take it out; plug-ins sometimes add it unasked."),
      RuleText("声明了 voip 后台模式，却没有使用 PushKit 和 CallKit，会被拒。", "删掉；有些插件会擅自加上。"), Basis.voip),
    Rule(
      .noRemoteNotificationMode, .warning,
      RuleText(
        "The app handles silent pushes, but the background mode remote-notification is missing, so they never wake it.",
        "Add remote-notification to UIBackgroundModes."),
      RuleText("应用处理静默推送，但缺少 remote-notification 后台模式，不会被唤醒。", "在 UIBackgroundModes 加上 remote-notification。"),
      Basis.background),
    Rule(
      .unknownMode, .warning,
      RuleText("This background mode does not exist.", "Use Apple's spelling, such as remote-notification."),
      RuleText("没有这个后台模式。", "使用苹果的拼写，如 remote-notification。"), Basis.modes),
    Rule(
      .extensionModes, .warning,
      RuleText(
        "UIBackgroundModes in the service extension does nothing; audio cannot be played there either way.",
        "Take it out."),
      RuleText("服务扩展里的 UIBackgroundModes 不起作用，也不能因此播放声音。", "删掉。"), "https://developer.apple.com/forums/thread/764335"),
    Rule(
      .microphoneText, .warning,
      RuleText(
        "NSMicrophoneUsageDescription is there, but nothing records; speech output needs no microphone, and asking for it breaks 5.1.1.",
        "Take it out."),
      RuleText("写了麦克风用途说明，却没有录音；语音播报不需要麦克风，请求它违反 5.1.1。", "删掉。"), Basis.microphone),
    Rule(
      .unknownPlistKey, .warning,
      RuleText("This key means nothing to iOS.", "Take it out; permissions are asked for in code."),
      RuleText("iOS 不认识这个键。", "删掉；权限在代码中请求。"), Basis.plist),
    Rule(
      .arbitraryLoads, .warning,
      RuleText(
        "NSAllowsArbitraryLoads is on; push does not need it and review asks for a reason.",
        "Use HTTPS, or name single domains in NSExceptionDomains."),
      RuleText("打开了 NSAllowsArbitraryLoads；推送不需要它，审核会要求说明。", "使用 HTTPS，或只列出个别域名。"),
      Basis.plist + "/nsapptransportsecurity"),
    Rule(
      .inventedEntitlement, .error,
      RuleText(
        "This entitlement does not exist; signing with it fails, and the extension gets the payload without any.",
        "Take it out."),
      RuleText("没有这个权限项，签名会失败；扩展读取内容不需要任何权限。", "删掉。"), Basis.entitlements),
    Rule(
      .noAPSEnvironment, .error,
      RuleText(
        "The app registers for push, but the entitlement aps-environment is missing, so it gets no token.",
        "Add the Push Notifications capability to the app target."),
      RuleText("应用注册了推送，却缺少 aps-environment 权限，拿不到令牌。", "给应用目标加上 Push Notifications 能力。"), Basis.apsEnvironment),
    Rule(
      .badAPSEnvironment, .error,
      RuleText("aps-environment must be development or production.", "Correct the value."),
      RuleText("aps-environment 只能是 development 或 production。", "改正该值。"), Basis.apsEnvironment),
    Rule(
      .groupMismatch, .error,
      RuleText(
        "App and extension do not share an App Group, so that sounds made by one are not found by the other.",
        "Give both targets the same group, in every configuration."),
      RuleText("应用与扩展没有相同的 App Group，彼此找不到对方的声音文件。", "两个目标在每个配置里都写同一个组。"), Basis.groups),
    Rule(
      .groupNotEntitled, .error,
      RuleText(
        "The code asks for an App Group that the target's entitlements do not name; the container is then nil.",
        "Write the same identifier in code and entitlements."),
      RuleText("代码使用的 App Group 不在该目标的权限里，容器会是 nil。", "让代码与权限里的标识一致。"), Basis.groups),
    Rule(
      .groupName, .error,
      RuleText("The identifier of an App Group must begin with “group.”.", "Rename it."),
      RuleText("App Group 标识必须以 group. 开头。", "改名。"), Basis.groups),
    Rule(
      .timeSensitiveMissing, .warning,
      RuleText(
        "The code uses the time-sensitive level, but the entitlement is missing, so it counts as active.",
        "Add the Time Sensitive Notifications capability."),
      RuleText("代码使用了时效性级别，但缺少权限，会按普通级别处理。", "加上 Time Sensitive Notifications 能力。"), Basis.level),
    Rule(
      .criticalMissing, .error,
      RuleText(
        "The code uses critical alerts, but the entitlement is missing; the default sound then plays instead of the named one.",
        "Use a plain named sound, or add the entitlement that Apple granted."),
      RuleText("代码使用了紧急提醒，但缺少权限，会改播默认声音。", "用普通声音，或加上苹果批准的权限。"), Basis.critical),
    Rule(
      .filteringOnApp, .warning,
      RuleText(
        "The filtering entitlement belongs to the extension, not to the app.",
        "Move it to the extension's entitlements."),
      RuleText("filtering 权限属于扩展，不属于应用。", "移到扩展的权限文件。"), Basis.filtering),
    Rule(
      .extensionPoint, .error,
      RuleText(
        "The extension's NSExtensionPointIdentifier is missing or wrong, so iOS never starts it.",
        "Write com.apple.usernotifications.service."),
      RuleText("扩展的 NSExtensionPointIdentifier 缺失或有误，iOS 不会启动它。", "写 com.apple.usernotifications.service。"),
      Basis.service),
    Rule(
      .principalClass, .error,
      RuleText(
        "The class in NSExtensionPrincipalClass is missing or not found in the extension's sources, so that iOS cannot start it.",
        "Swift: $(PRODUCT_MODULE_NAME).ClassName; Objective-C: the plain class name."),
      RuleText(
        "NSExtensionPrincipalClass 缺失，或扩展源码里没有这个类，iOS 无法启动它。", "Swift 写 $(PRODUCT_MODULE_NAME).类名，Objective-C 只写类名。"),
      Basis.service),
    Rule(
      .packageType, .warning,
      RuleText("CFBundlePackageType of an extension must be XPC!.", "Write XPC! or $(PRODUCT_BUNDLE_PACKAGE_TYPE)."),
      RuleText("扩展的 CFBundlePackageType 必须是 XPC!。", "写 XPC! 或 $(PRODUCT_BUNDLE_PACKAGE_TYPE)。"),
      Basis.plist + "/cfbundlepackagetype"),
    Rule(
      .doubledBundleID, .error,
      RuleText(
        "In the extension $(PRODUCT_BUNDLE_IDENTIFIER) already is the extension's own id; a suffix makes another id that no profile covers.",
        "Write $(PRODUCT_BUNDLE_IDENTIFIER) alone and set the build setting to the app's id plus a suffix."),
      RuleText(
        "在扩展里 $(PRODUCT_BUNDLE_IDENTIFIER) 已是扩展自己的标识，再加后缀会变成另一个标识。", "只写 $(PRODUCT_BUNDLE_IDENTIFIER)，在编译设置里写成应用标识加后缀。"),
      Basis.plist + "/cfbundleidentifier"),
    Rule(
      .noPrivacyManifest, .warning,
      RuleText(
        "The target uses an API that needs a declared reason (shared defaults, file dates, disk space), but has no PrivacyInfo.xcprivacy.",
        "Add a privacy manifest to the target."),
      RuleText("该目标使用了需要申报理由的接口，却没有 PrivacyInfo.xcprivacy。", "给该目标加上隐私清单。"), Basis.privacy),
    Rule(
      .alarmText, .error,
      RuleText(
        "AlarmKit is used, but NSAlarmKitUsageDescription is missing or empty, so that no alarm can be set.",
        "Say in the key why alarms are needed."),
      RuleText("使用了 AlarmKit，但 NSAlarmKitUsageDescription 缺失或为空，无法设置闹钟。", "在该键写明用途。"), Basis.alarm),
    Rule(
      .profileMismatch, .error,
      RuleText(
        "The signed entitlements and the provisioning profile do not agree; the capability is lost on the phone.",
        "Renew the profile after each change of capabilities and sign again."),
      RuleText("签名权限与描述文件不一致，手机上会失去该能力。", "修改能力后更新描述文件并重新签名。"), Basis.entitlements),
    Rule(
      .profileExpired, .warning,
      RuleText("The provisioning profile has expired.", "Renew it and sign again."),
      RuleText("描述文件已过期。", "更新后重新签名。"), Basis.entitlements),
    Rule(
      .unreadablePlist, .error,
      RuleText("This property list cannot be read.", "Correct it at this place; the rest was checked without it."),
      RuleText("无法读取这个属性列表。", "按所示位置改正；其余部分已照常检查。"), Basis.plist),
  ]
}

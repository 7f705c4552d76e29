extension Rule {
  static let targets: [Rule] = [
    Rule(
      .noExtensionTarget, .error,
      RuleText(
        "There is a service extension class, but no extension target compiles it, so iOS never runs it.",
        "Add a Notification Service Extension target that holds the file."),
      RuleText("有服务扩展类，却没有扩展目标编译它，iOS 不会运行。", "新建 Notification Service Extension 目标并加入该文件。"), Basis.service),
    Rule(
      .notEmbedded, .error,
      RuleText(
        "No app embeds the service extension, so it is not on the phone.",
        "Add it to the app's “Embed App Extensions” phase."),
      RuleText("没有应用嵌入这个服务扩展，手机上就没有它。", "加到应用的 Embed App Extensions 阶段。"), Basis.service),
    Rule(
      .wrongEmbedFolder, .error,
      RuleText(
        "The extension is copied to a folder where iOS does not look for extensions.",
        "Set the phase's destination to Plug-ins (13)."),
      RuleText("扩展被复制到 iOS 不会查找的目录。", "把该阶段的目标设为 PlugIns（13）。"), Basis.service),
    Rule(
      .deploymentTarget, .error,
      RuleText(
        "The extension needs a newer iOS than the app, so that on older phones it is silently absent.",
        "Set IPHONEOS_DEPLOYMENT_TARGET of the extension to the app's or lower."),
      RuleText("扩展要求的 iOS 版本高于应用，在旧系统上会悄悄缺席。", "把扩展的 IPHONEOS_DEPLOYMENT_TARGET 设为不高于应用。"),
      "https://github.com/OneSignal/OneSignal-iOS-SDK/issues/450"),
    Rule(
      .bundlePrefix, .error,
      RuleText(
        "The extension's bundle id does not begin with the app's and a dot.",
        "Make it the app's id plus a suffix, in every configuration."),
      RuleText("扩展的 bundle id 没有以应用的 id 加点开头。", "每个配置都写成应用 id 加后缀。"), Basis.plist + "/cfbundleidentifier"),
    Rule(
      .versionMismatch, .warning,
      RuleText(
        "Version or build of the extension differ from the app's; the upload warns (ITMS-90473).",
        "Give both the same MARKETING_VERSION and CURRENT_PROJECT_VERSION."),
      RuleText("扩展的版本号或构建号与应用不同，上传会警告（ITMS-90473）。", "两者使用相同的版本号与构建号。"),
      "https://github.com/flutter/flutter/issues/66448"),
    Rule(
      .phaseOrder, .error,
      RuleText(
        "“Thin Binary” stands before “Embed App Extensions”; newer Xcode then reports a cycle and does not build.",
        "Move the embed phase above “Thin Binary”."),
      RuleText("Thin Binary 排在 Embed App Extensions 之前，新版 Xcode 会报循环依赖。", "把嵌入阶段移到 Thin Binary 上面。"),
      "https://github.com/flutter/flutter/issues/135056"),
    Rule(
      .unreadableProject, .error,
      RuleText("The project file cannot be read.", "Open it in Xcode, resolve merge marks at this place and save."),
      RuleText("无法读取工程文件。", "用 Xcode 打开，处理此处的合并标记后保存。"), "https://developer.apple.com/documentation/xcode"),
    Rule(
      .missingInclude, .warning,
      RuleText(
        "An included xcconfig file does not exist, so its settings are not known.",
        "Run pod install or flutter pub get, or correct the path."),
      RuleText("包含的 xcconfig 文件不存在，无法得知其中的设置。", "运行 pod install 或 flutter pub get，或改正路径。"),
      "https://developer.apple.com/documentation/xcode/adding-a-build-configuration-file-to-your-project"),
    Rule(
      .missingFile, .error,
      RuleText(
        "A file that the build settings name does not exist.", "Correct INFOPLIST_FILE or CODE_SIGN_ENTITLEMENTS."),
      RuleText("编译设置指定的文件不存在。", "改正 INFOPLIST_FILE 或 CODE_SIGN_ENTITLEMENTS。"),
      "https://developer.apple.com/documentation/xcode/build-settings-reference"),
    Rule(
      .severalExtensions, .error,
      RuleText(
        "One app embeds several service extensions; iOS sends every notification to one of them.",
        "Keep one, and call the others' code from it."),
      RuleText("一个应用嵌入了多个服务扩展，所有通知只会交给其中一个。", "只保留一个，由它调用其余代码。"), Basis.service),
    Rule(
      .notGenerated, .hint,
      RuleText(
        "The Xcode project is generated and is not here; only files were checked.",
        "Run xcodegen generate or tuist generate and check again."),
      RuleText("Xcode 工程需要生成而此处没有，只检查了文件。", "运行 xcodegen generate 或 tuist generate 后再检查。"),
      "https://developer.apple.com/documentation/xcode"),
    Rule(
      .incomplete, .hint,
      RuleText("A part could not be read and was left out.", "See the detail; everything else was checked."),
      RuleText("有一部分无法读取，已略过。", "见详情；其余部分已检查。"), "https://developer.apple.com/documentation/xcode"),
    Rule(
      .badSilence, .warning,
      RuleText(
        "A line of .aloud-doctor is not “CODE path: reason”.",
        "Write a known code, optionally a path, a colon and a reason."),
      RuleText(".aloud-doctor 中有一行不是“代码 路径: 理由”。", "写已知代码、可选路径、冒号和理由。"),
      "https://developer.apple.com/documentation/xcode"),
  ]

  static let sounds: [Rule] = [
    Rule(
      .unreadableSound, .error,
      RuleText(
        "The sound file is damaged; iOS then plays the default sound or none.", "Make it again with aloud convert."),
      RuleText("声音文件已损坏，iOS 会播放默认声音或没有声音。", "用 aloud convert 重新制作。"),
      "https://github.com/rafaelsetragni/awesome_notifications/issues/394"),
    Rule(
      .unsupportedSound, .error,
      RuleText(
        "iOS does not take this encoding for notification sounds.",
        "Use Linear PCM, IMA4, µ-law or A-law in CAF, WAV or AIFF."),
      RuleText("iOS 的通知声音不支持这种编码。", "使用 CAF、WAV、AIFF 中的 LPCM、IMA4、µ-law 或 A-law。"), Basis.sound),
    Rule(
      .tooLongSound, .error,
      RuleText("The sound lasts 30 seconds or more, so iOS plays the default one.", "Keep it at 29 seconds or less."),
      RuleText("声音达到或超过 30 秒，iOS 会改播默认声音。", "控制在 29 秒以内。"), Basis.sound),
    Rule(
      .longSound, .warning,
      RuleText(
        "The sound lasts more than 5 seconds; with the screen on iOS stops it when the banner goes.",
        "Put what matters into the first 5 seconds."),
      RuleText("声音超过 5 秒；亮屏时横幅消失声音就停止。", "把要点放在前 5 秒。"), "https://github.com/invertase/notifee/issues/436"),
    Rule(
      .soundContentMismatch, .error,
      RuleText(
        "The content of the file is of another kind than its name says.",
        "Convert it, or give it the extension of its content."),
      RuleText("文件内容与扩展名不符。", "转换文件，或改成与内容一致的扩展名。"), "https://github.com/signalapp/Signal-iOS/pull/3064"),
    Rule(
      .soundInCatalog, .error,
      RuleText(
        "A sound lies in an asset catalog, where only NSDataAsset finds it and a notification does not.",
        "Put it into the target as a loose file (Copy Bundle Resources)."),
      RuleText("声音放在资源目录（asset catalog）里，通知找不到它。", "作为普通文件加入目标（Copy Bundle Resources）。"), Basis.asset),
    Rule(
      .soundInFolder, .error,
      RuleText(
        "The sound ends up in a sub-folder of the bundle; iOS looks at the bundle's root only.",
        "Add it as a file or a group, not as a folder reference."),
      RuleText("声音会进入包的子目录，而 iOS 只查根目录。", "以文件或组的方式加入，不要用文件夹引用。"), Basis.lookUp),
    Rule(
      .clipsMissing, .error,
      RuleText(
        "The extension reads clips from its own bundle, but they are only in the app's.",
        "Add the clips to the extension target as well."),
      RuleText("扩展从自己的包读取片段，但片段只在应用里。", "把片段也加入扩展目标。"), Basis.lookUp),
    Rule(
      .soundNotFound, .warning,
      RuleText(
        "The named sound is in no target, so that the default sound plays.",
        "Add the file, or correct the name; case and extension must match."),
      RuleText("所写的声音不在任何目标里，会播放默认声音。", "加入文件或改正名字，大小写与扩展名须一致。"), Basis.lookUp),
    Rule(
      .nearLimitSound, .warning,
      RuleText(
        "The sound lasts more than 29 seconds; at 30 iOS plays the default one.", "Keep it at 29 seconds or less."),
      RuleText("声音超过 29 秒；到 30 秒就会改播默认声音。", "控制在 29 秒以内。"),
      "https://github.com/katzer/cordova-plugin-local-notifications/issues/444"),
    Rule(
      .heavySound, .hint,
      RuleText(
        "The sound takes more than a megabyte; IMA4, mono, needs about a quarter of it.",
        "aloud convert IN OUT.caf makes it smaller."),
      RuleText("声音超过 1 MB；单声道 IMA4 约为四分之一。", "用 aloud convert 压缩。"), "https://github.com/home-assistant/iOS/pull/861"),
  ]
}

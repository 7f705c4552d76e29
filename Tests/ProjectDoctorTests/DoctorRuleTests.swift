import ProjectDoctor
import Testing

/// One rule of projects: changes of the clean project that break it.
///
/// The clean project itself is the passing fixture, and
/// where it says little, further changes are.
struct DoctorCase: Sendable, CustomTestStringConvertible {
  var code: RuleCode
  var failing: [TestFiles.Edit]
  var passing: [TestFiles.Edit]
  var testDescription: String { code.rawValue }

  init(_ code: RuleCode, _ failing: [TestFiles.Edit], passing: [TestFiles.Edit] = []) {
    (self.code, self.failing, self.passing) = (code, failing, passing)
  }

  static let pbx = "Shop.xcodeproj/project.pbxproj"
  static let app = "Shop/AppDelegate.swift"
  static let service = "Bell/NotificationService.swift"

  static func plistKey(_ key: String, _ value: String, in file: String = "Shop/Info.plist") -> TestFiles.Edit {
    .replace(file, "<dict>\n\t<key>", "<dict>\n\t<key>\(key)</key>\n\t\(value)\n\t<key>")
  }
  static func modes(_ names: String...) -> TestFiles.Edit {
    plistKey("UIBackgroundModes", "<array>" + names.map { "<string>\($0)</string>" }.joined() + "</array>")
  }
  static func inApp(_ code: String) -> TestFiles.Edit { .replace(app, "  func remind()", "\(code)\n\n  func remind()") }
  static func inService(_ code: String) -> TestFiles.Edit {
    .replace(service, "    finish()\n  }\n\n", "    \(code)\n    finish()\n  }\n\n")
  }
  static func appKey(_ key: String, _ value: String) -> TestFiles.Edit {
    plistKey(key, value, in: "Shop/Shop.entitlements")
  }
  static let silentHandler = inApp(
    "  func application(_ a: UIApplication, didReceiveRemoteNotification i: [AnyHashable: Any], fetchCompletionHandler c: @escaping (Int) -> Void) { c(0) }"
  )
  static let plays = inApp("  var player: AVAudioPlayer?")

  static let configuration: [DoctorCase] = [
    .init(.audioModeUnused, [modes("audio")], passing: [modes("audio"), plays]),
    .init(
      .voipModeUnused, [modes("voip")], passing: [modes("voip"), inApp("  var r: PKPushRegistry?; var p: CXProvider?")]),
    .init(.noRemoteNotificationMode, [silentHandler], passing: [silentHandler, modes("remote-notification")]),
    .init(.unknownMode, [modes("remote-notifications")], passing: [modes("fetch")]),
    .init(
      .extensionModes, [plistKey("UIBackgroundModes", "<array><string>audio</string></array>", in: "Bell/Info.plist")]),
    .init(
      .microphoneText, [plistKey("NSMicrophoneUsageDescription", "<string>for announcements</string>")],
      passing: [plistKey("NSMicrophoneUsageDescription", "<string>memos</string>"), inApp("  var r: AVAudioRecorder?")]),
    .init(.unknownPlistKey, [plistKey("UIUserNotificationTypes", "<string></string>")]),
    .init(
      .arbitraryLoads, [plistKey("NSAppTransportSecurity", "<dict><key>NSAllowsArbitraryLoads</key><true/></dict>")],
      passing: [plistKey("NSAppTransportSecurity", "<dict><key>NSAllowsLocalNetworking</key><true/></dict>")]),
    .init(
      .inventedEntitlement,
      [plistKey("com.apple.developer.user-notifications", "<true/>", in: "Bell/Bell.entitlements")]),
    .init(.noAPSEnvironment, [.replace("Shop/Shop.entitlements", "aps-environment", "aps-environment-off")]),
    .init(.badAPSEnvironment, [.replace("Shop/Shop.entitlements", "development", "sandbox")]),
    .init(.groupMismatch, [.replace("Bell/Bell.entitlements", "$(GROUP_ID)", "group.com.example.other")]),
    .init(.groupNotEntitled, [.replace(service, "group.com.example.shop", "group.com.example.shp")]),
    .init(.groupName, [.replace("Config/Base.xcconfig", "group.com.example.shop", "com.example.shop")]),
    .init(
      .timeSensitiveMissing, [inApp("  let level = UNNotificationInterruptionLevel.timeSensitive")],
      passing: [
        inApp("  let level = UNNotificationInterruptionLevel.timeSensitive"),
        appKey("com.apple.developer.usernotifications.time-sensitive", "<true/>"),
      ]),
    .init(
      .criticalMissing, [inApp("  let o: UNAuthorizationOptions = [.criticalAlert]")],
      passing: [
        inApp("  let o: UNAuthorizationOptions = [.criticalAlert]"),
        appKey("com.apple.developer.usernotifications.critical-alerts", "<true/>"),
      ]),
    .init(
      .filteringOnApp, [appKey("com.apple.developer.usernotifications.filtering", "<true/>")],
      passing: [plistKey("com.apple.developer.usernotifications.filtering", "<true/>", in: "Bell/Bell.entitlements")]),
    .init(
      .extensionPoint,
      [
        .replace(
          "Bell/Info.plist",
          "<key>NSExtensionPointIdentifier</key>\n\t\t<string>com.apple.usernotifications.service</string>", "")
      ]),
    .init(
      .principalClass,
      [.replace("Bell/Info.plist", "$(PRODUCT_MODULE_NAME).NotificationService", "NotificationService")]),
    .init(.packageType, [.replace("Bell/Info.plist", "XPC!", "APPL")]),
    .init(
      .doubledBundleID,
      [.replace("Bell/Info.plist", "$(PRODUCT_BUNDLE_IDENTIFIER)", "$(PRODUCT_BUNDLE_IDENTIFIER).notificationService")]),
    .init(
      .noPrivacyManifest,
      [.replace(pbx, "\t\t\t\tB10000000000000000000004 /* PrivacyInfo.xcprivacy in Resources */,\n", "")],
      passing: [.replace(service, "UserDefaults", "SharedFile"), inApp("// nothing")]),
    .init(
      .alarmText, [inApp("  let alarms = AlarmManager.shared")],
      passing: [
        inApp("  let alarms = AlarmManager.shared"),
        plistKey("NSAlarmKitUsageDescription", "<string>To wake you.</string>"),
      ]),
    .init(.unreadablePlist, [.write("Shop/Info.plist", "<plist><dict><key>a</key></dict></plist>")]),
    .init(
      .pushToTalkMode, [modes("push-to-talk")], passing: [modes("push-to-talk"), inApp("  var m: PTChannelManager?")]),
    .init(.criticalGranted, [appKey("com.apple.developer.usernotifications.critical-alerts", "<true/>")]),
  ]

  static let targets: [DoctorCase] = [
    .init(
      .noExtensionTarget,
      [
        .replace(pbx, "\t\t\t\tE10000000000000000000002 /* Bell */,\n", ""),
        .replace(
          pbx, "\t\t\t\tB10000000000000000000001 /* AppDelegate.swift in Sources */,\n",
          "\t\t\t\tB10000000000000000000001 /* AppDelegate.swift in Sources */,\n\t\t\t\tB10000000000000000000003,\n"),
      ]),
    .init(
      .notEmbedded,
      [.replace(pbx, "\t\t\t\tB10000000000000000000005 /* Bell.appex in Embed Foundation Extensions */,\n", "")]),
    .init(.wrongEmbedFolder, [.replace(pbx, "dstSubfolderSpec = 13", "dstSubfolderSpec = 10")]),
    .init(
      .deploymentTarget,
      [
        .replace(
          pbx, "INFOPLIST_FILE = \"$(SRCROOT)/Bell/Info.plist\";",
          "INFOPLIST_FILE = \"$(SRCROOT)/Bell/Info.plist\"; IPHONEOS_DEPLOYMENT_TARGET = 17.2;")
      ],
      passing: [
        .replace(
          pbx, "INFOPLIST_FILE = \"$(SRCROOT)/Bell/Info.plist\";",
          "INFOPLIST_FILE = \"$(SRCROOT)/Bell/Info.plist\"; IPHONEOS_DEPLOYMENT_TARGET = 14;")
      ]),
    .init(.bundlePrefix, [.replace(pbx, "$(APP_ID).bell", "$(APP_ID)-bell")]),
    .init(
      .versionMismatch,
      [
        .replace(
          pbx, "INFOPLIST_FILE = \"$(SRCROOT)/Bell/Info.plist\";",
          "INFOPLIST_FILE = \"$(SRCROOT)/Bell/Info.plist\"; MARKETING_VERSION = 1.0;")
      ]),
    .init(
      .phaseOrder,
      [
        flutter(
          "\t\t\t\tC90000000000000000000009 /* Thin Binary */,\n\t\t\t\tC10000000000000000000001 /* Embed Foundation Extensions */,\n"
        ), thinBinary,
      ],
      passing: [
        flutter(
          "\t\t\t\tC10000000000000000000001 /* Embed Foundation Extensions */,\n\t\t\t\tC90000000000000000000009 /* Thin Binary */,\n"
        ), thinBinary,
      ]),
    .init(.unreadableProject, [.replace(pbx, "objectVersion = 54;", "<<<<<<< HEAD\n\tobjectVersion = 54;")]),
    .init(.missingInclude, [.replace("Config/Base.xcconfig", "#include? ", "#include ")]),
    .init(.missingFile, [.remove("Bell/Bell.entitlements")]),
    .init(.severalExtensions, secondService),
    .init(
      .badSilence, [.write(".aloud-doctor", "ALD301 no reason\n")],
      passing: [.write(".aloud-doctor", "# none\nALD301: it is a radio\n")]),
  ]

  private static func flutter(_ phases: String) -> TestFiles.Edit {
    .replace(
      pbx, "\t\t\t\tC10000000000000000000001 /* Embed Foundation Extensions */,\n\t\t\t);\n\t\t\tname = Shop;",
      phases + "\t\t\t);\n\t\t\tname = Shop;")
  }
  private static let thinBinary: TestFiles.Edit = .replace(
    pbx, "/* Begin PBXSourcesBuildPhase section */",
    "C90000000000000000000009 /* Thin Binary */ = {isa = PBXShellScriptBuildPhase; name = \"Thin Binary\"; files = (); shellScript = \"/bin/sh \\\"$FLUTTER_ROOT/x\\\" embed_and_thin\"; };\n/* Begin PBXSourcesBuildPhase section */"
  )

  private static let secondService: [TestFiles.Edit] = [
    .replace(
      pbx, "/* Begin PBXNativeTarget section */",
      "/* Begin PBXNativeTarget section */\nE9 = {isa = PBXNativeTarget; buildConfigurationList = F10000000000000000000003; buildPhases = (); name = Second; productReference = A9; productType = \"com.apple.product-type.app-extension\"; };\nA9 = {isa = PBXFileReference; path = Second.appex; sourceTree = BUILT_PRODUCTS_DIR; };\nB9 = {isa = PBXBuildFile; fileRef = A9; };"
    ),
    .replace(
      pbx, "\t\t\t\tB10000000000000000000005 /* Bell.appex in Embed Foundation Extensions */,\n",
      "\t\t\t\tB10000000000000000000005,\n\t\t\t\tB9,\n"),
    .replace(pbx, "\t\t\t\tE10000000000000000000002 /* Bell */,\n", "\t\t\t\tE10000000000000000000002,\n\t\t\t\tE9,\n"),
  ]
}

struct DoctorRuleTests {
  static let all = DoctorCase.configuration + DoctorCase.targets + DoctorCase.sounds + DoctorCase.sources

  @Test(arguments: all)
  func `each rule finds its fault and is silent without it`(_ sample: DoctorCase) {
    let failing = TestFiles.shop.editing(sample.failing).report()
    #expect(failing.codes.contains(sample.code), "\(failing.codes)")
    let passing = TestFiles.shop.editing(sample.passing).report()
    let found = passing.findings.filter {
      $0.code == sample.code && ($0.severity > .hint || $0.code.rule.severity == .hint)
    }
    #expect(found == [])
  }

  @Test(arguments: all)
  func `one fault gives its own finding and few others`(_ sample: DoctorCase) {
    let report = TestFiles.shop.editing(sample.failing).report()
    #expect(Set(report.serious.map(\.code)).subtracting([sample.code]).count <= 2, "\(report.serious)")
  }

  @Test func `a finding in both configurations is told once with their names`() {
    let report = TestFiles.shop.editing(DoctorCase.targets.first { $0.code == .bundlePrefix }?.failing ?? []).report()
    #expect(report.findings.filter { $0.code == .bundlePrefix }.count == 1)
    #expect(report.findings.first { $0.code == .bundlePrefix }?.detail.hasPrefix("Debug, Release: ") == true)
  }

  @Test func `a setting of one configuration is reported for that one`() {
    let text = "PRODUCT_BUNDLE_IDENTIFIER = \"$(APP_ID).bell\";"
    var files = TestFiles.shop
    let project = String(decoding: files.files[DoctorCase.pbx] ?? [], as: UTF8.self).components(around: text)
    let changed = project[0] + text + project[1] + "PRODUCT_BUNDLE_IDENTIFIER = org.other;" + project[2]
    files.files[DoctorCase.pbx] = Array(changed.utf8)
    #expect(files.report().findings.first { $0.code == .bundlePrefix }?.detail.hasPrefix("Release: ") == true)
  }

  @Test func `safe fixes of property lists take the finding away`() {
    for code in [
      RuleCode.inventedEntitlement, .unknownPlistKey, .extensionModes, .doubledBundleID, .packageType, .unknownMode,
    ] {
      let sample = DoctorRuleTests.all.first { $0.code == code }
      var files = TestFiles.shop.editing(sample?.failing ?? [])
      let report = files.report()
      for file in Set(report.findings.filter { $0.fix != nil }.map(\.place.file)) {
        files.files[file] = FixApplier.apply(report.findings, file: file, to: files.files[file] ?? [])
      }
      #expect(!files.report().codes.contains(code))
      #expect(files.report().serious == [], "\(code)")
    }
  }

  @Test func `a silenced code is not counted and keeps its reason`() {
    let files = TestFiles.shop.editing([
      DoctorCase.modes("audio"), .write(".aloud-doctor", "ALD301 Shop/*: the app is a radio\n"),
    ])
    let report = files.report()
    #expect(report.codes.contains(.audioModeUnused) == false)
    #expect(report.silenced.map(\.reason) == ["the app is a radio"])
  }
}

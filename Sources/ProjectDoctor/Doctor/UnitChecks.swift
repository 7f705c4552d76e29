/// The rules of Info.plist and entitlements for one unit.
struct UnitChecks {
  private let unit: Unit
  private(set) var findings: [Finding] = []

  static func run(_ unit: Unit) -> [Finding] {
    var checks = UnitChecks(unit)
    if let plist = unit.plist { checks.checkPlist(plist) }
    if let entitlements = unit.entitlements { checks.checkEntitlements(entitlements) }
    checks.checkUse()
    return checks.findings
  }

  private init(_ unit: Unit) { self.unit = unit }

  private mutating func add(
    _ code: RuleCode, _ place: Place, _ detail: String = "", fix: Fix? = nil, severity: Severity? = nil
  ) {
    findings.append(Finding(code, place, detail, severity: severity, fix: fix))
  }

  // MARK: Info.plist

  private static let allowedModes: Set = [
    "audio", "bluetooth-central", "bluetooth-peripheral", "external-accessory", "fetch", "location",
    "nearby-interaction", "network-authentication", "newsstand-content", "processing", "push-to-talk",
    "remote-notification", "voip",
  ]
  private static let inventedKeys: Set = [
    "UIUserNotificationTypes", "UIRemoteNotificationTypes", "NSNotificationUsageDescription",
    "NSPushNotificationUsageDescription",
  ]

  private mutating func checkPlist(_ plist: Unit.List) {
    for key in (plist.value.dictionary ?? [:]).keys where UnitChecks.inventedKeys.contains(key) {
      add(.unknownPlistKey, plist.place(key), key, fix: XMLEdit.removal(of: key, in: plist.bytes))
    }
    if plist.value["NSAppTransportSecurity"]?["NSAllowsArbitraryLoads"]?.isTrue == true {
      add(.arbitraryLoads, plist.place("NSAllowsArbitraryLoads"))
    }
    checkIdentifier(plist)
    if unit.role == .service { checkServicePlist(plist) } else { checkModes(plist) }
  }

  private mutating func checkIdentifier(_ plist: Unit.List) {
    guard let raw = plist.value["CFBundleIdentifier"]?.string else { return }
    for variable in ["$(PRODUCT_BUNDLE_IDENTIFIER)", "${PRODUCT_BUNDLE_IDENTIFIER}"] where raw != variable {
      guard TextSearch.contains(variable, in: raw) else { continue }
      if unit.role == .service || raw.lowercased().hasSuffix("service") || raw.lowercased().hasSuffix("extension") {
        add(
          .doubledBundleID, plist.place("CFBundleIdentifier"), raw,
          fix: XMLEdit.replacement(of: raw, with: variable, in: plist.bytes))
      }
    }
  }

  private mutating func checkServicePlist(_ plist: Unit.List) {
    if !unit.modes.isEmpty {
      let fix = XMLEdit.removal(of: "UIBackgroundModes", in: plist.bytes)
      add(.extensionModes, plist.place("UIBackgroundModes"), unit.modes.joined(separator: ", "), fix: fix)
    }
    if unit.extensionPoint != Unit.servicePoint {
      add(.extensionPoint, plist.place("NSExtensionPointIdentifier"), unit.extensionPoint ?? "–")
    }
    if let type = plist.value["CFBundlePackageType"]?.string, !type.contains("$"), type != "XPC!" {
      add(
        .packageType, plist.place("CFBundlePackageType"), type,
        fix: XMLEdit.replacement(of: type, with: "XPC!", in: plist.bytes))
    }
    checkPrincipalClass(plist)
  }

  private mutating func checkPrincipalClass(_ plist: Unit.List) {
    let place = plist.place("NSExtensionPrincipalClass")
    guard let raw = plist.value["NSExtension"]?["NSExtensionPrincipalClass"]?.string, !raw.isEmpty else {
      return add(.principalClass, place, "–")
    }
    let implementations = unit.sources.filter { $0.use.contains(.serviceClass) && !$0.path.hasSuffix(".h") }
    guard !implementations.isEmpty, unit.knowsCode else { return }
    let name = raw.split(separator: ".").last.map(String.init) ?? raw
    let defining = implementations.filter { $0.text.has(name) }
    guard let file = defining.first else { return add(.principalClass, place, raw) }
    let hasModule = raw.contains(".")
    let isRenamed = file.text.has("objc")
    if file.text.isSwift, !hasModule, !isRenamed {
      add(.principalClass, place, "\(raw) → $(PRODUCT_MODULE_NAME).\(name)")
    } else if !file.text.isSwift, hasModule, !defining.contains(where: \.text.isSwift) {
      add(.principalClass, place, "\(raw) → \(name)")
    }
  }

  private mutating func checkModes(_ plist: Unit.List) {
    for mode in unit.modes where !UnitChecks.allowedModes.contains(mode) && !mode.contains("$") {
      let near = UnitChecks.allowedModes.filter { EditDistance.between(mode.lowercased(), $0, atMost: 3) != nil }.min()
      let fix = near.flatMap { XMLEdit.replacement(of: mode, with: $0, in: plist.bytes) }
      add(.unknownMode, plist.place("UIBackgroundModes"), near.map { "\(mode) → \($0)" } ?? mode, fix: fix)
    }
    guard unit.role == .app else { return }
    let place = plist.place("UIBackgroundModes")
    if unit.modes.contains("audio"), !usesAudioMode { add(.audioModeUnused, place) }
    if unit.modes.contains("voip"), !unit.use.isSuperset(of: [.pushKit, .callKit]),
      !unit.depends(onAny: UnitChecks.callPackages)
    {
      add(.voipModeUnused, place)
    }
    if unit.modes.contains("push-to-talk"), !unit.use.contains(.pushToTalk) { add(.pushToTalkMode, place) }
    if plist.value["NSMicrophoneUsageDescription"] != nil, !unit.use.contains(.records),
      !unit.depends(onAny: UnitChecks.callPackages + UnitChecks.recordingPackages)
    {
      let text = plist.value["NSMicrophoneUsageDescription"]?.string ?? ""
      add(.microphoneText, plist.place("NSMicrophoneUsageDescription"), text)
    }
    if unit.use.contains(.alarmKit), (plist.value["NSAlarmKitUsageDescription"]?.string ?? "").trimmed.isEmpty {
      add(.alarmText, plist.place("NSAlarmKitUsageDescription"))
    }
  }

  private static let callPackages = [
    "callkit", "pushkit", "voip", "webrtc", "twilio", "agora", "jitsi", "livekit", "linphone", "zego", "trtc", "sip",
  ]
  private static let recordingPackages = [
    "record", "camera", "microphone", "speech_to_text", "speech-recognition", "image_picker", "imagepicker", "video",
    "scanner", "whisper", "voice-recorder", "permission_handler",
  ]
  private static let playingPackages = [
    "audio", "music", "video", "player", "radio", "podcast", "sound", "navigation", "mapbox", "ffmpeg", "tts", "media",
  ]

  // Reading aloud what a person started is playback; speaking from a silent push is not.
  private var usesAudioMode: Bool {
    let loops = unit.sources.contains { SourceChecks.run($0, role: .app).contains { $0.code == .silentLoop } }
    if unit.use.contains(.plays) || unit.use.isSuperset(of: [.pushKit, .callKit]), !loops { return true }
    let isPushed = !unit.use.isDisjoint(with: [.handlesSilentPush, .registersForPush])
    if unit.use.contains(.speaks), !isPushed, !loops { return true }
    return unit.depends(onAny: UnitChecks.playingPackages + UnitChecks.callPackages)
  }

  // MARK: Entitlements

  private mutating func checkEntitlements(_ list: Unit.List) {
    for key in ["com.apple.developer.user-notifications", "com.apple.developer.usernotifications"]
    where list.value[key] != nil {
      add(.inventedEntitlement, list.place(key), key, fix: XMLEdit.removal(of: key, in: list.bytes))
    }
    if let environment = list.value["aps-environment"]?.string.map(unit.expand), !environment.contains("$"),
      environment != "development", environment != "production"
    {
      add(.badAPSEnvironment, list.place("aps-environment"), environment)
    }
    for group in unit.groups where !group.hasPrefix("group.") && !group.contains("$") {
      add(.groupName, list.place("com.apple.security.application-groups"), group)
    }
    let filtering = "com.apple.developer.usernotifications.filtering"
    if unit.role == .app, list.value[filtering] != nil { add(.filteringOnApp, list.place(filtering)) }
    let critical = "com.apple.developer.usernotifications.critical-alerts"
    if list.value[critical]?.isTrue == true { add(.criticalGranted, list.place(critical)) }
  }

  // MARK: Code against both

  private mutating func checkUse() {
    guard unit.knowsCode else { return }
    let place = unit.entitlements.map { Place($0.file) } ?? unit.fallbackPlace
    if unit.role == .app {
      if unit.use.contains(.registersForPush), unit.entitlements?.value["aps-environment"] == nil {
        add(.noAPSEnvironment, place, unit.configuration ?? "")
      }
      if unit.use.contains(.handlesSilentPush), unit.plist != nil, !unit.modes.contains("remote-notification") {
        add(.noRemoteNotificationMode, unit.plist?.place("UIBackgroundModes") ?? unit.fallbackPlace)
      }
      checkLevels(place)
    }
    checkGroupsInCode(place)
  }

  private mutating func checkLevels(_ place: Place) {
    let value = unit.entitlements?.value
    if unit.use.contains(.timeSensitive), value?["com.apple.developer.usernotifications.time-sensitive"] == nil {
      add(.timeSensitiveMissing, place)
    }
    if unit.use.contains(.critical), value?["com.apple.developer.usernotifications.critical-alerts"] == nil {
      add(.criticalMissing, place)
    }
  }

  private mutating func checkGroupsInCode(_ place: Place) {
    guard unit.role != .other else { return }
    for file in unit.sources {
      guard
        file.text.hasAny([
          "containerURL", "containerURLForSecurityApplicationGroupIdentifier", "suiteName", "initWithSuiteName",
        ])
      else { continue }
      for group in file.groups where !unit.groups.contains(group.name) {
        add(.groupNotEntitled, Place(file.path, line: group.line), "\(unit.name): \(group.name)")
      }
    }
  }
}

/// Small changes of XML property lists that keep everything else as it is.
enum XMLEdit {
  /// Takes out a key with its value and the line it stands on.
  static func removal(of key: String, in bytes: [UInt8]) -> Fix? {
    guard let start = TextSearch.first(Array("<key>\(key)</key>".utf8), in: bytes) else { return nil }
    var index = start + "<key>\(key)</key>".utf8.count
    while index < bytes.count, bytes[index] <= 32 { index += 1 }
    guard let end = elementEnd(bytes, index) else { return nil }
    var (low, high) = (start, end)
    while low > 0, bytes[low - 1] == 32 || bytes[low - 1] == 9 { low -= 1 }
    if high < bytes.count, bytes[high] == 10 { high += 1 }
    return Fix(low..<high, "")
  }

  /// Replaces the text of the one `<string>` that reads `old`.
  static func replacement(of old: String, with new: String, in bytes: [UInt8]) -> Fix? {
    let element = Array("<string>\(old)</string>".utf8)
    guard let start = TextSearch.first(element, in: bytes) else { return nil }
    return Fix(start..<(start + element.count), "<string>\(new)</string>")
  }

  private static func elementEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    var (index, depth) = (start, 0)
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      guard let close = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      if bytes[index + 1] == UInt8(ascii: "/") {
        depth -= 1
      } else if bytes[close - 1] != UInt8(ascii: "/") {
        depth += 1
      }
      index = close + 1
      if depth <= 0 { return depth == 0 ? index : nil }
    }
    return nil
  }
}

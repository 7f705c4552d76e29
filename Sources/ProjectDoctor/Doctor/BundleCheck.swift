/// The check of a built app: property lists, signed entitlements, profile, extensions and sounds.
struct BundleCheck {
  private let library: CodeLibrary
  private let app: String
  private let now: Int
  private(set) var findings: [Finding] = []

  /// Everything found in the .app folder at `app`; `now` in UNIX seconds.
  static func run(_ app: String, library: CodeLibrary, now: Int) -> [Finding] {
    var check = BundleCheck(library: library, app: app, now: now)
    check.run()
    return check.findings
  }

  private init(library: CodeLibrary, app: String, now: Int) {
    (self.library, self.app, self.now) = (library, app, now)
  }

  private mutating func run() {
    let main = unit(app, role: .app)
    var services: [Unit] = []
    for name in library.tree.list(PathText.join(app, "PlugIns")) where name.hasSuffix(".appex") {
      let folder = PathText.join(app, "PlugIns/\(name)")
      var unit = unit(folder, role: .other)
      let looksLikeOne = unit.extensionPoint == nil && name.lowercased().contains("notificationservice")
      if unit.extensionPoint == Unit.servicePoint || looksLikeOne {
        unit.role = .service
        services.append(unit)
      }
    }
    checkUnit(main)
    for service in services {
      checkUnit(service)
      findings += PairChecks.run(app: main, service: service)
    }
    if services.count > 1 {
      findings.append(Finding(.severalExtensions, Place(app), services.map(\.name).joined(separator: ", ")))
    }
    checkSounds()
  }

  private mutating func checkUnit(_ unit: Unit) {
    if library.tree.kind(unit.name + "/Info.plist") == nil {
      findings.append(Finding(.unreadablePlist, Place(unit.name + "/Info.plist"), "–"))
    }
    findings += UnitChecks.run(unit)
    checkProfile(unit)
    if unit.role == .service, unit.use.contains(.defaults),
      library.tree.kind(unit.name + "/PrivacyInfo.xcprivacy") == nil
    {
      findings.append(Finding(.noPrivacyManifest, unit.fallbackPlace))
    }
  }

  private func unit(_ folder: String, role: TargetRole) -> Unit {
    let plistPath = PathText.join(folder, "Info.plist")
    var unit = Unit(name: folder, role: role, fallbackPlace: Place(plistPath))
    unit.plist = library.list(plistPath)
    unit.plist?.bytes = []  // a signed bundle is not changed
    unit.bundleID = unit.plist?.value["CFBundleIdentifier"]?.string
    unit.version = unit.plist?.value["CFBundleShortVersionString"]?.string
    unit.build = unit.plist?.value["CFBundleVersion"]?.string
    unit.deployment = unit.plist?.value["MinimumOSVersion"]?.string
    let executable = unit.plist?.value["CFBundleExecutable"]?.string ?? folder.lastPathComponent
    let path = PathText.join(folder, executable.lastPathComponent)
    guard let bytes = library.bytes(path, limit: 512 << 20) else { return unit }
    if let entitlements = MachO(bytes).entitlements() {
      unit.entitlements = Unit.List(file: path, value: entitlements)
    }
    unit.use = BundleCheck.use(bytes)
    return unit
  }

  /// What an executable uses, by the class names in its symbol table.
  private static func use(_ bytes: [UInt8]) -> SourceUse {
    var use: SourceUse = []
    for (flag, words) in SourceUse.words where flag != .serviceClass && flag != .critical && flag != .timeSensitive {
      let isThere = words.contains { word in
        word.utf8.count > 8 && ByteSearch.first(Array(word.utf8), in: bytes, from: 0, to: bytes.count) != nil
      }
      if isThere { use.insert(flag) }
    }
    let handler = Array("didReceiveRemoteNotification:fetchCompletionHandler:".utf8)
    if ByteSearch.first(handler, in: bytes, from: 0, to: bytes.count) != nil { use.insert(.handlesSilentPush) }
    return use
  }

  private mutating func checkProfile(_ unit: Unit) {
    let path = PathText.join(unit.name, "embedded.mobileprovision")
    guard let bytes = library.tree.read(path) else { return }
    guard let profile = ProvisioningProfile(bytes) else {
      findings.append(Finding(.incomplete, Place(path)))
      return
    }
    if let expires = profile.expires, let seconds = PropertyDate.seconds(expires), seconds < now {
      findings.append(Finding(.profileExpired, Place(path), expires))
    }
    guard let signed = unit.entitlements else { return }
    let keys = [
      "aps-environment", "com.apple.developer.usernotifications.critical-alerts",
      "com.apple.developer.usernotifications.time-sensitive", "com.apple.security.application-groups",
    ]
    for key in keys {
      guard let value = signed.value[key] else { continue }
      let allowed = profile.entitlements[key]
      let isAllowed = allowed == value || Set(value.strings).isSubset(of: allowed?.strings ?? []) && value.array != nil
      if !isAllowed {
        let texts = [value, allowed].map { $0.map { $0.strings.joined(separator: ", ") } ?? "–" }
        findings.append(Finding(.profileMismatch, Place(path), "\(key): \(texts[0]) / \(texts[1])"))
      }
    }
  }

  private mutating func checkSounds() {
    for path in library.tree.walk(app, skip: { $0.hasSuffix(".bundle") || $0.hasSuffix("Frameworks") })
    where ["caf", "aiff", "aif"].contains(path.pathExtension) {
      let isAtRoot = path.parentPath == app || path.parentPath.hasSuffix(".appex")
      let isClipStore = path.parentPath.hasSuffix(".voicepack")
      if !isAtRoot, !isClipStore { findings.append(Finding(.soundInFolder, Place(path), severity: .warning)) }
      guard !isClipStore, let bytes = library.bytes(path) else { continue }
      findings += SoundCheck.cautious(bytes, path: path)
    }
  }
}

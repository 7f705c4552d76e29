/// The check of one Xcode project.
struct ProjectCheck {
  private let library: CodeLibrary
  private let project: XcodeProject
  private let packages: String
  private(set) var findings: [Finding] = []

  /// Everything found in the project at `path` (a .xcodeproj folder).
  static func run(_ path: String, library: CodeLibrary) -> [Finding] {
    var check = ProjectCheck(path, library)
    check.run()
    return check.findings
  }

  private init(_ path: String, _ library: CodeLibrary) {
    self.library = library
    project = XcodeProjectReader.read(path, in: library.tree)
    packages = library.packages([project.folder, project.folder.parentPath])
  }

  private typealias Target = XcodeProject.Target

  private mutating func run() {
    findings += project.findings
    if project.targets.isEmpty, library.tree.kind(project.file) == .file {
      // Without targets the files say what they can.
      findings += FolderCheck.run(project.folder, library: library)
      return
    }
    let apps = project.targets.filter(\.isApp)
    let services = project.targets.filter { $0.isExtension && isService($0) }
    for target in project.targets where target.isApp || target.isExtension {
      checkTarget(target, role: target.isApp ? .app : services.contains { $0.id == target.id } ? .service : .other)
    }
    for service in services { checkEmbedding(service, apps: apps) }
    if services.isEmpty { checkStrayService(apps) }
    for app in apps { checkPhases(app) }
    for app in apps {
      let inside = services.filter { embeds(app, $0) != nil }
      if inside.count > 1 {
        findings.append(
          Finding(.severalExtensions, place(app.id), inside.map(\.name).sorted().joined(separator: ", ")))
      }
      SoundResources.check(app: app, services: inside, library: library, findings: &findings)
    }
  }

  private func place(_ key: String) -> Place { Place(project.file, line: project.keyLines[key]) }

  private func isService(_ target: Target) -> Bool {
    let points = target.configurations.compactMap { unit(target, .other, $0, sources: []).extensionPoint }
    if points.contains(Unit.servicePoint) { return true }
    if !points.isEmpty { return false }
    return target.sources.compactMap(library.source).contains { $0.use.contains(.serviceClass) }
  }

  // MARK: One target

  private mutating func checkTarget(_ target: Target, role: TargetRole) {
    let sources = target.sources.compactMap(library.source)
    for file in sources { findings += SourceChecks.run(file, role: role) }
    for configuration in target.configurations {
      let unit = unit(target, role, configuration, sources: sources)
      checkFiles(configuration)
      if role != .other { findings += UnitChecks.run(unit) }
    }
    if role != .other { checkCode(target, sources, role) }
  }

  private mutating func checkFiles(_ configuration: XcodeProject.Configuration) {
    for key in ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"] {
      guard let value = configuration.settings[key], !value.isEmpty, !value.contains("$(") else { continue }
      let path = resolve(value)
      if library.tree.kind(path) == nil { findings.append(Finding(.missingFile, place(key), "\(key) = \(value)")) }
    }
  }

  private mutating func checkCode(_ target: Target, _ sources: [SourceFile], _ role: TargetRole) {
    let use = sources.reduce(into: SourceUse()) { $0.formUnion($1.use) }
    if use.contains(.pushKit), !use.contains(.callKit), let file = sources.first(where: { $0.use.contains(.pushKit) }) {
      let line = file.text.places("PKPushRegistry").first.map(file.text.line)
      findings.append(Finding(.pushKitForSpeech, Place(file.path, line: line)))
    }
    MicrophoneCheck.run(sources, use: use, findings: &findings)
    let hasManifest = target.resources.contains { $0.path.hasSuffix("PrivacyInfo.xcprivacy") }
    if use.contains(.defaults), !hasManifest {
      findings.append(
        Finding(.noPrivacyManifest, place(target.id), target.name, severity: role == .service ? nil : .hint))
    }
  }

  private func resolve(_ path: String) -> String {
    // With SRCROOT a path begins at the root of the tree; the inner folder often has the outer one's name.
    path.hasPrefix("/") ? PathText.join("", String(path.dropFirst())) : PathText.join(project.folder, path)
  }

  private func unit(
    _ target: Target, _ role: TargetRole, _ configuration: XcodeProject.Configuration, sources: [SourceFile]
  ) -> Unit {
    let settings = configuration.settings
    var unit = Unit(name: target.name, role: role, fallbackPlace: place(target.id))
    unit.configuration = configuration.name
    unit.expand = { settings.expand($0) }
    unit.plist = plist(settings)
    if let path = settings["CODE_SIGN_ENTITLEMENTS"], !path.isEmpty { unit.entitlements = library.list(resolve(path)) }
    func plistText(_ key: String) -> String? { unit.plist?.value[key]?.string.map { settings.expand($0) } }
    unit.bundleID = settings["PRODUCT_BUNDLE_IDENTIFIER"] ?? plistText("CFBundleIdentifier")
    unit.version = plistText("CFBundleShortVersionString") ?? settings["MARKETING_VERSION"]
    unit.build = plistText("CFBundleVersion") ?? settings["CURRENT_PROJECT_VERSION"]
    unit.deployment = settings["IPHONEOS_DEPLOYMENT_TARGET"]
    unit.sources = sources
    unit.use = sources.reduce(into: SourceUse()) { $0.formUnion($1.use) }
    unit.packages = packages
    return unit
  }

  // The file, and what the build adds to it from INFOPLIST_KEY_ settings.
  private func plist(_ settings: BuildSettings) -> Unit.List? {
    var list = settings["INFOPLIST_FILE"].flatMap { $0.isEmpty ? nil : library.list(resolve($0)) }
    guard settings["GENERATE_INFOPLIST_FILE"] == "YES" else { return list }
    var members = list?.value.dictionary ?? [:]
    for key in ["NSMicrophoneUsageDescription", "NSAlarmKitUsageDescription", "UIBackgroundModes"] {
      guard members[key] == nil, let value = settings["INFOPLIST_KEY_\(key)"] else { continue }
      members[key] =
        key == "UIBackgroundModes" ? .array(value.split(separator: " ").map { .string(String($0)) }) : .string(value)
    }
    let file = list?.file ?? project.file
    list = Unit.List(file: file, value: .dictionary(members), lines: list?.lines ?? [:], bytes: list?.bytes ?? [])
    return list
  }

  // MARK: App and extension

  private func embeds(_ app: Target, _ service: Target) -> XcodeProject.Phase? {
    app.phases.first { phase in
      phase.kind == "PBXCopyFilesBuildPhase" && service.productReference.map(phase.files.contains) == true
    }
  }

  private mutating func checkEmbedding(_ service: Target, apps: [Target]) {
    let hosts = apps.filter { embeds($0, service) != nil }
    if hosts.isEmpty { findings.append(Finding(.notEmbedded, place(service.id), service.name)) }
    for app in hosts {
      if let destination = embeds(app, service)?.destination, destination != "13", destination != "PlugIns" {
        findings.append(Finding(.wrongEmbedFolder, place("dstSubfolderSpec"), destination))
      }
    }
    var pairs: [Finding] = []
    let sources = service.sources.compactMap(library.source)
    for app in hosts {
      for configuration in service.configurations {
        guard let other = app.configurations.first(where: { $0.name == configuration.name }) else { continue }
        pairs += PairChecks.run(
          app: unit(app, .app, other, sources: []), service: unit(service, .service, configuration, sources: sources))
      }
    }
    findings += PairChecks.merged(pairs)
  }

  private mutating func checkStrayService(_ apps: [Target]) {
    for app in apps {
      for file in app.sources.compactMap(library.source) where !file.serviceClasses.isEmpty {
        findings.append(Finding(.noExtensionTarget, Place(file.path), file.serviceClasses[0]))
      }
    }
  }

  private mutating func checkPhases(_ app: Target) {
    let thin = app.phases.firstIndex { $0.name == "Thin Binary" }
    let embed = app.phases.firstIndex {
      $0.kind == "PBXCopyFilesBuildPhase" && ($0.destination == "13" || $0.destination == "PlugIns")
        && !$0.files.isEmpty
    }
    if let thin, let embed, thin < embed {
      findings.append(Finding(.phaseOrder, place(app.id), app.phases[embed].name))
    }
  }
}

/// Whether the microphone is asked for although nothing records.
enum MicrophoneCheck {
  static func run(_ sources: [SourceFile], use: SourceUse, findings: inout [Finding]) {
    guard !use.contains(.records) else { return }
    for file in sources {
      for word in ["requestRecordPermission", "requestRecordPermissionWithCompletionHandler"] {
        if let place = file.text.places(word).first {
          findings.append(Finding(.microphoneForSpeech, Place(file.path, line: file.text.line(place))))
        }
      }
    }
  }
}

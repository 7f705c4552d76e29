/// The check of a folder without an Xcode project: property lists, entitlements, sources and sounds as they lie.
struct FolderCheck {
  private let library: CodeLibrary
  private(set) var findings: [Finding] = []

  static func run(_ path: String, library: CodeLibrary) -> [Finding] {
    var check = FolderCheck(library)
    check.run(path)
    return check.findings
  }

  private init(_ library: CodeLibrary) { self.library = library }

  private mutating func run(_ root: String) {
    let files = library.tree.walk(root, skip: { FileKinds.isOpaque($0) })
    let lists = files.filter { $0.hasSuffix(".entitlements") || FolderCheck.isInfoPlist($0) }
    // Each folder with a property list is a unit; a source belongs to the nearest one above it.
    let homes = Set(lists.map(\.parentPath)).union([root])
    func home(_ path: String) -> String {
      var folder = path.parentPath
      while !homes.contains(folder), folder != root, !folder.isEmpty { folder = folder.parentPath }
      return homes.contains(folder) ? folder : root
    }
    var units: [Unit] = []
    let sources = Dictionary(grouping: files.filter(FileKinds.isSource), by: home)
    let packages = library.packages([root, root.parentPath])
    for folder in homes.sorted() {
      let own = (sources[folder] ?? []).compactMap(library.source)
      let named = lists.filter { $0.parentPath == folder }
      for (plist, entitlements) in FolderCheck.pairs(named) {
        units.append(unit(folder, plist, entitlements, own, packages, hasSources: sources[folder]?.isEmpty == false))
      }
    }
    for unit in units { findings += UnitChecks.run(unit) }
    checkSources(units, homes: homes, sources: sources)
    let services = units.filter { $0.role == .service }
    for app in units where app.role == .app && app.plist != nil {
      for service in services { findings += PairChecks.run(app: app, service: service) }
    }
    checkSounds(files)
  }

  private static func isInfoPlist(_ path: String) -> Bool {
    let name = path.lastPathComponent
    return name == "Info.plist" || name.hasSuffix("-Info.plist") || name.hasSuffix("Info.plist")
  }

  /// A plist with the entitlements beside it; several lists in one folder stand each for itself.
  private static func pairs(_ files: [String]) -> [(String?, String?)] {
    let plists = files.filter { !$0.hasSuffix(".entitlements") }
    let entitlements = files.filter { $0.hasSuffix(".entitlements") }
    if files.isEmpty { return [(nil, nil)] }
    if plists.count == 1 { return [(plists[0], entitlements.first)] + entitlements.dropFirst().map { (nil, $0) } }
    return plists.map { ($0, nil) } + entitlements.map { (nil, $0) }
  }

  private func unit(
    _ folder: String, _ plist: String?, _ entitlements: String?, _ sources: [SourceFile], _ packages: String,
    hasSources: Bool
  ) -> Unit {
    var unit = Unit(
      name: folder.isEmpty ? "." : folder, role: .app, fallbackPlace: Place(plist ?? entitlements ?? folder))
    unit.plist = plist.flatMap(library.list)
    unit.entitlements = entitlements.flatMap(library.list)
    unit.sources = sources
    unit.use = sources.reduce(into: SourceUse()) { $0.formUnion($1.use) }
    unit.packages = packages
    let point = unit.extensionPoint
    if point == Unit.servicePoint || (point == nil && !sources.isEmpty && definesService(sources) && plist != nil) {
      unit.role = .service
    } else if point != nil {
      unit.role = .other
    }
    unit.bundleID = unit.plist?.value["CFBundleIdentifier"]?.string
    unit.version = unit.plist?.value["CFBundleShortVersionString"]?.string
    unit.build = unit.plist?.value["CFBundleVersion"]?.string
    unit.knowsCode = hasSources && (plist != nil || entitlements != nil)
    return unit
  }

  private func definesService(_ sources: [SourceFile]) -> Bool { sources.contains { !$0.serviceClasses.isEmpty } }

  private mutating func checkSources(_ units: [Unit], homes: Set<String>, sources: [String: [String]]) {
    for (folder, paths) in sources {
      let files = paths.compactMap(library.source)
      let known = units.first { $0.name == (folder.isEmpty ? "." : folder) }?.role
      let use = files.reduce(into: SourceUse()) { $0.formUnion($1.use) }
      for file in files {
        // Without a target the file itself says where it runs.
        let defines = file.use.contains(.serviceClass)
        findings += SourceChecks.run(file, role: known == .service || defines ? .service : .app)
      }
      if use.contains(.pushKit), !use.contains(.callKit), let file = files.first(where: { $0.use.contains(.pushKit) }) {
        let line = file.text.places("PKPushRegistry").first.map(file.text.line)
        findings.append(Finding(.pushKitForSpeech, Place(file.path, line: line)))
      }
      MicrophoneCheck.run(files, use: use, findings: &findings)
    }
  }

  private mutating func checkSounds(_ files: [String]) {
    let lists = files.contains { FolderCheck.isInfoPlist($0) || FileKinds.isSource($0) }
    for path in files where FileKinds.isSound(path) {
      if lists, !["caf", "aiff", "aif", "wav"].contains(path.pathExtension) { continue }
      guard let bytes = library.bytes(path) else { continue }
      findings += lists ? SoundCheck.cautious(bytes, path: path) : SoundCheck.findings(bytes, path: path)
    }
    let catalogs = Set(files.isEmpty ? [] : library.tree.list("").filter { $0.hasSuffix(".xcassets") })
    for catalog in catalogs { SoundResources.checkCatalog(catalog, library: library, findings: &findings) }
  }
}

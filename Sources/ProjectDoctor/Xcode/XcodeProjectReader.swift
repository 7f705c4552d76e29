/// Turns a project.pbxproj into the model: groups to paths, phases to files, configurations to settings.
struct XcodeProjectReader {
  private let tree: any FileTree
  private let folder: String
  private let file: String
  private var objects: [String: PropertyValue] = [:]
  private var findings: [Finding] = []
  private var paths: [String: String] = [:]

  /// Reads the project at `path` (the .xcodeproj folder).
  static func read(_ path: String, in tree: any FileTree) -> XcodeProject {
    var reader = XcodeProjectReader(tree: tree, path: path)
    return reader.project()
  }

  private init(tree: any FileTree, path: String) {
    self.tree = tree
    folder = path.parentPath
    file = path.isEmpty ? "project.pbxproj" : path + "/project.pbxproj"
  }

  private mutating func project() -> XcodeProject {
    var project = XcodeProject(file: file, folder: folder)
    guard let bytes = tree.read(file) else {
      project.findings = [Finding(.unreadableProject, Place(file))]
      return project
    }
    let (list, problem) = PropertyList.reading(bytes)
    if let problem {
      findings.append(Finding(.unreadableProject, Place(file, line: problem.line), problem.message))
    }
    if let list {
      objects = list.root["objects"]?.dictionary ?? [:]
      project.keyLines = list.keyLines
      if let root = list.root["rootObject"]?.string.flatMap({ objects[$0] }) {
        fill(&project, root)
      } else {
        findings.append(Finding(.unreadableProject, Place(file), "rootObject"))
      }
    }
    project.findings = findings
    return project
  }

  private mutating func fill(_ project: inout XcodeProject, _ root: PropertyValue) {
    let inner = [root["projectDirPath"]?.string, root["projectRoot"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
    let base = PathText.join(folder, inner.joined(separator: "/"))
    if let group = root["mainGroup"]?.string {
      var seen: Set<String> = []
      collect(group, parent: base, root: base, seen: &seen, depth: 0)
    }
    let shared = levels(root, base: base)
    for id in root["targets"]?.strings ?? [] {
      guard let object = objects[id] else { continue }
      project.targets.append(target(id, object, shared: shared, base: base))
    }
    project.paths = paths
  }

  // MARK: Groups

  private mutating func collect(_ id: String, parent: String, root: String, seen: inout Set<String>, depth: Int) {
    guard depth < 64, seen.insert(id).inserted, let object = objects[id] else { return }
    let own = object["path"]?.string ?? ""
    let path: String
    switch object["sourceTree"]?.string ?? "<group>" {
    case "<group>": path = own.isEmpty ? parent : PathText.join(parent, own)
    case "SOURCE_ROOT": path = PathText.join(root, own)
    case "<absolute>": path = own
    default: path = own.isEmpty ? parent : ""  // built products and SDKs are no files of the project
    }
    paths[id] = path
    // A variant group stands for one file in several languages, so its children count as the file.
    for child in object["children"]?.strings ?? [] {
      collect(child, parent: path, root: root, seen: &seen, depth: depth + 1)
    }
  }

  // MARK: Targets

  private mutating func target(
    _ id: String, _ object: PropertyValue, shared: [String: [[String: String]]], base: String
  ) -> XcodeProject.Target {
    let name = object["name"]?.string ?? id
    let phases = (object["buildPhases"]?.strings ?? []).compactMap { objects[$0].map(phase) }
    var target = XcodeProject.Target(
      id: id, name: name, productType: object["productType"]?.string ?? "",
      productReference: object["productReference"]?.string, phases: phases,
      configurations: configurations(object, name: name, shared: shared, base: base))
    for phase in phases {
      for reference in phase.files {
        guard let path = paths[reference], !path.isEmpty else { continue }
        if phase.kind == "PBXSourcesBuildPhase" { target.sources.append(path) }
        if phase.kind == "PBXResourcesBuildPhase" { addResource(reference, path, to: &target) }
      }
    }
    for group in object["fileSystemSynchronizedGroups"]?.strings ?? [] {
      addSynchronized(group, targetID: id, to: &target)
    }
    for dependency in object["dependencies"]?.strings ?? [] {
      if let other = objects[dependency]?["target"]?.string { target.dependencies.append(other) }
    }
    return target
  }

  private func phase(_ object: PropertyValue) -> XcodeProject.Phase {
    let files = (object["files"]?.strings ?? []).compactMap { id -> String? in
      objects[id]?["fileRef"]?.string ?? objects[id]?["productRef"]?.string
    }
    return XcodeProject.Phase(
      kind: object["isa"]?.string ?? "", name: object["name"]?.string ?? "",
      destination: object["dstSubfolderSpec"]?.string ?? object["dstSubfolder"]?.string, files: files)
  }

  private func addResource(_ reference: String, _ path: String, to target: inout XcodeProject.Target) {
    let object = objects[reference]
    if object?["isa"]?.string == "PBXVariantGroup" {
      for child in object?["children"]?.strings ?? [] {
        if let path = paths[child] { target.resources.append(.init(path: path, isInFolderReference: false)) }
      }
    } else if object?["lastKnownFileType"]?.string == "folder" {
      target.resources += tree.walk(path, limit: 2_000).map { .init(path: $0, isInFolderReference: true) }
    } else {
      target.resources.append(.init(path: path, isInFolderReference: false))
    }
  }

  /// Folder-synchronised groups (Xcode 16): every file of the folder belongs to the target, save the exceptions.
  private func addSynchronized(_ group: String, targetID: String, to target: inout XcodeProject.Target) {
    guard let path = paths[group], !path.isEmpty else { return }
    var excluded: Set<String> = []
    let folders = Set(objects[group]?["explicitFolders"]?.strings ?? [])
    for id in objects[group]?["exceptions"]?.strings ?? [] {
      guard let exception = objects[id], exception["target"]?.string == targetID else { continue }
      excluded.formUnion(exception["membershipExceptions"]?.strings ?? [])
    }
    for file in tree.walk(path, limit: 20_000, skip: { FileKinds.isOpaque($0) }) {
      let relative = String(file.dropFirst(path.isEmpty ? 0 : path.count + 1))
      if excluded.contains(where: { relative == $0 || relative.hasPrefix($0 + "/") }) { continue }
      if FileKinds.isSource(file) {
        target.sources.append(file)
      } else {
        let inFolder = folders.contains { relative.hasPrefix($0 + "/") }
        target.resources.append(.init(path: file, isInFolderReference: inFolder))
      }
    }
    // Catalogs are resources as a whole.
    for name in tree.list(path) where name.hasSuffix(".xcassets") {
      target.resources.append(.init(path: PathText.join(path, name), isInFolderReference: false))
    }
  }

  // MARK: Configurations

  private mutating func levels(_ owner: PropertyValue, base: String) -> [String: [[String: String]]] {
    var result: [String: [[String: String]]] = [:]
    let list = owner["buildConfigurationList"]?.string.flatMap { objects[$0] }
    for id in list?["buildConfigurations"]?.strings ?? [] {
      guard let object = objects[id], let name = object["name"]?.string else { continue }
      var own: [String: String] = [:]
      for (key, value) in object["buildSettings"]?.dictionary ?? [:] {
        own[key] = value.array.map { $0.compactMap(\.string).joined(separator: " ") } ?? value.string ?? ""
      }
      result[name] = [own, configFile(object, base: base)]
    }
    return result
  }

  private mutating func configFile(_ object: PropertyValue, base: String) -> [String: String] {
    var path: String?
    if let reference = object["baseConfigurationReference"]?.string {
      path = paths[reference]
    } else if let anchor = object["baseConfigurationReferenceAnchor"]?.string,
      let relative = object["baseConfigurationReferenceRelativePath"]?.string, let group = paths[anchor]
    {
      path = PathText.join(group, relative)
    }
    guard let path, !path.isEmpty else { return [:] }
    if tree.kind(path) == nil {
      findings.append(XCConfig.missing(path, Place(file), path))
      return [:]
    }
    return XCConfig.read(path, in: tree, findings: &findings)
  }

  private mutating func configurations(
    _ object: PropertyValue, name: String, shared: [String: [[String: String]]], base: String
  ) -> [XcodeProject.Configuration] {
    let own = levels(object, base: base)
    return own.keys.sorted().map { key in
      let builtIn = [
        "TARGET_NAME": name, "PRODUCT_NAME": "$(TARGET_NAME)", "CONFIGURATION": key, "SRCROOT": "/" + base,
        "SOURCE_ROOT": "/" + base, "PROJECT_DIR": "/" + base, "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
      ]
      return XcodeProject.Configuration(
        name: key, settings: BuildSettings(levels: (own[key] ?? []) + (shared[key] ?? []) + [builtIn]))
    }
  }
}

/// What kinds of files and folders there are.
enum FileKinds {
  static func isSource(_ path: String) -> Bool { ["swift", "m", "mm", "h"].contains(path.pathExtension) }
  static func isSound(_ path: String) -> Bool {
    ["caf", "wav", "aiff", "aif", "mp3", "m4a", "aac", "ogg", "opus", "flac"].contains(path.pathExtension)
  }
  /// Folders that are one thing to Xcode, or hold nothing of the project's own.
  static func isOpaque(_ path: String) -> Bool {
    let name = path.lastPathComponent
    if name.hasPrefix(".") { return true }
    if ["Pods", "Carthage", "node_modules", "DerivedData", "build", "vendor", "SourcePackages"].contains(name) {
      return true
    }
    return [
      "xcassets", "xcodeproj", "xcworkspace", "framework", "xcframework", "bundle", "app", "appex", "voicepack",
    ].contains(path.pathExtension)
  }
}

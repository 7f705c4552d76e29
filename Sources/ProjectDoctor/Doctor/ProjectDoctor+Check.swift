/// Finds what is to be checked below a path, checks it and gathers one report.
package struct ProjectDoctor: Sendable {
  /// The time, in UNIX seconds, against which profiles are judged.
  package var now: Int

  /// Makes a doctor.
  package init(now: Int) { self.now = now }

  /// Checks `path` inside `tree`: a .xcodeproj, a .xcworkspace, an .app, an .ipa, a sound, a property list or a folder.
  ///
  /// - Parameter subject: How the report calls it.
  package func check(_ path: String, in tree: any FileTree, subject: String) -> Report {
    let library = CodeLibrary(tree)
    var findings: [Finding] = []
    switch path.pathExtension {
    case "xcodeproj": findings = ProjectCheck.run(path, library: library)
    case "pbxproj": findings = ProjectCheck.run(path.parentPath, library: library)
    case "xcworkspace":
      let projects = Layout.projects(ofWorkspace: path, in: tree)
      for project in projects { findings += ProjectCheck.run(project, library: library) }
      if projects.isEmpty {
        let place = Place(path + "/contents.xcworkspacedata")
        findings.append(Finding(.unreadableProject, place, "no project in it", "其中没有工程"))
      }
    case "app": findings = BundleCheck.run(path, library: library, now: now)
    case "ipa":
      return silenced(
        checkArchive(path, in: tree, subject: subject), in: tree, folder: path.parentPath, isWhole: false)
    default:
      findings = tree.kind(path) == .file ? checkFile(path, library) : checkFolder(path, library)
    }
    let report = Report(
      subject: subject, findings: findings + library.findings, filesChecked: max(1, library.filesRead))
    let isFolder = tree.kind(path) == .folder
    return silenced(
      report, in: tree, folder: isFolder && !Layout.isBundle(path) ? path : path.parentPath, isWhole: isFolder)
  }

  private func silenced(_ report: Report, in tree: any FileTree, folder: String, isWhole: Bool) -> Report {
    let file = PathText.join(folder, SilenceFile.name)
    guard let bytes = tree.read(file) else { return report }
    return report.silenced(
      by: SilenceFile(TextDecoding.decode(bytes), file: file), relativeTo: folder, isWhole: isWhole)
  }

  private func checkFolder(_ path: String, _ library: CodeLibrary) -> [Finding] {
    let layout = Layout.discover(path, in: library.tree)
    var findings: [Finding] = []
    for project in layout.projects { findings += ProjectCheck.run(project, library: library) }
    for app in layout.apps { findings += BundleCheck.run(app, library: library, now: now) }
    if layout.projects.isEmpty, layout.apps.isEmpty {
      findings += FolderCheck.run(path, library: library)
      if library.filesRead == 0, library.findings.isEmpty, layout.generator == nil {
        let (english, chinese) = ("no Xcode project, app, property list, source or sound", "没有工程、应用、属性列表、源码或声音")
        findings.append(Finding(.incomplete, Place(path.isEmpty ? "." : path), english, chinese))
      }
    }
    if let manifest = layout.generator, layout.projects.isEmpty {
      findings.append(Finding(.notGenerated, Place(manifest)))
    }
    return findings
  }

  private func checkFile(_ path: String, _ library: CodeLibrary) -> [Finding] {
    if FileKinds.isSound(path) { return SoundCheck.findings(library.tree.read(path) ?? [], path: path) }
    if FileKinds.isSource(path) {
      guard let file = library.source(path) else { return [] }
      return SourceChecks.run(file, role: file.use.contains(.serviceClass) ? .service : .app)
    }
    let list = library.list(path)
    var unit = Unit(name: path, role: .app, fallbackPlace: Place(path))
    unit.knowsCode = false
    if path.hasSuffix(".entitlements") { unit.entitlements = list } else { unit.plist = list }
    if unit.extensionPoint == Unit.servicePoint {
      unit.role = .service
    } else if unit.extensionPoint != nil {
      unit.role = .other
    }
    return UnitChecks.run(unit)
  }

  private func checkArchive(_ path: String, in tree: any FileTree, subject: String) -> Report {
    guard let bytes = tree.read(path, limit: 4 << 30) else {
      return Report(subject: subject, findings: [Finding(.incomplete, Place(path), severity: .error)])
    }
    do throws(ZipError) {
      let archive = try ZipTree(bytes)
      let library = CodeLibrary(archive)
      let apps = archive.list("Payload").filter { $0.hasSuffix(".app") }.map { "Payload/\($0)" }
      var findings = apps.flatMap { BundleCheck.run($0, library: library, now: now) }
      if apps.isEmpty { findings.append(Finding(.incomplete, Place("Payload"), "*.app", severity: .error)) }
      return Report(subject: subject, findings: findings + library.findings, filesChecked: max(1, library.filesRead))
        .relocated(to: path)
    } catch {
      return Report(subject: subject, findings: [Finding(.incomplete, Place(path), error.message, severity: .error)])
    }
  }
}

/// Where the iOS project of a folder lies, whatever tool keeps it.
struct Layout {
  var projects: [String] = []
  var apps: [String] = []
  /// The manifest of a generator whose project may not have been made.
  var generator: String?

  static func isBundle(_ path: String) -> Bool {
    ["xcodeproj", "xcworkspace", "app", "ipa"].contains(path.pathExtension)
  }

  /// Looks at most five folders deep: Flutter and React Native keep it in ios/, Cordova in platforms/ios/.
  static func discover(_ root: String, in tree: any FileTree) -> Layout {
    var layout = Layout()
    var pending = [(root, 0)]
    while let (folder, depth) = pending.popLast() {
      for name in tree.list(folder) {
        let path = folder.isEmpty ? name : folder + "/" + name
        switch name.pathExtension {
        case "xcodeproj":
          if name != "Pods.xcodeproj", tree.kind(path) == .folder { layout.projects.append(path) }
        case "app" where tree.kind(path + "/Info.plist") == .file: layout.apps.append(path)
        default:
          if name == "project.yml" || name == "Project.swift", layout.generator == nil { layout.generator = path }
          if depth < 5, tree.kind(path) == .folder, !FileKinds.isOpaque(path) { pending.append((path, depth + 1)) }
        }
      }
    }
    layout.projects.sort()
    return layout
  }

  // `group:` counts from the group around it, `container:` from the workspace's folder, `self:` from a project's own one.
  private static func resolve(_ location: String, base: String, workspace: String) -> String {
    let parts = location.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return PathText.join(base, location) }
    switch parts[0] {
    case "container": return PathText.join(workspace.parentPath, parts[1])
    case "self": return parts[1].isEmpty ? workspace.parentPath : PathText.join(workspace, parts[1])
    default: return PathText.join(base, parts[1])
    }
  }

  /// The projects that a workspace names, without CocoaPods' own.
  static func projects(ofWorkspace path: String, in tree: any FileTree) -> [String] {
    guard let bytes = tree.read(path + "/contents.xcworkspacedata") else { return [] }
    var found: [String] = []
    var groups: [String] = []
    for tag in TextDecoding.decode(bytes).split(separator: "<") {
      let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
      let place = parts.firstIndex { $0.trimmed.hasSuffix("location =") || $0.trimmed.hasSuffix("location=") }
      let location = place.flatMap { $0 + 1 < parts.count ? String(parts[$0 + 1]) : nil } ?? "group:"
      let base = groups.last ?? path.parentPath
      if tag.hasPrefix("Group") {
        groups.append(resolve(location, base: base, workspace: path))
      } else if tag.hasPrefix("/Group") {
        _ = groups.popLast()
      } else if tag.hasPrefix("FileRef"), location.hasSuffix(".xcodeproj") {
        let project = resolve(location, base: base, workspace: path)
        if project.lastPathComponent != "Pods.xcodeproj", !found.contains(project) { found.append(project) }
      }
    }
    return found
  }
}

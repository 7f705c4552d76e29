/// The rules of sounds inside targets: where they end up and what they are.
enum SoundResources {
  static func check(
    app: XcodeProject.Target, services: [XcodeProject.Target], library: CodeLibrary, findings: inout [Finding]
  ) {
    let appSources = app.sources.compactMap(library.source)
    let serviceSources = services.flatMap { $0.sources.compactMap(library.source) }
    let sources = appSources + serviceSources
    let named = Set(sources.flatMap { $0.soundNames.map(\.name) })
    let notifies = sources.contains {
      $0.text.hasAny(["UNNotificationSound", "UNMutableNotificationContent", "UNNotificationServiceExtension"])
    }
    let all = (app.resources + services.flatMap(\.resources))
    checkFiles(all, named: named, notifies: notifies, library: library, findings: &findings)
    if notifies, !sources.contains(where: { $0.text.has("NSDataAsset") }) {
      for resource in all where resource.path.hasSuffix(".xcassets") {
        checkCatalog(resource.path, library: library, findings: &findings)
      }
    }
    checkNames(sources, resources: all, library: library, findings: &findings)
    let readsClips = serviceSources.contains { $0.use.contains(.bundleClips) }
    let appSounds = app.resources.filter { FileKinds.isSound($0.path) }
    let serviceHasSounds = services.contains {
      $0.resources.contains {
        FileKinds.isSound($0.path) || $0.path.hasSuffix(".xcassets") || $0.path.hasSuffix(".voicepack")
      }
    }
    if readsClips, !appSounds.isEmpty, !serviceHasSounds, let service = services.first {
      findings.append(Finding(.clipsMissing, Place(appSounds[0].path), "\(service.name): \(appSounds.count)"))
    }
  }

  private static func checkFiles(
    _ resources: [XcodeProject.Resource], named: Set<String>, notifies: Bool, library: CodeLibrary,
    findings: inout [Finding]
  ) {
    for resource in Set(resources) where FileKinds.isSound(resource.path) {
      let name = resource.path.lastPathComponent
      let isNamed = named.contains(name)
      let isCoreAudio = ["caf", "aiff", "aif"].contains(name.pathExtension)
      if resource.isInFolderReference, isNamed || (notifies && isCoreAudio) {
        // Whether iOS is to play it is only known of a sound that the code names.
        findings.append(Finding(.soundInFolder, Place(resource.path), severity: isNamed ? nil : .hint))
      }
      guard isNamed || isCoreAudio || name.pathExtension == "wav", let bytes = library.bytes(resource.path) else {
        continue
      }
      // Only what a notification names must be short; other sounds of the app are its own affair.
      findings += SoundCheck.findings(bytes, path: resource.path).filter {
        isNamed || !SoundCheck.lengths.contains($0.code)
      }
    }
  }

  /// Sounds in data sets of an asset catalog.
  static func checkCatalog(_ path: String, library: CodeLibrary, findings: inout [Finding]) {
    for file in library.tree.walk(path, limit: 5_000) where FileKinds.isSound(file) {
      findings.append(Finding(.soundInCatalog, Place(file)))
    }
  }

  static func checkNames(
    _ sources: [SourceFile], resources: [XcodeProject.Resource], library: CodeLibrary, findings: inout [Finding]
  ) {
    let present = Set(resources.map { $0.path.lastPathComponent })
    for file in sources {
      // A file that is made at run time is in no target.
      if file.text.hasAny(["containerURL", "containerURLForSecurityApplicationGroupIdentifier", "libraryDirectory"]) {
        continue
      }
      for sound in file.soundNames where !present.contains(sound.name) && sound.name != "default" {
        let near = present.first {
          $0.split(separator: ".").first?.lowercased() == sound.name.split(separator: ".").first?.lowercased()
        }
        let detail = near.map { "\(sound.name) → \($0)" } ?? sound.name
        findings.append(Finding(.soundNotFound, Place(file.path, line: sound.line), detail))
      }
    }
  }
}

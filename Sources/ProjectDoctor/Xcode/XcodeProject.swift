/// The parts of an Xcode project that the doctor looks at.
struct XcodeProject: Sendable {
  /// One target.
  struct Target: Sendable {
    var id: String
    var name: String
    /// For example `com.apple.product-type.application`; empty for aggregates.
    var productType: String
    var productReference: String?
    var phases: [Phase]
    var configurations: [Configuration]
    /// Files of the compile phase and of synchronised folders, relative to the root of the tree.
    var sources: [String] = []
    /// Files of the resources phase, with how each was added.
    var resources: [Resource] = []
    var dependencies: [String] = []

    var isApp: Bool { productType == "com.apple.product-type.application" }
    var isExtension: Bool { productType.hasPrefix("com.apple.product-type.app-extension") }
  }

  /// One build phase.
  struct Phase: Sendable {
    var kind: String
    var name: String
    /// The destination of a copy phase: 13 is PlugIns, 10 Frameworks.
    var destination: String?
    /// Identifiers of the file references in it.
    var files: [String]
  }

  /// A resource as the project names it.
  struct Resource: Hashable, Sendable {
    var path: String
    /// Whether a folder reference puts it into a sub-folder of the bundle.
    var isInFolderReference: Bool
  }

  /// One build configuration with its settings laid over those below it.
  struct Configuration: Sendable {
    var name: String
    var settings: BuildSettings
  }

  var targets: [Target] = []
  /// Where the pbxproj lies.
  var file: String
  /// The folder that holds the .xcodeproj.
  var folder: String
  var findings: [Finding] = []
  /// Paths of files by their reference.
  var paths: [String: String] = [:]
  var keyLines: [String: Int] = [:]
}

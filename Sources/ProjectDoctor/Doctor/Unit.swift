/// A target, a bundle or a folder in one configuration: what the rules of Info.plist and entitlements look at.
struct Unit: Sendable {
  /// A property list with the file it stands in.
  struct List: Sendable {
    var file: String
    var value: PropertyValue
    var lines: [String: Int] = [:]
    /// The bytes, where a change could be offered.
    var bytes: [UInt8] = []

    /// The place of a key.
    func place(_ key: String) -> Place { Place(file, line: lines[key]) }
  }

  var name: String
  var role: TargetRole
  var configuration: String?
  var plist: List?
  var entitlements: List?
  /// Replaces build settings in a text; outside a project it changes nothing.
  var expand: @Sendable (String) -> String = { $0 }
  var bundleID: String?
  var version: String?
  var build: String?
  var deployment: String?
  var use: SourceUse = []
  var sources: [SourceFile] = []
  /// Names of third-party packages, in lower case; they may use what the code does not show.
  var packages = ""
  /// Whether the code that runs is known, so that something missing may be reported as missing.
  var knowsCode = true
  /// Where to point if a file is missing.
  var fallbackPlace: Place

  /// The background modes.
  var modes: [String] { plist?.value["UIBackgroundModes"]?.strings ?? [] }
  /// The App Groups of the entitlements.
  var groups: [String] { (entitlements?.value["com.apple.security.application-groups"]?.strings ?? []).map(expand) }
  /// The extension point.
  var extensionPoint: String? { plist?.value["NSExtension"]?["NSExtensionPointIdentifier"]?.string.map(expand) }

  /// Whether a package's name contains one of the words.
  func depends(onAny words: [String]) -> Bool {
    !packages.isEmpty && words.contains { TextSearch.contains($0, in: packages) }
  }

  static let servicePoint = "com.apple.usernotifications.service"
}

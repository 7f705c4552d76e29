internal import Glibc

/// `aloud bench doctor`: the CPU time of `aloud doctor` on a project of many files, whole process, beside a search of the
/// same files for one word by `grep`.
///
/// The project is written to a temporary folder twice: with a file reference for every source, as Xcode did for long, and
/// with folders that synchronise themselves, as Xcode 16 does. One source in twenty has to do with notifications.
struct BenchDoctor {
  /// How many source files the project has.
  var files = 2_000
  /// How often each program runs; the best run counts.
  var rounds = 5

  private static let goalSeconds = 1.0

  /// Runs everything and describes it.
  func run() throws -> String {
    let folder = try BenchFolder()
    defer { folder.remove() }
    var lines: [String] = []
    for isSynchronised in [false, true] {
      let path = "\(folder.path)/\(isSynchronised ? "synchronised" : "references")"
      let bytes = try BenchProject(files: files, isSynchronised: isSynchronised).write(to: path)
      let own = try best(["/proc/\(getpid())/exe", "doctor", path])
      let peer = try best(["grep", "-rlF", "AVAudioSession", path])
      let verdict = own.cpuSeconds < BenchDoctor.goalSeconds ? "goal < 1 s met" : "goal < 1 s MISSED"
      lines.append(
        "\(isSynchronised ? "synchronised folders" : "file references"): \(files) files, \(bytes >> 10) KiB: "
          + "\(milliseconds(own.cpuSeconds)) ms CPU, \(own.peakKiB >> 10) MiB (\(verdict)); "
          + "grep for one word \(milliseconds(peer.cpuSeconds)) ms; "
          + (own.exitStatus == 0 ? "no finding" : "exit \(own.exitStatus)"))
    }
    return lines.joined(separator: "\n")
  }

  private func best(_ arguments: [String]) throws -> BenchProcess.Result {
    var best = try BenchProcess.run(arguments)
    for _ in 1..<max(2, rounds) {
      let next = try BenchProcess.run(arguments)
      if next.cpuSeconds < best.cpuSeconds { best = next }
    }
    return best
  }

  private func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1_000).rounded()) }
}

/// An app with a service extension and as many sources as are asked for.
private struct BenchProject {
  var files: Int
  var isSynchronised: Bool

  /// Writes it below `folder`; gives the number of bytes.
  func write(to folder: String) throws(FileBytes.Failure) -> Int {
    for path in ["", "/App", "/Bell", "/Big.xcodeproj"] { mkdir(folder + path, 0o755) }
    var all: [(String, String)] = [
      ("Big.xcodeproj/project.pbxproj", project), ("App/Info.plist", plist("APPL", "")),
      ("Bell/Info.plist", plist("XPC!", BenchProject.service)), ("App/App.entitlements", BenchProject.appRights),
      ("Bell/Bell.entitlements", BenchProject.rights), ("Bell/NotificationService.swift", BenchProject.bell),
    ]
    for index in 0..<(files - 1) { all.append(("App/File\(index).swift", source(index))) }
    for (name, text) in all { try FileBytes.write(Array(text.utf8), path: "\(folder)/\(name)") }
    return all.reduce(0) { $0 + $1.1.utf8.count }
  }

  private func source(_ index: Int) -> String {
    let body = (0..<40).map { line in
      "  /// Lays out row \(line) of the list.\n  func layout\(line)(_ rows: [CGRect]) -> CGFloat {\n"
        + "    rows.reduce(\(line)) { $0 + $1.height }\n  }\n"
    }.joined()
    let notifies = index % 20 == 0
    let head =
      notifies
      ? "import UIKit\nimport UserNotifications\n\nlet center\(index): UNUserNotificationCenter? = nil\n"
      : "import UIKit\n"
    return head + "\nfinal class View\(index): UIView {\n\(body)}\n"
  }

  private var project: String {
    let references = isSynchronised ? "" : (0..<(files - 1)).map(reference).joined()
    let members = isSynchronised ? "" : (0..<(files - 1)).map { "\t\t\t\tA\($0) /* File\($0).swift */,\n" }.joined()
    let builds =
      isSynchronised ? "" : (0..<(files - 1)).map { "\t\t\t\tB\($0) /* File\($0).swift in Sources */,\n" }.joined()
    func group(_ name: String, _ children: String) -> String {
      isSynchronised
        ? "G\(name) = {isa = PBXFileSystemSynchronizedRootGroup; path = \(name); sourceTree = \"<group>\"; };\n"
        : "G\(name) = {isa = PBXGroup; children = (\n\(children)); path = \(name); sourceTree = \"<group>\"; };\n"
    }
    func target(_ name: String, _ type: String, _ phases: String) -> String {
      "T\(name) = {isa = PBXNativeTarget; buildConfigurationList = L\(name); buildPhases = (\(phases)); name = \(name); "
        + (isSynchronised ? "fileSystemSynchronizedGroups = (G\(name)); " : "")
        + "productReference = P\(name); productType = \"com.apple.product-type.\(type)\"; };\n"
        + "P\(name) = {isa = PBXFileReference; path = \(name).bundle; sourceTree = BUILT_PRODUCTS_DIR; };\n"
        + "L\(name) = {isa = XCConfigurationList; buildConfigurations = (D\(name), V\(name)); };\n"
        + ["D", "V"].map { settings($0, name) }.joined()
    }
    return "// !$*UTF8*$!\n{\nobjects = {\n" + references + group("App", members) + group("Bell", "AS,\n")
      + "AS = {isa = PBXFileReference; path = NotificationService.swift; sourceTree = \"<group>\"; };\n"
      + "BS = {isa = PBXBuildFile; fileRef = AS; };\nBE = {isa = PBXBuildFile; fileRef = PBell; };\n"
      + "SA = {isa = PBXSourcesBuildPhase; files = (\n\(builds)); };\n"
      + "SB = {isa = PBXSourcesBuildPhase; files = (\(isSynchronised ? "" : "BS,")); };\n"
      + "CE = {isa = PBXCopyFilesBuildPhase; dstSubfolderSpec = 13; files = (BE,); name = \"Embed App Extensions\"; };\n"
      + target("App", "application", "SA, CE") + target("Bell", "app-extension", "SB")
      + "M = {isa = PBXGroup; children = (GApp, GBell); sourceTree = \"<group>\"; };\n"
      + "R = {isa = PBXProject; mainGroup = M; targets = (TApp, TBell); };\n};\nrootObject = R;\n}\n"
  }

  private func reference(_ index: Int) -> String {
    let name = "File\(index).swift"
    return
      "\t\tA\(index) /* \(name) */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = \(name); "
      + "sourceTree = \"<group>\"; };\n\t\tB\(index) /* \(name) in Sources */ = {isa = PBXBuildFile; fileRef = A\(index); };\n"
  }

  private func settings(_ letter: String, _ name: String) -> String {
    "\(letter)\(name) = {isa = XCBuildConfiguration; name = \(letter == "D" ? "Debug" : "Release"); buildSettings = {"
      + "INFOPLIST_FILE = \(name)/Info.plist; CODE_SIGN_ENTITLEMENTS = \(name)/\(name).entitlements; "
      + "IPHONEOS_DEPLOYMENT_TARGET = 15.0; MARKETING_VERSION = 1.0; CURRENT_PROJECT_VERSION = 1; "
      + "PRODUCT_BUNDLE_IDENTIFIER = com.example.big\(name == "Bell" ? ".bell" : ""); }; };\n"
  }

  private func plist(_ type: String, _ extra: String) -> String {
    BenchProject.plist(
      "<key>CFBundlePackageType</key><string>\(type)</string>\n<key>CFBundleVersion</key><string>1</string>\n\(extra)")
  }

  private static func plist(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\n\(body)</dict></plist>\n"
  }

  private static let service = """
    <key>NSExtension</key><dict>
    <key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.service</string>
    <key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).NotificationService</string>
    </dict>

    """
  private static let group =
    "<key>com.apple.security.application-groups</key><array><string>group.com.example.big</string></array>\n"
  private static let rights = plist(group)
  private static let appRights = plist("<key>aps-environment</key><string>development</string>\n" + group)
  private static let bell = """
    import UserNotifications

    final class NotificationService: UNNotificationServiceExtension {
      private var contentHandler: ((UNNotificationContent) -> Void)?
      override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
      ) {
        self.contentHandler = contentHandler
        finish(request.content)
      }
      override func serviceExtensionTimeWillExpire() { finish(UNNotificationContent()) }
      private func finish(_ content: UNNotificationContent) {
        let handler = contentHandler
        contentHandler = nil
        handler?(content)
      }
    }

    """
}

import Glibc
import ProjectDoctor

extension Subcommand {
  /// `aloud doctor`: every rule of projects, bundles and sounds.
  static let doctor = Subcommand(
    "doctor", summary: "Check an Xcode project, an app, an .ipa or a folder of sounds",
    discussion: """
      PATH is a folder, .xcodeproj, .xcworkspace, .app, .ipa, Info.plist, .entitlements or a sound file. Works without
      Apple's tools. A file .aloud-doctor in the folder silences codes: “ALD301 App/Info.plist: the app is a radio”.
      Exits with 1 if an error was found. “aloud explain CODE” says more about a finding.
      """,
    options: ReportOutput.options + [
      .value("now", "SECONDS", "The UNIX time against which profiles are judged; the clock's by default")
    ],
    operands: [Operand("PATH", help: "What to check")],
    body: .immediate { call in
      try ReportOutput.check(call)
      let given = call.arguments.operands[0]
      var path = given
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      var status = stat()
      guard stat(path, &status) == 0 else {
        throw CommandFailure("\(given): there is no such file or folder (\(String(cString: strerror(errno))))")
      }
      let isPlainFolder =
        status.st_mode & S_IFMT == S_IFDIR
        && !["xcodeproj", "xcworkspace", "app"].contains { path.hasSuffix("." + $0) }
      let slash = path.lastIndex(of: "/")
      let root = isPlainFolder ? path : slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      let inside = isPlainFolder ? "" : slash.map { String(path[path.index(after: $0)...]) } ?? path
      let now = try call.arguments.integer("now") ?? time(nil)
      // Places are told as they are seen from here, so that a terminal or an editor finds them.
      let report = ProjectDoctor(now: now).check(inside, in: DiskTree(root: root), subject: given).relocated(to: root)
      if call.arguments.flag("fix") { try ReportOutput.fix(report, call) }
      return try ReportOutput.print(report, call)
    })
}

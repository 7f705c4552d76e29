import ProjectDoctor
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Projects that are damaged or made to hang a reader: what can be read is checked, the rest is reported.
@Suite(.timeLimit(.minutes(10)))
struct HostileProjectTests {
  @Test func `a project with merge marks is reported with its line, and our side is checked`() {
    let files = TestFiles.shop.editing([
      .replace(
        DoctorCase.pbx, "\tobjectVersion = 54;",
        "<<<<<<< HEAD\n\tobjectVersion = 54;\n=======\n\tobjectVersion = 77;\n>>>>>>> other"),
      .replace(DoctorCase.pbx, "$(APP_ID).bell", "org.other"),
    ])
    let report = files.report()
    #expect(report.codes == [.bundlePrefix, .unreadableProject])
    #expect(report.findings.first { $0.code == .unreadableProject }?.place.line == 6)
    #expect(report.findings.first { $0.code == .bundlePrefix }?.place.line != nil)
  }

  @Test func `a property list with merge marks is reported, and our side is checked`() {
    let list =
      "<plist><dict>\n<<<<<<< HEAD\n<key>UIBackgroundModes</key><array><string>voip</string></array>\n||||||| base\n=======\n<key>a</key><true/>\n>>>>>>> b\n</dict></plist>"
    let report = TestFiles(files: ["Info.plist": Array(list.utf8)]).report("Info.plist")
    #expect(
      report.findings.map { "\($0.place) \($0.code.rawValue)" } == ["Info.plist:2 ALD329", "Info.plist:3 ALD302"])
  }

  @Test func `of a project that is cut off the files are still checked`() {
    let half = String(ShopText.project.prefix(900))
    let report = TestFiles.shop.editing([
      .write(DoctorCase.pbx, half),
      .replace("Bell/Info.plist", "XPC!", "APPL"),
    ]).report()
    #expect(report.codes.contains(.unreadableProject))
    #expect(report.codes.contains(.packageType))
  }

  @Test func `settings files that include each other end`() {
    let files = TestFiles.shop.editing([
      .replace("Config/Base.xcconfig", "#include? \"Local.xcconfig\"", "#include \"A.xcconfig\""),
      .write("Config/A.xcconfig", "#include \"B.xcconfig\"\n#include \"A.xcconfig\"\n"),
      .write("Config/B.xcconfig", "#include \"A.xcconfig\"\n#include \"Base.xcconfig\"\n"),
    ])
    #expect(files.report().serious == [])
  }

  @Test(arguments: [
    "<plist>" + String(repeating: "<array>", count: 20_000),
    "<plist>" + String(repeating: "<dict><key>a</key>", count: 20_000),
    String(repeating: "(", count: 20_000), String(repeating: "{a=", count: 20_000),
    "/*" + String(repeating: "/*", count: 20_000), "<plist><string>" + String(repeating: "&amp;", count: 20_000),
    String(repeating: "<!--", count: 20_000), "bplist00" + String(repeating: "\u{1}", count: 100),
    "<<<<<<< a\n=======\n>>>>>>> b\n", "<<<<<<< a\n<<<<<<< a\n", "",
  ])
  func `lists without end or sense are refused`(_ text: String) {
    for path in ["Shop/Info.plist", "Shop/Shop.entitlements", DoctorCase.pbx] {
      let report = TestFiles.shop.editing([.write(path, text)]).report()
      #expect(report.codes.contains(path == DoctorCase.pbx ? .unreadableProject : .unreadablePlist), "\(path)")
    }
  }

  @Test(arguments: [
    // Groups in a ring, and references to nothing or to a value of another kind.
    ("mainGroup = ", "mainGroup = R; nothing = "),
    ("children = (", "children = (\n\t\t\t\tR,\n\t\t\t\tnobody,\n\t\t\t\t(),\n"),
    ("targets = (", "targets = (\n\t\t\t\tnobody,\n\t\t\t\t{},\n"),
    ("buildPhases = (", "buildPhases = (\n\t\t\t\tnobody,\n"),
    ("buildSettings = {", "buildSettings = {\n\t\t\t\tA = (a, (b), {c = d;});\n"),
    ("isa = PBXGroup;", "isa = (PBXGroup);"),
    ("fileRef = ", "fileRef = {}; other = "), ("name = Debug;", "name = (Debug);"),
  ])
  func `odd values in a project are passed over`(_ old: String, _ new: String) {
    let text = ShopText.project.components(around: old).joined(separator: new)
    #expect(text != ShopText.project)
    let report = TestFiles.shop.editing([.write(DoctorCase.pbx, text)]).report()
    #expect(report.findings.allSatisfy { !$0.place.file.isEmpty })
  }

  @Test func `a project in UTF-16 is read`() {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in ShopText.project.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
    #expect(TestFiles.shop.editing([.bytes(DoctorCase.pbx, bytes)]).report().serious == [])
  }

  @Test func `a workspace with groups leads to its projects`() {
    var files = TestFiles(files: [:])
    for (path, bytes) in TestFiles.shop.files { files.files["apps/ios/" + path] = bytes }
    let groups = """
      <?xml version="1.0" encoding="UTF-8"?>
      <Workspace version = "1.0">
        <Group location = "group:apps" name = "Apps">
          <Group location = "group:ios"><FileRef location = "group:Shop.xcodeproj"></FileRef></Group>
        </Group>
        <FileRef location = "container:apps/ios/Shop.xcodeproj"></FileRef>
        <FileRef location = "group:Packages/Core"></FileRef>
      </Workspace>
      """
    files.files["All.xcworkspace/contents.xcworkspacedata"] = Array(groups.utf8)
    #expect(files.report("All.xcworkspace").serious == [])
    files.files["apps/ios/Bell/Bell.entitlements"] = nil
    #expect(files.report("All.xcworkspace").codes.contains(.missingFile))
    for broken in ["", "<Workspace>", "<FileRef location = \"group:No.xcodeproj\">", "</Group></Group>"] {
      files.files["All.xcworkspace/contents.xcworkspacedata"] = Array(broken.utf8)
      #expect(files.report("All.xcworkspace").codes == [.unreadableProject])
    }
  }

  @Test func `links in a ring, pipes, and files of many gigabytes do not hold the doctor up`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let root = folder.path
    for folder in ["Sub", "Sub/Deep"] { mkdir("\(root)/\(folder)", 0o755) }
    symlink("..", "\(root)/Sub/up")
    symlink("self", "\(root)/self")
    symlink("/nonexistent", "\(root)/Dead.swift")
    symlink("../..", "\(root)/Sub/Deep/App.xcodeproj")
    mkfifo("\(root)/Info.plist", 0o644)
    mkfifo("\(root)/Pipe.swift", 0o644)
    for name in ["Huge.swift", "huge.caf", "Huge-Info.plist"] {
      let file = open("\(root)/\(name)", O_WRONLY | O_CREAT, 0o644)
      #expect(ftruncate(file, 20 << 30) == 0)
      close(file)
    }
    mkdir("\(root)/empty", 0o755)
    #expect(ProjectDoctor(now: 0).check("empty", in: DiskTree(root: root), subject: "e").codes == [.incomplete])
    let report = ProjectDoctor(now: 0).check("", in: DiskTree(root: root), subject: root)
    let unread = report.findings.filter { $0.code == .incomplete }.map(\.place.file)
    #expect(unread == ["Huge-Info.plist", "Huge.swift", "huge.caf"])
    #expect(!report.hasErrors)
  }
}

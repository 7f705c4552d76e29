import AloudCommand
import Glibc
import TestSupport
import Testing

struct DoctorCommandTests {
  private func run(_ arguments: String..., input: String = "") async -> (ExitCode, Streams) {
    let streams = Streams(input: input)
    let code = await AloudCommand().run(arguments, io: streams.io)
    return (code, streams)
  }

  @Test func `lint exits with 1 for errors and 0 for less`() async {
    let clean = await run("lint", "-", input: #"{"aps":{"alert":"a","sound":"default"}}"#)
    #expect(clean.0 == .success)
    #expect(clean.1.output == "(standard input): 1 file checked, nothing found.\n")
    let faulty = await run("lint", "-", input: #"{"aps":{"alert":"a","sound":"a.mp3"}}"#)
    #expect(faulty.0 == .findings)
    #expect(faulty.1.output.contains("(standard input):1:21: error ALD114"))
    let warned = await run("lint", "-l", "zh", "-", input: #"{"aps":{"alert":"a","sound":"a"}}"#)
    #expect(warned.0 == .success)
    #expect(warned.1.output.contains("警告 ALD113"))
  }

  @Test func `lint says what it cannot open with 2 and what is misused with 64`() async {
    #expect(await run("lint", "/nonexistent.json").0 == .failure)
    #expect(await run("lint").0 == .usage)
    #expect(await run("doctor", "/nonexistent").0 == .failure)
  }

  @Test func `a fix is shown, and written only when asked`() async throws {
    let made = try TemporaryFolder()
    defer { made.remove() }
    let folder = made.path
    let path = folder + "/push.json"
    let text = "{\"aps\":{\"alert\":\"a\",\"mutable_content\":\"1\"}}\n"
    try FileBytes.write(Array(text.utf8), path: path)
    let shown = await run("lint", "--fix", path)
    #expect(
      shown.1.output.contains("+{\"aps\":{\"alert\":\"a\",\"mutable-content\": 1}}")
        || shown.1.output.contains("\"mutable-content\":1"))
    #expect(try FileBytes.read(path: path) == Array(text.utf8))
    _ = await run("lint", "--fix", "--write", path)
    #expect(String(decoding: try FileBytes.read(path: path), as: UTF8.self).contains("\"mutable-content\":1"))
    #expect(await run("lint", path).0 == .success)
    let machine = await run("lint", "--fix", "--json", path)
    #expect(machine.1.output.hasPrefix("{"))
  }

  @Test func `doctor checks a file, a folder and its silence file`() async throws {
    let made = try TemporaryFolder()
    defer { made.remove() }
    let folder = made.path
    let plist = "<plist><dict><key>UIBackgroundModes</key><array><string>voip</string></array></dict></plist>"
    try FileBytes.write(Array(plist.utf8), path: folder + "/Info.plist")
    let file = await run("doctor", folder + "/Info.plist")
    #expect(file.0 == .findings)
    #expect(file.1.output.contains("Info.plist:1: error ALD302"))
    #expect(await run("doctor", folder + "/").0 == .findings)
    try FileBytes.write(Array("ALD302: calls come next month\n".utf8), path: folder + "/.aloud-doctor")
    let silenced = await run("doctor", folder)
    #expect(silenced.0 == .success)
    #expect(silenced.1.output.contains("1 silenced"))
    let sarif = await run("doctor", "--sarif", folder)
    #expect(sarif.1.output.contains("\"justification\": \"calls come next month\""))
  }

  @Test func `explain knows rules and the phone's reasons in both languages`() async {
    #expect(await run("explain", "ALD110").1.output.contains("mutable-content"))
    #expect(await run("explain", "A117").1.output.hasPrefix("A117"))
    #expect(await run("explain", "-l", "zh", "ald503").1.output.contains("30 秒"))
    #expect(await run("explain", "--json", "ALD110").1.output.contains("\"advice\":\"Add"))
    #expect(await run("explain", "ALD999").0 == .usage)
    #expect(await run("explain").1.output.contains("ALD703"))
  }

  @Test func `options that contradict each other or do not exist are refused with 64`() async {
    let text = #"{"aps":{"alert":"a"}}"#
    for wrong in [["--write"], ["--json", "--sarif"], ["--lang", "fr"], ["--lange", "en"]] {
      let streams = Streams(input: text)
      #expect(await AloudCommand().run(["lint"] + wrong + ["-"], io: streams.io) == .usage, "\(wrong)")
      #expect(streams.output.isEmpty && !streams.errors.isEmpty)
    }
  }

  @Test(
    arguments: [
      (["LANG": "zh_CN.UTF-8"], true), (["LANG": "en_US.UTF-8"], false), (["LANG": "zh_CN", "LC_ALL": "C"], false),
      (["LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "C"], true), (["ALOUD_LANG": "zh", "LC_ALL": "C"], true),
      ([:], false),
    ] as [([String: String], Bool)])
  func `the language is the environment's, in the order of POSIX`(_ environment: [String: String], _ isChinese: Bool)
    async
  {
    let streams = Streams(input: #"{"aps":{"alert":"a","sound":"a.mp3"}}"#)
    var io = streams.io
    io.environment = environment
    #expect(await AloudCommand().run(["lint", "-"], io: io) == .findings)
    #expect(streams.output.contains("错误 ALD114") == isChinese)
    #expect(streams.output.contains("\u{1B}") == false)
    let terminal = Streams(input: #"{"aps":{"alert":"a","sound":"a.mp3"}}"#)
    io = terminal.io
    io.outputIsTerminal = true
    _ = await AloudCommand().run(["lint", "-"], io: io)
    #expect(terminal.output.contains("\u{1B}[31m"))
  }

  @Test func `a silence file beside a payload counts, and one without a reason is reported`() async throws {
    let made = try TemporaryFolder()
    defer { made.remove() }
    let folder = made.path
    try FileBytes.write(Array(#"{"aps":{"alert":"a","sound":"a.mp3"}}"#.utf8), path: folder + "/push.json")
    try FileBytes.write(
      Array("ALD114 push.json: converted on the phone, see #12\n".utf8), path: folder + "/.aloud-doctor")
    #expect(await run("lint", folder + "/push.json").0 == .success)
    try FileBytes.write(Array("ALD114 push.json\n".utf8), path: folder + "/.aloud-doctor")
    let refused = await run("lint", folder + "/push.json")
    #expect(refused.0 == .findings)
    #expect(refused.1.output.contains("\(folder)/.aloud-doctor:1: warning ALD418"))
    #expect(refused.1.output.contains("no reason"))
  }

  @Test func `places are told as they are seen from where the command runs`() async throws {
    let made = try TemporaryFolder()
    defer { made.remove() }
    let folder = made.path
    mkdir(folder + "/App", 0o755)
    let plist = "<plist><dict>\n<key>UIBackgroundModes</key><array><string>voip</string></array></dict></plist>"
    try FileBytes.write(Array(plist.utf8), path: folder + "/App/Info.plist")
    #expect(await run("doctor", folder).1.output.contains("\(folder)/App/Info.plist:2: error ALD302"))
    #expect(
      await run("doctor", folder + "/App/Info.plist").1.output.contains("\(folder)/App/Info.plist:2: error ALD302"))
  }
}

import AloudCommand
import Glibc
import Testing

struct DoctorCommandTests {
  private func run(_ arguments: String..., input: String = "") async -> (ExitCode, Streams) {
    let streams = Streams(input: input)
    let code = await AloudCommand().run(arguments, io: streams.io)
    return (code, streams)
  }

  private func temporaryFolder() throws -> String {
    var template = Array("/tmp/aloud-doctor-XXXXXX".utf8CString)
    return String(cString: try #require(mkdtemp(&template)))
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
    let folder = try temporaryFolder()
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
    unlink(path)
    rmdir(folder)
  }

  @Test func `doctor checks a file, a folder and its silence file`() async throws {
    let folder = try temporaryFolder()
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
    for name in ["/Info.plist", "/.aloud-doctor"] { unlink(folder + name) }
    rmdir(folder)
  }

  @Test func `explain knows rules and the phone's reasons in both languages`() async {
    #expect(await run("explain", "ALD110").1.output.contains("mutable-content"))
    #expect(await run("explain", "A117").1.output.hasPrefix("A117"))
    #expect(await run("explain", "-l", "zh", "ald503").1.output.contains("30 秒"))
    #expect(await run("explain", "--json", "ALD110").1.output.contains("\"advice\":\"Add"))
    #expect(await run("explain", "ALD999").0 == .usage)
    #expect(await run("explain").1.output.contains("ALD703"))
  }
}

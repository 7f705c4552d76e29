import AloudCommand
import ExactJSON
import Glibc
import TestSupport
import Testing

/// A program of ours as a child process.
final class ChildProgram: Sendable {
  let pid: pid_t
  private let output: Int32

  /// Starts `aloud`, which lies beside the test bundle.
  init(_ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    defer { posix_spawn_file_actions_destroy(&actions) }
    let path = try ChildProgram.path()
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    var child = pid_t()
    let started = posix_spawn(&child, path, &actions, nil, &argv, environ)
    close(ends[1])
    try #require(started == 0, "\(path) did not start: run “swift build” first")
    (pid, output) = (child, ends[0])
  }

  deinit { close(output) }

  static func path() throws -> String {
    let program = try #require(VoiceLibrary.programPath())
    var folder = program[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      for name in ["/aloud", "/debug/aloud", "/.build/debug/aloud"] where access(folder + name, X_OK) == 0 {
        return String(folder + name)
      }
    }
    for argument in CommandLine.arguments {
      guard let slash = argument.lastIndex(of: "/") else { continue }
      let candidate = argument[..<slash] + "/aloud"
      if access(String(candidate), X_OK) == 0 { return String(candidate) }
    }
    return ".build/debug/aloud"
  }

  /// The first line of output that contains `text`, or what came before the end.
  func line(containing text: String) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      guard byte == UInt8(ascii: "\n") else {
        bytes.append(byte)
        continue
      }
      let line = String(decoding: bytes, as: UTF8.self)
      if line.contains(text) { return line }
      bytes = []
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until the program ends: its exit code and the most memory that it had, in KiB.
  func end() -> (code: Int, peakKiB: Int) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while read(output, &buffer, buffer.count) > 0 {}
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    return (Int(status >> 8 & 0xFF), usage.ru_maxrss)
  }

  /// Ends the program at once, as a power cut would end the process.
  func kill() {
    Glibc.kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }
}

struct CrashTests {
  @Test func `an event that was answered with 202 is there after kill -9, once`() async throws {
    let folder = "/tmp/aloud-crash-\(getpid())"
    defer { removeFolder(folder) }
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", folder, "--log-level", "error"]
    let first = try ChildProgram(arguments)
    let port = try #require(portNumber(first.line(containing: "listens on")))
    let key = try #require(first.line(containing: "#key=").split(separator: "=").last)
    let http = PlainHTTP(port: port, headers: [("Authorization", "Bearer \(key)")])
    _ = try await http.send("POST", "/v1/devices", #"{"token":"00aa","topic":"t","user":"shop","locale":"zh-CN"}"#)
    let event =
      #"{"id":"e1","to":{"user":"shop"},"kind":"payment.received","amount":"28.50","currency":"CNY"}"#
    let answer = try await http.send("POST", "/v1/events", event)
    first.kill()
    #expect(answer.status == 202)

    let second = try ChildProgram(arguments)
    let newPort = try #require(portNumber(second.line(containing: "listens on")))
    let after = PlainHTTP(port: newPort, headers: http.headers)
    let history = try JSON.parse(try await after.send("GET", "/v1/events/e1").body)
    #expect(history["event"]?["amount"] == "28.50")
    let repeated = try JSON.parse(try await after.send("POST", "/v1/events", event).body)
    #expect(repeated["repeated"] == true)
    #expect(repeated["deliveries"] == (try JSON.parse(answer.body))["deliveries"])
    second.kill()
  }

  private func portNumber(_ line: String) -> Int? { line.split(separator: ":").last.flatMap { Int($0) } }

  private func removeFolder(_ path: String) {
    for name in ["aloud.db", "aloud.db-wal", "aloud.db-shm", "aloud.db-lock"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}

struct DemoTests {
  @Test func `the demo says both sentences once, and the repeat not again`() async throws {
    let folder = "/tmp/aloud-demo-\(getpid())"
    let streams = Streams()
    var io = streams.io
    io.environment = [
      "ALOUD_VOICES": #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Voices"
    ]
    let code = await AloudCommand().run(["demo", "--once", "--output", folder], io: io)
    #expect(code == .success, "\(streams.output)\(streams.errors)")
    #expect(streams.output.contains("“微信收款二十八点五元”"))
    #expect(streams.output.contains("“WeChat Pay received twenty-eight dollars and fifty cents”"))
    #expect(try FileBytes.read(path: folder + "/heard.wav").count > 100_000)
  }
}

import AloudCommand
import ExactJSON
import Glibc
import ServerTestSupport
import TestSupport
import Testing

struct CrashTests {
  @Test func `an event that was answered with 202 is there after kill -9, once`() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", folder.path + "/data", "--log-level", "error"]
    let first = try TestProgram([ServerProgram.path] + arguments)
    let port = try #require(portNumber(first))
    let key = try #require(first.line(containing: "#key=")?.split(separator: "=").last)
    let http = PlainHTTP(port: port, headers: [("Authorization", "Bearer \(key)")])
    _ = try await http.send("POST", "/v1/devices", #"{"token":"00aa","topic":"t","user":"shop","locale":"zh-CN"}"#)
    let event =
      #"{"id":"e1","to":{"user":"shop"},"kind":"payment.received","amount":"28.50","currency":"CNY"}"#
    let answer = try await http.send("POST", "/v1/events", event)
    first.end(signal: SIGKILL)
    #expect(answer.status == 202)

    let second = try TestProgram([ServerProgram.path] + arguments)
    let newPort = try #require(portNumber(second))
    let after = PlainHTTP(port: newPort, headers: http.headers)
    let history = try JSON.parse(try await after.send("GET", "/v1/events/e1").body)
    #expect(history["event"]?["amount"] == "28.50")
    let repeated = try JSON.parse(try await after.send("POST", "/v1/events", event).body)
    #expect(repeated["repeated"] == true)
    #expect(repeated["deliveries"] == (try JSON.parse(answer.body))["deliveries"])
    second.end(signal: SIGKILL)
  }

  private func portNumber(_ server: TestProgram) -> Int? {
    server.line(containing: "listens on")?.split(separator: ":").last.flatMap { Int($0) }
  }
}

struct DemoTests {
  @Test func `the demo says both sentences once, and the repeat not again`() async throws {
    let made = try TemporaryFolder()
    defer { made.remove() }
    let folder = made.path + "/demo"
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

import AudioTools
import Glibc
import Testing

struct ChildProcessTests {
  @Test func `hands text in and out`() throws {
    let text = [UInt8](repeating: 65, count: 300_000)
    let result = try ChildProcess.run(["cat"], input: text)
    let isSame = result.output == text
    #expect(isSame && result.status == 0)
    #expect(try ChildProcess.run(["sh", "-c", "echo no >&2; exit 3"]).firstComplaint == "no")
    #expect(try ChildProcess.run(["sh", "-c", "kill -9 $$"]).status == 137)
  }

  @Test func `outlives a child that does not read, is too slow or says too much`() throws {
    #expect(try ChildProcess.run(["true"], input: [UInt8](repeating: 65, count: 1 << 20)).status == 0)
    #expect(throws: AudioToolsError.self) { try ChildProcess.run(["sh", "-c", "exec sleep 60"], seconds: 1) }
    #expect(throws: AudioToolsError.self) { try ChildProcess.run(["yes"], limit: 1 << 20) }
    #expect(throws: AudioToolsError.self) { try ChildProcess.run(["no-such-program-here"]) }
  }

  @Test func `a child can be ended, also when the thread that starts it blocks every signal`() throws {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let result = try ChildProcess.run(["sh", "-c", "kill -TERM $$; echo still here"])
    #expect(result.status == 128 + Int(SIGTERM))
    #expect(result.output.isEmpty)
  }
}

internal import AudioTools
internal import Glibc
internal import TestSupport

/// Another program beside a test: started, read line by line, ended.
///
/// Its calls block; call them from a thread of one's own.
package final class TestProgram: Sendable {
  package let pid: Int32
  private let output: Int32

  /// Starts `arguments[0]`, found by PATH, with what it writes to both streams in one pipe.
  package init(_ arguments: [String], folder: String? = nil, environment: [String: String] = [:]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw TestFailure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    // “env” sets folder and variables, so that this process's own stay as they are.
    let words =
      ["env"] + (folder.map { ["-C", $0] } ?? []) + environment.map { "\($0.key)=\($0.value)" } + arguments
    var child = pid_t()
    let failure = ChildProcess.spawn("env", words, &actions, hasOwnGroup: true, &child)
    close(ends[1])
    guard failure == 0 else {
      close(ends[0])
      throw TestFailure("\(arguments[0]) cannot be started: \(String(cString: strerror(failure)))")
    }
    (pid, output) = (child, ends[0])
  }

  deinit { close(output) }

  /// The first line that contains `text`, or nil when the output ended before.
  package func line(containing text: String) -> String? {
    while let line = nextLine() { if line.contains(text) { return line } }
    return nil
  }

  /// The next line without its break; nil at the end.
  package func nextLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Reads to the end and waits: everything it wrote, and its exit status (128 and more: the signal that ended it).
  package func finish() -> (output: String, status: Int) {
    var text = ""
    while let line = nextLine() { text += line + "\n" }
    return (text, wait())
  }

  /// Ends it and what it started, and waits.
  @discardableResult
  package func end(signal: Int32 = SIGTERM) -> Int {
    kill(-pid, signal)
    return wait()
  }

  private func wait() -> Int {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
  }
}

internal import CLinux
internal import Glibc
internal import TestSupport

/// A process of `aloud` under test; it ends with the test process whatever happens to it.
package final class ServerProgram: Sendable {
  package let process: Int32
  /// Where its output goes, standard error included.
  package let log: String

  /// Starts `aloud` with these arguments.
  ///
  /// `TORTURE_PROGRAM` names the program; without it, it is the one that was built beside the tests.
  package init(_ arguments: [String], log: String) throws {
    self.log = log
    process = try Command.start(
      ["/usr/bin/setpriv", "--pdeathsig=KILL", ServerProgram.path] + arguments, log: log)
  }

  /// The program under test.
  package static let path: String = {
    if let asked = getenv("TORTURE_PROGRAM") { return String(cString: asked) }
    for argument in CommandLine.arguments {
      guard let slash = argument.lastIndex(of: "/") else { continue }
      let candidate = argument[..<slash] + "/aloud"
      if access(String(candidate), X_OK) == 0 { return String(candidate) }
    }
    return ".build/debug/aloud"
  }()

  /// Waits for a line of output with `text` in it.
  ///
  /// - Throws: ``TestFailure`` with the output when it does not come in time.
  package func line(containing text: String, seconds: Int = 30) throws -> String {
    let deadline = Monotonic.milliseconds() + Int64(seconds) * 1_000
    while true {
      let output = ServerProgram.text(of: log)
      if let line = output.split(separator: "\n").first(where: { $0.contains(text) }) { return String(line) }
      if Monotonic.milliseconds() > deadline { throw TestFailure("aloud did not print “\(text)”:\n\(output)") }
      poll(nil, 0, 5)
    }
  }

  /// Sends it a signal.
  package func signal(_ number: Int32) { _ = kill(process, number) }

  /// Waits for its end; gives its exit code, or 128 and the signal that ended it.
  @discardableResult
  package func wait() -> Int { (try? Command.end(of: process)) ?? -1 }

  package static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}

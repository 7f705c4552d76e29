import AloudCommand
import Glibc
import HTTPTransport
import ServerTestSupport
import TestSupport
import Testing

/// docs/server.md as a person follows it, line by line.
struct ServerPageTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  /// The blocks that a page lets its readers run.
  private func blocks(_ page: String) -> [String] {
    var blocks: [String] = []
    var current: [Substring]?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      switch (current, line) {
      case (nil, "```sh"): current = []
      case (let lines?, "```"):
        blocks.append(lines.joined(separator: "\n"))
        current = nil
      case (let lines?, _): current = lines + [line]
      default: break
      }
    }
    return blocks
  }

  @Test func `every command of the server's page works, in order, against a real server`() async throws {
    let page = String(decoding: try FileBytes.read(path: Self.root + "/docs/server.md"), as: UTF8.self)
    let blocks = blocks(page)
    #expect(blocks.count >= 9)
    let made = try TemporaryFolder()
    defer { made.remove() }
    let folder = made.path
    let work = folder + "/work"
    mkdir(work, 0o700)
    mkdir(folder + "/bin", 0o700)
    #expect(symlink(ServerProgram.path, folder + "/bin/aloud") == 0)
    let script =
      "set -euo pipefail\n" + blocks.joined(separator: "\n\n").replacing("8080", with: "\(try PlainHTTP.freePort())")
    try FileBytes.write(Array(script.utf8), path: folder + "/script")
    let path = String(cString: getenv("PATH"))
    let program = try TestProgram(
      ["timeout", "120", "bash", folder + "/script"], folder: work, environment: ["PATH": "\(folder)/bin:\(path)"])
    let (output, status) = await Thread.run("page") { program.finish() }
    let log = String(decoding: (try? FileBytes.read(path: work + "/aloud.log")) ?? [], as: UTF8.self)
    #expect(status == 0, "\(output)\n\(log)")
    for said in [
      "The configuration can be used.", #""id":"pay-20431""#, #""repeated":true"#, #""pointer":"/amount""#,
      "aloud_queue_rows{lane=\"payment\"}", #""action":"device.register""#, "\n204\n",
    ] {
      #expect(output.contains(said), "\(said) is missing in \(output)")
    }
    for secret in ["28.50", "00fc13", "shared secret", "aloud_"] { #expect(!log.contains(secret), "\(log)") }
    #expect(log.contains(#""event":"stopped""#))
  }
}

import AloudServer
import AudioTools
import Glibc
import HTTPTransport
import PhoneSandbox
import Store
import ServerTestSupport
import TestSupport
import Testing

/// The files of Deploy/: nothing here is installed, but everything in it is checked.
struct DeployTests {
  /// The repository, seen from this file.
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Files.read("\(root)/\(path)"), as: UTF8.self)
  }

  // MARK: systemd

  /// The unit with a program that exists in the place of ours.
  private func unit(_ folder: TestFolder) throws -> String {
    let text = try Self.text("Deploy/aloud.service").replacing("/usr/local/bin/aloud", with: "/bin/true")
    return try folder.write(text, "aloud.service")
  }

  @Test func `systemd accepts the unit, and its exposure stays low`() throws {
    let folder = try TestFolder()
    let unit = try unit(folder)
    let verified = try ChildProcess.run(["systemd-analyze", "verify", unit], seconds: 30)
    let complaints = String(decoding: verified.complaints, as: UTF8.self)
    #expect(verified.status == 0 && !complaints.contains("aloud.service"), "\(complaints)")
    // 0 is nothing, 10 everything; the threshold counts in tenths.
    let security = try ChildProcess.run(
      ["systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", unit], seconds: 30)
    #expect(security.status == 0, "\(String(decoding: security.output, as: UTF8.self).suffix(300))")
  }

  @Test func `the unit stops the server later than the server stops itself`() throws {
    let unit = try Self.text("Deploy/aloud.service")
    let seconds = try #require(
      unit.split(separator: "\n").first { $0.hasPrefix("TimeoutStopSec=") }.flatMap { Int($0.dropFirst(15)) })
    #expect(seconds > Setting.named("stop-seconds").flatMap { $0.defaultValue }.flatMap { Int($0) } ?? 60)
    #expect(unit.contains("serve --config /etc/aloud/aloud.conf --check-config\n"))
  }

  // MARK: Docker

  private struct Instruction {
    var word: String
    var rest: String
  }

  /// The instructions of a Dockerfile: comments left out, continued lines joined.
  private func instructions(_ text: String) -> [Instruction] {
    var instructions: [Instruction] = []
    var pending = ""
    for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("#") {
      pending += line.hasSuffix("\\") ? line.dropLast() + " " : line
      if line.hasSuffix("\\") { continue }
      let parts = pending.split(separator: " ", maxSplits: 1).map(String.init)
      if let word = parts.first { instructions.append(Instruction(word: word, rest: parts.count > 1 ? parts[1] : "")) }
      pending = ""
    }
    return instructions
  }

  @Test func `the Dockerfile keeps the rules of its linters`() throws {
    let all = instructions(try Self.text("Deploy/Dockerfile"))
    let known: Set = [
      "FROM", "SHELL", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT",
      "CMD",
    ]
    #expect(Set(all.map(\.word)).isSubset(of: known))
    let stages = all.filter { $0.word == "FROM" }.map(\.rest)
    #expect(stages.count == 2)
    for stage in stages {
      let image = stage.split(separator: " ")[0]
      #expect(image.contains(":") && !image.hasSuffix(":latest"), "an image is named with its version")
    }
    for run in all where run.word == "RUN" && run.rest.contains("apt-get") {
      #expect(run.rest.contains("apt-get update") && run.rest.contains("--no-install-recommends"))
      #expect(run.rest.contains("rm -rf /var/lib/apt/lists/*"))
      #expect(!run.rest.contains("sudo") && !run.rest.contains("curl"))
    }
    let last = all.suffix(from: try #require(all.lastIndex { $0.word == "FROM" }))
    #expect(last.last { $0.word == "USER" }.flatMap { Int($0.rest) } ?? 0 >= 1_000, "nobody's rights, by number")
    for copy in last where copy.word == "COPY" { #expect(copy.rest.hasPrefix("--from=build ")) }
    for word in ["ENTRYPOINT", "CMD", "VOLUME"] {
      let form = try #require(last.last { $0.word == word })
      #expect(form.rest.hasPrefix("[\"") && form.rest.hasSuffix("\"]"), "\(word) in exec form")
    }
  }

  @Test func `the image has the library behind every package that the build needs`() throws {
    let list = try Self.text("Tools/debian-packages.txt").split(separator: "\n").filter { $0.hasPrefix("build ") }
    let needed = list.compactMap { $0.split(separator: " ").last }.filter { $0.hasSuffix("-dev") }
    let image = try #require(instructions(try Self.text("Deploy/Dockerfile")).last { $0.word == "RUN" }).rest
    let installed = Set(image.split(separator: " ").map(String.init))
    #expect(needed.count > 5)
    for package in needed {
      // libsoxr-dev is libsoxr0 there, libebur128-dev libebur128-1, zlib1g-dev zlib1g.
      let stem = package.dropLast(4).replacing("1-dev", with: "")
      let base = stem.hasSuffix("1") && stem != "zlib1g" ? String(stem.dropLast()) : String(stem)
      #expect(installed.contains { $0.hasPrefix(base) }, "\(package)")
    }
  }

  @Test func `the container's health check tells a server that is ready from one that is not`() async throws {
    let all = instructions(try Self.text("Deploy/Dockerfile"))
    let check = try #require(all.last { $0.word == "HEALTHCHECK" }?.rest)
    let start = try #require(check.firstIndex(of: "["))
    let list = check[start...].replacing("\\\\", with: "\\")
    let parts = list.dropFirst(2).dropLast(2).split(separator: "\", \"").map(String.init)
    let test = try await TestServer.start()
    let port = String(test.port)
    func status() async throws -> Int {
      let words = parts.map { $0.replacing("8080", with: port) }
      return try await Thread.run("health") { Result { try ChildProcess.run(words, seconds: 10).status } }.get()
    }
    #expect(try await status() == 0)
    await test.store.close()
    #expect(try await status() != 0)
    await test.stop()
  }

  // MARK: the SMS example

  /// Starts the example; gives its address.
  private func startExample(_ folder: TestFolder) async throws -> (TestProgram, String) {
    let secret = try folder.write("a shared secret", "webhook.secret")
    let numbers = try folder.write(#"{"shop":"+8613800000000"}"#, "numbers.json")
    let program = try TestProgram([
      "python3", "\(Self.root)/Deploy/sms-webhook/sms_webhook.py", "--listen", "127.0.0.1:0", "--secret-file", secret,
      "--numbers", numbers, "--send", "/bin/sh -c 'echo \"$0 $1\" >> \(folder.path)/sent' {number} {text}",
    ])
    let line = await Thread.run("example") { program.line(containing: "listens on") }
    return (program, "http://" + (try #require(line?.split(separator: " ").last)))
  }

  private func sent(_ folder: TestFolder) -> [Substring] {
    String(decoding: (try? Files.read(folder.path + "/sent")) ?? [], as: UTF8.self).split(separator: "\n")
  }

  @Test func `what nobody heard becomes one SMS, by way of the ladder and the example script`() async throws {
    let folder = try TestFolder()
    let (program, url) = try await startExample(folder)
    // The script's clock is the machine's.
    let test = try await TestServer.start(clock: APNsSandboxConfiguration.wallClock()) { configuration in
      configuration.webhookURL = url + "/"
      configuration.webhookSecretPath = folder.path + "/webhook.secret"
      configuration.webhookMayBePrivate = true
      configuration.rules[.alarm] = .init(speakWithinSeconds: 600, ladder: Ladder("5:push,9:webhook") ?? .none)
    }
    _ = try await test.register()
    try await test.post(TestServer.alarm("a1"))
    try await test.until { sent(folder).count == 1 }
    #expect(sent(folder) == ["+8613800000000 水浸"])
    try await test.eventually { try await test.steps("a1").contains { $0.contains("the webhook answered 204") } }
    await test.stop()
    program.end()
  }

  @Test func `the example believes nothing that is not signed, fresh and new`() async throws {
    let folder = try TestFolder()
    let (program, url) = try await startExample(folder)
    let body = #"{"type":"event.unheard","id":"a1","users":["shop"],"text":"水浸"}"#
    let client = HTTPClient(rule: .any)
    func post(_ id: String, at seconds: Int, secret: String = "a shared secret", tamper: String = "") async throws
      -> Int
    {
      let signed = IncomingSignature.sign(Array(body.utf8), secret: Array(secret.utf8), at: seconds)
      return try await client.send(
        HTTPClientRequest(
          method: "POST", url: url,
          headers: [
            "Aloud-Webhook-Id": id, "Aloud-Timestamp": signed.timestamp, "Aloud-Signature": signed.signature,
          ], body: Array((body + tamper).utf8))
      ).status
    }
    let now = Int(APNsSandboxConfiguration.wallClock())
    #expect(try await post("w1", at: now, secret: "another secret") == 401)
    #expect(try await post("w1", at: now, tamper: " ") == 401)
    #expect(try await post("w1", at: now - 301) == 401)
    #expect(try await post("w1", at: now + 310) == 401)
    #expect(sent(folder).isEmpty)
    #expect(try await post("w1", at: now) == 204)
    #expect(try await post("w1", at: now) == 204, "a repeat is answered alike")
    #expect(sent(folder).count == 1)
    #expect(try await post("w2", at: now) == 204)
    #expect(sent(folder).count == 2)
    program.end()
  }
}

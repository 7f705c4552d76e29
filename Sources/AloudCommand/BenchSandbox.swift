internal import APNsClient
internal import APNsWire
internal import HTTPTransport
internal import PhoneSandbox

/// What a push costs the sandbox: it must not be the bottleneck of whatever pushes to it.
struct BenchSandbox: Sendable {
  private static let token = String(repeating: "ab", count: 32)

  let options: BenchSender.Options

  /// The server process: a sandbox with one phone that does nothing; prints its port and ends when its input ends.
  static func serve(folder: String, print: (String) -> Void) async throws {
    let files = try BenchFolder(existing: folder).read()
    let pem = String(decoding: try FileBytes.read(path: files.identity), as: UTF8.self)
    let key = ProviderKey(
      keyID: BenchSender.keyID, teamID: BenchSender.teamID, key: try files.credential.key.verifyingKey())
    var configuration = APNsSandboxConfiguration(
      identity: TLSIdentity(certificateChainPEM: pem, privateKeyPEM: pem), keys: [key])
    // h2load does not wait for the streams that a proven connection gets.
    configuration.initialStreams = configuration.maxConcurrentStreams
    let sandbox = APNsSandbox(configuration)
    sandbox.register(token: token, topic: BenchSender.topic) { _ in }
    print(String(try await sandbox.start()))
    await BenchProcess.inputEnds()
    await sandbox.stop()
    print("\(sandbox.counts.taken)")
  }

  /// The row; nil without h2load.
  func row(_ files: BenchFolder.Files, count: Int = 50_000, rounds: Int = 3) throws -> BenchRow? {
    guard (try? BenchProcess.run(["h2load", "--version"]))?.exitStatus == 0 else { return nil }
    let server = try BenchProcess([options.program, "bench", "sender", "--sandbox", files.folder])
    guard let port = server.readLine().flatMap({ Int($0) }) else {
      throw BenchSender.Failure(description: "the sandbox did not start")
    }
    let provider = try files.credential.sign(issuedAt: SystemTime.unixSeconds()).text
    var least = Double.infinity
    for _ in 0..<rounds {
      let before = server.cpuSecondsSoFar()
      let load = try BenchProcess.run(
        BenchSender(options).h2load(count: "\(count)", port: port, device: Self.token, files, provider))
      guard load.exitStatus == 0 else { throw BenchSender.Failure(description: "h2load failed") }
      least = min(least, (server.cpuSecondsSoFar() - before) / Double(count) * 1e6)
    }
    let taken = Int(server.finish().output.split(separator: "\n").last ?? "") ?? 0
    guard taken == count * rounds else {
      throw BenchSender.Failure(description: "the sandbox took \(taken) of \(count * rounds) pushes")
    }
    return BenchRow(
      "sandbox server: CPU a push, with all its checks", "\(BenchSender(options).tenths(least)) µs", "≤ 15 µs",
      least <= 15)
  }
}

import AloudServer
import ExactJSON
import Glibc
import HTTPTransport
import PhoneSandbox
import PushPayload
import Store
import TestSupport
import Testing

/// APNs keys as files: several apps and teams, changed while the server runs, and checked before it starts.
struct KeyFileTests {
  private static let team = "TEAM000001"
  private static let second = "TEAM000002"

  /// A sandbox in which two teams have an app each, and a folder for the server's files.
  private struct Stage {
    let folder: TestFolder
    let sandbox: APNsSandbox
    let port: Int
    let seen = Locked<[String]>([])

    init(keys: [ProviderKey]) async throws {
      folder = try TestFolder()
      let authority = try CertificateAuthority()
      _ = try folder.write(try authority.certificatePEM(), "ca.pem")
      sandbox = APNsSandbox(APNsSandboxConfiguration(identity: try authority.issue(), keys: keys))
      port = try await sandbox.start()
      for (token, topic) in [("aa01", "com.example.till"), ("bb02", "org.example.ward")] {
        sandbox.register(token: token, topic: topic) { [seen] push in
          seen.withLock { $0.append("\(push.headers.topic) \(push.headers.collapseID ?? "")") }
        }
      }
    }

    func configure(_ configuration: inout ServerConfiguration) {
      var apns = ServerConfiguration.APNs(keysPath: folder.path + "/keys")
      apns.host = "localhost:\(port)"
      apns.authorityPath = folder.path + "/ca.pem"
      configuration.apns = apns
    }
  }

  private static func provider(_ keyID: String, _ teamID: String, _ key: SigningKey) throws -> ProviderKey {
    ProviderKey(keyID: keyID, teamID: teamID, key: try key.verifyingKey())
  }

  /// A server that sends through the real gateway.
  private static func start(_ stage: Stage) async throws -> (AloudServer, PlainHTTP, ManualTime, Locked<[String]>) {
    var configuration = ServerConfiguration()
    stage.configure(&configuration)
    // Provider tokens are judged by the sandbox's clock: this one is moved about a minute and must not get ahead of it.
    let time = ManualTime(APNsSandboxConfiguration.wallClock() - 120)
    let lines = Locked<[String]>([])
    var parts = AloudServer.Parts()
    (parts.time, parts.store) = (time.source, MemoryStore())
    parts.log = ServerLog(level: .info, time: time.source) { line in lines.withLock { $0.append(line) } }
    let server = AloudServer(configuration, parts: parts)
    let address = try await server.start()
    let key = try #require(address.firstKey)
    let http = PlainHTTP(port: address.port, headers: [("Authorization", "Bearer \(key)")])
    for (token, topic, user) in [("aa01", "com.example.till", "shop"), ("bb02", "org.example.ward", "ward")] {
      let body = #"{"token":"\#(token)","topic":"\#(topic)","user":"\#(user)","environment":"sandbox"}"#
      #expect(try await http.send("POST", "/v1/devices", body).status == 201)
    }
    return (server, http, time, lines)
  }

  /// Moves the clock until something holds; the round trip gives the server's threads their turn.
  private static func until(_ time: ManualTime, _ http: PlainHTTP, _ holds: () -> Bool) async throws {
    for _ in 0..<2_000 where !holds() {
      _ = try await http.send("GET", "/healthz")
      await time.settle()
    }
    #expect(holds())
  }

  @Test func `two teams' apps are pushed to with their own keys, and a new key takes over while the server runs`()
    async throws
  {
    let keys = try (0..<3).map { _ in try SigningKey.generate() }
    let stage = try await Stage(keys: [
      try Self.provider("KEY0000001", Self.team, keys[0]), try Self.provider("KEY0000002", Self.second, keys[1]),
      try Self.provider("KEY0000003", Self.team, keys[2]),
    ])
    for (index, key) in keys.enumerated() { _ = try stage.folder.write(try key.privatePEM(), "\(index + 1).p8") }
    let list = """
      # one line a key
      KEY0000001 \(Self.team) 1.p8 com.example.till both
      KEY0000002 \(Self.second) \(stage.folder.path)/2.p8 org.example.ward,org.example.other sandbox

      """
    _ = try stage.folder.write(list, "keys")
    let (server, http, time, lines) = try await Self.start(stage)
    for (id, user) in [("e1", "shop"), ("e2", "ward")] {
      #expect(try await http.send("POST", "/v1/events", TestServer.payment(id, user: user)).status == 202)
    }
    try await Self.until(time, http) { stage.seen.withLock { $0.count } == 2 }
    #expect(stage.seen.withLock { $0.sorted() } == ["com.example.till e1", "org.example.ward e2"])

    // The first team's key is rotated: another line, no restart. A broken list before it changes nothing.
    _ = try stage.folder.write("KEY0000003 short 3.p8\n", "keys")
    for _ in 0..<31 { await time.advance(1) }
    _ = try stage.folder.write(list.replacing("KEY0000001", with: "KEY0000003").replacing("1.p8", with: "3.p8"), "keys")
    unlink(stage.folder.path + "/1.p8")
    try await Self.until(time, http) { lines.withLock { $0.joined() }.contains("old ones stay") }
    for _ in 0..<31 { await time.advance(1) }
    try await Self.until(time, http) { lines.withLock { $0.joined() }.contains("files reloaded") }
    #expect(try await http.send("POST", "/v1/events", TestServer.payment("e3", user: "shop")).status == 202)
    try await Self.until(time, http) { stage.seen.withLock { $0.count } == 3 }
    #expect(stage.sandbox.counts.refused.isEmpty)
    await server.stop()
    for secret in ["90210", "aa01", "BEGIN", stage.folder.path] {
      #expect(!lines.withLock { $0.joined() }.contains(secret), "\(secret)")
    }
    await stage.sandbox.stop()
  }

  @Test(arguments: [
    ("KEY0000001 TEAM000001", "a line is"), ("KEY1 TEAM000001 k.p8", "ten characters"),
    ("KEY0000001 TEAM000001 k.p8 * moon", "production|sandbox|both"), ("# none", "lists no key"),
    ("KEY0000001 TEAM000001 absent.p8", "absent.p8 cannot be opened"), ("KEY0000001 TEAM000001 open.p8", "chmod 600"),
    ("KEY0000001 TEAM000001 text.p8", "text.p8"),
  ])
  func `a list that cannot be used is named before the start`(line: String, words: String) async throws {
    let folder = try TestFolder()
    _ = try folder.write("not a key, and longer than eight characters", "text.p8")
    _ = try folder.write(try SigningKey.generate().privatePEM(), "open.p8", mode: 0o644)
    var configuration = ServerConfiguration()
    configuration.apns = .init(keysPath: try folder.write(line + "\n", "keys"))
    let failure = await #expect(throws: StartFailure.self) { try await AloudServer.check(configuration) }
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
  }

  @Test func `a check opens every file that is named, and makes none`() async throws {
    let folder = try TestFolder()
    let short = try folder.write("short", "secret")
    let authority = try CertificateAuthority()
    let identity = try authority.issue()
    let other = try authority.issue()
    let chain = try folder.write(identity.certificateChainPEM, "tls.pem")
    func failure(_ change: (inout ServerConfiguration) -> Void) async -> String {
      var configuration = ServerConfiguration()
      configuration.dataFolder = folder.path + "/data"
      change(&configuration)
      do { try await AloudServer.check(configuration) } catch { return error.description }
      return "fine"
    }
    #expect(await failure { _ in } == "fine")
    #expect(await failure { $0.webhookSecretPath = short }.contains("8 characters"))
    #expect(
      await failure { $0.incoming = [.init(name: "till", scheme: .generic, secretPath: "/absent")] }.contains("till"))
    #expect(await failure { $0.voicesFolder = folder.path }.contains("voicepack"))
    #expect(await failure { $0.jpush = .init(appKey: "k", secretPath: short, url: "http://x") }.contains("JPush"))
    let wrongKey = try folder.write(other.privateKeyPEM, "tls.key")
    #expect(
      await failure { ($0.listening.certificatePath, $0.listening.keyPath) = (chain, wrongKey) }.contains("certificate")
    )
    let key = try folder.write(identity.privateKeyPEM, "good.key")
    #expect(await failure { ($0.listening.certificatePath, $0.listening.keyPath) = (chain, key) } == "fine")
    #expect(access(folder.path + "/data", F_OK) != 0)
  }
}

import Announcing
import ExactJSON
import Glibc
import HTTPTransport
import PhoneSandbox
import VoiceAudio

extension Subcommand {
  /// `aloud sandbox`: an APNs-compatible server with virtual iPhones behind it.
  static let sandbox = Subcommand(
    "sandbox", summary: "Run an APNs-compatible server with virtual iPhones behind its device tokens",
    discussion: """
      Any server that can push to APNs can push here: HTTP/2 over TLS, POST /3/device/TOKEN, ES256 provider tokens, Apple's
      reasons for what is refused. The folder gets ca.pem (trust it in the sender) and AuthKey_SANDBOX001.p8 (sign with it).
      Each phone runs the extension's own decisions and prints what it shows and says.
      Try: aloud serve --apns-key sandbox/AuthKey_SANDBOX001.p8 --apns-key-id SANDBOX001 --apns-team-id ALOUDTEAM1 \\
             --apns-topic com.example.till --apns-host 127.0.0.1:2197 --apns-ca sandbox/ca.pem
      """,
    options: [
      .value("port", "PORT", default: "2197", "Where to listen on 127.0.0.1; 0 takes a free port"),
      .value("folder", "DIR", default: "sandbox", "Where key and certificate are kept"),
      .value("topic", "BUNDLE-ID", default: "com.example.till", "The app's bundle identifier"),
      .value("token", "HEX", default: "a10d", "The phone's device token"),
      .value("locale", short: "l", "TAG", default: "zh-CN", environment: "ALOUD_LOCALE", "The phone's language"),
      .value("pack", short: "p", "DIR", "A voice pack folder in place of that of the language"),
      .flag("tones", "Let every word be a tone, for languages without a pack"),
      .value("server", "URL", "An Aloud server: the phone registers there and posts its receipts"),
      .value("key", "KEY", environment: "ALOUD_KEY", "An API key of that server with the scope device"),
      .value(
        "faults", "PLAN",
        "What goes wrong, by the beginning of a token: dead=Unregistered,51=delay:0.2,52=silence; also refuse, reset, goaway, cut "
          + "and every reason of Apple's table"),
      .value(
        "initial-streams", "N", default: "1",
        "Streams of a new connection; more than Apple's one for tools that do not wait for SETTINGS, such as h2load"),
      .value("log", "FILE", "Write a line of JSON for each push"),
      .value("output", short: "o", "FILE.wav", "Write what was heard, when it is stopped"),
    ],
    body: .asynchronous { call in
      do { return try await runSandbox(call) } catch let error as StoryError {
        throw CommandFailure(error.description)
      }
    })

  private static func runSandbox(_ call: Invocation) async throws -> ExitCode {
    guard let port = call.arguments.value("port").flatMap(Int.init), (0...65_535).contains(port) else {
      throw CommandFailure("--port must be a number from 0 to 65535.", code: .usage)
    }
    let token = (call.arguments.value("token") ?? "a10d").lowercased()
    guard token.utf8.count % 2 == 0, Crypto.bytes(hex: token) != nil, !token.isEmpty else {
      throw CommandFailure("--token must be an even number of hexadecimal digits.", code: .usage)
    }
    let folder = call.arguments.value("folder") ?? "sandbox"
    let (identity, key) = try sandboxKeys(folder)
    var configuration = APNsSandboxConfiguration(
      identity: identity,
      keys: [ProviderKey(keyID: sandboxKeyID, teamID: sandboxTeamID, key: try key.verifyingKey())])
    configuration.port = port
    guard let streams = call.arguments.value("initial-streams").flatMap(Int.init), (1...1_000).contains(streams) else {
      throw CommandFailure("--initial-streams must be a number from 1 to 1000.", code: .usage)
    }
    configuration.initialStreams = streams
    let topic = call.arguments.value("topic") ?? "com.example.till"
    let sandbox = try makeSandbox(configuration, call)
    let phone = try await livePhone(call, token: token, topic: topic)
    sandbox.register(token: token, topic: topic) { phone.receive($0) }
    let bound = try await sandbox.start()
    call.io.print("The sandbox listens on 127.0.0.1:\(bound); trust \(folder)/ca.pem")
    call.io.print(
      "Key \(folder)/AuthKey_\(sandboxKeyID).p8, key id \(sandboxKeyID), team id \(sandboxTeamID), topic \(topic)")
    call.io.print("Phone \(token): \(call.arguments.value("locale") ?? "zh-CN")")
    let printing = Task { await printTimeline(of: phone, call.io) }
    await Interrupts.first()
    printing.cancel()
    await sandbox.stop()
    if let output = call.arguments.value("output") {
      try FileBytes.write(try SoundFile.encode(phone.track(), container: .wav, codec: .lpcm), path: output)
    }
    return .success
  }

  /// The sandbox with its faults and its log.
  private static func makeSandbox(
    _ configuration: APNsSandboxConfiguration, _ call: Invocation
  ) throws -> APNsSandbox {
    var plan: APNsFaultPlan?
    if let text = call.arguments.value("faults") {
      plan = APNsFaultPlan(text)
      guard plan != nil else {
        throw CommandFailure(
          "--faults takes PREFIX=FAULT with commas between, such as dead=Unregistered,52=silence.", code: .usage)
      }
    }
    guard let path = call.arguments.value("log") else {
      return APNsSandbox(configuration, faults: { [plan] in plan?.fault(for: $0) })
    }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CommandFailure("\(path) cannot be written: \(String(cString: strerror(errno)))") }
    return APNsSandbox(
      configuration, faults: { [plan] in plan?.fault(for: $0) },
      observer: { request, answer in
        let line = APNsPushLog.line(request, answer, at: APNsSandboxConfiguration.wallClock()) + "\n"
        _ = line.withCString { write(file, $0, strlen($0)) }
      })
  }

  private static let sandboxKeyID = "SANDBOX001"
  private static let sandboxTeamID = "ALOUDTEAM1"

  private static func livePhone(_ call: Invocation, token: String, topic: String) async throws -> LivePhone {
    var conditions = PhoneConditions()
    conditions.locale = call.arguments.value("locale") ?? "zh-CN"
    let voice = storyVoices(call)
    guard let server = call.arguments.value("server") else {
      return LivePhone(conditions: conditions, voice: voice, network: PhoneNetwork(receipts: { _ in true }))
    }
    guard let key = call.arguments.value("key") else {
      throw CommandFailure("--server needs --key, or ALOUD_KEY in the environment.", code: .usage)
    }
    var profile: JSONObject = [
      "topic": .string(topic), "locale": .string(conditions.locale), "environment": "sandbox", "user": "sandbox",
    ]
    if let pack = voice(conditions.locale)?.pack {
      profile["pack"] = ["id": .string(pack.id), "version": .string(pack.version)]
    }
    let link = try await ServerLink.register(
      base: server, token: token, key: key, profile: profile, http: HTTPClient(rule: .any))
    return LivePhone(conditions: conditions, voice: voice, soundOrigin: server, network: link.network)
  }

  /// Prints new lines of the phone's timeline as they come.
  private static func printTimeline(of phone: LivePhone, _ io: CommandIO) async {
    var printed = 0
    while !Task.isCancelled {
      let log = phone.outcome.log
      for line in log.dropFirst(printed) { io.print(line.text) }
      printed = log.count
      await LivePhone.sleep(seconds: 0.1)
    }
  }

  /// The sandbox's key and certificate: made once, kept in the folder, the private parts for their owner only.
  private static func sandboxKeys(_ folder: String) throws -> (TLSIdentity, SigningKey) {
    let keyPath = "\(folder)/AuthKey_\(sandboxKeyID).p8"
    let (chain, server) = ("\(folder)/server.pem", "\(folder)/server.key")
    if access(keyPath, R_OK) == 0, access(chain, R_OK) == 0, access(server, R_OK) == 0 {
      let identity = TLSIdentity(certificateChainPEM: try text(chain), privateKeyPEM: try text(server))
      return (identity, try SigningKey(pem: try text(keyPath)))
    }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw CommandFailure("\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    let authority = try CertificateAuthority(name: "Aloud sandbox", days: 3650)
    let identity = try authority.issue(days: 825)
    let key = try SigningKey.generate()
    let earlier = umask(0o077)
    defer { umask(earlier) }
    try FileBytes.write(Array(try authority.certificatePEM().utf8), path: "\(folder)/ca.pem")
    try FileBytes.write(Array(identity.certificateChainPEM.utf8), path: chain)
    try FileBytes.write(Array(identity.privateKeyPEM.utf8), path: server)
    try FileBytes.write(Array(try key.privatePEM().utf8), path: keyPath)
    for path in [chain, server, keyPath] { chmod(path, 0o600) }
    return (identity, key)
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try FileBytes.read(path: path), as: UTF8.self)
  }
}

import AloudServer
import Announcing
import ExactJSON
import Glibc
import HTTPTransport
import PhoneSandbox
import VoiceAudio

/// Everything of the main job on one machine: push server, APNs sandbox and a virtual iPhone, over real sockets and TLS.
///
/// The events go the real way: REST, database, worker, HTTP/2 to the sandbox, the phone's own decisions, a sound file.
struct DemoStage: Sendable {
  /// The server's address and first key.
  let address: AloudServer.Address
  /// The phone.
  let phone: LivePhone
  /// The caller of the REST side, with the first key.
  let rest: RESTCaller
  private let server: AloudServer
  private let sandbox: APNsSandbox

  /// The user that the demo's phone belongs to.
  static let user = "shop"
  private static let token = "a10dd0e500000000000000000000000000000000000000000000000000000001"
  private static let topic = "com.example.till"

  /// Builds the stage in `folder`, which must exist, and registers the phone.
  static func build(folder: String, port: Int, voices: [String: Joiner], log: ServerLog) async throws -> DemoStage {
    let authority = try CertificateAuthority(name: "Aloud demo authority")
    let key = try SigningKey.generate()
    let sandbox = APNsSandbox(
      APNsSandboxConfiguration(
        identity: try authority.issue(),
        keys: [ProviderKey(keyID: "DEMOKEY001", teamID: "DEMOTEAM01", key: try key.verifyingKey())]))
    let sandboxPort = try await sandbox.start()
    try PrivateFile.write(try key.privatePEM(), path: folder + "/apns-key.p8")
    try PrivateFile.write(try authority.certificatePEM(), path: folder + "/sandbox-ca.pem")

    var configuration = ServerConfiguration()
    configuration.listening.port = port
    configuration.dataFolder = folder
    configuration.database = .sqlite(path: folder + "/aloud.db")
    configuration.ratePerAddress = 0
    var apns = ServerConfiguration.APNs(
      keyPath: folder + "/apns-key.p8", keyID: "DEMOKEY001", teamID: "DEMOTEAM01", topic: topic)
    apns.host = "localhost:\(sandboxPort)"
    apns.authorityPath = folder + "/sandbox-ca.pem"
    configuration.apns = apns

    let heard = PhoneRecordings()
    var parts = AloudServer.Parts()
    parts.log = log
    parts.heard = heard
    let server = AloudServer(configuration, parts: parts)
    let address = try await server.start()
    let rest = RESTCaller(url: address.url, authorization: "Bearer \(address.firstKey ?? "")")
    let secret = try await register(rest)
    let phone = LivePhone(
      voices: voices, network: PhoneNetwork(receipts: { await rest.post($0, token: token, secret: secret) }))
    heard.phone.withLock { $0 = phone }
    sandbox.register(token: token, topic: topic) { phone.receive($0) }
    return DemoStage(address: address, phone: phone, rest: rest, server: server, sandbox: sandbox)
  }

  private static func register(_ rest: RESTCaller) async throws -> String {
    let answer = try await rest.send(
      "POST", "/v1/devices",
      [
        "token": .string(token), "topic": .string(topic), "environment": "sandbox", "user": .string(user),
        "pack": ["id": "aloud-demo", "version": "1"],
      ])
    guard let secret = answer["secret"]?.stringValue else {
      throw CommandFailure("The demo's phone was not registered.")
    }
    return secret
  }

  /// Ends everything.
  func close() async {
    await server.stop()
    await sandbox.stop()
  }
}

/// Calls the server as a business system does.
struct RESTCaller: Sendable {
  let url: String
  let authorization: String
  private let client = HTTPClient(rule: .any)

  init(url: String, authorization: String) { (self.url, self.authorization) = (url, authorization) }

  /// Sends JSON and gives the answer's JSON.
  /// - Throws: ``CommandFailure`` with the server's own words when it refuses.
  func send(_ method: String, _ path: String, _ body: JSON, authorization other: String? = nil) async throws -> JSON {
    let request = HTTPClientRequest(
      method: method, url: url + path,
      headers: ["Authorization": other ?? authorization, "Content-Type": "application/json"],
      body: body.serializedBytes())
    let response = try await client.send(request)
    let answer = (try? JSON.parse(response.body)) ?? .null
    guard (200..<300).contains(response.status) else {
      throw CommandFailure(answer["detail"]?.stringValue ?? "The server answered \(response.status).")
    }
    return answer
  }

  /// Posts a phone's receipts; whether the server took them.
  func post(_ receipts: [Receipt], token: String, secret: String) async -> Bool {
    let body: JSON = ["token": .string(token), "receipts": .array(receipts.map(\.json))]
    return (try? await send("POST", "/v1/receipts", body, authorization: "Device \(secret)")) != nil
  }
}

/// Hands the phone's sentences to the console.
final class PhoneRecordings: HeardProvider {
  let phone = Locked<LivePhone?>(nil)

  func recordings() async -> [HeardRecording] {
    guard let outcome = phone.withLock({ $0 })?.outcome else { return [] }
    return outcome.heard.enumerated().filter { !$0.element.text.isEmpty }.flatMap { index, sound in
      sound.events.map { HeardRecording(id: "h\(index)", eventID: $0, text: sound.text) }
    }
  }

  func wave(_ id: String) async -> [UInt8]? {
    guard let phone = phone.withLock({ $0 }), let index = Int(id.dropFirst()), let pcm = phone.sound(index) else {
      return nil
    }
    return try? SoundFile.encode(pcm, container: .wav, codec: .lpcm)
  }
}

/// Files that only their owner may read.
enum PrivateFile {
  static func write(_ text: String, path: String) throws {
    try FileBytes.write(Array(text.utf8), path: path)
    chmod(path, 0o600)
  }
}

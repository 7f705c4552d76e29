import APNsClient
import APNsWire
import ExactJSON
import HTTPTransport
import PushPayload

/// A small APNs on loopback: answers as a test's script says and remembers what it accepted.
final class FakeAPNs: Sendable {
  /// What happens to one request; `count` is how many came before it.
  typealias Script = @Sendable (_ request: HTTP2ServerRequest, _ count: Int) -> HTTP2ServerAction

  struct Seen: Sendable {
    var requests = 0
    /// apns-id → how often it was accepted.
    var accepted: [String: Int] = [:]
    var tokens: [String] = []
    var authorizations: [String] = []
    var connections: Set<Int> = []
    var opened = 0
    var clientResets = 0
  }

  let seen: Locked<Seen>
  let server: HTTP2Server
  let port: Int
  let authority: CertificateAuthority

  private init(seen: Locked<Seen>, server: HTTP2Server, port: Int, authority: CertificateAuthority) {
    self.seen = seen
    self.server = server
    self.port = port
    self.authority = authority
  }

  static func start(
    authority: CertificateAuthority? = nil, port: Int = 0, streams: Int = 1_000,
    script: @escaping Script = { request, _ in FakeAPNs.accept(request) }
  ) async throws -> FakeAPNs {
    let seen = Locked(Seen())
    let authority = try authority ?? CertificateAuthority()
    var configuration = HTTP2ServerConfiguration(identity: try authority.issue())
    configuration.port = port
    configuration.maxConcurrentStreams = streams
    let server = HTTP2Server(
      configuration,
      onEvent: { event in
        seen.withLock { seen in
          switch event {
          case .opened: seen.opened += 1
          case .closed(_, let resets): seen.clientResets += resets
          }
        }
      },
      handler: { request in
        let count = seen.withLock { seen in
          defer { seen.requests += 1 }
          seen.tokens.append(String(request.path.dropFirst("/3/device/".count)))
          seen.authorizations.append(request.headers["authorization"] ?? "")
          seen.connections.insert(request.connection.id)
          return seen.requests
        }
        let action = script(request, count)
        if case .respond(200, _, _) = action { Self.note(request, seen) }
        if case .respondAfter(_, 200, _, _) = action { Self.note(request, seen) }
        return action
      })
    return FakeAPNs(seen: seen, server: server, port: try await server.start(), authority: authority)
  }

  private static func note(_ request: HTTP2ServerRequest, _ seen: Locked<Seen>) {
    seen.withLock { $0.accepted[request.headers["apns-id"] ?? "", default: 0] += 1 }
  }

  static func accept(_ request: HTTP2ServerRequest) -> HTTP2ServerAction {
    .respond(status: 200, headers: ["apns-id": request.headers["apns-id"] ?? ""], body: [])
  }

  static func refuse(_ status: Int, _ reason: String, _ headers: HTTPHeaders = [:]) -> HTTP2ServerAction {
    .respond(status: status, headers: headers, body: Array("{\"reason\":\"\(reason)\"}".utf8))
  }

  func stop() async { await server.stop(graceSeconds: 0.1) }
}

/// A sender that knows one key and sends to fakes.
struct TestSender {
  static let topic = "com.example.app"
  let sender: APNsSender
  let tokens: LocalProviderTokens

  init(
    _ services: [APNsEnvironment: FakeAPNs], credentials: [APNsCredential]? = nil,
    configure: (inout APNsSenderConfiguration) -> Void = { _ in },
    now: @escaping @Sendable () -> Double = SystemTime.unixSeconds
  ) throws {
    var configuration = APNsSenderConfiguration()
    configuration.services = services.mapValues { .init(host: "localhost", port: $0.port) }
    let authorities = try services.values.map { try $0.authority.certificatePEM() }.joined()
    configuration.trust = .authorities(pem: authorities)
    configuration.now = now
    // Under a sanitizer and beside other tests everything takes longer; a test of this wait sets its own.
    configuration.queueSeconds = 60
    configure(&configuration)
    tokens = LocalProviderTokens(now: now)
    sender = try APNsSender(
      configuration, credentials: try credentials ?? [Self.credential()], tokens: tokens)
  }

  static func credential(
    _ keyID: String = "KEY0000001", topics: Set<String>? = nil,
    environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases)
  ) throws -> APNsCredential {
    APNsCredential(
      teamID: "TEAM000001", keyID: keyID, key: try SigningKey.generate(), topics: topics, environments: environments)
  }

  static func push(
    _ number: Int, token: String = "aa", topic: String = topic, environment: APNsEnvironment = .production,
    isProven: Bool = true, timeoutSeconds: Double = 10
  ) -> APNsRequest {
    let tail = String(number)
    let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - tail.count) + tail
    return APNsRequest(
      deviceToken: token + tail + (tail.utf8.count % 2 == 0 ? "" : "0"),
      headers: PushHeaders(topic: topic, expiration: 0, collapseID: "event-\(number)", id: id),
      payload: Array(#"{"aps":{"alert":"x"}}"#.utf8), environment: environment, isProven: isProven,
      timeoutSeconds: timeoutSeconds)
  }
}

extension APNsOutcome {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
  var isAmbiguous: Bool { if case .ambiguous = self { true } else { false } }
  var isNotSent: Bool { if case .notSent = self { true } else { false } }
  var text: String {
    switch self {
    case .rejected(_, let text), .ambiguous(let text), .notSent(let text, _, _): text
    case .accepted, .unregistered: ""
    }
  }
}

package import APNsWire
import CLinux
import Glibc
package import HTTPTransport

/// Something that goes wrong on purpose, in place of the desk's answer.
package enum APNsFault: Hashable, Sendable {
  /// Answers with a status and reason of Apple's table.
  case refuse(status: Int, reason: String)
  /// Takes the push, but answers later: a round trip on loopback.
  case delay(seconds: Double)
  /// Takes the push and never answers.
  case silence
  /// Does not take the push: RST_STREAM with this code (7 is REFUSED_STREAM).
  case reset(errorCode: UInt32)
  /// Does not take the push: GOAWAY for it and all later streams, with this reason.
  case goAway(reason: String)
  /// Takes the push and cuts the connection before the answer.
  case cutAfterTaking
}

/// How a sandbox behaves.
package struct APNsSandboxConfiguration: Sendable {
  package var host = "127.0.0.1"
  /// 0 takes a free port.
  package var port = 0
  package var identity: TLSIdentity
  /// The providers' keys.
  package var keys: [ProviderKey]
  /// The bundle ids that may be pushed to; empty allows those of the registered devices.
  package var topics: Set<String> = []
  /// Which of Apple's two services it stands for.
  package var environment = APNsEnvironment.development
  /// A connection without traffic for so long is closed with GOAWAY and the reason `IdleTimeout`; 0 never.
  package var idleSeconds = 0.0
  /// How many streams a new connection may use.
  ///
  /// Apple allows one. Tools that do not wait for SETTINGS before they send, such as h2load, have the others refused unless this is larger.
  package var initialStreams = 1
  /// How many streams a connection may use once a valid token was seen; before that it is one, as Apple documents.
  package var maxConcurrentStreams = 1000
  /// Pushes a second to one device before `TooManyRequests`; 0 is no limit.
  package var pushesPerDeviceSecond = 0
  /// The wall clock, UNIX seconds.
  package var now: @Sendable () -> Double = { APNsSandboxConfiguration.wallClock() }

  /// Makes a configuration.
  package init(identity: TLSIdentity, keys: [ProviderKey]) { (self.identity, self.keys) = (identity, keys) }

  /// The system's clock.
  package static func wallClock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// An HTTP/2 server over TLS that answers `POST /3/device/{token}` as APNs does and hands what it takes to phones.
package final class APNsSandbox: Sendable {
  /// What is called with each push that was taken, on the server's thread: hand it on and return.
  package typealias Receiver = @Sendable (AcceptedPush) -> Void

  /// What is called with each request and its answer (nil: none was given), on the server's thread.
  package typealias Observer = @Sendable (APNsDeskRequest, APNsDeskAnswer?) -> Void

  /// What the sandbox has seen.
  package struct Counts: Hashable, Sendable {
    package var taken = 0
    package var refused: [String: Int] = [:]
    package var connections = 0
    /// Those of them that have ended.
    package var closed = 0
  }

  private struct State: Sendable {
    var desk: APNsDesk
    var receivers: [String: Receiver] = [:]
    var counts = Counts()
    var proven: Set<Int> = []
    var server: HTTP2Server?
  }

  private let configuration: APNsSandboxConfiguration
  private let faults: @Sendable (APNsDeskRequest) -> APNsFault?
  private let observer: Observer
  private let state: Locked<State>
  private let identifiers = Locked(PushIdentifiers())

  /// Makes a sandbox.
  ///
  /// - Parameters:
  ///   - configuration: How it behaves.
  ///   - faults: Asked before each request for something that shall go wrong.
  ///   - observer: Hears of each request, for a log.
  package init(
    _ configuration: APNsSandboxConfiguration,
    faults: @escaping @Sendable (APNsDeskRequest) -> APNsFault? = { _ in nil },
    observer: @escaping Observer = { _, _ in }
  ) {
    self.configuration = configuration
    self.faults = faults
    self.observer = observer
    var desk = APNsDesk(
      keys: configuration.keys, topics: configuration.topics, environment: configuration.environment)
    desk.pushesPerDeviceSecond = configuration.pushesPerDeviceSecond
    state = Locked(State(desk: desk))
  }

  /// Listens; returns the port.
  @discardableResult
  package func start() async throws(HTTPServerError) -> Int {
    var http = HTTP2ServerConfiguration(
      identity: configuration.identity, host: configuration.host, port: configuration.port)
    http.maxConcurrentStreams = configuration.initialStreams
    http.idleSeconds = configuration.idleSeconds
    http.idleDebugData = Array(#"{"reason":"IdleTimeout"}"#.utf8)
    let server = HTTP2Server(
      http, onEvent: { [weak self] event in self?.heard(event) },
      handler: { [weak self] request in self?.handle(request) ?? .reset(errorCode: 7) })
    state.withLock { $0.server = server }
    return try await server.start()
  }

  /// Stops listening and closes every connection.
  package func stop() async {
    let server = state.withLock { state -> HTTP2Server? in
      defer { state.server = nil }
      return state.server
    }
    await server?.stop()
  }

  /// Lets a device exist; `receiver` gets its pushes.
  package func register(token: String, topic: String, receiver: @escaping Receiver) {
    state.withLock { state in
      state.desk.register(token: token, topic: topic)
      state.receivers[token.lowercased()] = receiver
    }
  }

  /// Lets the device's app be removed at this moment: pushes are answered with 410.
  package func unregister(token: String) {
    let now = configuration.now()
    state.withLock { $0.desk.unregister(token: token, atMilliseconds: Int(now * 1000)) }
  }

  /// What has been seen so far.
  package var counts: Counts { state.withLock { $0.counts } }

  // MARK: Requests

  private func makeID() -> String { identifiers.withLock { $0.next() } }

  private func heard(_ event: HTTP2ServerEvent) {
    state.withLock { state in
      switch event {
      case .opened: state.counts.connections += 1
      case .closed(let connection, _):
        state.counts.closed += 1
        state.desk.closed(connection: connection.id)
        state.proven.remove(connection.id)
      }
    }
  }

  private func handle(_ request: HTTP2ServerRequest) -> HTTP2ServerAction {
    let asked = APNsDeskRequest(
      method: request.method, path: request.path, headers: request.headers, body: request.body,
      bodyIsTruncated: request.bodyIsTruncated, connection: request.connection.id)
    let fault = faults(asked)
    switch fault {
    case .refuse(let status, let reason):
      let answer = APNsDeskAnswer(
        status: status, reason: reason, apnsID: makeID(),
        timestampMilliseconds: status == 410 ? Int(configuration.now() * 1000) : nil)
      observer(asked, answer)
      return respond(answer, afterSeconds: 0)
    case .reset(let code):
      observer(asked, nil)
      return .reset(errorCode: code)
    case .goAway(let reason):
      observer(asked, nil)
      let body = Array("{\"reason\":\"\(reason)\"}".utf8)
      request.connection.goAway(lastStreamID: max(0, request.streamID - 2), errorCode: 0, debugData: body)
      return .ignore
    default: break
    }
    let answer = take(asked, request.connection)
    observer(asked, answer)
    switch fault {
    case .delay(let seconds): return respond(answer, afterSeconds: seconds)
    case .silence: return .ignore
    case .cutAfterTaking:
      request.connection.cut()
      return .ignore
    default: return respond(answer, afterSeconds: 0)
    }
  }

  private func take(_ asked: APNsDeskRequest, _ connection: HTTP2ServerConnection) -> APNsDeskAnswer {
    let now = configuration.now()
    let (answer, receiver, isNewlyProven) = state.withLock { state -> (APNsDeskAnswer, Receiver?, Bool) in
      let answer = state.desk.answer(asked, now: now, makeID: makeID)
      if let reason = answer.reason { state.counts.refused[reason, default: 0] += 1 } else { state.counts.taken += 1 }
      // More streams only after a valid token. Source: Apple, "Sending notification requests to APNs".
      let isProven = answer.status != 403 && answer.status != 404 && answer.status != 405
      let isNew = isProven && state.proven.insert(connection.id).inserted
      return (answer, answer.push.flatMap { state.receivers[$0.token] }, isNew)
    }
    if isNewlyProven { connection.setMaxConcurrentStreams(configuration.maxConcurrentStreams) }
    if let push = answer.push { receiver?(push) }
    return answer
  }

  private func respond(_ answer: APNsDeskAnswer, afterSeconds seconds: Double) -> HTTP2ServerAction {
    var headers: HTTPHeaders = ["apns-id": answer.apnsID]
    if answer.reason != nil { headers["content-type"] = "application/json" }
    if answer.status == 200, configuration.environment == .development {
      headers["apns-unique-id"] = makeID()
    }
    guard seconds > 0 else { return .respond(status: answer.status, headers: headers, body: answer.body) }
    return .respondAfter(seconds: seconds, status: answer.status, headers: headers, body: answer.body)
  }
}

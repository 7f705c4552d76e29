internal import Glibc
internal import HTTPTransport

/// The server process of a sender bench: answers like APNs, prints its port, ends when its input ends and then prints its counts.
struct BenchSenderService: Sendable {
  /// What it saw, as one line between the processes.
  struct Counts: Sendable {
    var pushes = 0
    var doubles = 0
    var resets = 0
    var connections = 0

    init() {}

    init?(_ line: String) {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 4 else { return nil }
      (pushes, doubles, resets, connections) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    var line: String { "\(pushes) \(doubles) \(resets) \(connections)" }
  }

  /// It answers so much later: a round-trip time.
  var delayMilliseconds = 0
  /// Every such push is answered with 410, and the connection gets one stream until the next good push, as APNs has been seen to do
  /// (openradar 27870881); 0 for none.
  var deadEvery = 0
  private static let streams = 1_000

  private struct State {
    var counts = Counts()
    var ids: Set<String> = []
    var squeezed: Set<HTTP2ServerConnection> = []
  }

  private let state = Locked(State())

  init(delayMilliseconds: Int, deadEvery: Int) {
    (self.delayMilliseconds, self.deadEvery) = (delayMilliseconds, deadEvery)
    // Growing it while pushes come would be counted as their delay.
    state.withLock { $0.ids.reserveCapacity(200_000) }
  }

  /// Serves until the standard input ends.
  func run(identityPath: String, print: (String) -> Void) async throws {
    let pem = String(decoding: try FileBytes.read(path: identityPath), as: UTF8.self)
    var configuration = HTTP2ServerConfiguration(identity: TLSIdentity(certificateChainPEM: pem, privateKeyPEM: pem))
    configuration.maxConcurrentStreams = Self.streams
    let server = HTTP2Server(
      configuration,
      onEvent: { event in
        state.withLock { state in
          switch event {
          case .opened: state.counts.connections += 1
          case .closed(_, let resets): state.counts.resets += resets
          }
        }
      }, handler: { request in answer(request) })
    print(String(try await server.start()))
    await BenchProcess.inputEnds()
    await server.stop(graceSeconds: 0)
    print(state.withLock { $0.counts.line })
  }

  private func answer(_ request: HTTP2ServerRequest) -> HTTP2ServerAction {
    let id = request.headers["apns-id"] ?? ""
    var status = request.headers["authorization"] == nil ? 403 : request.method == "POST" ? 200 : 405
    if deadEvery > 0 { status = squeeze(request.connection, status) }
    // h2load and the floor repeat ids, so doubles are told apart only where the bench's own sender is alone.
    if deadEvery == 0, delayMilliseconds > 0 { note(id) }
    let headers: HTTPHeaders = ["apns-id": id]
    let body = status == 410 ? Array(#"{"reason":"Unregistered","timestamp":1796000000000}"#.utf8) : []
    return delayMilliseconds == 0
      ? .respond(status: status, headers: headers, body: body)
      : .respondAfter(seconds: Double(delayMilliseconds) / 1_000, status: status, headers: headers, body: body)
  }

  private func note(_ id: String) {
    state.withLock { state in
      state.counts.pushes += 1
      if !state.ids.insert(id).inserted { state.counts.doubles += 1 }
    }
  }

  private func squeeze(_ connection: HTTP2ServerConnection, _ status: Int) -> Int {
    let (answer, limit) = state.withLock { state -> (Int, Int?) in
      state.counts.pushes += 1
      if state.counts.pushes % deadEvery == 0 {
        state.squeezed.insert(connection)
        return (410, 1)
      }
      return (status, state.squeezed.remove(connection) == nil ? nil : Self.streams)
    }
    if let limit { connection.setMaxConcurrentStreams(limit) }
    return answer
  }
}

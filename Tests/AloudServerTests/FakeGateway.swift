import AloudServer
import ExactJSON
import HTTPTransport
import PushPayload

/// A gateway in the test's hand: it remembers what it was given and answers as the test says.
final class FakeGateway: PushGateway {
  let name = "apns"
  private struct State {
    var pushes: [GatewayPush] = []
    var answers: [GatewayOutcome] = []
    var isHolding = false
    var held: [@Sendable () -> Void] = []
  }
  private let state = Locked(State())

  /// What the next pushes are answered, in order; then all are accepted.
  func answerNext(_ outcomes: GatewayOutcome...) { state.withLock { $0.answers += outcomes } }

  /// From now on pushes stay unanswered until ``release()``.
  func hold() { state.withLock { $0.isHolding = true } }

  func release() {
    let held = state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
    for answer in held { answer() }
  }

  var pushes: [GatewayPush] { state.withLock { $0.pushes } }

  /// The `aloud` part of every push.
  var parts: [JSON] { pushes.compactMap { $0.notification.payload["aloud"] } }

  func send(_ pushes: [GatewayPush], report: @escaping @Sendable (Int, GatewayOutcome) -> Void) {
    for (index, push) in pushes.enumerated() {
      let (outcome, isHolding) = state.withLock { state in
        state.pushes.append(push)
        let outcome = state.answers.isEmpty ? nil : state.answers.removeFirst()
        let answer = outcome ?? .accepted(id: "id-\(state.pushes.count)", environment: push.environment)
        if state.isHolding { state.held.append { report(index, answer) } }
        return (answer, state.isHolding)
      }
      if !isHolding { report(index, outcome) }
    }
  }

  func stop(graceSeconds: Double) async {}
}

/// A server of somebody else on the loopback: speech, JPush, webhooks.
final class MockPeer: Sendable {
  private let seen = Locked<[HTTPRequest]>([])
  private let answer: @Sendable (HTTPRequest) -> HTTPResponse
  private let server = Locked<MicroHTTPServer?>(nil)
  let port = Locked(0)

  init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) { self.answer = answer }

  /// Starts and gives its address.
  func start() async throws -> String {
    let server = MicroHTTPServer(
      HTTPServerConfiguration(),
      handler: { [self] request in
        seen.withLock { $0.append(request) }
        return answer(request)
      })
    self.server.withLock { $0 = server }
    let port = try await server.start()
    return "http://127.0.0.1:\(port)"
  }

  func stop() async {
    // Let go of it as well: its handler holds this peer.
    let ending = server.withLock { server in
      defer { server = nil }
      return server
    }
    await ending?.stop(graceSeconds: 1)
  }

  var requests: [HTTPRequest] { seen.withLock { $0 } }
}

/// One HTTP/2 server, one connection at a time, made when it is needed: for tests, tools and the sandbox's own checks.
///
/// The APNs sender has its own pools; this is the plain way to ask an HTTP/2 server something.
package final class HTTP2Client: @unchecked Sendable {
  // Sendable: mutable state is touched on `loop` only.
  private let loop: EventLoop
  private let ownsLoop: Bool
  private let endpoint: HTTP2Endpoint
  private var connection: HTTP2Connection?
  private var hasBeenReady = false
  private var waiting: [(request: HTTP2Request, completion: HTTP2Completion)] = []

  package init(_ endpoint: HTTP2Endpoint, loop: EventLoop? = nil) {
    self.endpoint = endpoint
    ownsLoop = loop == nil
    self.loop = loop ?? EventLoop(name: "aloud-h2-client")
  }

  package var authority: String { endpoint.authority }

  /// Sends one request and waits for its outcome.
  package func send(_ request: HTTP2Request) async -> HTTP2Outcome {
    await withCheckedContinuation { continuation in
      loop.post { [self] in
        waiting.append((request, { continuation.resume(returning: $0) }))
        advance()
      }
    }
  }

  /// RST_STREAM frames that the current connection has sent.
  package var resetsSent: Int { get async { await loop.run { [self] in connection?.resetsSent ?? 0 } } }

  /// Ends the connection; waiting requests end as not processed.
  package func close() async {
    await loop.run { [self] in
      connection?.close("closed by this side")
      failWaiting(.closed("closed by this side"))
    }
    if ownsLoop { loop.stop() }
  }

  private func advance() {
    guard let connection else {
      let made = HTTP2Connection(loop: loop, endpoint: endpoint, owner: self)
      connection = made
      hasBeenReady = false
      return made.connect()
    }
    while connection.availableStreams > 0, !waiting.isEmpty {
      let next = waiting.removeFirst()
      connection.submit(next.request, next.completion)
    }
  }

  private func failWaiting(_ failure: HTTP2Failure) {
    let failed = waiting
    waiting.removeAll()
    for item in failed { item.completion(.notProcessed(failure)) }
  }
}

extension HTTP2Client: HTTP2ConnectionOwner {
  package func connectionIsReady(_ connection: HTTP2Connection) {
    hasBeenReady = true
    advance()
  }

  package func connectionHasRoom(_ connection: HTTP2Connection) { advance() }

  package func connectionIsDraining(_ connection: HTTP2Connection, reason: String) {}

  package func connectionIsClosed(_ connection: HTTP2Connection, _ failure: HTTP2Failure) {
    guard connection === self.connection else { return }
    self.connection = nil
    guard hasBeenReady else { return failWaiting(failure) }
    if !waiting.isEmpty { advance() }
  }
}

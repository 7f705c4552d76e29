/// An HTTP/2-over-TLS server for the sandbox: one event-loop thread, handlers called on it.
package final class HTTP2Server: Sendable {
  /// Called on the loop's thread: decide quickly, or return `.later` and call `finish` from anywhere.
  package typealias Handler = @Sendable (HTTP2ServerRequest) -> HTTP2ServerAction

  private let configuration: HTTP2ServerConfiguration
  private let onEvent: @Sendable (HTTP2ServerEvent) -> Void
  private let handler: Handler

  package init(
    _ configuration: HTTP2ServerConfiguration,
    onEvent: @escaping @Sendable (HTTP2ServerEvent) -> Void = { _ in },
    handler: @escaping Handler
  ) {
    self.configuration = configuration
    self.onEvent = onEvent
    self.handler = handler
  }

  /// Binds, listens and serves; returns the port.
  @discardableResult
  package func start() async throws(HTTPServerError) -> Int {
    throw .cannotListen(host: configuration.host, port: configuration.port, reason: "the loop is not wired in yet")
  }

  /// GOAWAY to every connection, answers in progress for up to `graceSeconds`, then closed.
  package func stop(graceSeconds: Double = 1) async {}

  /// The connections that are open.
  package var connections: [HTTP2ServerConnection] { [] }
}

/// A client's connection as a handle that any thread may use.
package final class HTTP2ServerConnection: Sendable, Hashable {
  /// Unique within the server.
  package let id: Int
  package let remoteAddress: String

  init(id: Int, remoteAddress: String) {
    self.id = id
    self.remoteAddress = remoteAddress
  }

  /// Announces another SETTINGS_MAX_CONCURRENT_STREAMS.
  package func setMaxConcurrentStreams(_ limit: Int) {}

  /// Sends GOAWAY. `lastStreamID` nil means the newest stream seen: everything sent so far is still answered; a smaller one says that
  /// later streams were not processed. Open streams go on; `close` afterwards ends them.
  package func goAway(lastStreamID: Int32? = nil, errorCode: UInt32 = 0, debugData: [UInt8] = []) {}

  /// Cuts the connection at once, answers in progress are lost.
  package func cut() {}

  /// Neither reads nor writes any more, without closing: a black hole.
  package func freeze() {}

  func finish(streamID: Int32, _ action: HTTP2ServerAction) {}

  package static func == (left: HTTP2ServerConnection, right: HTTP2ServerConnection) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

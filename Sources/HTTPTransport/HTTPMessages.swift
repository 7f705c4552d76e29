/// A request as a server's handler sees it: complete, within the limits, not yet interpreted.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The path with percent-encoding undone, without the query: `/v1/events/evt 1`.
  package var path: String
  /// The query in order, percent-encoding and `+` undone.
  package var query: [(name: String, value: String)]
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// The peer's numeric address, `127.0.0.1` or `::1`, without the port.
  package var remoteAddress: String
  /// True when the request came over TLS.
  package var isSecure: Bool

  package init(
    method: String, path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
    body: [UInt8] = [], remoteAddress: String = "", isSecure: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
  }

  /// The first value of a query parameter.
  package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// What a handler answers.
package struct HTTPResponse: Sendable {
  /// Bytes that are there, or bytes that come while the connection stays open (server-sent events).
  package enum Body: Sendable {
    case bytes([UInt8])
    /// The closure writes as long as it likes; the response ends when it returns.
    case stream(@Sendable (any HTTPBodyWriter) async -> Void)
  }

  package var status: Int
  package var headers: HTTPHeaders
  package var body: Body

  package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = .bytes(body)
  }

  /// A response whose body is written while it is sent, for example `text/event-stream`.
  package init(
    status: Int = 200, headers: HTTPHeaders, stream: @escaping @Sendable (any HTTPBodyWriter) async -> Void
  ) {
    self.status = status
    self.headers = headers
    body = .stream(stream)
  }

  /// A text response with its content type.
  package static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8")
    -> HTTPResponse
  {
    HTTPResponse(status: status, headers: ["Content-Type": type], body: Array(text.utf8))
  }
}

/// The open end of a streamed response.
package protocol HTTPBodyWriter: Sendable {
  /// Hands bytes over; waits while more than the limit of unsent bytes are buffered.
  ///
  /// False when the client has gone or the server stops: end the stream then.
  func write(_ bytes: [UInt8]) async -> Bool
  /// True when the client has gone or the server stops.
  var isClosed: Bool { get }
}

/// How an HTTP/2 server listens and behaves.
///
/// Everything that a fault test needs is a value here or an operation of `HTTP2ServerConnection`.
package struct HTTP2ServerConfiguration: Sendable {
  package var host = "127.0.0.1"
  /// 0 takes a free port.
  package var port = 0
  package var identity: TLSIdentity
  /// SETTINGS_MAX_CONCURRENT_STREAMS of a new connection; change it on a live one with `setMaxConcurrentStreams`.
  package var maxConcurrentStreams = 1_000
  /// How many RST_STREAM a client may send before the connection ends with GOAWAY: the burst, and how many come back each second
  /// (nghttp2's guard against CVE-2023-44487).
  package var resetLimit: (burst: Int, perSecond: Int) = (1_000, 33)
  /// A longer request body is not kept; the request reaches the handler with `bodyIsTruncated`.
  package var bodyBytes = 65_536
  /// All header names and values of one request; more resets the stream.
  package var headerBytes = 16_384
  /// A client whose TLS handshake takes longer is cut off.
  package var handshakeSeconds: Double = 10
  /// A connection without traffic for so long is closed with GOAWAY; 0 never.
  package var idleSeconds: Double = 0
  /// What that GOAWAY says.
  package var idleDebugData: [UInt8] = []

  package init(identity: TLSIdentity, host: String = "127.0.0.1", port: Int = 0) {
    self.identity = identity
    self.host = host
    self.port = port
  }
}

/// One complete request on an HTTP/2 server.
package struct HTTP2ServerRequest: Sendable {
  package let connection: HTTP2ServerConnection
  package let streamID: Int32
  package let method: String
  /// The raw `:path`.
  package let path: String
  /// Regular fields in order, duplicates kept; no pseudo-header.
  package let headers: HTTPHeaders
  package let body: [UInt8]
  package let bodyIsTruncated: Bool

  /// Answers a request whose handler returned `.later`; the second and later calls do nothing.
  package func finish(_ action: HTTP2ServerAction) { connection.finish(streamID: streamID, action) }
}

/// What becomes of a request.
package enum HTTP2ServerAction: Sendable {
  case respond(status: Int, headers: HTTPHeaders, body: [UInt8])
  /// The same after a delay: a round-trip time on loopback.
  case respondAfter(seconds: Double, status: Int, headers: HTTPHeaders, body: [UInt8])
  /// RST_STREAM with this error code (7 is REFUSED_STREAM).
  case reset(errorCode: UInt32)
  /// Never answered.
  case ignore
  /// `HTTP2ServerRequest.finish` will be called.
  case later
}

/// What a handler hears about connections.
package enum HTTP2ServerEvent: Sendable {
  case opened(HTTP2ServerConnection)
  /// With the number of RST_STREAM frames the client sent.
  case closed(HTTP2ServerConnection, clientResets: Int)
}

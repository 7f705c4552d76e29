/// Answers requests until it is stopped.
///
/// `MicroHTTPServer` is the one in use; tests may put a fake here.
package protocol HTTPServer: Sendable {
  /// Binds, listens and serves.
  ///
  /// Returns the port that was bound (useful with port 0).
  @discardableResult
  func start() async throws(HTTPServerError) -> Int
  /// Stops accepting, waits up to `graceSeconds` for answers in progress, then closes everything.
  ///
  /// Safe to call twice.
  func stop(graceSeconds: Double) async
}

/// Where and how a server listens.
package struct HTTPServerConfiguration: Sendable {
  package var host = "127.0.0.1"
  /// 0 takes a free port.
  package var port = 0
  /// With an identity the server speaks TLS only.
  package var identity: TLSIdentity?
  package var limits = Limits()

  /// What one client may cost.
  ///
  /// A request beyond a limit is answered with 413, 431 or 408 and the connection ends.
  package struct Limits: Sendable {
    package var bodyBytes = 1_048_576
    /// All header lines of one request together with the request line.
    package var headerBytes = 16_384
    /// A connection without progress for so long is closed.
    package var idleSeconds = 30
    /// A request must be complete so many seconds after its first line, however slowly it drips.
    package var requestSeconds = 20
    package var connections = 1_024
    package var connectionsPerAddress = 256
    /// Unsent bytes of a streamed response before `write` waits.
    package var streamBufferBytes = 262_144

    package init() {}
  }

  package init(host: String = "127.0.0.1", port: Int = 0, identity: TLSIdentity? = nil, limits: Limits = Limits()) {
    self.host = host
    self.port = port
    self.identity = identity
    self.limits = limits
  }
}

/// Why a server did not start.
package enum HTTPServerError: Error, Hashable, CustomStringConvertible {
  /// The address cannot be bound; the text says why and what to do.
  case cannotListen(host: String, port: Int, reason: String)
  /// A library that is loaded on demand is missing or too old.
  case libraryMissing(name: String, package: String, reason: String)
  case badIdentity(reason: String)

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on \(host):\(port): \(reason). Choose another --port, or stop the program that holds it."
    case .libraryMissing(let name, let package, let reason):
      "The library \(name) could not be loaded (\(reason)). Install it: apt-get install \(package)."
    case .badIdentity(let reason): "The TLS certificate or its key cannot be used: \(reason)."
    }
  }
}

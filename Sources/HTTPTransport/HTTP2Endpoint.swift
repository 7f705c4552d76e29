/// Where an HTTP/2 client connects, and how it behaves there.
package struct HTTP2Endpoint: Sendable {
  /// The name that is looked up, sent as SNI and checked in the certificate.
  package var host: String
  package var port: Int
  package var tls: TLSContext
  package var resolver: Resolver
  package var timing: Timing

  /// Seconds throughout.
  package struct Timing: Sendable {
    /// Look-up, TCP and TLS together with the server's first SETTINGS.
    package var connectSeconds: Double = 10
    /// Nothing received for so long: PING.
    package var pingAfterIdleSeconds: Double = 15
    /// No answer to PING for so long: the connection is dead.
    package var pingAnswerSeconds: Double = 5
    /// How long a closing connection may go on with open streams.
    package var drainSeconds: Double = 30

    package init() {}
  }

  package init(host: String, port: Int, tls: TLSContext, resolver: Resolver = .system, timing: Timing = Timing()) {
    self.host = host
    self.port = port
    self.tls = tls
    self.resolver = resolver
    self.timing = timing
  }

  /// The value of `:authority`: the port only when it is not 443.
  package var authority: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }
}

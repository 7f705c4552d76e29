package import APNsWire
package import HTTPTransport

/// Where the sender sends, and how.
package struct APNsSenderConfiguration: Sendable {
  /// One of APNs' services, or the sandbox server on loopback.
  package struct Service: Sendable {
    package var host: String
    package var port: Int

    package init(host: String, port: Int = 443) {
      self.host = host
      self.port = port
    }
  }

  /// Apple's hosts by default.
  package var services: [APNsEnvironment: Service] = Dictionary(
    uniqueKeysWithValues: APNsEnvironment.allCases.map { ($0, Service(host: $0.appleHost)) })
  package var trust = TLSTrust.system
  package var resolver = Resolver.system
  package var timing = HTTP2Endpoint.Timing()
  /// Connections of one team, key, environment and topic that carry proven tokens; unproven tokens have one more.
  package var connectionsPerPool = 1
  /// A push that finds no stream for so long comes back as not sent.
  package var queueSeconds: Double = 10
  /// A push is sent again at once after a certain failure (refused stream, GOAWAY) so many times.
  package var resends = 5
  /// Wall clock, UNIX seconds.
  package var now: @Sendable () -> Double = SystemTime.unixSeconds

  package init() {}
}

/// One pool's state, for metrics.
package struct APNsPoolStatus: Hashable, Sendable {
  package var credential: String
  package var environment: APNsEnvironment
  package var topic: String
  package var isQuarantine: Bool
  package var openConnections: Int
  package var streamLimit: Int
  package var inFlight: Int
  package var waiting: Int
  package var connectionsMade: Int
  package var goAways: Int
  package var resetsSent: Int
}

internal import ExactJSON
internal import HTTPTransport
internal import Store

/// Every address of the server, from its parts.
struct RouteTable: Sendable {
  let endpoints: [Endpoint]

  /// Makes the table.
  ///
  /// - Throws: ``StartFailure`` when the secret of a payment provider cannot be read.
  init(
    configuration: ServerConfiguration, store: any Store, time: TimeSource, metrics: Metrics, gate: QueueGate,
    sounds: SoundCache?, memory: EventMemory?, heard: (any HeardProvider)?, isStopping: @escaping @Sendable () -> Bool
  ) throws(StartFailure) {
    let intake = EventIntake(configuration: configuration, makeID: EventIntake.randomID, memory: memory)
    var sources: [IncomingRoutes.Source] = []
    for source in configuration.incoming {
      do {
        let secret = try ProtectedFile.secret(source.secretPath)
        sources.append(
          .init(
            name: source.name,
            signature: IncomingSignature(
              scheme: source.scheme, secret: secret, windowSeconds: configuration.incomingWindowSeconds)))
      } catch { throw StartFailure("incoming \(source.name): \(error.description)") }
    }
    let topic = configuration.apns.flatMap { $0.topic.isEmpty ? nil : $0.topic }
    var all = EventRoutes(store: store, intake: intake, time: time, metrics: metrics, gate: gate).endpoints
    all +=
      DeviceRoutes(
        store: store, time: time, metrics: metrics, defaultTopic: topic,
        defaultsToProduction: configuration.apns?.isProduction ?? true
      ).endpoints
    all += IncomingRoutes(sources: sources, store: store, intake: intake, time: time, metrics: metrics).endpoints
    all += HealthRoutes(store: store, time: time, metrics: metrics, isStopping: isStopping).endpoints
    all += AuditRoutes(store: store).endpoints
    all += OpenAPIRoutes().endpoints
    all += SoundRoutes(cache: sounds).endpoints
    all += HeardRoutes(provider: heard).endpoints
    all += ConsoleRoutes().endpoints
    endpoints = all
  }
}

extension EventIntake {
  /// An id for an event that came without one.
  static let randomID: @Sendable () -> String = { "evt_" + Crypto.hex(Crypto.randomBytes(12)) }
}

// Room: REST routes, authentication, queue workers, rendering, fallback ladder, and the console page in Console/.

internal import APNsClient
internal import APNsWire
internal import HTTPTransport
package import Store

/// The push server: REST in, durable queue, pushes out, proof of hearing back.
package actor AloudServer {
  /// What a caller may put in the place of the live parts.
  package struct Parts: Sendable {
    /// The clock.
    package var time = TimeSource.live
    /// Where log lines go.
    package var log: ServerLog?
    /// The store; `nil` opens the one that the configuration names.
    package var store: (any Store)?
    /// What the console plays.
    package var heard: (any HeardProvider)?

    package init() {}
  }

  /// A server that runs.
  package struct Address: Sendable, Hashable {
    /// Where it listens, as an URL without a path.
    package var url: String
    /// The port.
    package var port: Int
    /// The first key, only when this start made it: shown once.
    package var firstKey: String?
    /// The console's address, with the first key in its fragment if there is one.
    package var consoleURL: String { url + "/" + (firstKey.map { "#key=" + $0 } ?? "") }
  }

  private let configuration: ServerConfiguration
  private let parts: Parts
  private let log: ServerLog
  private let metrics = Metrics()
  private let stopping = Locked(false)
  private var store: (any Store)?
  private var http: MicroHTTPServer?
  private var workers: [DeliveryWorker] = []
  private var gateways: [String: any PushGateway] = [:]

  /// Makes a server that does not run yet.
  package init(_ configuration: ServerConfiguration, parts: Parts = Parts()) {
    self.configuration = configuration
    self.parts = parts
    log = parts.log ?? .standardError(level: configuration.logLevel, time: parts.time)
  }

  /// Opens the store, starts the workers, listens.
  ///
  /// - Throws: ``StartFailure`` in words for the operator.
  package func start() async throws(StartFailure) -> Address {
    let store = try await openStore()
    self.store = store
    gateways = try makeGateways(store)
    let firstKey = try await makeFirstKey(store)
    startWorkers(store)
    let port = try await listen(store)
    log.write(.info, "ready", ["port": .count(port), "workers": .count(workers.count)])
    let scheme = configuration.listening.certificatePath == nil ? "http" : "https"
    let host =
      configuration.listening.host.contains(":") ? "[\(configuration.listening.host)]" : configuration.listening.host
    return Address(url: "\(scheme)://\(host):\(port)", port: port, firstKey: firstKey)
  }

  /// Stops: refuses new work, finishes what is under way, closes the store.
  ///
  /// Safe to call twice.
  package func stop() async {
    stopping.withLock { $0 = true }
    let grace = Double(configuration.stopSeconds)
    await http?.stop(graceSeconds: min(grace, 5))
    for worker in workers { await worker.stop() }
    for gateway in gateways.values { await gateway.stop(graceSeconds: min(grace, 5)) }
    await store?.close()
    (http, store, workers, gateways) = (nil, nil, [], [:])
    log.write(.info, "stopped")
  }
}

/// Why a server cannot start, and what to do.
package struct StartFailure: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

// MARK: Start

extension AloudServer {
  private func openStore() async throws(StartFailure) -> any Store {
    if let store = parts.store { return store }
    do {
      return try StoreOpener.open(
        configuration.database, isExclusive: true, now: Timestamp(milliseconds: parts.time.unixMilliseconds))
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func makeGateways(_ store: any Store) throws(StartFailure) -> [String: any PushGateway] {
    guard let apns = configuration.apns else { return [:] }
    do {
      let pem = try ProtectedFile.read(apns.keyPath)
      let key = try SigningKey(pem: pem)
      var settings = APNsSenderConfiguration()
      settings.connectionsPerPool = apns.connections
      if let host = apns.host {
        let parts = host.split(separator: ":")
        let service = APNsSenderConfiguration.Service(
          host: String(parts.first ?? "localhost"), port: parts.count > 1 ? Int(parts[1]) ?? 443 : 443)
        settings.services = [.production: service, .development: service]
      }
      if let authority = apns.authorityPath { settings.trust = .authorities(pem: try ProtectedFile.text(authority)) }
      let credential = APNsCredential(teamID: apns.teamID, keyID: apns.keyID, key: key)
      let sender = try APNsSender(
        settings, credentials: [credential], tokens: StoredProviderTokens(store: store, time: parts.time))
      return ["apns": APNsGateway(sender: sender)]
    } catch {
      throw StartFailure("APNs: \(error)")
    }
  }

  /// A server without keys makes its first, so that somebody can use it; it is shown once.
  private func makeFirstKey(_ store: any Store) async throws(StartFailure) -> String? {
    do {
      guard try await store.keys().isEmpty else { return nil }
      let key = AccessKey()
      try await store.addKey(
        APIKey(
          id: key.id, name: "first", hash: key.digest, scopes: KeyScopes(Scope.allCases),
          createdAt: Timestamp(milliseconds: parts.time.unixMilliseconds)))
      return key.text
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func startWorkers(_ store: any Store) {
    let maker = PushMaker(
      fallbackSound: configuration.fallbackSound, defaultTopic: configuration.apns?.topic,
      showAfterSeconds: configuration.showAfterSeconds)
    for number in 0..<configuration.workers {
      let worker = DeliveryWorker(
        name: "serve-\(number)",
        environment: .init(
          store: store, gateways: gateways, maker: maker, time: parts.time, log: log, metrics: metrics))
      workers.append(worker)
    }
    for worker in workers { Task { await worker.start() } }
  }

  private func listen(_ store: any Store) async throws(StartFailure) -> Int {
    let router = Router(
      endpoints: endpoints(store), authenticator: Authenticator(store: store),
      context: .init(
        log: log, metrics: metrics, time: parts.time,
        keyLimiter: RateLimiter(
          rate: .init(perSecond: Double(configuration.ratePerKey), burst: Double(configuration.ratePerKey) * 2),
          time: parts.time),
        addressLimiter: RateLimiter(
          rate: .init(perSecond: Double(configuration.ratePerAddress), burst: Double(configuration.ratePerAddress) * 2),
          time: parts.time),
        trustedProxies: configuration.listening.trustedProxies, isStopping: { [stopping] in stopping.withLock { $0 } }))
    var settings = HTTPServerConfiguration(host: configuration.listening.host, port: configuration.listening.port)
    settings.limits.bodyBytes = configuration.bodyLimit
    do {
      if let certificate = configuration.listening.certificatePath, let key = configuration.listening.keyPath {
        settings.identity = TLSIdentity(
          certificateChainPEM: try ProtectedFile.text(certificate), privateKeyPEM: try ProtectedFile.read(key))
      }
      let limit = configuration.bodyLimit
      let server = MicroHTTPServer(
        settings, refusal: { status, text in .problem(.transport(status, text, bodyLimit: limit)) },
        handler: { await router.answer($0) })
      http = server
      return try await server.start()
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func endpoints(_ store: any Store) -> [Endpoint] {
    let intake = EventIntake(configuration: configuration, makeID: { "evt_" + Crypto.hex(Crypto.randomBytes(12)) })
    return EventRoutes(store: store, intake: intake, time: parts.time, metrics: metrics).endpoints
      + DeviceRoutes(store: store, time: parts.time, defaultTopic: configuration.apns?.topic).endpoints
      + HealthRoutes(store: store, time: parts.time, metrics: metrics).endpoints
      + HeardRoutes(provider: parts.heard).endpoints + ConsoleRoutes().endpoints
  }
}

extension Problem {
  /// What the HTTP library refused before any route saw it.
  static func transport(_ status: Int, _ text: String, bodyLimit: Int) -> Problem {
    switch status {
    case 413: .tooLarge(limit: bodyLimit)
    case 408: Problem(408, "slow", "The request came too slowly", detail: "Send it whole within the time limit.")
    case 431: Problem(431, "headers", "The headers are too large", detail: "Send fewer and shorter headers.")
    case 503: .stopping
    default: Problem(status, "transport", "The request was refused", detail: text)
    }
  }
}

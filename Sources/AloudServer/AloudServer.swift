// Room: REST routes, authentication, queue workers, rendering, fallback ladder, and the console page in Console/.

internal import Glibc
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
    /// Gateways beside or instead of the configured ones, by the name in a device's registration.
    package var gateways: [String: any PushGateway] = [:]
    /// What the console plays.
    package var heard: (any HeardProvider)?
    /// What tells this server from others on the same database, and stays when it is started again; `nil`: the machine and the
    /// data folder do.
    package var identity: String?

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
  private var sending: SendingSide?
  private var background: [Background] = []

  /// Makes a server that does not run yet.
  package init(_ configuration: ServerConfiguration, parts: Parts = Parts()) {
    self.configuration = configuration
    self.parts = parts
    log = parts.log ?? .standardError(level: configuration.logLevel, time: parts.time)
  }

  /// Opens the store, listens, starts the workers.
  ///
  /// - Throws: ``StartFailure`` in words for the operator. What was started before is stopped again.
  package func start() async throws(StartFailure) -> Address {
    do {
      return try await startParts()
    } catch {
      await stop()
      throw error
    }
  }

  private func startParts() async throws(StartFailure) -> Address {
    let store = try openStore()
    self.store = store
    let sending = try SendingSide(
      configuration, store: store, time: parts.time, log: log, metrics: metrics,
      name: "serve-\(parts.identity ?? identity)", extraGateways: parts.gateways)
    self.sending = sending
    let firstKey = try await makeFirstKey(store)
    let port = try await listen(store, sending)
    let url = "\(configuration.listening.scheme)://\(configuration.listening.hostInURL):\(port)"
    await sending.start(reachedAt: configuration.listening.baseURL ?? url)
    await startBackground(store)
    log.write(.info, "ready", ["port": .count(port), "workers": .count(configuration.workers)])
    return Address(url: url, port: port, firstKey: firstKey)
  }

  /// Method and path of every address, as the OpenAPI document writes them.
  package static func routes() throws(StartFailure) -> [(method: String, path: String, access: String)] {
    let store = MemoryStore()
    let gate = QueueGate(store: store, ageLimitSeconds: 0, time: .live)
    return try RouteTable(
      configuration: ServerConfiguration(), store: store, time: .live, metrics: Metrics(), gate: gate, sounds: nil,
      memory: nil, heard: nil, isStopping: { false }
    ).endpoints.map { ($0.method, $0.template, "\($0.access)") }
  }

  /// Stops: refuses new work, finishes what is under way, closes the store; done within `stop-seconds`.
  ///
  /// While pushes drain, the server still answers: `/readyz` with 503, so that a balancer looks elsewhere, and new work with
  /// 503 and `Retry-After`. Safe to call twice.
  package func stop() async {
    stopping.withLock { $0 = true }
    let seconds = Double(configuration.stopSeconds)
    for task in background { await task.stop(withinSeconds: 1) }
    await sending?.stop(graceSeconds: seconds * 0.5)
    await http?.stop(graceSeconds: seconds * 0.2)
    await store?.close()
    (http, store, sending, background) = (nil, nil, nil, [])
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
  /// A few digits made of the machine's name and the data folder.
  ///
  /// Started again, the server takes back at once what it had; another server on the same database is another. The folder's path
  /// is taken as it is written: at the first start there is no folder yet.
  private var identity: String {
    var host = [CChar](repeating: 0, count: 256)
    gethostname(&host, host.count - 1)
    var folder = configuration.dataFolder
    if !folder.hasPrefix("/"), let here = getcwd(nil, 0) {
      folder = String(cString: here) + "/" + folder
      free(here)
    }
    let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(Crypto.hex(Crypto.sha256(Array("\(name)\n\(folder)".utf8))).prefix(8))
  }

  private func openStore() throws(StartFailure) -> any Store {
    if let store = parts.store { return store }
    do {
      return try StoreOpener.open(
        configuration.database, isExclusive: true, limits: configuration.storeLimits,
        now: Timestamp(milliseconds: parts.time.unixMilliseconds))
    } catch {
      throw StartFailure("\(error)")
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

  private func listen(_ store: any Store, _ sending: SendingSide) async throws(StartFailure) -> Int {
    let listening = configuration.listening
    let gate = QueueGate(store: store, ageLimitSeconds: configuration.queueAgeLimitSeconds, time: parts.time)
    let endpoints = try RouteTable(
      configuration: configuration, store: store, time: parts.time, metrics: metrics, gate: gate,
      sounds: sending.cache, memory: sending.memory, heard: parts.heard,
      isStopping: { [stopping] in stopping.withLock { $0 } }
    ).endpoints
    let router = Router(
      endpoints: endpoints, authenticator: Authenticator(store: store, time: parts.time),
      context: .init(
        log: log, metrics: metrics, time: parts.time,
        keyLimiter: RateLimiter(perSecond: configuration.ratePerKey, time: parts.time),
        addressLimiter: RateLimiter(perSecond: configuration.ratePerAddress, time: parts.time),
        trustedProxies: listening.trustedProxies, isStopping: { [stopping] in stopping.withLock { $0 } }))
    var settings = HTTPServerConfiguration(host: listening.host, port: listening.port)
    settings.limits = configuration.transportLimits
    let limit = configuration.bodyLimit
    do {
      settings.identity = try CertificateFiles(listening)?.identity()
      let server = MicroHTTPServer(
        settings, refusal: { status, text in .problem(.transport(status, text, bodyLimit: limit)) },
        handler: { await router.answer($0) })
      http = server
      return try await server.start()
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func startBackground(_ store: any Store) async {
    let time = parts.time
    let housekeeper = Housekeeper(store: store, time: time, log: log, keepDays: configuration.keepDays)
    background.append(Background("housekeeping", everySeconds: 600, time: time) { await housekeeper.round() })
    let inbox = InboxRunner(
      store: store, intake: EventIntake(configuration: configuration, makeID: EventIntake.randomID), time: time,
      log: log, metrics: metrics)
    background.append(Background("inbox", everySeconds: 1, time: time) { await inbox.round() })
    if let files = CertificateFiles(configuration.listening), let http {
      // Connections under way keep the old certificate.
      let reloader = FileReloader("certificate", stamp: { files.stamp }, log: log) {
        try await http.reload(identity: try files.identity())
      }
      background.append(Background("certificate", everySeconds: 30, time: time) { await reloader.round() })
    }
    for task in background { await task.start() }
  }
}

extension ServerConfiguration {
  fileprivate var transportLimits: HTTPServerConfiguration.Limits {
    var limits = HTTPServerConfiguration.Limits()
    (limits.bodyBytes, limits.headerBytes) = (bodyLimit, headerLimit)
    limits.requestSeconds = requestSeconds
    limits.idleSeconds = min(limits.idleSeconds, requestSeconds)
    (limits.connections, limits.connectionsPerAddress) = (connections, connectionsPerAddress)
    return limits
  }

  var storeLimits: StoreLimits { StoreLimits(openDeliveries: queueRowLimit) }
}

extension ServerConfiguration.Listening {
  fileprivate var scheme: String { certificatePath == nil ? "http" : "https" }
  fileprivate var hostInURL: String { host.contains(":") ? "[\(host)]" : host }
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

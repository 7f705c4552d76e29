internal import APNsClient
internal import APNsWire
internal import AudioTools
internal import HTTPTransport
internal import Store
internal import VoiceAudio

/// Everything that sends: gateways, workers, sounds, the fallback ladder and webhooks. A server has one; `aloud worker` is one.
actor SendingSide {
  /// Where rendered sounds are kept; nil when none are rendered.
  nonisolated let cache: SoundCache?
  /// Where its workers look for events that this process has just accepted; nil when it has no workers.
  nonisolated let memory: EventMemory?
  private let gateways: [String: any PushGateway]
  private let workers: [DeliveryWorker]
  private let renderer: SoundRenderer?
  private let background: [Background]

  /// Makes the parts; nothing runs yet.
  ///
  /// - Parameter name: Names the workers; unique among processes that share a database.
  /// - Throws: ``StartFailure`` in words for the operator.
  init(
    _ configuration: ServerConfiguration, store: any Store, time: TimeSource, log: ServerLog, metrics: Metrics,
    name: String, extraGateways: [String: any PushGateway] = [:]
  ) throws(StartFailure) {
    let client = HTTPClient(rule: .any)
    gateways = try Gateways.make(configuration, store: store, client: client, time: time)
      .merging(extraGateways) { $1 }
    let joiners = try Voices.packs(configuration)
    let voices = try Voices.all(configuration, joiners, client: client)
    var cache: SoundCache?
    if !voices.isEmpty {
      let made = SoundCache(
        folder: configuration.dataFolder + "/sounds", limit: configuration.soundCacheBytes,
        keepSeconds: configuration.longestSpeakSeconds, time: time)
      do { try made.prepare() } catch { throw StartFailure("\(error)") }
      cache = made
    }
    self.cache = cache
    renderer = cache.map { SoundRenderer(voices: voices, cache: $0, baseURL: "", metrics: metrics, log: log) }
    let chooser = RouteChooser(
      packs: Dictionary(joiners.map { ($0.pack.id, $0) }, uniquingKeysWith: { first, _ in first }),
      renders: cache != nil, usesDeviceSounds: configuration.usesDeviceSounds)
    memory = configuration.workers > 0 ? EventMemory() : nil
    let maker = PushMaker(
      fallbackSound: configuration.fallbackSound, defaultTopic: configuration.apns?.topic,
      showAfterSeconds: configuration.showAfterSeconds, chooser: chooser, memory: memory)
    let environment = DeliveryWorker.Environment(
      store: store, gateways: gateways, maker: maker, renderer: renderer,
      reportsFailures: configuration.webhookURL != nil, time: time, log: log, metrics: metrics)
    workers = (0..<configuration.workers).map { DeliveryWorker(name: "\(name)-\($0)", environment: environment) }
    var background = try Self.background(configuration, store: store, time: time, log: log, metrics: metrics)
    if let apns = configuration.apns, let gateway = gateways["apns"] as? APNsGateway, !workers.isEmpty {
      background.append(Self.keyReloader(APNsKeyFiles(apns), gateway, time: time, log: log))
    }
    self.background = background
  }

  /// Another key takes over without a restart: its file was replaced, or the list of keys was changed.
  private static func keyReloader(
    _ files: APNsKeyFiles, _ gateway: APNsGateway, time: TimeSource, log: ServerLog
  ) -> Background {
    let reloader = FileReloader("APNs keys", stamp: { files.stamp }, log: log) {
      gateway.sender.replace(credentials: try files.credentials())
    }
    return Background("APNs keys", everySeconds: 30, time: time) { await reloader.round() }
  }

  /// Begins to send.
  ///
  /// - Parameter url: Where phones reach the server that serves the sounds.
  func start(reachedAt url: String) async {
    await renderer?.setBaseURL(url)
    for worker in workers { await worker.start() }
    for task in background { await task.start() }
  }

  /// Finishes what is under way, for so long at most; what is left then is of unknown fate, as after a crash.
  func stop(graceSeconds: Double) async {
    for task in background { await task.stop(withinSeconds: 1) }
    await withTaskGroup(of: Void.self) { group in
      for worker in workers { group.addTask { await worker.drain(seconds: graceSeconds) } }
    }
    for gateway in gateways.values { await gateway.stop(graceSeconds: 0) }
    for worker in workers {
      // The gateways have just reported what they gave up.
      await worker.drain(seconds: 0.25)
      await worker.stop()
    }
  }

  private static func background(
    _ configuration: ServerConfiguration, store: any Store, time: TimeSource, log: ServerLog, metrics: Metrics
  ) throws(StartFailure) -> [Background] {
    guard configuration.workers > 0 else { return [] }
    let ladder = FallbackRunner(
      store: store, time: time, metrics: metrics, log: log, hasWebhook: configuration.webhookURL != nil)
    var tasks = [Background("ladder", everySeconds: 1, time: time) { await ladder.round() }]
    if let url = configuration.webhookURL, let path = configuration.webhookSecretPath {
      let secret: [UInt8]
      do { secret = try ProtectedFile.secret(path) } catch { throw StartFailure("webhook: \(error.description)") }
      let client = HTTPClient(rule: configuration.webhookMayBePrivate ? .any : .publicOnly)
      let webhooks = WebhookRunner(store: store, time: time, log: log, url: url, secret: secret, client: client)
      tasks.append(Background("webhooks", everySeconds: 1, time: time) { await webhooks.round() })
    }
    return tasks
  }
}

/// Makes the gateways that a configuration names.
enum Gateways {
  static func make(
    _ configuration: ServerConfiguration, store: any Store, client: any HTTPSending, time: TimeSource
  ) throws(StartFailure) -> [String: any PushGateway] {
    var gateways: [String: any PushGateway] = [:]
    if let apns = configuration.apns { gateways["apns"] = try apnsGateway(apns, store: store, time: time) }
    if let jpush = configuration.jpush {
      do {
        let secret = String(decoding: try ProtectedFile.secret(jpush.secretPath), as: UTF8.self)
        gateways["jpush"] = JPushGateway(
          url: jpush.url, appKey: jpush.appKey, secret: secret, client: client, time: time)
      } catch { throw StartFailure("JPush: \(error.description)") }
    }
    return gateways
  }

  static func apnsGateway(
    _ apns: ServerConfiguration.APNs, store: any Store, time: TimeSource
  ) throws(StartFailure) -> APNsGateway {
    do {
      var settings = APNsSenderConfiguration()
      settings.connectionsPerPool = apns.connections
      if let host = apns.host {
        let parts = host.split(separator: ":")
        let service = APNsSenderConfiguration.Service(
          host: String(parts.first ?? "localhost"), port: parts.count > 1 ? Int(parts[1]) ?? 443 : 443)
        settings.services = [.production: service, .development: service]
      }
      if let authority = apns.authorityPath { settings.trust = .authorities(pem: try ProtectedFile.text(authority)) }
      let sender = try APNsSender(
        settings, credentials: try APNsKeyFiles(apns).credentials(),
        tokens: StoredProviderTokens(store: store, time: time))
      return APNsGateway(sender: sender)
    } catch {
      throw StartFailure("APNs: \(error)")
    }
  }
}

/// Makes the voices that a configuration names.
enum Voices {
  /// The packs of the voices folder, with the reason for each that cannot be used.
  static func packs(_ configuration: ServerConfiguration) throws(StartFailure) -> [Joiner] {
    guard let folder = configuration.voicesFolder else { return [] }
    do {
      let names = try Files.names(in: folder).filter { $0.hasSuffix(".voicepack") }
      guard !names.isEmpty else { throw StartFailure("\(folder) holds no folder whose name ends in .voicepack.") }
      return try names.map { Joiner(pack: try VoicePack.open(path: "\(folder)/\($0)")) }
    } catch { throw error as? StartFailure ?? StartFailure("voices: \(error)") }
  }

  /// Packs first, then the engine.
  static func all(
    _ configuration: ServerConfiguration, _ joiners: [Joiner], client: any HTTPSending
  ) throws(StartFailure) -> [any SpeechVoice] {
    var voices: [any SpeechVoice] = joiners.map { PackVoice(joiner: $0) }
    let seconds = configuration.engineTimeoutSeconds
    do {
      switch configuration.engine {
      case .none: break
      case .espeak: voices.append(EspeakVoice(timeoutSeconds: seconds))
      case .command(let template):
        voices.append(
          try CommandVoice(
            template: template, scratchFolder: configuration.dataFolder + "/sounds", timeoutSeconds: seconds))
      case .openAI(let url, let keyPath, let model, let voice):
        let key = try keyPath.map { String(decoding: try ProtectedFile.secret($0), as: UTF8.self) }
        voices.append(
          OpenAIVoice(url: url, key: key, model: model, voice: voice, timeoutSeconds: seconds, client: client))
      }
    } catch { throw StartFailure("engine: \(error)") }
    return voices
  }
}

extension ServerConfiguration {
  /// The longest time that any event may be spoken: so long its sound must stay.
  var longestSpeakSeconds: Int { EventClass.allCases.map { rules($0).speakWithinSeconds }.max() ?? 3_600 }
}

internal import Glibc
internal import HTTPTransport
internal import Store

/// A process that only sends, beside servers and other workers on one database (`aloud worker`).
package actor WorkerProcess {
  private let configuration: ServerConfiguration
  private let time: TimeSource
  private let log: ServerLog
  private var store: (any Store)?
  private var sending: SendingSide?

  /// Makes a worker that does not run yet.
  package init(_ configuration: ServerConfiguration, time: TimeSource = .live, log: ServerLog? = nil) {
    (self.configuration, self.time) = (configuration, time)
    self.log = log ?? .standardError(level: configuration.logLevel, time: time)
  }

  /// Opens the database and begins to send.
  ///
  /// - Throws: ``StartFailure`` in words for the operator.
  package func start() async throws(StartFailure) {
    guard case .postgres = configuration.database else {
      throw StartFailure(
        "aloud worker needs --database postgres://…: a SQLite file belongs to one process, which is aloud serve.")
    }
    guard configuration.voicesFolder == nil && configuration.engine == .none || configuration.listening.baseURL != nil
    else {
      throw StartFailure(
        "A worker that renders sounds needs --base-url and a data folder that it shares with aloud serve.")
    }
    do {
      let store = try StoreOpener.open(
        configuration.database, isExclusive: false, limits: configuration.storeLimits,
        now: Timestamp(milliseconds: time.unixMilliseconds))
      self.store = store
      // The name must be unique among running workers, also of other machines.
      let sending = try SendingSide(
        configuration, store: store, time: time, log: log, metrics: Metrics(),
        name: "worker-\(Crypto.hex(Crypto.randomBytes(4)))-\(getpid())")
      self.sending = sending
      await sending.start(reachedAt: configuration.listening.baseURL ?? "")
    } catch {
      await stop()
      throw error as? StartFailure ?? StartFailure("\(error)")
    }
    log.write(.info, "worker ready", ["workers": .count(configuration.workers)])
  }

  /// Finishes what is under way and gives the leases back.
  package func stop() async {
    await sending?.stop(graceSeconds: Double(configuration.stopSeconds) * 0.5)
    await store?.close()
    (sending, store) = (nil, nil)
  }
}

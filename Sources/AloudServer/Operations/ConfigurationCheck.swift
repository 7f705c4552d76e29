internal import HTTPTransport
internal import Store

extension AloudServer {
  /// Reads every file that a configuration names, as a start would; opens no port and no database, and writes nothing.
  ///
  /// - Throws: ``StartFailure`` with the file and what to do about it.
  package static func check(_ configuration: ServerConfiguration) async throws(StartFailure) {
    let store = MemoryStore()
    let gate = QueueGate(store: store, ageLimitSeconds: 0, time: .live)
    _ = try RouteTable(
      configuration: configuration, store: store, time: .live, metrics: Metrics(), gate: gate, sounds: nil,
      memory: nil, heard: nil, isStopping: { false })
    let client = HTTPClient(rule: .any)
    let gateways = try Gateways.make(configuration, store: store, client: client, time: .live)
    for gateway in gateways.values { await gateway.stop(graceSeconds: 0) }
    _ = try Voices.all(configuration, try Voices.packs(configuration), client: client)
    do {
      if let path = configuration.webhookSecretPath { _ = try ProtectedFile.secret(path) }
    } catch { throw StartFailure("webhook: \(error.description)") }
    guard let files = CertificateFiles(configuration.listening) else { return }
    do {
      _ = try TLSContext(identity: try files.identity(), protocols: ["http/1.1"])
    } catch { throw StartFailure("certificate: \(error)") }
  }
}

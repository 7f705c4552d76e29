internal import Store
internal import StoreSQLite

/// What an operator does to a server's database from the command line, also while the server runs.
package struct ServerTools: Sendable {
  private let store: any Store
  private let time: TimeSource

  /// Opens the database that the configuration names, beside a running server.
  ///
  /// - Throws: ``StartFailure`` in words for the operator.
  package static func open(
    _ configuration: ServerConfiguration, time: TimeSource = .live
  ) async throws(StartFailure) -> ServerTools {
    do {
      let now = Timestamp(milliseconds: time.unixMilliseconds)
      let store = try StoreOpener.open(configuration.database, isExclusive: false, now: now)
      return ServerTools(store: store, time: time)
    } catch {
      throw StartFailure("\(error)")
    }
  }

  /// Makes a key and gives its text, which is shown once and not kept.
  package func create(name: String, scopes: Set<Scope>) async throws -> String {
    let key = AccessKey()
    let now = Timestamp(milliseconds: time.unixMilliseconds)
    try await store.addKey(
      APIKey(id: key.id, name: name, hash: key.digest, scopes: KeyScopes(scopes), createdAt: now))
    try await store.audit([AuditEntry(at: now, actor: "command line", action: "key.create", target: key.id)])
    return key.text
  }

  /// One line a key: id, scopes, state, name.
  package func list() async throws -> [String] {
    try await store.keys().map { key in
      let scopes = key.scopes.set.sorted().map(\.rawValue).joined(separator: ",")
      let state = key.revokedAt == nil ? "valid" : "revoked"
      return "\(key.id)  \(scopes)  \(state)  \(key.name)"
    }
  }

  /// Ends a key; false when there is no valid one with this id.
  package func revoke(id: String) async throws -> Bool {
    let now = Timestamp(milliseconds: time.unixMilliseconds)
    let done = try await store.revokeKey(id: id, now: now)
    if done {
      try await store.audit([AuditEntry(at: now, actor: "command line", action: "key.revoke", target: id)])
    }
    return done
  }

  /// Copies the database to a file.
  package func backup(to path: String) async throws { try await store.backup(to: path) }

  /// Lets go of the database.
  package func close() async { await store.close() }
}

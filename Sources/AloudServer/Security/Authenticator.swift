internal import HTTPTransport
internal import Store

/// Finds out who makes a call.
///
/// A key that was found is believed for a second: a till posts with the same one all day, and a look-up in the database costs as much
/// as the event. A revoked key therefore works for a second longer at most.
struct Authenticator: Sendable {
  let store: any KeyStore
  let time: TimeSource
  private let found = Locked<[[UInt8]: (key: APIKey, until: Double)]>([:])

  /// Most keys that are remembered at once.
  private static let capacity = 1_000

  init(store: any KeyStore, time: TimeSource) { (self.store, self.time) = (store, time) }

  /// The caller that the `Authorization` header names; a key that is unknown, wrong or revoked is nobody's.
  ///
  /// - Throws: ``Problem`` when the store does not answer.
  func caller(_ request: HTTPRequest) async throws(Problem) -> Caller {
    guard let header = request.headers["authorization"] else { return .anonymous }
    let parts = header.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return .anonymous }
    switch parts[0].lowercased() {
    case "bearer": return try await keyCaller(parts[1].trimmingSpaces())
    case "device": return .device(DeviceSecret(parts[1].trimmingSpaces()))
    default: return .anonymous
    }
  }

  // The look-up is by the digest of 256 unguessable bits: what a comparison's timing could tell is nothing.
  private func keyCaller(_ text: String) async throws(Problem) -> Caller {
    guard let key = AccessKey(text) else { return .anonymous }
    let stored: APIKey?
    do { stored = try await lookUp(hash: key.digest) } catch { throw Problem(error) }
    guard let stored, stored.id == key.id, stored.revokedAt == nil else { return .anonymous }
    return .key(id: stored.id, scopes: stored.scopes.set)
  }

  private func lookUp(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    let now = time.now()
    if let known = found.withLock({ $0[hash] }), now < known.until, known.until <= now + 1 { return known.key }
    let key = try await store.key(hash: hash)
    found.withLock { found in
      if found.count >= Self.capacity { found = [:] }
      found[hash] = key.map { ($0, now + 1) }
    }
    return key
  }
}

extension KeyScopes {
  /// The scopes as a set of names.
  var set: Set<Scope> {
    Set(Scope.allCases.filter { contains($0.stored) })
  }

  /// The scopes of a set of names.
  init(_ scopes: some Sequence<Scope>) { self = scopes.reduce(into: []) { $0.insert($1.stored) } }
}

extension Scope {
  fileprivate var stored: KeyScopes {
    switch self {
    case .send: .send
    case .device: .device
    case .read: .read
    case .admin: .admin
    }
  }
}

extension Problem {
  /// What a caller is told of a store's failure.
  init(_ error: StoreError) {
    if case .unavailable(let seconds, _) = error {
      self = .storeUnavailable
      retryAfterSeconds = max(1, seconds)
    } else {
      self = error == .closed ? .stopping : .internalError
    }
  }
}

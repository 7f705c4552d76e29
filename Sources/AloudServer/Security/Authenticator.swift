internal import HTTPTransport
internal import Store

/// Finds out who makes a call.
///
/// A key that was found is believed for a second: a till posts with the same one all day, and a look-up in the database costs as much
/// as the event. A revoked key therefore works for a second longer at most.
struct Authenticator: Sendable {
  let store: any KeyStore
  let time: TimeSource
  private let found = Locked<[[UInt8]: (caller: KeyCaller, until: Double)]>([:])

  /// What is known of a key.
  private struct KeyCaller {
    var id: String
    /// Nobody, when the key was revoked.
    var caller: Caller
  }

  /// Most keys that are remembered at once.
  private static let capacity = 1_000

  init(store: any KeyStore, time: TimeSource) { (self.store, self.time) = (store, time) }

  /// The caller that the `Authorization` header names; a key that is unknown, wrong or revoked is nobody's.
  ///
  /// - Throws: ``Problem`` when the store does not answer.
  func caller(_ request: HTTPRequest) async throws(Problem) -> Caller {
    guard let header = request.headers["authorization"] else { return .anonymous }
    guard let blank = header.utf8.firstIndex(of: UInt8(ascii: " ")) else { return .anonymous }
    let credentials = header[blank...].trimmingSpaces()
    switch header[..<blank].lowercased() {
    case "bearer": return try await keyCaller(credentials)
    case "device": return .device(DeviceSecret(credentials))
    default: return .anonymous
    }
  }

  // The look-up is by the digest of 256 unguessable bits: what a comparison's timing could tell is nothing.
  private func keyCaller(_ text: String) async throws(Problem) -> Caller {
    guard let key = AccessKey(text) else { return .anonymous }
    let digest = key.digest
    let now = time.now()
    if let known = found.withLock({ $0[digest] }), now < known.until, known.until <= now + 1 {
      return known.caller.id == key.id ? known.caller.caller : .anonymous
    }
    let stored: APIKey?
    do { stored = try await store.key(hash: digest) } catch { throw Problem(error) }
    let caller = stored.map { stored in
      KeyCaller(
        id: stored.id, caller: stored.revokedAt == nil ? .key(id: stored.id, scopes: stored.scopes.set) : .anonymous)
    }
    found.withLock { found in
      if found.count >= Self.capacity { found = [:] }
      found[digest] = caller.map { ($0, now + 1) }
    }
    return caller?.id == key.id ? caller?.caller ?? .anonymous : .anonymous
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

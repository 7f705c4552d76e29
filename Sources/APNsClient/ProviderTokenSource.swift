package import APNsWire
internal import HTTPTransport

/// Gives the one provider token that all connections and all workers of a key share.
package protocol ProviderTokenSource: Sendable {
  /// The token to use now.
  ///
  /// `refused` is one that APNs has called expired.
  func token(
    for credential: APNsCredential, refused: ProviderToken?
  ) async throws(ProviderTokenError) -> ProviderToken
}

/// Why there is no provider token.
package enum ProviderTokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It was refused but may not be renewed yet.
  case tooEarly(seconds: Double)
  case notAvailable(String)

  package var description: String {
    switch self {
    case .tooEarly(let seconds):
      "APNs refuses the provider token, and a new one may not be signed for another \(Int(seconds)) s. Check this machine's clock."
    case .notAvailable(let reason): "No provider token: \(reason)"
    }
  }
}

/// Signs in this process only; for one worker.
///
/// Several share through the database.
package actor LocalProviderTokens: ProviderTokenSource {
  private let policy: ProviderTokenPolicy
  private let now: @Sendable () -> Double
  private var tokens: [String: ProviderToken] = [:]
  /// How many have been signed for each credential name.
  package private(set) var signatures: [String: Int] = [:]

  package init(
    policy: ProviderTokenPolicy = ProviderTokenPolicy(), now: @escaping @Sendable () -> Double = SystemTime.unixSeconds
  ) {
    self.policy = policy
    self.now = now
  }

  package func token(
    for credential: APNsCredential, refused: ProviderToken?
  ) async throws(ProviderTokenError) -> ProviderToken {
    let now = now()
    switch policy.decide(current: tokens[credential.name], refused: refused, now: now) {
    case .use(let token): return token
    case .wait(let seconds): throw .tooEarly(seconds: seconds)
    case .sign:
      do {
        let token = try credential.sign(issuedAt: now)
        tokens[credential.name] = token
        signatures[credential.name, default: 0] += 1
        return token
      } catch {
        throw .notAvailable(error.message)
      }
    }
  }
}

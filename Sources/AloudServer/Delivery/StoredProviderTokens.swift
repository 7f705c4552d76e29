package import APNsClient
package import APNsWire
package import Store

/// The provider token of a key, shared through the store by all workers everywhere.
///
/// Apple refuses tokens that are renewed too often (`TooManyProviderTokenUpdates`), and counts those of all connections.
package actor StoredProviderTokens: ProviderTokenSource {
  private let store: any KeyStore
  private let time: TimeSource
  private let policy = ProviderTokenPolicy()
  private var known: [String: SharedProviderToken] = [:]

  package init(store: any KeyStore, time: TimeSource) {
    self.store = store
    self.time = time
  }

  package func token(
    for credential: APNsCredential, refused: ProviderToken?
  ) async throws(ProviderTokenError) -> ProviderToken {
    let now = time.now()
    if refused == nil, let token = known[credential.name], case .use(let fresh) = decide(token, refused, now) {
      return fresh
    }
    do {
      let shared = try await store.providerToken(team: credential.teamID, keyID: credential.keyID)
      known[credential.name] = shared
      switch decide(shared, refused, now) {
      case .use(let token): return token
      case .wait(let seconds): throw ProviderTokenError.tooEarly(seconds: seconds)
      case .sign:
        let token = try credential.sign(issuedAt: now.rounded(.down))
        let agreed = try await store.offerProviderToken(
          token.text, team: credential.teamID, keyID: credential.keyID, replacing: shared?.generation ?? 0,
          now: Timestamp(seconds: Int64(now)))
        known[credential.name] = agreed
        return agreed.token(agreed)
      }
    } catch let error as ProviderTokenError {
      throw error
    } catch {
      throw .notAvailable("the store or the key failed")
    }
  }

  private func decide(
    _ shared: SharedProviderToken?, _ refused: ProviderToken?, _ now: Double
  ) -> ProviderTokenPolicy.Decision {
    policy.decide(current: shared.map { $0.token($0) }, refused: refused, now: now)
  }
}

extension SharedProviderToken {
  fileprivate func token(_ shared: SharedProviderToken) -> ProviderToken {
    ProviderToken(text: shared.token, issuedAt: Double(shared.issuedAt.milliseconds) / 1_000)
  }
}

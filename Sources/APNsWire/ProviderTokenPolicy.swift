/// A provider token (JWT) and when it was signed.
///
/// Never printed.
package struct ProviderToken: Hashable, Sendable, CustomStringConvertible {
  /// The JWT itself, without `bearer`.
  package let text: String
  /// The claim `iat`: UNIX seconds.
  package let issuedAt: Double

  package init(text: String, issuedAt: Double) {
    self.text = text
    self.issuedAt = issuedAt
  }

  package var description: String { "ProviderToken" }
}

/// When a provider token is used, signed anew, or waited for.
///
/// Apple refuses tokens older than an hour and renewals within 20 minutes ("Establishing a token-based connection to APNs"). All
/// connections and workers of one key share one token.
package struct ProviderTokenPolicy: Hashable, Sendable {
  /// From this age on a new token is signed before the next push.
  package var renewAfterSeconds: Double = 50 * 60
  /// No renewal before this age, whatever APNs says.
  package var earliestRenewalSeconds: Double = 20 * 60
  /// An old token may bridge the time until the new one is there up to this age.
  package var latestUseSeconds: Double = 58 * 60

  package init() {}

  package enum Decision: Hashable, Sendable {
    case use(ProviderToken)
    /// Sign a new one, store it for everybody, use it.
    case sign
    /// Neither: the token was refused but is too young to be renewed.
    ///
    /// The clock of this machine or its key is wrong.
    case wait(seconds: Double)
  }

  /// - Parameters:
  ///   - current: The token that everybody shares, if there is one.
  ///   - refused: The token that APNs has just called expired, if that is why somebody asks.
  ///   - now: UNIX seconds.
  package func decide(current: ProviderToken?, refused: ProviderToken?, now: Double) -> Decision {
    guard let current else { return .sign }
    let age = now - current.issuedAt
    if let refused, refused.text == current.text {
      return age >= earliestRenewalSeconds || age < 0 ? .sign : .wait(seconds: earliestRenewalSeconds - age)
    }
    // A token from the future (the clock was set back) would be refused.
    return age >= renewAfterSeconds || age < -60 ? .sign : .use(current)
  }

  /// Whether a token may still be sent while a new one is being made.
  package func mayBridge(_ token: ProviderToken, now: Double) -> Bool { now - token.issuedAt < latestUseSeconds }
}

import ExactJSON
package import HTTPTransport

/// A provider's signing key, as Apple knows it.
package struct ProviderKey: Sendable {
  /// The key's ten characters.
  package var keyID: String
  /// The team's ten characters.
  package var teamID: String
  /// The public half.
  package var key: VerifyingKey

  /// Makes a key.
  package init(keyID: String, teamID: String, key: VerifyingKey) {
    (self.keyID, self.teamID, self.key) = (keyID, teamID, key)
  }
}

/// Checks provider tokens as APNs does.
///
/// Source: Apple, "Establishing a token-based connection to APNs": ES256, `kid` in the header, `iss` and `iat` in the claims;
/// a token is good for an hour and may be renewed at most every 20 minutes.
struct ProviderTokenChecker: Sendable {
  /// How long a token is good, in seconds, with a minute for clocks that differ.
  static let lifeSeconds = 3660.0
  /// How soon a connection may come with a newer token, in seconds.
  static let renewalSeconds = 20.0 * 60

  let keys: [String: ProviderKey]
  /// Tokens whose signature was found good, with their time of issue: one check for a million pushes.
  private var good: [String: (issuedAt: Double, team: String)] = [:]
  /// What each connection uses.
  private var used: [Int: (token: String, issuedAt: Double, team: String)] = [:]

  init(_ keys: [ProviderKey]) {
    self.keys = Dictionary(keys.map { ($0.keyID, $0) }, uniquingKeysWith: { $1 })
  }

  /// The reason for a refusal, or `nil` if the token is good.
  mutating func refusal(_ authorization: String?, connection: Int, now: Double) -> String? {
    guard let authorization else { return "MissingProviderToken" }
    let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "InvalidProviderToken" }
    let token = String(parts[1])
    guard let known = good[token] ?? verified(token) else { return "InvalidProviderToken" }
    if now - known.issuedAt > ProviderTokenChecker.lifeSeconds { return "ExpiredProviderToken" }
    // A token from the future comes from a wrong clock.
    if known.issuedAt - now > 60 { return "InvalidProviderToken" }
    if let before = used[connection], before.token != token {
      if before.team != known.team { return "InvalidProviderToken" }
      let isTooSoon = known.issuedAt - before.issuedAt < ProviderTokenChecker.renewalSeconds
      if isTooSoon, known.issuedAt >= before.issuedAt { return "TooManyProviderTokenUpdates" }
    }
    used[connection] = (token, known.issuedAt, known.team)
    return nil
  }

  mutating func forget(connection: Int) { used[connection] = nil }

  private mutating func verified(_ token: String) -> (issuedAt: Double, team: String)? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = ProviderTokenChecker.json(parts[0]),
      let claims = ProviderTokenChecker.json(parts[1]), header["alg"]?.stringValue == "ES256",
      let key = header["kid"]?.stringValue.flatMap({ keys[$0] }), claims["iss"]?.stringValue == key.teamID,
      let issuedAt = claims["iat"]?.intValue, let signature = Crypto.bytes(base64: parts[2]),
      key.key.isValid(signature: signature, for: Array((parts[0] + "." + parts[1]).utf8))
    else { return nil }
    if good.count > 1000 { good.removeAll() }
    good[token] = (Double(issuedAt), key.teamID)
    return good[token]
  }

  private static func json(_ part: String) -> JSON? {
    Crypto.bytes(base64: part).flatMap { try? JSON.parse($0) }
  }
}

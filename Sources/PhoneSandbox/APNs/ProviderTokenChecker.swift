package import APNsWire
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
  /// The bundle ids of a topic-specific key; nil for a key of the whole team.
  package var topics: Set<String>?
  /// The environments it is for; keys made before 2025 are for both.
  package var environments: Set<APNsEnvironment>

  /// Makes a key.
  package init(
    keyID: String, teamID: String, key: VerifyingKey, topics: Set<String>? = nil,
    environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases)
  ) {
    (self.keyID, self.teamID, self.key) = (keyID, teamID, key)
    (self.topics, self.environments) = (topics, environments)
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

  private struct Known: Sendable {
    var issuedAt: Double
    var key: ProviderKey
  }

  private struct Used: Sendable {
    /// The header as it came: a connection sends the same a million times, and it is taken apart once.
    var header: String
    var token: String
    var known: Known
  }

  let keys: [String: ProviderKey]
  private let environment: APNsEnvironment
  /// Tokens whose signature was found good: one check for a million pushes.
  private var good: [String: Known] = [:]
  /// What each connection uses: the first push binds it to a team and to the kind of its key.
  private var used: [Int: Used] = [:]

  init(_ keys: [ProviderKey], environment: APNsEnvironment) {
    self.keys = Dictionary(keys.map { ($0.keyID, $0) }, uniquingKeysWith: { $1 })
    self.environment = environment
  }

  /// The reason for a refusal, or `nil` if the token is good.
  mutating func refusal(_ authorization: String?, topic: String?, connection: Int, now: Double) -> String? {
    guard let authorization else { return "MissingProviderToken" }
    let before = used[connection]
    if let before, before.header == authorization { return refusal(before.known, topic: topic, now: now) }
    let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "InvalidProviderToken" }
    let token = String(parts[1])
    guard let known = good[token] ?? verified(token) else { return "InvalidProviderToken" }
    if let reason = refusal(known, topic: topic, now: now) { return reason }
    if let before, before.token != token, let reason = change(from: before.known, to: known) { return reason }
    used[connection] = Used(header: authorization, token: token, known: known)
    return nil
  }

  /// The reason why a token with a good signature is refused for a push, or `nil`.
  private func refusal(_ known: Known, topic: String?, now: Double) -> String? {
    if now - known.issuedAt > ProviderTokenChecker.lifeSeconds { return "ExpiredProviderToken" }
    // A token from the future comes from a wrong clock.
    if known.issuedAt - now > 60 { return "InvalidProviderToken" }
    // What Apple's servers send is without the “Id” of Apple's page.
    if !known.key.environments.contains(environment) { return "BadEnvironmentKeyInToken" }
    if let topics = known.key.topics, let topic, !topics.contains(where: { topic == $0 || topic.hasPrefix($0 + ".") }) {
      return "InvalidProviderToken"
    }
    return nil
  }

  /// Why a connection may not go on with another token.
  private func change(from before: Known, to next: Known) -> String? {
    if before.key.teamID != next.key.teamID { return "InvalidProviderToken" }
    if before.key.keyID != next.key.keyID, before.key.topics != nil || next.key.topics != nil {
      return "UnrelatedKeyIdInToken"
    }
    let isTooSoon = next.issuedAt - before.issuedAt < ProviderTokenChecker.renewalSeconds
    return isTooSoon && next.issuedAt >= before.issuedAt ? "TooManyProviderTokenUpdates" : nil
  }

  mutating func forget(connection: Int) { used[connection] = nil }

  private mutating func verified(_ token: String) -> Known? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = ProviderTokenChecker.json(parts[0]),
      let claims = ProviderTokenChecker.json(parts[1]), header["alg"]?.stringValue == "ES256",
      let key = header["kid"]?.stringValue.flatMap({ keys[$0] }), claims["iss"]?.stringValue == key.teamID,
      let issuedAt = claims["iat"]?.intValue, let signature = Crypto.bytes(base64: parts[2]),
      key.key.isValid(signature: signature, for: Array((parts[0] + "." + parts[1]).utf8))
    else { return nil }
    if good.count > 1000 { good.removeAll() }
    let known = Known(issuedAt: Double(issuedAt), key: key)
    good[token] = known
    return known
  }

  private static func json(_ part: String) -> JSON? {
    Crypto.bytes(base64: part).flatMap { try? JSON.parse($0) }
  }
}

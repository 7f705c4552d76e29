package import APNsWire
package import HTTPTransport

/// A signing key of one team and what it may be used for.
///
/// Never printed.
package struct APNsCredential: Sendable, CustomStringConvertible {
  /// Ten characters, Apple's Team ID: claim `iss`.
  package let teamID: String
  /// Ten characters, the key's id: header `kid`.
  package let keyID: String
  package let key: SigningKey
  /// The topics it is for; nil for every topic of the team.
  package let topics: Set<String>?
  package let environments: Set<APNsEnvironment>

  package init(
    teamID: String, keyID: String, key: SigningKey, topics: Set<String>? = nil,
    environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases)
  ) {
    self.teamID = teamID
    self.keyID = keyID
    self.key = key
    self.topics = topics
    self.environments = environments
  }

  /// Names team and key; the database's shared token is kept under it.
  package var name: String { "\(teamID).\(keyID)" }

  package var description: String { "APNsCredential \(name)" }

  /// A provider token as Apple describes it: header `alg` and `kid`, claims `iss` and `iat`, and nothing else.
  package func sign(issuedAt: Double) throws(CryptoError) -> ProviderToken {
    let header = Crypto.base64URL(Array("{\"alg\":\"ES256\",\"kid\":\"\(keyID)\"}".utf8))
    let claims = Crypto.base64URL(Array("{\"iss\":\"\(teamID)\",\"iat\":\(Int(issuedAt))}".utf8))
    let signature = Crypto.base64URL(try key.sign(Array("\(header).\(claims)".utf8)))
    return ProviderToken(text: "\(header).\(claims).\(signature)", issuedAt: issuedAt.rounded(.down))
  }
}

/// Finds the key for a topic: one that names the topic before one that is for all.
package struct APNsCredentials: Sendable {
  private let all: [APNsCredential]

  package init(_ all: [APNsCredential]) { self.all = all }

  package func find(topic: String, environment: APNsEnvironment) -> APNsCredential? {
    let fitting = all.filter { $0.environments.contains(environment) }
    return fitting.first { $0.topics?.contains(topic) == true } ?? fitting.first { $0.topics == nil }
  }
}

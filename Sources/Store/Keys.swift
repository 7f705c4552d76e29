/// What an API key allows.
package struct KeyScopes: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Post events.
  package static let send = KeyScopes(rawValue: 1)
  /// Register and remove devices.
  package static let device = KeyScopes(rawValue: 2)
  /// Read events and the console.
  package static let read = KeyScopes(rawValue: 4)
  /// Everything, also keys.
  package static let admin = KeyScopes(rawValue: 8)
}

/// An API key as it is kept: never the key itself.
package struct APIKey: Hashable, Sendable {
  package var id: String
  /// For people: “till 3”.
  package var name: String
  package var hash: [UInt8]
  package var scopes: KeyScopes
  package var createdAt: Timestamp
  package var revokedAt: Timestamp?

  package init(
    id: String, name: String, hash: [UInt8], scopes: KeyScopes, createdAt: Timestamp, revokedAt: Timestamp? = nil
  ) {
    self.id = id
    self.name = name
    self.hash = hash
    self.scopes = scopes
    self.createdAt = createdAt
    self.revokedAt = revokedAt
  }
}

/// The provider token that all workers use for one team and key.
///
/// A secret for an hour: never log it.
package struct SharedProviderToken: Hashable, Sendable, CustomStringConvertible {
  package var token: String
  package var issuedAt: Timestamp
  /// Rises with each new token; from 1.
  package var generation: Int64

  package init(token: String, issuedAt: Timestamp, generation: Int64) {
    self.token = token
    self.issuedAt = issuedAt
    self.generation = generation
  }

  package var description: String { "provider token, generation \(generation)" }
}

/// Who did what.
package struct AuditEntry: Hashable, Sendable {
  package var at: Timestamp
  /// The API key's id, `console`, `command line` and so on.
  package var actor: String
  /// `key.create`, `device.delete`, `event.replay` and so on.
  package var action: String
  /// What it was done to; never a whole token.
  package var target: String

  package init(at: Timestamp, actor: String, action: String, target: String) {
    self.at = at
    self.actor = actor
    self.action = action
    self.target = target
  }
}

/// An audit entry with its number.
package struct StoredAuditEntry: Hashable, Sendable {
  package var key: Int64
  package var entry: AuditEntry

  package init(key: Int64, entry: AuditEntry) {
    self.key = key
    self.entry = entry
  }
}

internal import HTTPTransport

/// What a key may do.
package enum Scope: String, Sendable, CaseIterable, Comparable {
  /// Post and replay events.
  case send
  /// Register and remove devices.
  case device
  /// See events, devices and metrics.
  case read
  /// Everything, and keys.
  case admin

  package static func < (left: Scope, right: Scope) -> Bool { left.rawValue < right.rawValue }
}

/// An API key as its owner holds it: `aloud_ID_SECRET`.
///
/// The server keeps the id, the digest of the secret and the scopes.
package struct AccessKey: Sendable, Equatable {
  /// Public part, for lists and the audit log.
  package let id: String
  private let secret: String

  /// Makes a new key from chance.
  ///
  /// - Parameter random: gives that many unguessable bytes.
  package init(random: (Int) -> [UInt8] = { Crypto.randomBytes($0) }) {
    id = Crypto.hex(random(5))
    secret = Crypto.base64URL(random(32))
  }

  /// Reads what a caller sent; nil when it has not the shape of a key.
  package init?(_ text: String) {
    guard text.utf8.count == 60, text.hasPrefix("aloud_") else { return nil }
    let rest = text.utf8.dropFirst(6)
    let (id, secret) = (rest.prefix(10), rest.dropFirst(11))
    guard id.allSatisfy({ Crypto.hexValue($0) != nil }), rest.dropFirst(10).first == UInt8(ascii: "_"),
      let idText = String(id), let secretText = String(secret)
    else { return nil }
    (self.id, self.secret) = (idText, secretText)
  }

  /// The whole key: shown once, when it is made.
  package var text: String { "aloud_\(id)_\(secret)" }

  /// What is kept of the secret.
  ///
  /// It has 256 bits of chance, so a plain digest cannot be searched.
  package var digest: [UInt8] { Crypto.sha256(Array(secret.utf8)) }
}

/// The secret that a device got when it registered: it proves receipts and opens the device's ledger.
package struct DeviceSecret: Sendable, Equatable {
  /// What the device sends.
  package let text: String

  /// Makes a new secret from chance.
  package init(random: (Int) -> [UInt8] = { Crypto.randomBytes($0) }) { text = Crypto.base64URL(random(32)) }

  /// Takes what a caller sent.
  package init(_ text: String) { self.text = text }

  /// What is kept of it.
  package var digest: [UInt8] { Crypto.sha256(Array(text.utf8)) }
}

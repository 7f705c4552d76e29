/// A certificate chain and its private key, both PEM text.
///
/// The description never shows the key.
package struct TLSIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The server's certificate first, then the ones that lead to the root.
  package var certificateChainPEM: String
  package var privateKeyPEM: String

  package init(certificateChainPEM: String, privateKeyPEM: String) {
    self.certificateChainPEM = certificateChainPEM
    self.privateKeyPEM = privateKeyPEM
  }

  package var description: String { "TLSIdentity" }
}

/// Whom a client believes.
package enum TLSTrust: Hashable, Sendable {
  /// The certificates that the system trusts (OpenSSL's default locations).
  case system
  /// Only the authorities in this PEM text.
  case authorities(pem: String)
}

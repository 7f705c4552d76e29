internal import HTTPTransport

/// Short names for things that must not be written out.
package enum Fingerprint {
  /// The first eight hexadecimal digits of the SHA-256 of a text.
  package static func of(_ text: String) -> String { Crypto.hex(Crypto.sha256(Array(text.utf8)).prefix(4)) }
}

internal import COpenSSL
internal import CLinux
internal import Glibc

/// A throw-away certificate authority for tests, the demo and the sandbox: it makes server certificates that a client
/// with `TLSTrust.authorities` believes.
///
/// Nothing here belongs into production trust.
package final class CertificateAuthority: @unchecked Sendable {
  // Sendable: key and certificate are not changed after init.
  private let key: OpaquePointer
  private let certificate: OpaquePointer
  private let nextSerial = Locked(2)

  /// Makes a root that is valid from a day ago for `days` days.
  package init(name: String = "Aloud test authority", days: Int = 30) throws(CryptoError) {
    key = try EVPKey.generateP256()
    certificate = try Self.make(
      subject: name, issuer: nil, serial: 1, days: days, key: key, signer: key,
      extensions: [(NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign,cRLSign")])
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// The root certificate, for the client's `TLSTrust.authorities`.
  package func certificatePEM() throws(CryptoError) -> String {
    let certificate = certificate
    return try PEM.write { PEM_write_bio_X509($0, certificate) }
  }

  /// A certificate and key for the given names; numeric addresses are recognised.
  package func issue(
    hosts: [String] = ["localhost", "127.0.0.1", "::1"], days: Int = 30
  ) throws(CryptoError) -> TLSIdentity {
    let leafKey = try EVPKey.generateP256()
    defer { EVP_PKEY_free(leafKey) }
    let names = hosts.map { ($0.utf8.contains(UInt8(ascii: ":")) || Self.isIPv4($0) ? "IP:" : "DNS:") + $0 }
    let serial = nextSerial.withLock { value in
      value += 1
      return value
    }
    let leaf = try Self.make(
      subject: hosts.first ?? "localhost", issuer: certificate, serial: serial, days: days, key: leafKey, signer: key,
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_ext_key_usage, "serverAuth"),
        (NID_subject_alt_name, names.joined(separator: ",")),
      ])
    defer { X509_free(leaf) }
    let pem = try PEM.write { PEM_write_bio_X509($0, leaf) }
    return TLSIdentity(certificateChainPEM: pem, privateKeyPEM: try EVPKey.privatePEM(leafKey))
  }

  private static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1
  }

  private static func make(
    subject: String, issuer: OpaquePointer?, serial: Int, days: Int, key: OpaquePointer, signer: OpaquePointer,
    extensions: [(Int32, String)]
  ) throws(CryptoError) -> OpaquePointer {
    guard let made = X509_new() else { throw CryptoError("Out of memory for a certificate") }
    X509_set_version(made, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(made), serial)
    X509_gmtime_adj(X509_getm_notBefore(made), -86_400)
    X509_gmtime_adj(X509_getm_notAfter(made), days * 86_400)
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", utf8Text, subject, -1, -1, 0)
    X509_set_issuer_name(made, X509_get_subject_name(issuer ?? made))
    X509_set_pubkey(made, key)
    var sound = true
    for (kind, value) in extensions where sound {
      sound = openssl_add_extension(made, issuer ?? made, kind, value) == 1
    }
    guard sound, X509_sign(made, signer, EVP_sha256()) > 0 else {
      X509_free(made)
      throw CryptoError("A certificate could not be made: \(Crypto.lastError())")
    }
    return made
  }

  private static let utf8Text: Int32 = 0x1000
}

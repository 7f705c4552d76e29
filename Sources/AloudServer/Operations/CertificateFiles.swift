internal import HTTPTransport

/// The server's certificate and key as files.
struct CertificateFiles: Sendable {
  let certificatePath: String
  let keyPath: String

  /// The files that the configuration names; nil without TLS.
  init?(_ listening: ServerConfiguration.Listening) {
    guard let certificate = listening.certificatePath, let key = listening.keyPath else { return nil }
    (certificatePath, keyPath) = (certificate, key)
  }

  /// Reads both.
  func identity() throws(ProtectedFile.Failure) -> TLSIdentity {
    TLSIdentity(
      certificateChainPEM: try ProtectedFile.text(certificatePath), privateKeyPEM: try ProtectedFile.read(keyPath))
  }

  /// Something that changes when either file does.
  var stamp: String { FileStamp.of([certificatePath, keyPath]) }
}

internal import Glibc
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
  var stamp: String {
    [certificatePath, keyPath].map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return "missing" }
      return "\(status.st_ino).\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }
}

/// Takes a new certificate into use when its files change; connections under way keep the old one.
actor CertificateReloader {
  private let files: CertificateFiles
  private let server: MicroHTTPServer
  private let log: ServerLog
  private var known: String

  init(files: CertificateFiles, server: MicroHTTPServer, log: ServerLog) {
    (self.files, self.server, self.log) = (files, server, log)
    known = files.stamp
  }

  /// Looks once; never more to do at once.
  func round() async -> Bool {
    let stamp = files.stamp
    guard stamp != known else { return false }
    do {
      try await server.reload(identity: try files.identity())
      known = stamp
      log.write(.info, "certificate reloaded")
    } catch {
      // The old one stays: a half-written pair is tried again in the next round.
      log.write(.error, "the new certificate cannot be used; the old one stays")
    }
    return false
  }
}

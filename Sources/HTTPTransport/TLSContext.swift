internal import COpenSSL
internal import CLinux
internal import Glibc

/// OpenSSL settings that many connections share: at least TLS 1.2, verified on the client side, ALPN.
package final class TLSContext: @unchecked Sendable {
  // Sendable: an SSL_CTX is reference counted and safe to use from several threads once it is set up, and it is not changed after init.
  let pointer: OpaquePointer
  private let selectedProtocols: UnsafeMutableBufferPointer<UInt8>

  /// For clients: verifies the chain and the name.
  ///
  /// `protocols` are offered by ALPN, the best first.
  package init(trust: TLSTrust, protocols: [String]) throws(CryptoError) {
    pointer = try Self.make(TLS_client_method())
    selectedProtocols = Self.wireFormat(protocols)
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    switch trust {
    case .system:
      guard SSL_CTX_set_default_verify_paths(pointer) == 1 else {
        throw CryptoError("The system's certificate authorities cannot be read; install ca-certificates")
      }
    case .authorities(let pem): try addAuthorities(pem)
    }
    SSL_CTX_set_alpn_protos(pointer, selectedProtocols.baseAddress, UInt32(selectedProtocols.count))
  }

  /// For servers: presents the identity and takes the first of `protocols` that the client offers.
  package init(identity: TLSIdentity, protocols: [String]) throws(CryptoError) {
    pointer = try Self.make(TLS_server_method())
    selectedProtocols = Self.wireFormat(protocols)
    try use(identity)
    SSL_CTX_set_alpn_select_cb(
      pointer,
      { _, out, outLength, offered, offeredLength, context in
        guard let context, let out, let outLength, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let mine = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().selectedProtocols
        var chosen: UnsafeMutablePointer<UInt8>?
        let result = SSL_select_next_proto(
          &chosen, outLength, mine.baseAddress, UInt32(mine.count), offered, offeredLength)
        guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        out.pointee = UnsafePointer(chosen)
        return SSL_TLSEXT_ERR_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    SSL_CTX_free(pointer)
    selectedProtocols.deallocate()
  }

  /// A new client session for that host: SNI for names, and the certificate must be for the host, name or address.
  func clientSession(host: String, descriptor: Int32) throws(CryptoError) -> OpaquePointer {
    let session = try makeSession(descriptor)
    let isAddress = SocketAddress.isNumeric(host)
    let named =
      isAddress
      ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1
      : openssl_set_sni(session, host) == 1 && SSL_set1_host(session, host) == 1
    guard named else {
      SSL_free(session)
      throw CryptoError("\(host) is not a host name that a certificate can carry")
    }
    SSL_set_connect_state(session)
    return session
  }

  func serverSession(descriptor: Int32) throws(CryptoError) -> OpaquePointer {
    let session = try makeSession(descriptor)
    SSL_set_accept_state(session)
    return session
  }

  private func makeSession(_ descriptor: Int32) throws(CryptoError) -> OpaquePointer {
    guard let session = SSL_new(pointer) else { throw CryptoError("No TLS session: \(Crypto.lastError())") }
    guard SSL_set_fd(session, descriptor) == 1 else {
      SSL_free(session)
      throw CryptoError("No TLS session: \(Crypto.lastError())")
    }
    return session
  }

  private static func make(_ method: OpaquePointer?) throws(CryptoError) -> OpaquePointer {
    guard let context = SSL_CTX_new(method) else { throw CryptoError("TLS is not available: \(Crypto.lastError())") }
    _ = openssl_set_min_tls(context, TLS1_2_VERSION)
    _ = openssl_set_mode(context, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    openssl_read_ahead(context)
    return context
  }

  private func use(_ identity: TLSIdentity) throws(CryptoError) {
    let certificates = try Self.certificates(identity.certificateChainPEM)
    defer { for certificate in certificates { X509_free(certificate) } }
    let key = try PEM.read(identity.privateKeyPEM, "The private key of the server is not PEM") {
      PEM_read_bio_PrivateKey($0, nil, nil, nil)
    }
    defer { EVP_PKEY_free(key) }
    var sound = SSL_CTX_use_certificate(pointer, certificates.first) == 1 && SSL_CTX_use_PrivateKey(pointer, key) == 1
    for extra in certificates.dropFirst() where sound { sound = openssl_add_chain(pointer, extra) == 1 }
    guard sound, SSL_CTX_check_private_key(pointer) == 1 else {
      throw CryptoError("The certificate and the private key do not fit together: \(Crypto.lastError())")
    }
  }

  private func addAuthorities(_ pem: String) throws(CryptoError) {
    let certificates = try Self.certificates(pem)
    defer { for certificate in certificates { X509_free(certificate) } }
    let store = SSL_CTX_get_cert_store(pointer)
    for certificate in certificates where X509_STORE_add_cert(store, certificate) != 1 {
      throw CryptoError("An authority's certificate cannot be used: \(Crypto.lastError())")
    }
  }

  /// Every certificate of the text, at least one; the caller frees them.
  private static func certificates(_ pem: String) throws(CryptoError) -> [OpaquePointer] {
    var copy = pem
    let found: [OpaquePointer] = copy.withUTF8 { bytes in
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return [] }
      defer { BIO_free(bio) }
      var all: [OpaquePointer] = []
      while let next = PEM_read_bio_X509(bio, nil, nil, nil) { all.append(next) }
      ERR_clear_error()
      return all
    }
    guard !found.isEmpty else { throw CryptoError("No PEM certificate found (the text has no BEGIN CERTIFICATE part)") }
    return found
  }

  private static func wireFormat(_ protocols: [String]) -> UnsafeMutableBufferPointer<UInt8> {
    let bytes = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(from: bytes)
    return buffer
  }
}

internal import COpenSSL

/// A P-256 private key that signs with ES256 (RFC 7518, 3.4): an APNs `.p8` file, or one made for tests and the sandbox.
package final class SigningKey: @unchecked Sendable {
  // Sendable: the EVP_PKEY is never changed after init, and OpenSSL allows concurrent signing with one key.
  private let key: OpaquePointer

  /// Reads PKCS#8 or SEC 1 PEM text.
  ///
  /// Refuses anything but a P-256 key and says what it found.
  package init(pem: String) throws(CryptoError) {
    key = try PEM.read(pem, "This is not a PEM private key (an APNs key begins with BEGIN PRIVATE KEY)") { bio in
      PEM_read_bio_PrivateKey(bio, nil, nil, nil)
    }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, EVP_PKEY_get_bits(key) == 256 else {
      throw CryptoError("The private key is not on the curve P-256; APNs keys always are")
    }
  }

  private init(taking key: OpaquePointer) { self.key = key }

  deinit { EVP_PKEY_free(key) }

  /// A fresh P-256 key.
  package static func generate() throws(CryptoError) -> SigningKey { SigningKey(taking: try EVPKey.generateP256()) }

  /// The key as PKCS#8 PEM text, the form of Apple's `.p8` files.
  package func privatePEM() throws(CryptoError) -> String { try EVPKey.privatePEM(key) }

  /// The half that verifies.
  package func verifyingKey() throws(CryptoError) -> VerifyingKey {
    let key = key
    let pem = try PEM.write { PEM_write_bio_PUBKEY($0, key) }
    return try VerifyingKey(pem: pem)
  }

  /// The 64-byte raw signature (r then s) that JWS uses.
  package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw CryptoError("Out of memory for a signature") }
    defer { EVP_MD_CTX_free(context) }
    var encoded = [UInt8](repeating: 0, count: 80)
    var length = encoded.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, &encoded, &length, message, message.count) == 1
    else { throw CryptoError("Signing failed: \(Crypto.lastError())") }
    return try Self.raw(der: encoded, length: length)
  }

  private static func raw(der: [UInt8], length: Int) throws(CryptoError) -> [UInt8] {
    let signature = der.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_ECDSA_SIG(nil, &cursor, length)
    }
    guard let signature else { throw CryptoError("Signing failed: \(Crypto.lastError())") }
    defer { ECDSA_SIG_free(signature) }
    var first = [UInt8](repeating: 0, count: 32)
    var second = [UInt8](repeating: 0, count: 32)
    _ = BN_bn2binpad(ECDSA_SIG_get0_r(signature), &first, 32)
    _ = BN_bn2binpad(ECDSA_SIG_get0_s(signature), &second, 32)
    return first + second
  }
}

/// A P-256 public key that checks ES256 signatures.
package final class VerifyingKey: @unchecked Sendable {
  // Sendable for the same reason as SigningKey.
  private let key: OpaquePointer

  /// Reads SubjectPublicKeyInfo PEM text.
  package init(pem: String) throws(CryptoError) {
    key = try PEM.read(pem, "This is not a PEM public key") { PEM_read_bio_PUBKEY($0, nil, nil, nil) }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, EVP_PKEY_get_bits(key) == 256 else {
      throw CryptoError("The public key is not on the curve P-256")
    }
  }

  deinit { EVP_PKEY_free(key) }

  /// True when the raw 64-byte signature belongs to the message.
  package func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    guard signature.count == 64, let encoded = Self.der(raw: signature), let context = EVP_MD_CTX_new() else {
      return false
    }
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
  }

  private static func der(raw: [UInt8]) -> [UInt8]? {
    guard let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let first = raw.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, 32, nil) }
    let second = raw.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress?.advanced(by: 32), 32, nil) }
    guard ECDSA_SIG_set0(signature, first, second) == 1 else { return nil }
    var pointer: UnsafeMutablePointer<UInt8>?
    let length = i2d_ECDSA_SIG(signature, &pointer)
    guard length > 0, let pointer else { return nil }
    defer { openssl_free(pointer) }
    return Array(UnsafeBufferPointer(start: pointer, count: Int(length)))
  }
}

internal import COpenSSL

/// Reading and writing PEM text through OpenSSL's memory BIOs.
enum PEM {
  /// Gives the text to `parse`; a nil result becomes an error with `complaint`.
  static func read(
    _ text: String, _ complaint: String, _ parse: (OpaquePointer) -> OpaquePointer?
  ) throws(CryptoError) -> OpaquePointer {
    var copy = text
    let parsed: OpaquePointer? = copy.withUTF8 { bytes in
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(bio) }
      return parse(bio)
    }
    guard let parsed else { throw CryptoError("\(complaint): \(Crypto.lastError())") }
    return parsed
  }

  /// Collects what `emit` writes; a result other than 1 is an error.
  static func write(_ emit: (OpaquePointer) -> Int32) throws(CryptoError) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw CryptoError("Out of memory for PEM text") }
    defer { BIO_free(bio) }
    guard emit(bio) == 1 else { throw CryptoError("PEM text could not be written: \(Crypto.lastError())") }
    var pointer: UnsafeMutablePointer<CChar>?
    let length = openssl_memory(bio, &pointer)
    guard length > 0, let pointer else { throw CryptoError("PEM text could not be written") }
    return String(
      decoding: UnsafeRawBufferPointer(start: pointer, count: length), as: UTF8.self)
  }
}

/// EVP_PKEY handles: the caller owns what these functions return.
enum EVPKey {
  static func generateP256() throws(CryptoError) -> OpaquePointer {
    guard let key = openssl_generate_p256() else {
      throw CryptoError("A key could not be made: \(Crypto.lastError())")
    }
    return key
  }

  static func privatePEM(_ key: OpaquePointer) throws(CryptoError) -> String {
    try PEM.write { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }
}

internal import COpenSSL

/// Small helpers over libcrypto: digests, MACs, chance, comparison.
///
/// Keys are in `SigningKey`.
package enum Crypto {
  /// SHA-256 of the bytes, 32 bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { digest, filled in
      var length: UInt32 = 0
      let isMade = bytes.withUnsafeBytes {
        EVP_Digest($0.baseAddress, $0.count, digest.baseAddress, &length, sha256Method.value, nil)
      }
      // It fails only when there is no memory left; a wrong digest would be worse than ending.
      precondition(isMade == 1 && length == 32, "OpenSSL could not make a digest")
      filled = 32
    }
  }

  /// Looked up once: by name it costs as much as a short digest.
  private static let sha256Method = SendablePointer(fetchedSHA256())

  private static func fetchedSHA256() -> OpaquePointer {
    guard let method = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("OpenSSL has no SHA-256") }
    return method
  }

  /// HMAC-SHA-256 (RFC 2104), 32 bytes.
  package static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 32
    _ = HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &digest, &length)
    return digest
  }

  /// Bytes nobody can guess, from the kernel-seeded generator of libcrypto.
  package static func randomBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      // RAND_bytes fails only when the machine has no entropy source at all; going on with zeros would be worse than ending.
      precondition(
        count == 0 || RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "The system has no source of randomness")
      filled = count
    }
  }

  /// Compares in a time that depends on the length only, so that a secret cannot be found byte by byte.
  package static func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && (left.isEmpty || CRYPTO_memcmp(left, right, left.count) == 0)
  }

  /// The oldest error on this thread's OpenSSL queue in words; clears the queue.
  static func lastError() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return "no further detail" }
    guard let reason = ERR_reason_error_string(code) else { return "OpenSSL error \(code)" }
    return String(cString: reason)
  }
}

/// Why a key, a certificate or a signature was refused.
///
/// Never contains key material.
package struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}

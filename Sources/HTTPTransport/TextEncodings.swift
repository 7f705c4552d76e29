/// Hexadecimal and base64 (RFC 4648), both alphabets.
extension Crypto {
  /// Lower-case hexadecimal digits.
  package static func hex(_ bytes: some Collection<UInt8>) -> String {
    let digits = StaticTables.hexDigits
    return String(unsafeUninitializedCapacity: bytes.count * 2) { out in
      var at = 0
      for byte in bytes {
        out[at] = digits[Int(byte >> 4)]
        out[at + 1] = digits[Int(byte & 15)]
        at += 2
      }
      return at
    }
  }

  /// The bytes of hexadecimal text of either case; nil when it is not.
  package static func bytes(hex: String) -> [UInt8]? {
    var out: [UInt8] = []
    out.reserveCapacity(hex.utf8.count / 2)
    var high: UInt8?
    for character in hex.utf8 {
      guard let digit = hexValue(character) else { return nil }
      if let first = high {
        out.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? out : nil
  }

  /// base64url without padding, as JWS wants it (RFC 7515, 2).
  package static func base64URL(_ bytes: some Collection<UInt8>) -> String {
    encode64(bytes, StaticTables.base64URL, padded: false)
  }

  /// Standard base64 with padding.
  package static func base64(_ bytes: some Collection<UInt8>) -> String {
    encode64(bytes, StaticTables.base64, padded: true)
  }

  /// Decodes either alphabet, padded or not; nil when a character does not belong or a stray bit is set.
  package static func bytes(base64 text: String) -> [UInt8]? {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count * 3 / 4)
    var bits: UInt32 = 0
    var held = 0
    var padding = 0
    for character in text.utf8 {
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value64(character) else { return nil }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    let strayBits = bits & ((1 << UInt32(held)) - 1)
    return held < 6 && strayBits == 0 && padding <= 2 ? out : nil
  }

  private static func encode64(_ bytes: some Collection<UInt8>, _ alphabet: [UInt8], padded: Bool) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var held = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      held += 8
      while held >= 6 {
        held -= 6
        out.append(alphabet[Int(bits >> UInt32(held)) & 63])
      }
    }
    if held > 0 { out.append(alphabet[Int(bits << UInt32(6 - held)) & 63]) }
    while padded && out.count % 4 != 0 { out.append(UInt8(ascii: "=")) }
    return String(decoding: out, as: UTF8.self)
  }

  /// The value of a hexadecimal digit, or nil if it is none.
  package static func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func value64(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

/// The alphabets, made once.
enum StaticTables {
  static let hexDigits = Array("0123456789abcdef".utf8)
  static let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  static let base64URL = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

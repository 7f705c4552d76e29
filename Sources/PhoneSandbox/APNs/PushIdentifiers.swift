internal import HTTPTransport

/// Random UUIDs (RFC 9562, version 4) in lower case, as APNs gives them to pushes.
///
/// The numbers come from libcrypto, many at once: a call of it costs more than all the rest of an identifier.
struct PushIdentifiers: Sendable {
  private static let atOnce = 256
  private var bytes: [UInt8] = []
  private var used = 0

  mutating func next() -> String {
    if used == bytes.count {
      bytes = Crypto.randomBytes(16 * PushIdentifiers.atOnce)
      used = 0
    }
    defer { used += 16 }
    return PushIdentifiers.text(bytes, from: used)
  }

  private static func text(_ bytes: [UInt8], from start: Int) -> String {
    String(unsafeUninitializedCapacity: 36) { text in
      func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
      var place = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let byte = bytes[start + index]
        // The version and the variant.
        let marked = index == 6 ? byte & 0x0F | 0x40 : index == 8 ? byte & 0x3F | 0x80 : byte
        text[place] = digit(marked >> 4)
        text[place + 1] = digit(marked & 15)
        place += 2
      }
      return place
    }
  }
}

internal import HTTPTransport

/// Makes UUIDs (RFC 9562, version 4) in lower case.
///
/// They name pushes and keep no secret, so that only where the row begins is left to chance: to ask for chance at every push
/// would cost more than all else that the desk does with it.
struct UUIDMaker: Sendable {
  private var state: UInt64

  init() { state = Crypto.randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

  mutating func next() -> String {
    let high = word() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = word() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - index % 16 * 4) & 15)
        text[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
        place += 1
      }
      return place
    }
  }

  /// The next number of the row (SplitMix64, Steele and others, 2014), in which none comes twice.
  private mutating func word() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

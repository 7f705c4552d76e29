/// µ-law and A-law, eight bits a sample: ITU-T Recommendation G.711 (1988).
enum G711 {
  /// The sample of each µ-law byte.
  static let ulawSamples: [Int16] = (0..<256).map { byte in
    let code = ~UInt8(byte)
    let magnitude = ((Int(code & 0x0F) << 3) + 0x84) << Int(code >> 4 & 7) - 0x84
    return Int16(code & 0x80 != 0 ? -magnitude : magnitude)
  }

  /// The sample of each A-law byte.
  static let alawSamples: [Int16] = (0..<256).map { byte in
    let code = UInt8(byte) ^ 0x55
    let segment = Int(code >> 4 & 7)
    var magnitude = Int(code & 0x0F) << 4 + 8
    if segment > 0 { magnitude = (magnitude + 0x100) << (segment - 1) }
    return Int16(code & 0x80 != 0 ? magnitude : -magnitude)
  }

  /// The µ-law byte whose sample is nearest.
  static func ulaw(_ sample: Int16) -> UInt8 {
    let value = Int(sample)
    let magnitude = min(abs(value), 32_635) + 0x84
    let segment = magnitude.bitWidth - 1 - magnitude.leadingZeroBitCount - 7
    let code = UInt8(segment << 4 | (magnitude >> (segment + 3)) & 0x0F)
    return ~(value < 0 ? code | 0x80 : code)
  }

  /// The A-law byte whose sample is nearest.
  static func alaw(_ sample: Int16) -> UInt8 {
    let value = Int(sample)
    let magnitude = value < 0 ? ~value : value
    let segment = magnitude < 256 ? 0 : magnitude.bitWidth - 1 - magnitude.leadingZeroBitCount - 7
    let shift = segment == 0 ? 4 : segment + 3
    let code = UInt8(segment << 4 | (magnitude >> shift) & 0x0F)
    return (value < 0 ? code : code | 0x80) ^ 0x55
  }
}

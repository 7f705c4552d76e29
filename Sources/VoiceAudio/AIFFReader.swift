/// Reads the chunks of an AIFF or AIFF-C file.
///
/// Layout: Apple, Audio Interchange File Format 1.3 (1989) and AIFF-C draft (1991); `sowt` and the lower-case codec
/// names as Core Audio writes them.
enum AIFFReader {
  private struct Common {
    let codec: AudioCodec
    let order: ByteOrder
    let sampleRate: Double
    let channels: Int
    let count: Int
    let offset: Int
  }

  static func layout(_ raw: UnsafeRawBufferPointer) throws(SoundFileError) -> SoundLayout {
    var cursor = ByteCursor(raw)
    try cursor.skip(4)
    let size: UInt32 = try cursor.integer(.big)
    let form = try cursor.tag()
    guard form == "AIFF" || form == "AIFC" else {
      throw SoundFileError(.unknownContainer, "The FORM file holds \"\(form)\", not AIFF or AIFC.", at: 8)
    }
    let end = Int(size) + 8
    guard end <= raw.count, end >= 12 else {
      throw SoundFileError(.truncated, "The header says the file has \(end) bytes; it has \(raw.count).", at: 4)
    }
    cursor = ByteCursor(raw, range: 12..<end)
    var common: Common?
    var data: Range<Int>?
    while cursor.remaining >= 8 {
      let start = cursor.offset
      let name = try cursor.tag()
      let body = try chunkBody(name, &cursor)
      switch name {
      case "COMM":
        guard common == nil else { throw SoundFileError(.duplicateChunk, "There are two COMM chunks.", at: start) }
        common = try readCommon(ByteCursor(raw, range: body), isCompressed: form == "AIFC")
      case "SSND":
        guard data == nil else { throw SoundFileError(.duplicateChunk, "There are two SSND chunks.", at: start) }
        data = try readSoundRange(ByteCursor(raw, range: body))
      default: break
      }
    }
    guard let common else { throw SoundFileError(.missingChunk, "The AIFF file has no COMM chunk.") }
    guard let data else { throw SoundFileError(.missingChunk, "The AIFF file has no SSND chunk, so no sound.") }
    return try assemble(common, data)
  }

  private static func chunkBody(_ name: FourCC, _ cursor: inout ByteCursor) throws(SoundFileError) -> Range<Int> {
    let place = cursor.offset
    let size: UInt32 = try cursor.integer(.big)
    guard Int(size) <= cursor.remaining else {
      throw SoundFileError(
        .truncated, "The chunk \(name) says it has \(size) bytes; \(cursor.remaining) are left in the file.", at: place)
    }
    let body = try cursor.take(Int(size))
    if size % 2 == 1, cursor.remaining > 0 { try cursor.skip(1) }
    return body
  }

  private static func readCommon(_ cursor: ByteCursor, isCompressed: Bool) throws(SoundFileError) -> Common {
    var cursor = cursor
    let place = cursor.offset
    let channels: Int16 = try cursor.integer(.big)
    let count: UInt32 = try cursor.integer(.big)
    let bits: Int16 = try cursor.integer(.big)
    let rate = try extended(&cursor)
    let name: FourCC = isCompressed ? try cursor.tag() : "NONE"
    guard let (codec, order) = codec(name, bits: bits) else {
      throw SoundFileError(
        .unsupportedCodec,
        "The codec \(name) with \(bits) bits cannot be read; linear PCM, fl32, ima4, ulaw and alaw can.", at: place)
    }
    return Common(
      codec: codec, order: order, sampleRate: rate, channels: Int(channels), count: Int(count), offset: place)
  }

  /// An 80-bit IEEE 754 extended number; anything negative or far beyond a sample rate gives 0, which no rate may be.
  private static func extended(_ cursor: inout ByteCursor) throws(SoundFileError) -> Double {
    let head: UInt16 = try cursor.integer(.big)
    let mantissa: UInt64 = try cursor.integer(.big)
    guard head & 0x8000 == 0 else { return 0 }
    let exponent = Int(head) - 16_383
    guard exponent >= 0, exponent < 32 else { return 0 }
    let whole = mantissa >> UInt64(63 - exponent)
    let rest = mantissa << UInt64(exponent + 1)
    return Double(whole) + Double(rest) / 18_446_744_073_709_551_616
  }

  private static func codec(_ name: FourCC, bits: Int16) -> (AudioCodec, ByteOrder)? {
    switch (name, bits) {
    case ("NONE", 8), ("twos", 8): (.lpcm8, .big)
    case ("NONE", 16), ("twos", 16): (.lpcm, .big)
    case ("NONE", 24), ("twos", 24), ("in24", _): (.lpcm24, .big)
    case ("NONE", 32), ("twos", 32), ("in32", _): (.lpcm32, .big)
    case ("sowt", 8): (.lpcm8, .little)
    case ("sowt", 16): (.lpcm, .little)
    case ("sowt", 24): (.lpcm24, .little)
    case ("sowt", 32): (.lpcm32, .little)
    case ("fl32", _), ("FL32", _): (.float32, .big)
    case ("fl64", _), ("FL64", _): (.float64, .big)
    case ("ima4", _): (.ima4, .big)
    case ("ulaw", _), ("ULAW", _): (.ulaw, .big)
    case ("alaw", _), ("ALAW", _): (.alaw, .big)
    default: nil
    }
  }

  private static func readSoundRange(_ cursor: ByteCursor) throws(SoundFileError) -> Range<Int> {
    var cursor = cursor
    let offset: UInt32 = try cursor.integer(.big)
    try cursor.skip(4)
    try cursor.skip(Int(offset))
    return try cursor.take(cursor.remaining)
  }

  private static func assemble(_ common: Common, _ data: Range<Int>) throws(SoundFileError) -> SoundLayout {
    var data = data
    var frames = common.count
    let perFrame = (common.codec.bytesPerSample ?? 0) * max(common.channels, 0)
    if common.codec == .ima4 {
      // The count is one of packets; some programs write frames instead, or forget the last packet if it is not full.
      let packets = data.count / (34 * max(common.channels, 1))
      let isPackets = frames == packets || (packets > 1 && frames == packets - 1)
      guard isPackets || ((packets - 1) * 64 < frames && frames <= packets * 64) else {
        throw SoundFileError(
          .badGeometry, "The header says \(frames) packets; the file holds \(packets).", at: common.offset)
      }
      if isPackets { frames = packets * 64 }
    } else {
      // Filler may follow the last frame.
      let wanted = perFrame * frames
      guard wanted <= data.count else {
        throw SoundFileError(
          .truncated, "The header says \(frames) frames, but only \(data.count) bytes of sound follow.",
          at: data.lowerBound)
      }
      data = data.lowerBound..<data.lowerBound + wanted
    }
    return try SoundLayout(
      container: .aiff, codec: common.codec, byteOrder: common.order, sampleRate: common.sampleRate,
      channels: common.channels, data: data, declaredFrames: frames)
  }
}

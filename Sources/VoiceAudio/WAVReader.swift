/// Reads the chunks of a RIFF or RIFX WAVE file.
///
/// Layout: Microsoft, Multimedia Programming Interface and Data Specifications 1.0, and
/// WAVEFORMATEXTENSIBLE (https://learn.microsoft.com/windows/win32/api/mmreg/ns-mmreg-waveformatextensible).
enum WAVReader {
  private struct Format {
    let codec: AudioCodec
    let sampleRate: Int
    let channels: Int
    let packet: (bytes: Int, frames: Int)
  }

  /// - Parameter isStream: Whether sizes may be wrong because a program wrote to a pipe and could not go back to set
  ///   them.
  static func layout(
    _ raw: UnsafeRawBufferPointer, order: ByteOrder, isStream: Bool
  ) throws(SoundFileError) -> SoundLayout {
    var cursor = try formBody(raw, order, isStream)
    var format: Format?
    var fact: Int?
    while cursor.remaining >= 8 {
      let start = cursor.offset
      let name = try cursor.tag()
      let body = try chunkBody(name, &cursor, order, isStream: isStream)
      switch name {
      case "fmt ":
        guard format == nil else { throw SoundFileError(.duplicateChunk, "There are two fmt chunks.", at: start) }
        format = try readFormat(ByteCursor(raw, range: body), order)
      case "fact" where body.count >= 4:
        var fields = ByteCursor(raw, range: body)
        let frames: UInt32 = try fields.integer(order)
        fact = Int(frames)
      case "data":
        guard let format else {
          throw SoundFileError(.missingChunk, "The fmt chunk must stand before the sound.", at: start)
        }
        return try assemble(format, order, body, fact: fact, isStream: isStream)
      default: break
      }
    }
    throw SoundFileError(.missingChunk, "The WAV file has no \(format == nil ? "fmt" : "data") chunk.")
  }

  private static func formBody(
    _ raw: UnsafeRawBufferPointer, _ order: ByteOrder, _ isStream: Bool
  ) throws(SoundFileError) -> ByteCursor {
    var cursor = ByteCursor(raw)
    try cursor.skip(4)
    let size: UInt32 = try cursor.integer(order)
    let form = try cursor.tag()
    guard form == "WAVE" else {
      throw SoundFileError(.unknownContainer, "The RIFF file holds \"\(form)\", not WAVE.", at: 8)
    }
    let end = Int(size) + 8
    guard isStream || (end <= raw.count && end >= 12) else {
      throw SoundFileError(
        .truncated, "The header says the file has \(end) bytes; it has \(raw.count).", at: 4)
    }
    return ByteCursor(raw, range: 12..<(isStream ? raw.count : end))
  }

  private static func chunkBody(
    _ name: FourCC, _ cursor: inout ByteCursor, _ order: ByteOrder, isStream: Bool
  ) throws(SoundFileError) -> Range<Int> {
    let place = cursor.offset
    let size: UInt32 = try cursor.integer(order)
    if isStream, name == "data", Int(size) > cursor.remaining { return try cursor.take(cursor.remaining) }
    guard Int(size) <= cursor.remaining else {
      throw SoundFileError(
        .truncated, "The chunk \(name) says it has \(size) bytes; \(cursor.remaining) are left in the file.", at: place)
    }
    let body = try cursor.take(Int(size))
    // Chunks begin at even places; some programs forget the filler after the last one.
    if size % 2 == 1, cursor.remaining > 0 { try cursor.skip(1) }
    return body
  }

  private static func readFormat(_ cursor: ByteCursor, _ order: ByteOrder) throws(SoundFileError) -> Format {
    var cursor = cursor
    let place = cursor.offset
    var tag: UInt16 = try cursor.integer(order)
    let channels: UInt16 = try cursor.integer(order)
    let rate: UInt32 = try cursor.integer(order)
    try cursor.skip(4)
    let block: UInt16 = try cursor.integer(order)
    let bits: UInt16 = try cursor.integer(order)
    var framesPerBlock: UInt16 = 0
    if cursor.remaining >= 4 {
      try cursor.skip(2)
      framesPerBlock = try cursor.integer(order)
      if tag == 0xFFFE, cursor.remaining >= 20 {
        try cursor.skip(4)
        tag = try cursor.integer(order)
      }
    }
    guard channels == 1 || channels == 2 else {
      throw SoundFileError(.badChannels, "The file has \(channels) channels; one or two can be read.", at: place + 2)
    }
    guard let codec = codec(tag, bits: bits), codec != .ima4 || order == .little else {
      throw SoundFileError(
        .unsupportedCodec,
        "WAV format \(tag) with \(bits) bits cannot be read; PCM, float, µ-law, A-law and IMA ADPCM can.", at: place)
    }
    let count = Int(channels)
    let packet = codec.bytesPerSample.map { ($0 * count, 1) } ?? (Int(block), Int(framesPerBlock))
    // A block of IMA ADPCM: a head of 4 bytes a channel that holds one frame, then words of 8 frames a channel.
    let isWhole =
      codec == .ima4
      ? block > 4 * channels && block % (4 * channels) == 0
        && Int(framesPerBlock) == (Int(block) / count - 4) * 2 + 1
      : packet.0 == Int(block)
    guard isWhole else {
      throw SoundFileError(
        .badGeometry, "Blocks of \(block) bytes do not fit \(channels)-channel \(codec.rawValue).", at: place + 12)
    }
    return Format(codec: codec, sampleRate: Int(rate), channels: count, packet: packet)
  }

  private static func codec(_ tag: UInt16, bits: UInt16) -> AudioCodec? {
    switch (tag, bits) {
    case (1, 8): .lpcm8
    case (1, 16): .lpcm
    case (1, 24): .lpcm24
    case (1, 32): .lpcm32
    case (3, 32): .float32
    case (3, 64): .float64
    case (6, 8): .alaw
    case (7, 8): .ulaw
    case (0x11, 4): .ima4
    default: nil
    }
  }

  private static func assemble(
    _ format: Format, _ order: ByteOrder, _ body: Range<Int>, fact: Int?, isStream: Bool
  ) throws(SoundFileError) -> SoundLayout {
    var body = body
    // A pipe may end inside a packet.
    if isStream { body = body.lowerBound..<body.upperBound - body.count % format.packet.bytes }
    let held = body.count / format.packet.bytes * format.packet.frames
    return try SoundLayout(
      container: .wav, codec: format.codec, byteOrder: order, sampleRate: Double(format.sampleRate),
      channels: format.channels, data: body, packet: format.packet,
      declaredFrames: format.codec == .ima4 ? min(fact ?? held, held) : nil)
  }
}

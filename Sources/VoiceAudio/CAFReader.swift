/// Reads the chunks of a Core Audio Format file.
///
/// Layout: Apple, Core Audio Format Specification 1.0
/// (https://developer.apple.com/library/archive/documentation/MusicAudio/Reference/CAFSpec/).
enum CAFReader {
  private struct Description {
    let sampleRate: Double
    let codec: AudioCodec
    let order: ByteOrder
    let bytesPerPacket: Int
    let framesPerPacket: Int
    let channels: Int
  }

  private struct PacketTable {
    let packets: Int64
    let validFrames: Int64
    let priming: Int
    let remainder: Int
    let offset: Int
  }

  static func layout(_ raw: UnsafeRawBufferPointer) throws(SoundFileError) -> SoundLayout {
    var cursor = ByteCursor(raw)
    try cursor.skip(4)
    let version: UInt16 = try cursor.integer(.big)
    let flags: UInt16 = try cursor.integer(.big)
    guard version == 1, flags == 0 else {
      throw SoundFileError(.badChunk, "CAF version \(version) with flags \(flags) is not known; 1 and 0 are.", at: 4)
    }
    var description: Description?
    var table: PacketTable?
    var data: Range<Int>?
    while cursor.remaining > 0 {
      let start = cursor.offset
      let name = try cursor.tag()
      let body = try chunkBody(name, &cursor)
      if description == nil, name != "desc" {
        throw SoundFileError(.badChunk, "The first chunk of a CAF file must be desc, not \(name).", at: start)
      }
      switch name {
      case "desc":
        try once(description == nil, name, start)
        description = try readDescription(ByteCursor(raw, range: body))
      case "pakt":
        try once(table == nil, name, start)
        table = try readPacketTable(ByteCursor(raw, range: body))
      case "data":
        try once(data == nil, name, start)
        guard body.count >= 4 else {
          throw SoundFileError(.badChunk, "The data chunk lacks its edit count.", at: start)
        }
        data = body.lowerBound + 4..<body.upperBound
      default: break
      }
    }
    guard let description else { throw SoundFileError(.missingChunk, "The CAF file has no desc chunk.") }
    guard let data else { throw SoundFileError(.missingChunk, "The CAF file has no data chunk, so no sound.") }
    return try assemble(description, table, data)
  }

  private static func chunkBody(_ name: FourCC, _ cursor: inout ByteCursor) throws(SoundFileError) -> Range<Int> {
    let place = cursor.offset
    let size: Int64 = try cursor.integer(.big)
    // A size of -1 means "to the end of the file" and is allowed for data alone.
    if size == -1, name == "data" { return try cursor.take(cursor.remaining) }
    guard size >= 0, size <= Int64(cursor.remaining) else {
      throw SoundFileError(
        size < 0 ? .badChunk : .truncated,
        "The chunk \(name) says it has \(size) bytes; \(cursor.remaining) are left in the file.", at: place)
    }
    return try cursor.take(Int(size))
  }

  private static func once(_ isFirst: Bool, _ name: FourCC, _ offset: Int) throws(SoundFileError) {
    guard isFirst else { throw SoundFileError(.duplicateChunk, "There are two \(name) chunks.", at: offset) }
  }

  private static func readDescription(_ cursor: ByteCursor) throws(SoundFileError) -> Description {
    var cursor = cursor
    let place = cursor.offset
    guard cursor.remaining == 32 else {
      throw SoundFileError(.badChunk, "The desc chunk has \(cursor.remaining) bytes instead of 32.", at: place)
    }
    let rate = Double(bitPattern: try cursor.integer(.big))
    let format = try cursor.tag()
    let flags: UInt32 = try cursor.integer(.big)
    let bytesPerPacket: UInt32 = try cursor.integer(.big)
    let framesPerPacket: UInt32 = try cursor.integer(.big)
    let channels: UInt32 = try cursor.integer(.big)
    let bits: UInt32 = try cursor.integer(.big)
    guard let codec = codec(format, flags: flags, bits: bits) else {
      throw SoundFileError(
        .unsupportedCodec,
        "The codec \(format) with \(bits) bits cannot be read; linear PCM, ima4, ulaw and alaw can.", at: place + 8)
    }
    return Description(
      sampleRate: rate, codec: codec, order: flags & 2 != 0 ? .little : .big, bytesPerPacket: Int(bytesPerPacket),
      framesPerPacket: Int(framesPerPacket), channels: Int(channels))
  }

  private static func codec(_ format: FourCC, flags: UInt32, bits: UInt32) -> AudioCodec? {
    switch (format, flags & 1, bits) {
    case ("lpcm", 1, 32): .float32
    case ("lpcm", 1, 64): .float64
    case ("lpcm", 0, 8): .lpcm8
    case ("lpcm", 0, 16): .lpcm
    case ("lpcm", 0, 24): .lpcm24
    case ("lpcm", 0, 32): .lpcm32
    case ("ima4", _, _): .ima4
    case ("ulaw", _, _): .ulaw
    case ("alaw", _, _): .alaw
    default: nil
    }
  }

  private static func readPacketTable(_ cursor: ByteCursor) throws(SoundFileError) -> PacketTable {
    var cursor = cursor
    let place = cursor.offset
    let packets: Int64 = try cursor.integer(.big)
    let valid: Int64 = try cursor.integer(.big)
    let priming: Int32 = try cursor.integer(.big)
    let remainder: Int32 = try cursor.integer(.big)
    guard packets >= 0, valid >= 0, priming >= 0, remainder >= 0 else {
      throw SoundFileError(.badChunk, "The packet table has a negative count.", at: place)
    }
    return PacketTable(
      packets: packets, validFrames: valid, priming: Int(priming), remainder: Int(remainder), offset: place)
  }

  private static func assemble(
    _ description: Description, _ table: PacketTable?, _ data: Range<Int>
  ) throws(SoundFileError) -> SoundLayout {
    guard description.channels == 1 || description.channels == 2 else {
      throw SoundFileError(.badChannels, "The file has \(description.channels) channels; one or two can be read.")
    }
    let expected =
      description.codec.bytesPerSample.map { ($0 * description.channels, 1) } ?? (34 * description.channels, 64)
    guard (description.bytesPerPacket, description.framesPerPacket) == expected else {
      throw SoundFileError(
        .badGeometry,
        "Packets of \(description.bytesPerPacket) bytes and \(description.framesPerPacket) frames do not fit "
          + "\(description.channels)-channel \(description.codec.rawValue), which has \(expected.0) and \(expected.1).")
    }
    var frames: Int?
    if let table, description.codec == .ima4 {
      let packets = Int64(data.count / expected.0)
      let sum = table.validFrames.addingReportingOverflow(Int64(table.priming) + Int64(table.remainder))
      guard table.packets == packets, !sum.overflow, sum.partialValue == packets * 64 else {
        throw SoundFileError(
          .badGeometry, "The packet table does not add up to the \(packets) packets of sound.", at: table.offset)
      }
      frames = Int(table.validFrames)
    }
    return try SoundLayout(
      container: .caf, codec: description.codec, byteOrder: description.order, sampleRate: description.sampleRate,
      channels: description.channels, data: data, declaredFrames: frames,
      primingFrames: frames == nil ? 0 : table?.priming ?? 0)
  }
}

/// What stands before and after the samples of a file that is being written.
struct SoundFrame {
  let header: [UInt8]
  let trailer: [UInt8]

  /// Makes the header and trailer of a one-channel file.
  ///
  /// - Parameters:
  ///   - frames: Frames to be heard, at least one.
  ///   - dataBytes: Bytes of stored samples, packets filled up.
  init(format: AudioFormat, order: ByteOrder, frames: Int, dataBytes: Int) throws(SoundFileError) {
    guard frames > 0 else { throw SoundFileError(.noFrames, "There is no sound to write.") }
    guard format.sampleRate >= 100, format.sampleRate <= 768_000 else {
      throw SoundFileError(.badRate, "A sample rate of \(format.sampleRate) Hz cannot be written; 100 to 768000 can.")
    }
    guard format.container == .caf || dataBytes < 0x7FFF_0000 else {
      throw SoundFileError(.tooLarge, "\(dataBytes) bytes are too many for a \(format.container.rawValue) file.")
    }
    switch format.container {
    case .caf: header = SoundFrame.caf(format, order, frames, dataBytes)
    case .wav: header = try SoundFrame.wav(format, order, frames, dataBytes)
    case .aiff: header = try SoundFrame.aiff(format, order, frames, dataBytes)
    }
    // RIFF and IFF chunks end at even places; CAF chunks need not.
    trailer = format.container != .caf && dataBytes % 2 == 1 ? [0] : []
  }

  /// The byte order a container has by nature.
  static func naturalOrder(_ container: AudioContainer) -> ByteOrder { container == .aiff ? .big : .little }

  private static func caf(_ format: AudioFormat, _ order: ByteOrder, _ frames: Int, _ dataBytes: Int) -> [UInt8] {
    var writer = ByteWriter(capacity: 128)
    writer.put("caff")
    writer.put(UInt16(1), .big)
    writer.put(UInt16(0), .big)
    writer.put("desc")
    writer.put(Int64(32), .big)
    writer.put(Double(format.sampleRate).bitPattern, .big)
    let isFloat = format.codec == .float32 || format.codec == .float64
    let size = format.codec.bytesPerSample
    switch format.codec {
    case .ima4: writer.put("ima4")
    case .ulaw: writer.put("ulaw")
    case .alaw: writer.put("alaw")
    default: writer.put("lpcm")
    }
    let isLittle = format.codec.hasByteOrder && order == .little
    writer.put((isFloat ? UInt32(1) : 0) | (isLittle ? 2 : 0), .big)
    writer.put(UInt32(size ?? IMA4.packetBytes), .big)
    writer.put(UInt32(size == nil ? IMA4.packetFrames : 1), .big)
    writer.put(UInt32(1), .big)
    writer.put(UInt32((size ?? 0) * 8), .big)
    if size == nil {
      let packets = dataBytes / IMA4.packetBytes
      writer.put("pakt")
      writer.put(Int64(24), .big)
      writer.put(Int64(packets), .big)
      writer.put(Int64(frames), .big)
      writer.put(Int32(0), .big)
      writer.put(Int32(packets * IMA4.packetFrames - frames), .big)
    }
    writer.put("data")
    writer.put(Int64(dataBytes + 4), .big)
    writer.put(UInt32(0), .big)
    return writer.bytes
  }

  private static func wav(
    _ format: AudioFormat, _ order: ByteOrder, _ frames: Int, _ dataBytes: Int
  ) throws(SoundFileError) -> [UInt8] {
    let isADPCM = format.codec == .ima4
    guard !isADPCM || order == .little else {
      throw SoundFileError(.unsupportedCodec, "IMA ADPCM in a WAV file is always little-endian.")
    }
    let size = format.codec.bytesPerSample ?? 0
    let block = isADPCM ? WaveADPCM.block(for: format.sampleRate) : (bytes: size, frames: 1)
    let tag: UInt16 =
      switch format.codec {
      case .lpcm8, .lpcm, .lpcm24, .lpcm32: 1
      case .float32, .float64: 3
      case .alaw: 6
      case .ulaw: 7
      case .ima4: 0x11
      }
    let formatBytes = tag == 1 ? 16 : isADPCM ? 20 : 18
    let factBytes = tag == 1 ? 0 : 12
    var writer = ByteWriter(capacity: 64)
    writer.put(order == .big ? "RIFX" : "RIFF")
    writer.put(UInt32(4 + 8 + formatBytes + factBytes + 8 + dataBytes + dataBytes % 2), order)
    writer.put("WAVE")
    writer.put("fmt ")
    writer.put(UInt32(formatBytes), order)
    writer.put(tag, order)
    writer.put(UInt16(1), order)
    writer.put(UInt32(format.sampleRate), order)
    writer.put(UInt32(format.sampleRate * block.bytes / block.frames), order)
    writer.put(UInt16(block.bytes), order)
    writer.put(UInt16(isADPCM ? 4 : size * 8), order)
    if tag != 1 { writer.put(UInt16(isADPCM ? 2 : 0), order) }
    if isADPCM { writer.put(UInt16(block.frames), order) }
    if factBytes > 0 {
      writer.put("fact")
      writer.put(UInt32(4), order)
      writer.put(UInt32(frames), order)
    }
    writer.put("data")
    writer.put(UInt32(dataBytes), order)
    return writer.bytes
  }

  private static func aiff(
    _ format: AudioFormat, _ order: ByteOrder, _ frames: Int, _ dataBytes: Int
  ) throws(SoundFileError) -> [UInt8] {
    let isLittle = order == .little && format.codec.hasByteOrder
    guard let codec = aiffCodec(format.codec, isLittle: isLittle) else {
      throw SoundFileError(.unsupportedCodec, "AIFF-C has no little-endian \(format.codec.rawValue).")
    }
    let isPlain = codec.tag == "NONE"
    let name = isPlain ? [] : [UInt8(codec.name.utf8.count)] + Array(codec.name.utf8)
    let padding = name.count % 2
    let commonBytes = isPlain ? 18 : 22 + name.count + padding
    var writer = ByteWriter(capacity: 128)
    writer.put("FORM")
    writer.put(UInt32(4 + (isPlain ? 0 : 12) + 8 + commonBytes + 16 + dataBytes + dataBytes % 2), .big)
    writer.put(isPlain ? "AIFF" : "AIFC")
    if !isPlain {
      writer.put("FVER")
      writer.put(UInt32(4), .big)
      writer.put(UInt32(0xA280_5140), .big)
    }
    writer.put("COMM")
    writer.put(UInt32(commonBytes), .big)
    writer.put(Int16(1), .big)
    // AIFF-C counts packets where the codec has them.
    writer.put(UInt32(format.codec == .ima4 ? dataBytes / IMA4.packetBytes : frames), .big)
    writer.put(Int16((format.codec.bytesPerSample ?? 2) * (codec.isLaw ? 16 : 8)), .big)
    writer.put(extended(format.sampleRate))
    if !isPlain {
      writer.put(codec.tag)
      writer.put(name)
      writer.put([UInt8](repeating: 0, count: padding))
    }
    writer.put("SSND")
    writer.put(UInt32(8 + dataBytes), .big)
    writer.put(UInt64(0), .big)
    return writer.bytes
  }

  private static func aiffCodec(
    _ codec: AudioCodec, isLittle: Bool
  ) -> (tag: FourCC, name: String, isLaw: Bool)? {
    switch codec {
    // Not every program takes "sowt" for more than 16 bits.
    case .lpcm: isLittle ? ("sowt", "", false) : ("NONE", "", false)
    case .lpcm8, .lpcm24, .lpcm32: isLittle ? nil : ("NONE", "", false)
    case .float32: isLittle ? nil : ("fl32", "32-bit floating point", false)
    case .float64: isLittle ? nil : ("fl64", "64-bit floating point", false)
    case .ima4: ("ima4", "IMA 4:1", false)
    case .ulaw: ("ulaw", "uLaw 2:1", true)
    case .alaw: ("alaw", "ALaw 2:1", true)
    }
  }

  /// A whole number as an 80-bit IEEE 754 extended one.
  private static func extended(_ value: Int) -> [UInt8] {
    let shift = UInt64(value).leadingZeroBitCount
    var writer = ByteWriter(capacity: 10)
    writer.put(UInt16(16_383 + 63 - shift), .big)
    writer.put(UInt64(value) << UInt64(shift), .big)
    return writer.bytes
  }
}

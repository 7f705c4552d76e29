/// What a sound file's header says, checked against the bytes that are there; no sample has been decoded.
public struct SoundLayout: Hashable, Sendable {
  /// The kind of file.
  public let container: AudioContainer
  /// How samples are stored.
  public let codec: AudioCodec
  /// The order of a sample's bytes; without meaning for codecs of one byte.
  public let byteOrder: ByteOrder
  /// Frames a second, in Hz.
  public let sampleRate: Int
  /// One or two.
  public let channels: Int
  /// Frames that are to be heard.
  public let frames: Int
  /// Frames before them that the codec needs to get going and that are not heard.
  public let primingFrames: Int
  /// The bytes of the file that hold the samples.
  public let dataRange: Range<Int>
  /// Bytes of one packet of all channels: a frame of PCM, 34 a channel for Apple's IMA4, a block of WAV's.
  public let bytesPerPacket: Int
  /// Frames of one packet.
  public let framesPerPacket: Int

  /// The length in seconds.
  public var seconds: Double { Double(frames) / Double(sampleRate) }

  /// Reads the header of a CAF, WAV, AIFF or AIFF-C file.
  /// - Throws: ``SoundFileError`` for anything that is not such a file, is cut off, or uses another codec.
  public init(_ bytes: [UInt8]) throws(SoundFileError) {
    let result: Result<SoundLayout, SoundFileError> = bytes.withUnsafeBytes { raw in
      Result { () throws(SoundFileError) in try SoundLayout(raw: raw) }
    }
    self = try result.get()
  }

  init(raw: UnsafeRawBufferPointer, isStream: Bool = false) throws(SoundFileError) {
    guard !raw.isEmpty else { throw SoundFileError(.empty, "The file is empty.") }
    var cursor = ByteCursor(raw)
    guard raw.count >= 12 else {
      throw SoundFileError(.unknownContainer, "\(raw.count) bytes are too few for a sound file.", at: 0)
    }
    switch try cursor.tag() {
    case "caff": self = try CAFReader.layout(raw)
    case "RIFF": self = try WAVReader.layout(raw, order: .little, isStream: isStream)
    case "RIFX": self = try WAVReader.layout(raw, order: .big, isStream: isStream)
    case "FORM": self = try AIFFReader.layout(raw)
    case let other:
      throw SoundFileError(
        .unknownContainer,
        "The file begins with \"\(other)\"; a CAF file begins with caff, a WAV with RIFF, an AIFF with FORM. "
          + "Other kinds (MP3, M4A, FLAC) must be converted first.", at: 0)
    }
  }

  /// Checks what a reader found and makes the layout of it.
  ///
  /// - Parameter declaredFrames: What the header says about the length, where it says so.
  init(
    container: AudioContainer, codec: AudioCodec, byteOrder: ByteOrder, sampleRate: Double, channels: Int,
    data: Range<Int>, packet: (bytes: Int, frames: Int)? = nil, declaredFrames: Int? = nil, primingFrames: Int = 0
  ) throws(SoundFileError) {
    guard sampleRate >= 100, sampleRate <= 768_000, sampleRate == Double(Int(sampleRate)) else {
      throw SoundFileError(.badRate, "The sample rate \(sampleRate) Hz is not a whole number from 100 to 768000.")
    }
    guard channels == 1 || channels == 2 else {
      throw SoundFileError(.badChannels, "The file has \(channels) channels; one or two can be read.")
    }
    let packet = packet ?? codec.bytesPerSample.map { ($0 * channels, 1) } ?? (34 * channels, 64)
    guard packet.bytes > 0, packet.frames > 0 else {
      throw SoundFileError(.badGeometry, "Packets of \(packet.bytes) bytes and \(packet.frames) frames cannot be.")
    }
    guard data.count % packet.bytes == 0 else {
      throw SoundFileError(
        .badGeometry, "The \(data.count) bytes of sound are no whole number of packets of \(packet.bytes) bytes.",
        at: data.lowerBound)
    }
    let held = data.count / packet.bytes * packet.frames
    let frames = declaredFrames ?? (held - primingFrames)
    guard primingFrames >= 0, frames >= 0, primingFrames <= held, frames <= held - primingFrames else {
      throw SoundFileError(
        .badGeometry, "The header says \(frames) frames after \(primingFrames), but the file holds \(held).",
        at: data.lowerBound)
    }
    guard frames > 0 else { throw SoundFileError(.noFrames, "The file holds no sound.", at: data.lowerBound) }
    self.container = container
    self.codec = codec
    self.byteOrder = byteOrder
    self.sampleRate = Int(sampleRate)
    self.channels = channels
    self.frames = frames
    self.primingFrames = primingFrames
    self.dataRange = data
    self.bytesPerPacket = packet.bytes
    self.framesPerPacket = packet.frames
  }
}

/// A sound file that has been read, and the way to read and write one.
///
/// Reading is strict and total: any bytes give a value or a ``SoundFileError``; the memory taken is bounded by the size
/// of the input, whatever its headers say.
public struct SoundFile: Hashable, Sendable {
  /// What the header said.
  public let layout: SoundLayout
  /// The sound, two channels mixed into one.
  public let pcm: PCM

  /// The kind of file.
  public var container: AudioContainer { layout.container }
  /// How samples are stored.
  public var codec: AudioCodec { layout.codec }
  /// Frames a second, in Hz.
  public var sampleRate: Int { layout.sampleRate }
  /// Channels in the file, one or two.
  public var channels: Int { layout.channels }
  /// Frames to be heard.
  public var frames: Int { layout.frames }

  /// Reads a CAF, WAV, AIFF or AIFF-C file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - isStream: Whether sizes in a WAV header may be too large, as in what a program writes into a pipe.
  /// - Throws: ``SoundFileError``.
  public static func decode(_ bytes: [UInt8], isStream: Bool = false) throws(SoundFileError) -> SoundFile {
    let result: Result<SoundFile, SoundFileError> = bytes.withUnsafeBytes { raw in
      Result { () throws(SoundFileError) in
        let layout = try SoundLayout(raw: raw, isStream: isStream)
        return SoundFile(
          layout: layout, pcm: PCM(sampleRate: layout.sampleRate, samples: SampleReader.mono(layout, raw)))
      }
    }
    return try result.get()
  }

  /// Writes sound as a one-channel file.
  ///
  /// - Parameters:
  ///   - pcm: The sound; at least one frame.
  ///   - container: The kind of file.
  ///   - codec: How samples are to be stored. IMA4 in WAV has another shape than in CAF and AIFF-C, which Apple's
  ///     documents do not name among the codecs of notification sounds.
  ///   - byteOrder: The order of a sample's bytes; `nil` for the container's own (CAF and WAV little, AIFF big).
  /// - Returns: The whole file.
  /// - Throws: ``SoundFileError`` if there is no sound, the rate cannot be written, the file would be too large or the
  ///   container has no such codec in that order.
  public static func encode(
    _ pcm: PCM, container: AudioContainer, codec: AudioCodec, byteOrder: ByteOrder? = nil
  ) throws(SoundFileError) -> [UInt8] {
    let format = AudioFormat(sampleRate: pcm.sampleRate, codec: codec, container: container)
    let order = byteOrder ?? SoundFrame.naturalOrder(container)
    let size = SampleWriter.size(of: pcm.samples.count, format)
    let frame = try SoundFrame(format: format, order: order, frames: pcm.samples.count, dataBytes: size)
    return assemble(frame, dataBytes: size) { SampleWriter.write(pcm.samples, format, order, into: $0) }
  }

  /// Puts a file together in one allocation.
  static func assemble(
    _ frame: SoundFrame, dataBytes: Int, fill: (UnsafeMutableRawBufferPointer) -> Void
  ) -> [UInt8] {
    let total = frame.header.count + dataBytes + frame.trailer.count
    return [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      raw.copyBytes(from: frame.header)
      let end = frame.header.count + dataBytes
      fill(UnsafeMutableRawBufferPointer(rebasing: raw[frame.header.count..<end]))
      UnsafeMutableRawBufferPointer(rebasing: raw[end...]).copyBytes(from: frame.trailer)
      count = total
    }
  }
}

extension SoundFile {
  /// Writes packets of IMA4 that are already encoded as a one-channel CAF file.
  ///
  /// - Parameter packets: Whole packets of 34 bytes, at least one.
  /// - Throws: ``SoundFileError``.
  package static func packetFile(_ packets: [UInt8], sampleRate: Int) throws(SoundFileError) -> [UInt8] {
    guard packets.count % IMA4.packetBytes == 0 else {
      throw SoundFileError(.badGeometry, "\(packets.count) bytes are no whole number of IMA4 packets.")
    }
    let frame = try SoundFrame(
      format: AudioFormat(sampleRate: sampleRate, codec: .ima4, container: .caf), order: .big,
      frames: packets.count / IMA4.packetBytes * IMA4.packetFrames, dataBytes: packets.count)
    return assemble(frame, dataBytes: packets.count) { $0.copyBytes(from: packets) }
  }
}

// Room: samples, clips, voice packs, joining, levels; CAF, WAV and AIFF in LPCM, IMA4, µ-law and A-law. Bytes in, bytes
// out.

/// How samples are stored in a file.
///
/// A notification sound may be linear PCM, IMA4, µ-law or A-law
/// (https://developer.apple.com/documentation/usernotifications/unnotificationsound).
public enum AudioCodec: String, CaseIterable, Hashable, Sendable {
  /// Linear PCM, signed 16-bit integers.
  case lpcm
  /// Linear PCM, 8-bit integers (unsigned in WAV, signed elsewhere).
  case lpcm8
  /// Linear PCM, signed 24-bit integers.
  case lpcm24
  /// Linear PCM, signed 32-bit integers.
  case lpcm32
  /// Linear PCM, 32-bit IEEE floats, full scale ±1.
  case float32
  /// Linear PCM, 64-bit IEEE floats, full scale ±1.
  case float64
  /// IMA ADPCM, four bits a sample: Apple's packets of 34 bytes and 64 frames in CAF and AIFF-C, format tag 0x11 in
  /// WAV.
  case ima4
  /// ITU-T G.711 µ-law, eight bits a sample.
  case ulaw
  /// ITU-T G.711 A-law, eight bits a sample.
  case alaw

  /// Bytes one sample of one channel takes, or `nil` for IMA4, whose samples come in packets.
  public var bytesPerSample: Int? {
    switch self {
    case .lpcm8, .ulaw, .alaw: 1
    case .lpcm: 2
    case .lpcm24: 3
    case .lpcm32, .float32: 4
    case .float64: 8
    case .ima4: nil
    }
  }

  /// Whether the two byte orders of this codec differ.
  var hasByteOrder: Bool { (bytesPerSample ?? 1) > 1 }
}

/// The kind of file around the samples.
public enum AudioContainer: String, CaseIterable, Hashable, Sendable {
  /// Apple's Core Audio Format.
  case caf
  /// RIFF WAVE (RIFX when big-endian).
  case wav
  /// AIFF, or AIFF-C where the codec needs it.
  case aiff

  /// The container that a file name asks for by its extension, in any case; `nil` for any other extension.
  public init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[fileName.index(after: dot)...].lowercased() {
    case "caf": self = .caf
    case "wav", "wave": self = .wav
    case "aif", "aiff", "aifc": self = .aiff
    default: return nil
    }
  }
}

/// The order of the bytes of one sample.
public enum ByteOrder: String, Hashable, Sendable {
  /// Most significant byte first.
  case big
  /// Least significant byte first.
  case little
}

/// A file's shape: container, codec and rate.
public struct AudioFormat: Hashable, Sendable {
  /// Frames a second, in Hz.
  public var sampleRate: Int
  /// How samples are stored.
  public var codec: AudioCodec
  /// The kind of file.
  public var container: AudioContainer

  /// Makes a format.
  public init(sampleRate: Int, codec: AudioCodec, container: AudioContainer) {
    self.sampleRate = sampleRate
    self.codec = codec
    self.container = container
  }
}

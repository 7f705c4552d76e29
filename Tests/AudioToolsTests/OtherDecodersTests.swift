import AudioTools
import Testing
import VoiceAudio

/// ffmpeg, libsndfile and libaudiofile read our files to the same samples, and we read theirs.
struct OtherDecodersTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    let container: AudioContainer
    let codec: AudioCodec
    let order: ByteOrder?
    var testDescription: String { "\(container.rawValue) \(codec.rawValue) \(order?.rawValue ?? "")" }
    var fileName: String { "sound." + (container == .aiff ? "aiff" : container.rawValue) }
  }

  static let kinds: [Kind] = AudioContainer.allCases.flatMap { container in
    AudioCodec.allCases.flatMap { codec -> [Kind] in
      let natural = Kind(container: container, codec: codec, order: nil)
      let other = Kind(container: container, codec: codec, order: container == .aiff ? .little : .big)
      let hasOther =
        codec == .lpcm || (container != .aiff && codec == .lpcm24) || (container == .caf && codec == .float32)
      return hasOther ? [natural, other] : [natural]
    }
  }

  private static let samples = TestTones.voice(frames: 5_003, seed: 21)

  private func file(_ kind: Kind, _ bench: Workbench) throws -> (path: String, ours: [Int16]) {
    let bytes = try SoundFile.encode(
      PCM(sampleRate: 22_050, samples: OtherDecodersTests.samples), container: kind.container, codec: kind.codec,
      byteOrder: kind.order)
    return (try bench.write(bytes, kind.fileName), try SoundFile.decode(bytes).pcm.samples)
  }

  /// Compares as far as both go; programs that do not heed the packet table give the last packet whole.
  private func agree(_ ours: [Int16], _ theirs: [Int16], within tolerance: Int = 0, slack: Int = 0) -> Bool {
    let difference = zip(ours, theirs).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    return difference <= tolerance && theirs.count >= ours.count && theirs.count <= ours.count + slack
  }

  // ffmpeg takes the samples of RIFX, the big-endian WAV, for little-endian ones; libsndfile does not.
  @Test(arguments: kinds.filter { $0.container != .wav || $0.order == nil }) func `ffmpeg reads what we write`(
    kind: Kind
  ) throws {
    let bench = try Workbench()
    let (path, ours) = try file(kind, bench)
    let theirs = try bench.ffmpeg(path)
    let isWaveADPCM = kind.codec == .ima4 && kind.container == .wav
    let slack = kind.codec != .ima4 ? 0 : isWaveADPCM ? 1_017 : 63
    let agrees = agree(ours, theirs, within: isWaveADPCM ? waveTolerance : 0, slack: slack)
    #expect(agrees, "\(ours.count) and \(theirs.count) samples")
  }

  // libsndfile has no IMA4 in CAF and AIFF-C.
  // For IMA ADPCM in WAV ffmpeg multiplies where the standard shifts and adds, so its samples drift a little within a
  // block.
  private let waveTolerance = 600

  @Test(arguments: kinds.filter { $0.codec != .ima4 || $0.container == .wav })
  func `libsndfile reads what we write`(kind: Kind) throws {
    let bench = try Workbench()
    let (path, ours) = try file(kind, bench)
    let theirs = try bench.sndfile(path)
    // It cuts wider samples instead of rounding, and its floats are scaled to 32767.
    let tolerance = [.float32, .float64].contains(kind.codec) ? 2 : 0
    let agrees = agree(ours, theirs, within: tolerance, slack: kind.codec == .ima4 ? 1_017 : 0)
    #expect(agrees)
  }

  @Test(arguments: [AudioContainer.caf, .aiff]) func `libaudiofile reads our IMA4`(container: AudioContainer) throws {
    let bench = try Workbench()
    let kind = Kind(container: container, codec: .ima4, order: nil)
    let (path, ours) = try file(kind, bench)
    // It takes every head as it stands, which is rounded by up to 64.
    let agrees = try agree(ours, bench.audiofile(path), within: 64, slack: 63)
    #expect(agrees)
  }

  @Test(arguments: [
    ("pcm_s16le", "wav"), ("pcm_s24le", "wav"), ("pcm_f32le", "wav"), ("pcm_mulaw", "wav"), ("pcm_alaw", "wav"),
    ("adpcm_ima_wav", "wav"), ("pcm_u8", "wav"), ("pcm_s16be", "caf"), ("pcm_s16le", "caf"), ("pcm_s24be", "caf"),
    ("pcm_f32be", "caf"), ("pcm_mulaw", "caf"), ("pcm_alaw", "caf"), ("adpcm_ima_qt", "caf"), ("pcm_s16be", "aiff"),
    ("pcm_s16le", "aiff"), ("pcm_s24be", "aiff"), ("pcm_f32be", "aiff"), ("pcm_mulaw", "aiff"), ("pcm_alaw", "aiff"),
    ("adpcm_ima_qt", "aiff"),
  ]) func `we read what ffmpeg writes`(codec: String, container: String) throws {
    let bench = try Workbench()
    let source = try bench.write(
      SoundFile.encode(PCM(sampleRate: 22_050, samples: OtherDecodersTests.samples), container: .wav, codec: .lpcm),
      "source.wav")
    for channels in ["1", "2"] {
      let path = bench.path("\(channels).\(container)")
      try bench.run("ffmpeg", "-v", "error", "-i", source, "-ac", channels, "-c:a", codec, path)
      let file = try SoundFile.decode(Files.read(path))
      #expect(file.channels == Int(channels))
      let theirs = try bench.ffmpeg(path)
      // Mixing to one channel is rounded differently.
      let tolerance = codec == "adpcm_ima_wav" ? waveTolerance : channels == "1" ? 0 : 2
      let agrees = agree(file.pcm.samples, theirs, within: tolerance)
      #expect(agrees)
    }
  }

  @Test(arguments: ["caf", "aifc"]) func `we read the IMA4 that libaudiofile writes`(format: String) throws {
    let bench = try Workbench()
    let source = try bench.write(
      SoundFile.encode(PCM(sampleRate: 16_000, samples: OtherDecodersTests.samples), container: .wav, codec: .lpcm),
      "source.wav")
    let path = bench.path("theirs." + format)
    try bench.run("sfconvert", source, path, "format", format, "compression", "ima")
    let file = try SoundFile.decode(Files.read(path))
    #expect(file.codec == .ima4)
    let agrees = try agree(file.pcm.samples, bench.ffmpeg(path), slack: 63)
    #expect(agrees)
  }

  @Test func `encodes IMA4 no worse than ffmpeg`() throws {
    let bench = try Workbench()
    let source = try bench.write(
      SoundFile.encode(PCM(sampleRate: 22_050, samples: OtherDecodersTests.samples), container: .wav, codec: .lpcm),
      "source.wav")
    let path = bench.path("theirs.caf")
    try bench.run("ffmpeg", "-v", "error", "-i", source, "-c:a", "adpcm_ima_qt", path)
    func error(_ samples: [Int16]) -> Double {
      zip(samples, OtherDecodersTests.samples).reduce(0) {
        $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1))
      }
    }
    let ours = try SoundFile.encode(
      PCM(sampleRate: 22_050, samples: OtherDecodersTests.samples), container: .caf, codec: .ima4)
    let theirs = error(try SoundFile.decode(Files.read(path)).pcm.samples)
    #expect(error(try SoundFile.decode(ours).pcm.samples) <= theirs * 1.05)
  }

  @Test(arguments: kinds.filter { $0.container == .caf }) func `a strict walk of the CAF chunks finds nothing`(
    kind: Kind
  ) throws {
    let bench = try Workbench()
    let path = try file(kind, bench).path
    // Fails with a status when a rule is broken.
    let walk = try bench.run("python3", Workbench.root + "/Tools/peers/cafcheck.py", path)
    let lines = String(decoding: walk, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.last == "ok")
    #expect(lines.contains { $0.hasPrefix("pakt") } == (kind.codec == .ima4))
  }

  @Test func `the strict walk finds what is broken`() throws {
    let bench = try Workbench()
    var bytes = try Files.read(file(Kind(container: .caf, codec: .ima4, order: nil), bench).path)
    bytes[64 + 7] ^= 1
    let path = try bench.write(bytes, "broken.caf")
    #expect(throws: Workbench.Missing.self) {
      try bench.run("python3", Workbench.root + "/Tools/peers/cafcheck.py", path)
    }
  }
}

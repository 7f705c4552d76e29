import TestSupport
import Testing
import VoiceAudio

struct SoundFileTests {
  @Test(arguments: FileKind.all) func `reads back what it wrote`(kind: FileKind) throws {
    let samples = TestSound.speech(frames: 4_001, seed: 7)
    let bytes = try SoundFile.encode(
      PCM(sampleRate: 22_050, samples: samples), container: kind.container, codec: kind.codec, byteOrder: kind.order)
    let file = try SoundFile.decode(bytes)
    #expect(file.container == kind.container)
    #expect(file.codec == kind.codec)
    #expect(file.sampleRate == 22_050)
    #expect(file.channels == 1)
    // AIFF-C counts packets, so IMA4 in it is rounded up.
    let isRounded = kind.container == .aiff && kind.codec == .ima4
    #expect(file.frames == (isRounded ? 4_032 : 4_001))
    #expect(TestSound.signalToNoise(samples, Array(file.pcm.samples.prefix(4_001))) >= kind.floor)
  }

  @Test(arguments: FileKind.all) func `keeps the loudest samples`(kind: FileKind) throws {
    let samples = TestSound.noise(frames: 640, seed: 3)
    let bytes = try SoundFile.encode(
      PCM(sampleRate: 8_000, samples: samples), container: kind.container, codec: kind.codec, byteOrder: kind.order)
    let back = try SoundFile.decode(bytes).pcm.samples
    if kind.floor == .infinity {
      let isSame = back == samples
      #expect(isSame)
    } else {
      #expect(back.count >= samples.count)
    }
  }

  @Test(arguments: AudioCodec.allCases, [1, 63, 64, 65, 24_000]) func `breaks no rule of CAF`(
    codec: AudioCodec, frames: Int
  ) throws {
    let pcm = PCM(sampleRate: 24_000, samples: TestSound.speech(frames: frames, seed: 11))
    #expect(CAFRules.broken(try SoundFile.encode(pcm, container: .caf, codec: codec)) == [])
    #expect(CAFRules.broken(try SoundFile.encode(pcm, container: .caf, codec: codec, byteOrder: .big)) == [])
  }

  @Test func `mixes two channels into one`() throws {
    let mono = PCM(sampleRate: 8_000, samples: [100, 300, -50, -51])
    var bytes = try SoundFile.encode(mono, container: .wav, codec: .lpcm)
    // The same samples as two frames of two channels.
    bytes[22] = 2
    bytes[32] = 4
    let file = try SoundFile.decode(bytes)
    #expect(file.channels == 2)
    #expect(file.pcm.samples == [200, -51])
  }

  @Test func `mixes two channels of IMA4`() throws {
    let left = TestSound.speech(frames: 640, seed: 1)
    let one = try SoundFile.encode(PCM(sampleRate: 8_000, samples: left), container: .caf, codec: .ima4)
    let layout = try SoundLayout(one)
    var stereo = Array(one[..<layout.dataRange.lowerBound])
    for packet in stride(from: layout.dataRange.lowerBound, to: layout.dataRange.upperBound, by: 34) {
      stereo += one[packet..<packet + 34] + one[packet..<packet + 34]
    }
    stereo[8 + 12 + 19] = 68
    stereo[8 + 12 + 27] = 2
    let size = layout.dataRange.lowerBound - 16
    let bytes = layout.dataRange.count * 2 + 4
    for place in 0..<8 { stereo[size + 4 + place] = UInt8(truncatingIfNeeded: bytes >> (56 - place * 8)) }
    let file = try SoundFile.decode(stereo)
    #expect(file.channels == 2)
    let mono = try SoundFile.decode(one)
    let isSame = file.pcm == mono.pcm
    #expect(isSame)
  }

  @Test func `reads a WAV that a program wrote into a pipe`() throws {
    var bytes = try SoundFile.encode(
      PCM(sampleRate: 22_050, samples: [1, 2, 3]), container: .wav, codec: .lpcm)
    bytes.replaceSubrange(4..<8, with: [0x24, 0xF0, 0xFF, 0x7F])
    bytes.replaceSubrange(40..<44, with: [0x00, 0xF0, 0xFF, 0x7F])
    #expect(throws: SoundFileError.self) { try SoundFile.decode(bytes) }
    #expect(try SoundFile.decode(bytes + [9], isStream: true).pcm.samples == [1, 2, 3])
  }

  @Test func `encodes IMA4 as the published algorithm does`() throws {
    // Worked by hand from the tables: steps 7, 16 and 34 give +11, +30 and -38, then silence at step 41 gives -5.
    let bytes = try SoundFile.encode(PCM(sampleRate: 8_000, samples: [100, 200, 0]), container: .caf, codec: .ima4)
    let start = try SoundLayout(bytes).dataRange.lowerBound
    #expect(Array(bytes[start..<start + 4]) == [0, 0, 0x77, 0x8C])
    #expect(try SoundFile.decode(bytes).pcm.samples == [11, 41, 3])
  }

  @Test func `knows the fixed points of G.711`() throws {
    let samples: [Int16] = [0, 8, -8, 32_124, -32_124, 1_000]
    let ulaw = try SoundFile.encode(PCM(sampleRate: 8_000, samples: samples), container: .wav, codec: .ulaw)
    #expect(Array(ulaw.suffix(6)) == [0xFF, 0xFE, 0x7E, 0x80, 0x00, 0xCE])
    #expect(try SoundFile.decode(ulaw).pcm.samples == [0, 8, -8, 32_124, -32_124, 988])
    let alaw = try SoundFile.encode(PCM(sampleRate: 8_000, samples: samples), container: .wav, codec: .alaw)
    #expect(Array(alaw.suffix(6)) == [0xD5, 0xD5, 0x55, 0xAA, 0x2A, 0xFA])
    #expect(try SoundFile.decode(alaw).pcm.samples == [8, 8, -8, 32_256, -32_256, 1_008])
  }

  @Test func `writes nothing that cannot be`() {
    #expect(throws: SoundFileError.self) {
      try SoundFile.encode(PCM(sampleRate: 8_000, samples: []), container: .caf, codec: .lpcm)
    }
    #expect(throws: SoundFileError.self) {
      try SoundFile.encode(PCM(sampleRate: 0, samples: [1]), container: .caf, codec: .lpcm)
    }
    #expect(throws: SoundFileError.self) {
      try SoundFile.encode(PCM(sampleRate: 8_000, samples: [1]), container: .aiff, codec: .float32, byteOrder: .little)
    }
  }
}

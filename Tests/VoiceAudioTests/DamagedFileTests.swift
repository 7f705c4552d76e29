import TestSupport
import Testing
import VoiceAudio

/// Any bytes give a value or an error: never a trap, never more memory than the bytes can hold.
struct DamagedFileTests {
  private func sample(_ kind: FileKind) throws -> [UInt8] {
    try SoundFile.encode(
      PCM(sampleRate: 16_000, samples: TestSound.speech(frames: 700, seed: 5)), container: kind.container,
      codec: kind.codec, byteOrder: kind.order)
  }

  /// Decodes and checks that what comes out is no larger than the bytes can hold: two samples a byte.
  private func survives(_ bytes: [UInt8]) -> Bool {
    for isStream in [false, true] {
      if let file = try? SoundFile.decode(bytes, isStream: isStream), file.pcm.samples.count > bytes.count * 2 {
        return false
      }
    }
    return true
  }

  @Test(arguments: FileKind.all) func `survives every truncation`(kind: FileKind) throws {
    let whole = try sample(kind)
    for length in Array(0..<200) + stride(from: 200, to: whole.count, by: 61) {
      #expect(throws: SoundFileError.self) { try SoundFile.decode(Array(whole.prefix(length))) }
      #expect(survives(Array(whole.prefix(length))))
    }
  }

  @Test(arguments: FileKind.all) func `survives seeded damage to its head`(kind: FileKind) throws {
    let whole = try sample(kind)
    var chance = Damage.chance(0xDA3A6E)
    for _ in 0..<Damage.rounds(400) {
      let bytes = Damage.binary(whole, reach: 110, &chance)
      let isSound = survives(bytes)
      #expect(isSound, "damaged \(kind.testDescription): \(bytes.prefix(110))")
    }
  }

  @Test func `survives noise behind every beginning`() {
    var chance = Damage.chance(99)
    let heads = ["caff\0\u{1}\0\0desc", "RIFF", "RIFX", "FORM", ""]
    for round in 0..<Damage.rounds(2_000) {
      let noise = (0..<Int.random(in: 0..<300, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
      let isSound = survives(Array(heads[round % heads.count].utf8) + noise)
      #expect(isSound)
    }
  }

  @Test func `does not believe a size of 4 GB`() throws {
    var wav = try SoundFile.encode(PCM(sampleRate: 8_000, samples: [1, 2]), container: .wav, codec: .lpcm)
    wav.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: SoundFileError.self) { try SoundFile.decode(wav) }
    var caf = try SoundFile.encode(PCM(sampleRate: 8_000, samples: [1, 2]), container: .caf, codec: .lpcm)
    let size = caf.count - 4 - 4 - 8
    caf.replaceSubrange(size..<size + 8, with: [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    let error = #expect(throws: SoundFileError.self) { try SoundFile.decode(caf) }
    #expect(error?.reason == .truncated)
    #expect(error?.description.contains("data") == true)
  }

  @Test func `says what a file is that it cannot read`() {
    let error = #expect(throws: SoundFileError.self) { try SoundFile.decode(Array("ID3\u{3}000000000000".utf8)) }
    #expect(error?.reason == .unknownContainer)
    #expect(error?.description.contains("MP3") == true)
    #expect(throws: SoundFileError.self) { try SoundFile.decode([]) }
  }

  @Test func `refuses wrong rates, channels and lengths by name`() throws {
    let whole = try SoundFile.encode(PCM(sampleRate: 8_000, samples: [1, 2]), container: .wav, codec: .lpcm)
    func reason(_ change: (inout [UInt8]) -> Void) -> SoundFileError.Reason? {
      var bytes = whole
      change(&bytes)
      do throws(SoundFileError) {
        _ = try SoundFile.decode(bytes)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(
      reason {
        $0[24] = 1; $0[25] = 0
      } == .badRate)
    #expect(reason { $0[22] = 6 } == .badChannels)
    #expect(reason { $0[32] = 3 } == .badGeometry)
    #expect(reason { $0[20] = 85 } == .unsupportedCodec)
    #expect(
      reason {
        $0[40] = 0; $0[4] = 36; $0.removeLast(4)
      } == .noFrames)
    #expect(reason { $0[40] = 3 } == .badGeometry)
  }
}

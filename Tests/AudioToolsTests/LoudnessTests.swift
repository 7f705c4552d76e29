import AudioTools
import Testing
import VoiceAudio

/// The phone's own measure against libebur128, which the tools use.
struct LoudnessTests {
  @Test(arguments: [8_000, 16_000, 22_050, 24_000, 44_100, 48_000])
  func `measures as libebur128 does, within a tenth of a unit, at any rate and length`(rate: Int) throws {
    for seconds in [0.15, 0.4, 0.9, 1.0, 2.3, 5.0] {
      for gain in [0.02, 0.3, 1.0] {
        let frames = Int(seconds * Double(rate))
        let voice = PCM(sampleRate: rate, samples: TestTones.voice(frames: frames, seed: UInt64(rate)))
        let sound = Sound(voice.scaled(by: gain))
        let wanted = try #require(try LoudnessMeter.integrated(sound))
        let measured = try #require(Loudness.integrated(sound))
        #expect(abs(wanted - measured) < 0.1, "\(rate) Hz, \(seconds) s, gain \(gain): \(measured) for \(wanted)")
      }
    }
  }

  @Test func `a pause inside a sentence counts as little as in the standard`() throws {
    let rate = 22_050
    let voice = TestTones.voice(frames: rate * 2, seed: 5)
    let sound = Sound(PCM(sampleRate: rate, samples: voice + [Int16](repeating: 0, count: rate * 3) + voice))
    let wanted = try #require(try LoudnessMeter.integrated(sound))
    #expect(abs(wanted - (Loudness.integrated(sound) ?? 0)) < 0.1)
  }

  @Test func `silence has no loudness`() {
    #expect(Loudness.integrated(Sound(sampleRate: 22_050, samples: [])) == nil)
    #expect(Loudness.integrated(Sound(PCM.silence(seconds: 2, sampleRate: 22_050))) == nil)
    #expect(Loudness.integrated(Sound(sampleRate: 100, samples: [0.1])) == nil)
  }
}

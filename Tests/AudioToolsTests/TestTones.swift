import TestSupport
import VoiceAudio

/// Computed sounds for tests of the tools.
enum TestTones {
  /// A buzz with moving pitch and soft ends, different for every seed.
  static func voice(frames: Int, seed: UInt64, level: Double = 9_000) -> [Int16] {
    var chance = SeededChance(seed: seed)
    let pitch = Double.random(in: 0.004...0.01, using: &chance)
    let strengths = (1...5).map { _ in Double.random(in: 0.1...1, using: &chance) }
    var phase = Double.random(in: 0..<1, using: &chance)
    return (0..<frames).map { frame in
      phase += pitch * (1 + 0.2 * Double(frame) / Double(frames))
      var sum = Double.random(in: -0.03...0.03, using: &chance)
      for (place, strength) in strengths.enumerated() {
        let part = (phase * Double(place + 1)).truncatingRemainder(dividingBy: 1)
        sum += strength * (part < 0.5 ? part * 4 - 1 : 3 - part * 4) / Double(place + 1)
      }
      let edge = min(Double(frame), Double(frames - 1 - frame)) / 200
      return Int16(max(-30_000, min(30_000, sum * level * min(1, edge))))
    }
  }

  /// Silence, a buzz and silence, as a recording of a word.
  static func recording(seed: UInt64, sampleRate: Int = 44_100) -> PCM {
    let pause = [Int16](repeating: 0, count: sampleRate / 5)
    return PCM(
      sampleRate: sampleRate, samples: pause + voice(frames: sampleRate * 3 / 10, seed: seed, level: 4_000) + pause)
  }
}

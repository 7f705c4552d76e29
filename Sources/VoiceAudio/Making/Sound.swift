/// One channel of sound in floats, full scale ±1, as the tools work with it.
package struct Sound: Hashable, Sendable {
  /// Frames a second, in Hz.
  package var sampleRate: Int
  /// The samples.
  package var samples: [Float]

  /// Makes sound from samples.
  package init(sampleRate: Int, samples: [Float]) {
    self.sampleRate = sampleRate
    self.samples = samples
  }

  /// Makes sound from 16-bit samples.
  package init(_ pcm: PCM) {
    self.init(sampleRate: pcm.sampleRate, samples: pcm.samples.map { Float($0) / 32_768 })
  }

  /// The same in 16 bits, rounded and kept in range.
  package var pcm: PCM {
    PCM(
      sampleRate: sampleRate,
      samples: samples.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded(.toNearestOrAwayFromZero)))) })
  }

  /// The length in seconds.
  package var seconds: Double { Double(samples.count) / Double(max(1, sampleRate)) }

  /// The largest absolute sample, 1 being full scale.
  package var peak: Float { samples.reduce(0) { max($0, abs($1)) } }
}

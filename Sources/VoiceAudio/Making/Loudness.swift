#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Loudness by ITU-R BS.1770-4 in pure Swift, for a phone that makes a voice pack; the tools use libebur128, and a test holds
/// the two together.
package enum Loudness {
  /// The integrated loudness in LUFS, or `nil` for silence.
  ///
  /// The measure looks at blocks of 400 ms, a quarter of that apart. A sound below one second is measured as if it were
  /// said again and again for three seconds, so that a word gets a figure that can be compared with a sentence's.
  package static func integrated(_ sound: Sound) -> Double? {
    guard !sound.samples.isEmpty, sound.sampleRate >= 4_000 else { return nil }
    let times = sound.seconds >= 1 ? 1 : Int((3 / sound.seconds).rounded(.up))
    let step = sound.sampleRate / 10
    var shelf = Biquad.shelf(Double(sound.sampleRate))
    var pass = Biquad.highPass(Double(sound.sampleRate))
    // Sums of squares of 100 ms each; a block is four of them.
    var sums: [Double] = []
    var sum = 0.0
    var count = 0
    for _ in 0..<times {
      for sample in sound.samples {
        let weighted = pass.next(shelf.next(Double(sample)))
        sum += weighted * weighted
        count += 1
        if count == step {
          sums.append(sum)
          (sum, count) = (0, 0)
        }
      }
    }
    guard sums.count >= 4 else { return nil }
    let powers = (0...sums.count - 4).map { sums[$0..<$0 + 4].reduce(0, +) / Double(4 * step) }
    return gated(powers)
  }

  /// The mean of the blocks that pass the absolute gate of -70 LUFS and the relative one of 10 LU below the rest.
  private static func gated(_ powers: [Double]) -> Double? {
    func loudness(_ power: Double) -> Double { power > 0 ? -0.691 + 10 * log10(power) : -.infinity }
    func mean(_ powers: [Double]) -> Double { powers.reduce(0, +) / Double(powers.count) }
    let audible = powers.filter { loudness($0) > -70 }
    guard !audible.isEmpty else { return nil }
    let gate = loudness(mean(audible)) - 10
    let counted = audible.filter { loudness($0) > gate }
    guard !counted.isEmpty else { return nil }
    return loudness(mean(counted))
  }

  /// A filter of second order.
  ///
  /// The standard gives coefficients for 48 kHz; these are of the same analogue filters at any rate, by the bilinear
  /// transform (De Man, "Evaluation of implementations of the EBU R128 loudness measurement", AES 145, 2018).
  private struct Biquad {
    let b0, b1, b2, a1, a2: Double
    private var z1 = 0.0
    private var z2 = 0.0

    private init(_ b: (Double, Double, Double), _ a: (Double, Double)) {
      (b0, b1, b2, a1, a2) = (b.0, b.1, b.2, a.0, a.1)
    }

    /// The head: 4 dB more above some 1.7 kHz.
    static func shelf(_ rate: Double) -> Biquad {
      let k = tan(Double.pi * 1_681.974450955533 / rate)
      let q = 0.7071752369554196
      let high = pow(10, 3.999843853973347 / 20)
      let band = pow(high, 0.4996667741545416)
      let scale = 1 + k / q + k * k
      return Biquad(
        ((high + band * k / q + k * k) / scale, 2 * (k * k - high) / scale, (high - band * k / q + k * k) / scale),
        (2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale))
    }

    /// The ear at low tones: less below some 40 Hz.
    static func highPass(_ rate: Double) -> Biquad {
      let k = tan(Double.pi * 38.13547087602444 / rate)
      let q = 0.5003270373238773
      let scale = 1 + k / q + k * k
      return Biquad((1, -2, 1), (2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale))
    }

    mutating func next(_ input: Double) -> Double {
      let output = b0 * input + z1
      z1 = b1 * input - a1 * output + z2
      z2 = b2 * input - a2 * output
      return output
    }
  }
}

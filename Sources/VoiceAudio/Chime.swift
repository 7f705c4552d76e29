#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A short sound before a spoken payment, so that people look up and can tell it from other noise.
///
/// All three are computed; none is a recording.
public enum Chime: String, CaseIterable, Hashable, Sendable {
  /// One struck bell, as on a counter.
  case bell
  /// Two tones upwards.
  case rise
  /// Two short knocks on wood.
  case knock

  /// One struck tone of the chime.
  private struct Strike {
    let at: Double
    let hertz: Double
    let amplitude: Double
    let halfLife: Double
  }

  private var strikes: [Strike] {
    switch self {
    case .bell:
      [
        Strike(at: 0, hertz: 1_318.5, amplitude: 0.30, halfLife: 0.11),
        Strike(at: 0, hertz: 2_637.0, amplitude: 0.12, halfLife: 0.06),
        Strike(at: 0, hertz: 3_559.9, amplitude: 0.06, halfLife: 0.03),
      ]
    case .rise:
      [
        Strike(at: 0, hertz: 783.99, amplitude: 0.30, halfLife: 0.05),
        Strike(at: 0, hertz: 1_567.98, amplitude: 0.08, halfLife: 0.03),
        Strike(at: 0.16, hertz: 1_174.66, amplitude: 0.32, halfLife: 0.07),
        Strike(at: 0.16, hertz: 2_349.32, amplitude: 0.08, halfLife: 0.04),
      ]
    case .knock:
      [
        Strike(at: 0, hertz: 420, amplitude: 0.42, halfLife: 0.012),
        Strike(at: 0, hertz: 980, amplitude: 0.20, halfLife: 0.007),
        Strike(at: 0.14, hertz: 460, amplitude: 0.42, halfLife: 0.012),
        Strike(at: 0.14, hertz: 1_060, amplitude: 0.20, halfLife: 0.007),
      ]
    }
  }

  /// The length in seconds.
  public var seconds: Double {
    switch self {
    case .bell: 0.55
    case .rise: 0.50
    case .knock: 0.30
    }
  }

  /// The sound, which begins and ends in digital silence and stays below half of full scale.
  public func pcm(sampleRate: Int) -> PCM {
    let count = PCM.frames(seconds, at: sampleRate)
    var sum = [Double](repeating: 0, count: count)
    for strike in strikes where strike.hertz * 2.2 < Double(sampleRate) { Chime.add(strike, sampleRate, to: &sum) }
    let tail = max(1, count / 5)
    for place in (count - tail)..<count { sum[place] *= Double(count - 1 - place) / Double(tail) }
    return PCM(sampleRate: sampleRate, samples: sum.map { PCM.sample($0 * 32_767) })
  }

  /// Adds a damped sine that swells within two milliseconds, by the recurrence s[n] = 2 cos(w) s[n-1] - s[n-2].
  private static func add(_ strike: Strike, _ sampleRate: Int, to sum: inout [Double]) {
    let first = PCM.frames(strike.at, at: sampleRate)
    let angle = 2 * Double.pi * strike.hertz / Double(sampleRate)
    let factor = 2 * cos(angle)
    let decay = exp2(-1 / (strike.halfLife * Double(sampleRate)))
    let attack = 0.002 * Double(sampleRate)
    var (before, now) = (-sin(angle), 0.0)
    var level = strike.amplitude
    for place in first..<max(first, sum.count) {
      sum[place] += now * level * min(1, Double(place - first) / attack)
      (before, now) = (now, factor * now - before)
      level *= decay
    }
  }
}

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What every recording goes through to become a clip, wherever it was made: no silence at its ends, soft edges, one
/// loudness, no peak above the ceiling.
package struct ClipFinish: Hashable, Sendable {
  /// The loudness by ITU-R BS.1770, in LUFS.
  package var loudness: Double
  /// The level that no sample passes, as a fraction of full scale.
  ///
  /// 0.84 is 1.5 dB below it, so that a codec's error stays below 1 dB.
  package var ceiling: Float
  /// How far below the loudest 5 ms the ends count as silence, in decibels.
  package var trimDecibels: Double
  /// How much of what was cut away is kept at each end, in seconds.
  package var keepSeconds: Double
  /// How long the clip fades in and out, in seconds.
  package var fadeSeconds: Double

  /// Makes a finish; the defaults are those that joined best in trials with several voices.
  package init(
    loudness: Double = -16, ceiling: Float = 0.84, trimDecibels: Double = 38, keepSeconds: Double = 0.012,
    fadeSeconds: Double = 0.005
  ) {
    self.loudness = loudness
    self.ceiling = ceiling
    self.trimDecibels = trimDecibels
    self.keepSeconds = keepSeconds
    self.fadeSeconds = fadeSeconds
  }

  /// The spoken part of a recording, without an offset of its samples; `nil` if it holds nothing but silence.
  package func trimmed(_ sound: Sound) -> Sound? {
    var clip = sound
    let mean = clip.samples.isEmpty ? 0 : clip.samples.reduce(0, +) / Float(clip.samples.count)
    for place in clip.samples.indices { clip.samples[place] -= mean }
    guard let range = spoken(clip) else { return nil }
    clip.samples = Array(clip.samples[range])
    return clip
  }

  /// Brings sound to the loudness; peaks that would pass the ceiling are held down without a click.
  ///
  /// - Parameter measure: Measures loudness in LUFS; `nil` for silence.
  /// - Returns: `nil` if it is too soft to be measured.
  package func levelled<Failure: Error>(
    _ sound: Sound, measure: (Sound) throws(Failure) -> Double?
  ) throws(Failure) -> Sound? {
    guard let measured = try measure(sound) else { return nil }
    var gain = pow(10, (loudness - measured) / 20)
    // Holding peaks down costs loudness; make up for it, in a few rounds at most.
    for _ in 0..<4 {
      let result = limited(sound, gain: Float(gain))
      guard let now = try measure(result), abs(now - loudness) > 0.2 else { return result }
      gain *= pow(10, (loudness - now) / 20)
    }
    return limited(sound, gain: Float(gain))
  }

  /// The part between the first and the last 5 ms that are not silent, with a little of what is around it.
  private func spoken(_ sound: Sound) -> Range<Int>? {
    let samples = sound.samples
    let size = max(1, sound.sampleRate / 200)
    let powers = stride(from: 0, to: samples.count, by: size).map { start in
      samples[start..<min(start + size, samples.count)].reduce(0) { $0 + Double($1) * Double($1) } / Double(size)
    }
    let threshold = (powers.max() ?? 0) * pow(10, -trimDecibels / 10)
    guard threshold > 1e-12, let first = powers.firstIndex(where: { $0 > threshold }),
      let last = powers.lastIndex(where: { $0 > threshold })
    else { return nil }
    let keep = Int(keepSeconds * Double(sound.sampleRate))
    return max(0, first * size - keep)..<min(samples.count, (last + 1) * size + keep)
  }

  /// Fades both ends linearly.
  package func fade(_ sound: inout Sound) {
    let count = sound.samples.count
    let ramp = min(Int(fadeSeconds * Double(sound.sampleRate)), count / 2)
    for step in 0..<ramp {
      let factor = Float(step) / Float(ramp)
      sound.samples[step] *= factor
      sound.samples[count - 1 - step] *= factor
    }
  }

  /// Multiplies by `gain`, and by less around peaks: the least factor within 3 ms, smoothed over as long.
  private func limited(_ sound: Sound, gain: Float) -> Sound {
    var result = sound
    let reach = max(1, sound.sampleRate * 3 / 1_000)
    guard sound.peak * gain > ceiling else {
      for place in result.samples.indices { result.samples[place] *= gain }
      return result
    }
    let wanted = sound.samples.map { abs($0) * gain > ceiling ? ceiling / (abs($0) * gain) : 1 }
    let least = ClipFinish.slidingMinimum(wanted, reach: reach)
    var sum = least.prefix(reach).reduce(0, +) + Float(reach + 1) * (least.first ?? 1)
    for place in result.samples.indices {
      // The mean of `least` over `reach` places on either side; it never exceeds the factor wanted at `place`.
      sum += place + reach < least.count ? least[place + reach] : least[least.count - 1]
      sum -= place > reach ? least[place - reach - 1] : least[0]
      result.samples[place] *= min(wanted[place], sum / Float(2 * reach + 1)) * gain
    }
    return result
  }

  /// The least of the values within `reach` places on either side.
  static func slidingMinimum(_ values: [Float], reach: Int) -> [Float] {
    var result = values
    var queue: [Int] = []
    var head = 0
    for place in 0..<(values.count + reach) {
      if place < values.count {
        while queue.count > head, values[queue[queue.count - 1]] >= values[place] { queue.removeLast() }
        queue.append(place)
      }
      guard place >= reach else { continue }
      while queue[head] < place - 2 * reach { head += 1 }
      result[place - reach] = values[queue[head]]
    }
    return result
  }
}

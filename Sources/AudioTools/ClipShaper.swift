internal import Glibc

/// Makes a recording into a clip: one rate, no silence at its ends, soft edges, one loudness, no peak above the
/// ceiling.
package struct ClipShaper: Hashable, Sendable {
  /// Frames a second of the clip, in Hz.
  package var sampleRate: Int
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

  /// How many times as fast as recorded the clip is spoken.
  package var tempo: Double

  /// Makes a shaper; the defaults are those that joined best in trials with several voices.
  package init(
    sampleRate: Int, loudness: Double = -16, ceiling: Float = 0.84, trimDecibels: Double = 38,
    keepSeconds: Double = 0.012,
    fadeSeconds: Double = 0.005, tempo: Double = 1
  ) {
    self.sampleRate = sampleRate
    self.loudness = loudness
    self.ceiling = ceiling
    self.trimDecibels = trimDecibels
    self.keepSeconds = keepSeconds
    self.fadeSeconds = fadeSeconds
    self.tempo = tempo
  }

  /// All that its clips depend on beside the recording: part of the key under which they are kept.
  var signature: [String] {
    [
      "\(sampleRate)", "\(loudness)", "\(ceiling)", "\(trimDecibels)", "\(keepSeconds)", "\(fadeSeconds)", "\(tempo)",
    ]
  }

  /// Shapes a recording.
  ///
  /// - Parameter name: What it is called, for the error.
  /// - Throws: ``AudioToolsError`` if it holds nothing but silence.
  package func shape(_ sound: Sound, name: String) throws(AudioToolsError) -> Sound {
    var clip = try Resampler.resample(sound, to: sampleRate)
    let mean = clip.samples.isEmpty ? 0 : clip.samples.reduce(0, +) / Float(clip.samples.count)
    for place in clip.samples.indices { clip.samples[place] -= mean }
    guard let range = spoken(clip.samples) else {
      throw AudioToolsError(.unusable, "The recording \(name) holds nothing but silence; record it again.")
    }
    clip.samples = Array(clip.samples[range])
    clip = TimeStretch.apply(clip, tempo: tempo)
    fade(&clip.samples)
    return try level(clip, name: name)
  }

  /// The part between the first and the last 5 ms that are not silent, with a little of what is around it.
  private func spoken(_ samples: [Float]) -> Range<Int>? {
    let size = max(1, sampleRate / 200)
    let powers = stride(from: 0, to: samples.count, by: size).map { start in
      samples[start..<min(start + size, samples.count)].reduce(0) { $0 + Double($1) * Double($1) } / Double(size)
    }
    let threshold = (powers.max() ?? 0) * pow(10, -trimDecibels / 10)
    guard threshold > 1e-12, let first = powers.firstIndex(where: { $0 > threshold }),
      let last = powers.lastIndex(where: { $0 > threshold })
    else { return nil }
    let keep = Int(keepSeconds * Double(sampleRate))
    return max(0, first * size - keep)..<min(samples.count, (last + 1) * size + keep)
  }

  /// Fades both ends linearly.
  func fade(_ samples: inout [Float]) {
    let ramp = min(Int(fadeSeconds * Double(sampleRate)), samples.count / 2)
    for step in 0..<ramp {
      let factor = Float(step) / Float(ramp)
      samples[step] *= factor
      samples[samples.count - 1 - step] *= factor
    }
  }

  /// Brings sound to the loudness; peaks that would pass the ceiling are held down without a click.
  package func level(_ sound: Sound, name: String) throws(AudioToolsError) -> Sound {
    guard let measured = try LoudnessMeter.integrated(sound) else {
      throw AudioToolsError(.unusable, "The recording \(name) is too soft to be levelled; record it again, nearer.")
    }
    var gain = pow(10, (loudness - measured) / 20)
    // Holding peaks down costs loudness; make up for it, in a few rounds at most.
    for _ in 0..<4 {
      let result = limited(sound, gain: Float(gain))
      guard let now = try LoudnessMeter.integrated(result), abs(now - loudness) > 0.2 else { return result }
      gain *= pow(10, (loudness - now) / 20)
    }
    return limited(sound, gain: Float(gain))
  }

  /// Multiplies by `gain`, and by less around peaks: the least factor within 3 ms, smoothed over as long.
  private func limited(_ sound: Sound, gain: Float) -> Sound {
    var result = sound
    let reach = max(1, sampleRate * 3 / 1_000)
    guard sound.peak * gain > ceiling else {
      for place in result.samples.indices { result.samples[place] *= gain }
      return result
    }
    let wanted = sound.samples.map { abs($0) * gain > ceiling ? ceiling / (abs($0) * gain) : 1 }
    let least = ClipShaper.slidingMinimum(wanted, reach: reach)
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

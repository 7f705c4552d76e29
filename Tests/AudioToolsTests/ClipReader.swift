import VoiceAudio

/// Hears which clips of a pack stand in a sound, by correlation alone.
///
/// It knows the pack's clips but not the plan: at each moment every take is laid against the sound, and the one that
/// fits best over its whole length is taken. So it notices a clip that is missing, doubled, out of order, cut at its
/// beginning, at a wrong rate or spoilt by a codec.
struct ClipReader {
  private struct Take {
    let text: String
    let samples: [Int16]
    /// The first sample that is more than silence.
    let onset: Int
    /// The mean of each eight samples.
    let coarse: [Float]
    /// The same from the fifth sample on, because the sound's own eights may lie between those of the clip.
    let between: [Float]
    /// The sums of the squares of the first coarse samples.
    let energy: [Double]
  }

  private let takes: [Take]
  private static let step = 8
  private static let silence = 60

  init(_ pack: VoicePack) {
    takes = pack.manifest.clips.flatMap { clip in
      clip.takes.indices.compactMap { number in
        guard let sample = pack.sample(of: clip.name, take: number)?.pcm.samples else { return nil }
        let sound = Sound(sample)
        return Take(
          text: clip.words.joined(separator: " "), samples: sample,
          onset: sample.firstIndex { abs(Int($0)) > ClipReader.silence } ?? 0, coarse: sound.coarse,
          between: ClipReader.coarse(Array(sample.dropFirst(ClipReader.step / 2))), energy: sound.energy)
      }
    }
  }

  /// The clips that are heard, in order, each with how well it fits (1 at best).
  func read(_ pcm: PCM) -> [(text: String, fit: Float)] {
    let sound = Sound(pcm.samples)
    let quiet = Double(pcm.sampleRate) * 0.04
    var heard: [(text: String, fit: Float)] = []
    var place = 0
    while let onset = pcm.samples[place...].firstIndex(where: { abs(Int($0)) > ClipReader.silence }) {
      // Within a segment the next clip begins where the last one ended or up to 5 ms earlier; after a pause, where
      // sound begins.
      let mayBeNew = heard.isEmpty || Double(onset - place) > quiet
      let early = pcm.sampleRate / 400
      guard let best = best(sound, { take in mayBeNew ? [onset - take.onset, place - early] : [place - early] }) else {
        break
      }
      heard.append((best.take.text, best.fit))
      guard best.fit > 0.5, best.start + best.take.samples.count > place else { break }
      place = min(pcm.samples.count, best.start + best.take.samples.count)
    }
    return heard
  }

  /// A sound with its coarse form and the sums of its squares.
  private struct Sound {
    let samples: [Int16]
    let coarse: [Float]
    let energy: [Double]

    init(_ samples: [Int16]) {
      self.samples = samples
      coarse = ClipReader.coarse(samples)
      var sum = 0.0
      energy =
        [0]
        + coarse.map { value in
          sum += Double(value) * Double(value)
          return sum
        }
    }
  }

  private func best(_ sound: Sound, _ starts: (Take) -> [Int]) -> (take: Take, start: Int, fit: Float)? {
    let rough = takes.flatMap { take in
      starts(take).map { start in (take, glance(take, sound, near: start / ClipReader.step)) }
    }
    let likely = rough.sorted { $0.1.fit > $1.1.fit }.prefix(16)
    let whole = likely.map { take, found in (take, fit(take, sound, near: found.start)) }
    let exact = whole.sorted { $0.1.fit > $1.1.fit }.prefix(4).map { take, found in
      (take: take, found: exactFit(take, sound, near: found.start))
    }
    return exact.max { $0.found.fit < $1.found.fit }.map { ($0.take, $0.found.start, $0.found.fit) }
  }

  /// A first look: every fifth coarse sample of the first 800, at each place within 10 on either side.
  private func glance(_ take: Take, _ sound: Sound, near place: Int) -> (start: Int, fit: Float) {
    var best: (start: Int, fit: Float) = (place, -1)
    take.coarse.withUnsafeBufferPointer { clip in
      sound.coarse.withUnsafeBufferPointer { signal in
        for start in max(0, place - 10)...max(0, place + 10) {
          let end = min(clip.count, 800, signal.count - start)
          var (product, own, other): (Float, Float, Float) = (0, 1, 1)
          var index = 0
          while index < end {
            product += clip[index] * signal[start + index]
            own += clip[index] * clip[index]
            other += signal[start + index] * signal[start + index]
            index += 5
          }
          let fit = product / (own * other).squareRoot()
          if fit > best.fit { best = (start, fit) }
        }
      }
    }
    return best
  }

  /// The best normalised correlation of the whole coarse clip within 20 places on either side of a coarse place (the first
  /// look may have been led astray by a period of the voice); where it begins in samples.
  private func fit(_ take: Take, _ sound: Sound, near place: Int) -> (start: Int, fit: Float) {
    let half = ClipReader.step / 2
    return [(take.coarse, 0), (take.between, half)].map { clip, offset in
      let found = fit(clip, take.energy, sound, near: place)
      return (found.start * ClipReader.step - offset, found.fit)
    }.max { $0.1 < $1.1 } ?? (place * ClipReader.step, -1)
  }

  private func fit(
    _ clip: [Float], _ energies: [Double], _ sound: Sound, near place: Int
  ) -> (start: Int, fit: Float) {
    let count = clip.count
    var best: (start: Int, fit: Float) = (place, -1)
    clip.withUnsafeBufferPointer { clip in
      sound.coarse.withUnsafeBufferPointer { signal in
        for start in max(0, place - 20)...max(0, place + 20) where start + count <= signal.count + 4 {
          let end = max(0, min(count, signal.count - start))
          var product: Float = 0
          var index = 0
          while index < end {
            product += clip[index] * signal[start + index]
            index += 1
          }
          let energy = energies[count] * (sound.energy[start + end] - sound.energy[start])
          let fit = product / Float(max(1, energy.squareRoot()))
          if fit > best.fit { best = (start, fit) }
        }
      }
    }
    return best
  }

  /// The same with every sample, from the first 8 ms (in which clips may overlap) to the last.
  private func exactFit(_ take: Take, _ sound: Sound, near place: Int) -> (start: Int, fit: Float) {
    var best: (start: Int, fit: Float) = (place, -1)
    let skip = min(take.samples.count / 3, 200)
    take.samples.withUnsafeBufferPointer { clip in
      sound.samples.withUnsafeBufferPointer { sound in
        for start in max(0, place - 12)...max(0, place + 12) {
          let end = min(clip.count - skip, sound.count - start)
          var (product, own, other): (Int64, Int64, Int64) = (0, 0, 0)
          var index = skip
          while index < end {
            let (left, right) = (Int64(clip[index]), Int64(sound[start + index]))
            product += left * right
            own += left * left
            other += right * right
            index += 1
          }
          let fit = Float(product) / max(1, (Float(own) * Float(other)).squareRoot())
          if fit > best.fit { best = (start, fit) }
        }
      }
    }
    return best
  }

  private static func coarse(_ samples: [Int16]) -> [Float] {
    samples.withUnsafeBufferPointer { samples in
      (0..<samples.count / step).map { group in
        var sum: Int32 = 0
        for index in group * step..<(group + 1) * step { sum += Int32(samples[index]) }
        return Float(sum) / Float(step)
      }
    }
  }
}

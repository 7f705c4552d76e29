package import VoiceAudio
/// Makes speech faster or slower without changing its pitch, for packs; the phone never does this.
///
/// Waveform-similarity overlap-add (Verhelst and Roelands, ICASSP 1993): pieces of 30 ms are laid half over one another, each
/// taken from where the sound best goes on from the piece before.
package enum TimeStretch {
  /// The tempos that are taken: from half to twice.
  package static let range = 0.5...2.0

  /// The sound spoken `tempo` times as fast.
  package static func apply(_ sound: Sound, tempo: Double) -> Sound {
    let tempo = min(max(tempo, range.lowerBound), range.upperBound)
    let half = sound.sampleRate * 15 / 1_000
    guard abs(tempo - 1) > 0.001, sound.samples.count > 4 * half, half > 0 else { return sound }
    let source = sound.samples
    let length = Int(Double(source.count) / tempo)
    var output = [Float](repeating: 0, count: length + 2 * half)
    var from = 0
    var to = 0
    while to < length {
      for step in 0..<2 * half where from + step < source.count && to + step < output.count {
        // Halves of neighbouring pieces add up to one; the first has nothing before it.
        let rising = to == 0 && step < half ? 1 : Float(step) / Float(half)
        output[to + step] += source[from + step] * (step < half ? rising : 2 - Float(step) / Float(half))
      }
      to += half
      let wanted = Int(Double(to) * tempo)
      from = best(source, near: wanted, after: from + half, half: half)
    }
    return Sound(sampleRate: sound.sampleRate, samples: Array(output[..<length]))
  }

  /// The place within 8 ms of `wanted` whose sound is most like what follows naturally at `natural`.
  private static func best(_ source: [Float], near wanted: Int, after natural: Int, half: Int) -> Int {
    guard natural + half <= source.count else { return min(wanted, source.count) }
    var best = (place: min(max(0, wanted), source.count), likeness: -Float.infinity)
    for place in stride(from: max(0, wanted - half / 2), through: wanted + half / 2, by: 2)
    where place + half <= source.count {
      var product: Float = 0
      var energy: Float = 1e-9
      for step in stride(from: 0, to: half, by: 2) {
        product += source[natural + step] * source[place + step]
        energy += source[place + step] * source[place + step]
      }
      let likeness = product / energy.squareRoot()
      if likeness > best.likeness { best = (place, likeness) }
    }
    return best.place
  }
}

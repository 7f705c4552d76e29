/// Cuts a unit out of a sentence in which an engine spoke it and told where the words lie.
package enum CarrierCut {
  /// The part of `speech` in which `unit` is said.
  ///
  /// The timed words are laid against the text of the sentence without its blanks; the unit begins where `before` ends.
  /// The cut moves to the softest moment within 15 ms, so that it rarely falls into a neighbour's sound.
  /// - Returns: `nil` if the words and the sentence do not fit together.
  package static func cut(_ unit: String, after before: String, from speech: Speech) -> Sound? {
    let start = letters(before).count
    let end = start + letters(unit).count
    var place = 0
    var seconds: (Double, Double)?
    for word in speech.words {
      let next = place + letters(word.text).count
      if next > start, place < end {
        // A word that reaches beyond the unit cannot be cut in the middle.
        guard place >= start, next <= end else { break }
        seconds = (seconds?.0 ?? word.seconds.lowerBound, word.seconds.upperBound)
        if next == end { return slice(speech.sound, seconds) }
      }
      place = next
    }
    return nil
  }

  /// What counts for laying words against a text: letters and digits, in lower case.
  private static func letters(_ text: String) -> [Character] {
    text.lowercased().filter { $0.isLetter || $0.isNumber }.map { $0 }
  }

  private static func slice(_ sound: Sound, _ seconds: (Double, Double)?) -> Sound {
    guard let seconds else { return Sound(sampleRate: sound.sampleRate, samples: []) }
    let first = softest(sound, near: seconds.0)
    let last = max(first, softest(sound, near: seconds.1))
    return Sound(sampleRate: sound.sampleRate, samples: Array(sound.samples[first..<last]))
  }

  /// The place within 15 ms of a moment around which 2 ms are softest.
  private static func softest(_ sound: Sound, near seconds: Double) -> Int {
    let middle = Int(min(max(seconds, 0), sound.seconds) * Double(sound.sampleRate))
    let reach = sound.sampleRate * 15 / 1_000
    let half = max(1, sound.sampleRate / 1_000)
    var best = (place: min(middle, sound.samples.count), power: Float.infinity)
    for place in stride(from: max(0, middle - reach), through: min(sound.samples.count, middle + reach), by: half) {
      let around = sound.samples[max(0, place - half)..<min(sound.samples.count, place + half)]
      let power = around.reduce(0) { $0 + $1 * $1 }
      if power < best.power { best = (place, power) }
    }
    return best.place
  }
}

/// A word and where it lies in the sound of a sentence.
package struct TimedWord: Hashable, Sendable {
  /// What is said.
  package let text: String
  /// Where it begins and ends, in seconds.
  package let seconds: Range<Double>

  /// Makes a timed word; an end before the start counts as the start.
  package init(text: String, start: Double, end: Double) {
    self.text = text
    seconds = start..<max(start, end)
  }
}

/// What an engine said.
package struct Speech: Sendable {
  /// The sound.
  package let sound: Sound
  /// Where its words lie, if the engine tells.
  package let words: [TimedWord]

  /// Makes speech.
  package init(sound: Sound, words: [TimedWord] = []) {
    self.sound = sound
    self.words = words
  }
}

/// What is to be said: the words that clips exist for, and the same as text.
public struct Reading: Hashable, Sendable {
  /// The clip-level words in speaking order.
  ///
  /// Each one is in the vocabulary of the locale and kind.
  ///
  /// A word is the written form, with the sound added in brackets where one written form has several sounds that a
  /// clip must tell apart: `百` is hyaku, `百(びゃく)` the same sign after 三.
  public var words: [String]
  /// The written text, spelled and spaced as the language is: 二十八点五元, twenty-eight dollars.
  public var text: String
  /// How long the reading takes when spoken at an even pace, in seconds.
  ///
  /// An estimate from the length of the words, for the rule that a notification's sound should stay below five seconds.
  public var estimatedSeconds: Double

  /// Makes a reading.
  public init(words: [String], text: String, estimatedSeconds: Double) {
    self.words = words
    self.text = text
    self.estimatedSeconds = estimatedSeconds
  }
}

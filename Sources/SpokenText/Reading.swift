/// What is to be said: the words that clips exist for, and the same as text.
///
/// A reading holds its words as numbers; `words`, `text` and `estimatedSeconds` are made when asked for.
public struct Reading: Hashable, Sendable {
  /// Places in the wordbook, and how each word joins the one before (see `TokenBuffer`).
  private let tokens: [UInt32]
  private let wordbook: Wordbook

  init(_ buffer: TokenBuffer, _ wordbook: Wordbook) {
    tokens = Array(buffer.tokens)
    self.wordbook = wordbook
  }

  /// The clip-level words in speaking order.
  ///
  /// Each one is in the vocabulary of the locale and kind. A word is the written form, with the sound added in brackets
  /// where one written form has several sounds that a clip must tell apart: `百` is hyaku, `百(びゃく)` the same sign after 三.
  ///
  /// - Complexity: O(*n*); one allocation.
  public var words: [String] { tokens.map { wordbook.word(Token(rawValue: UInt16(truncatingIfNeeded: $0))) } }

  /// The written text, spelled and spaced as the language is: 二十八点五元, twenty-eight dollars.
  ///
  /// - Complexity: O(*n*); one allocation.
  public var text: String { tokens.withUnsafeBufferPointer { wordbook.text($0) } }

  /// How long the reading takes when spoken at an even pace, in seconds.
  ///
  /// An estimate from the length of the words, for the rule that a notification's sound should stay below five seconds.
  public var estimatedSeconds: Double { Double(tokens.reduce(0) { $0 + wordbook.microseconds($1) }) / 1_000_000 }

  /// Whether two readings say the same words of the same locale.
  public static func == (first: Reading, second: Reading) -> Bool {
    first.wordbook === second.wordbook && first.tokens == second.tokens
  }

  /// Hashes the words.
  public func hash(into hasher: inout Hasher) { hasher.combine(tokens) }
}

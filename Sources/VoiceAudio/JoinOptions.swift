/// How a sentence is put together.
public struct JoinOptions: Hashable, Sendable {
  /// Silence before everything, in seconds: about 0.3 for listeners with Bluetooth loudspeakers, whose link swallows
  /// the first moment.
  public var leadInSeconds: Double
  /// The chime before the words, if any.
  public var chime: Chime?
  /// The longest sound that is made, in seconds.
  ///
  /// iOS plays its own sound instead of one of 30 s or more.
  public var maximumSeconds: Double
  /// The length above which a plan carries a warning, in seconds: with the screen on, iOS stops the sound when the
  /// banner goes.
  public var warningSeconds: Double
  /// Pauses that replace the pack's own, if set.
  public var pauses: PackManifest.Pauses?
  /// The level that no sample may pass, as a fraction of full scale; 0.89 is 1 dB below.
  public var ceiling: Double

  /// Makes options.
  public init(
    leadInSeconds: Double = 0, chime: Chime? = nil, maximumSeconds: Double = 29, warningSeconds: Double = 5,
    pauses: PackManifest.Pauses? = nil, ceiling: Double = 0.89
  ) {
    self.leadInSeconds = leadInSeconds
    self.chime = chime
    self.maximumSeconds = maximumSeconds
    self.warningSeconds = warningSeconds
    self.pauses = pauses
    self.ceiling = ceiling
  }
}

/// Why a sentence cannot be put together; nothing is said rather than half of it.
public enum JoinError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are no words.
  case nothingToSay
  /// The pack has no clips for these words.
  case missingWords([String])
  /// The sentence would take too long; the words from the limit on.
  case tooLong(seconds: Double, limit: Double, words: [String])
  /// The file cannot be written as asked.
  case file(SoundFileError)

  public var description: String {
    switch self {
    case .nothingToSay: "There is nothing to say: the sentence has no words."
    case .missingWords(let words):
      "The voice pack cannot say \(words.map { "\"\($0)\"" }.joined(separator: ", ")). "
        + "Add clips for it, or use a pack that has them; `aloud pack check` lists what a pack lacks."
    case .tooLong(let seconds, let limit, let words):
      "The sentence would take \(tenths(seconds)) s, but at most \(tenths(limit)) s are allowed. "
        + "These words do not fit any more: \(words.joined(separator: " "))."
    case .file(let error): error.description
    }
  }
}

/// Something about a plan that people should know, though it can be spoken.
public enum JoinWarning: Hashable, Sendable, CustomStringConvertible {
  /// The sentence takes longer than a banner stands on the screen; the segments that could be left out, longest first.
  case long(seconds: Double, canDrop: [Utterance.Role])

  public var description: String {
    switch self {
    case .long(let seconds, let canDrop):
      "The sentence takes \(tenths(seconds)) s: with the screen on, iOS stops it when the banner goes, after about 5 s. "
        + (canDrop.isEmpty
          ? "Say less, or say the amount first."
          : "Leave out the \(canDrop.map(\.rawValue).joined(separator: ", then the ")), or say the amount first.")
    }
  }
}

/// A number with one decimal, as people read it.
func tenths(_ value: Double) -> String {
  let scaled = Int((min(max(value, 0), 1e9) * 10).rounded())
  return "\(scaled / 10).\(scaled % 10)"
}

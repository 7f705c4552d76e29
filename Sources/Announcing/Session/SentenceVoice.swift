public import VoiceAudio

/// A voice that can tell beforehand whether and how long it would say a sentence.
public protocol SentenceVoice: Sendable {
  /// How long the sentence takes, in seconds.
  ///
  /// - Throws: `JoinError` if it cannot be said whole.
  func seconds(_ utterance: Utterance) throws(JoinError) -> Double
}

extension Joiner: SentenceVoice {
  public func seconds(_ utterance: Utterance) throws(JoinError) -> Double { try plan(utterance).estimatedSeconds }
}

extension ReasonCode {
  /// The reason for a sentence that cannot be joined.
  public init(_ error: JoinError) {
    switch error {
    case .missingWords, .nothingToSay: self = .wordsMissing
    case .tooLong: self = .sentenceTooLong
    case .file: self = .renderFailed
    }
  }
}

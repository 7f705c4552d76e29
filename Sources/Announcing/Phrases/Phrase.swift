public import SpokenText
public import VoiceAudio

/// A sentence: what is heard, in clip words and as text, and what the banner shows.
public struct Phrase: Hashable, Sendable {
  /// What is said, in the words of clips.
  public var utterance: Utterance
  /// The same as text, for a synthesizer and for people: 微信收款二十八点五元.
  public var text: String
  /// The banner's title.
  public var title: String
  /// The banner's text.
  public var body: String
  /// What a sum counts and adds up; empty for a sentence about one event.
  public var sums: [EventSum]

  /// Makes a phrase.
  public init(utterance: Utterance, text: String, title: String, body: String, sums: [EventSum] = []) {
    (self.utterance, self.text, self.title, self.body, self.sums) = (utterance, text, title, body, sums)
  }
}

/// Several events of one kind in one sentence.
public struct EventSum: Hashable, Sendable {
  /// The kind, one of ``PushPayload/EventKind`` or `other`.
  public var kind: String
  /// How many events.
  public var count: Int
  /// The exact sums, one for each currency, in the order in which the currencies came; empty for events without money.
  public var amounts: [Amount]
}

/// Why there is no sentence.
public struct PhraseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason that a person can look up.
  public var code: ReasonCode
  /// What is wrong and what to do.
  ///
  /// It never repeats an amount.
  public var message: String

  /// Makes an error.
  public init(_ code: ReasonCode, _ message: String) { (self.code, self.message) = (code, message) }

  public var description: String { "\(code.rawValue): \(message)" }

  init(_ error: ReadingError) { self.init(PhraseError.code(error.code), error.message) }

  private static func code(_ code: ReadingError.Code) -> ReasonCode {
    switch code {
    case .unknownCurrency, .missingCurrency, .currencyMismatch: .currencyUnknown
    case .tooPrecise, .notWhole: .amountTooPrecise
    case .tooLarge: .amountTooLarge
    case .unknownLocale: .localeUnknown
    case .badTime: .timeUnreadable
    default: .amountUnreadable
    }
  }
}

/// What a sentence may say.
public struct PhraseOptions: Hashable, Sendable {
  /// Leaves the figure out: 收到一笔付款.
  public var privacy: Bool
  /// Says who paid.
  public var saysSender: Bool
  /// Leaves out what a voice pack cannot know: the service's and people's names, free text.
  public var isPlain: Bool

  /// Makes options; each one left out is off.
  public init(privacy: Bool = false, saysSender: Bool = false, isPlain: Bool = false) {
    (self.privacy, self.saysSender, self.isPlain) = (privacy, saysSender, isPlain)
  }
}

public import PushPayload
public import SpokenText
public import VoiceAudio

/// What goes back to iOS for one notification.
public struct Delivery: Hashable, Sendable {
  /// What is heard with it.
  public enum Sound: Hashable, Sendable {
    /// The payload's own sound: the bundled fallback, or the bundled route's file.
    case original
    /// No sound.
    case none
    /// A file of this name in the App Group's `Library/Sounds`.
    case file(String)
    /// The running app speaks it; the notification itself is silent.
    case speech(String, SpokenLocale)
  }

  /// What is heard.
  public var sound: Sound
  /// Why.
  public var code: ReasonCode
  /// Where the sound comes from.
  public var route: Route
  /// The events that are heard with it, in order of arrival; empty if none is.
  public var keys: [String] = []
  /// What is said, if something is.
  public var text: String?
  /// How long the sound is, in seconds, as far as known.
  public var seconds: Double = 0
  /// Texts for the banner in place of the payload's, in privacy mode.
  ///
  /// Never empty: without text iOS would ignore all changes.
  public var title: String?
  public var body: String?
  /// The turn's number, to be written into the notification's user info under ``turnKey``, so that a later handling can
  /// see that this one was handed over.
  public var turn: Int?

  /// Makes a delivery; what is left out says that no event is heard with it.
  public init(
    sound: Sound, code: ReasonCode, route: Route, keys: [String] = [], text: String? = nil, seconds: Double = 0,
    turn: Int? = nil
  ) {
    (self.sound, self.code, self.route, self.keys) = (sound, code, route, keys)
    (self.text, self.seconds, self.turn) = (text, seconds, turn)
  }

  /// The key of the mark in the user info.
  public static let turnKey = "aloudTurn"
}

/// What a session wants done next.
public enum SessionAction: Hashable, Sendable {
  /// Call ``AnnouncementSession/update(_:at:)`` on the shared state under its lock.
  case update
  /// Wait until then on the phone's running clock, then call ``AnnouncementSession/woke(at:)``.
  case sleep(untilUpSeconds: Double)
  /// Fetch the server's list of missed events, then call ``AnnouncementSession/fetched(_:at:)``.
  case fetchPending(timeoutSeconds: Double)
  /// Fetch, check and store a sound under the given name, then call ``AnnouncementSession/downloaded(_:at:)``.
  case download(SoundReference, fileName: String, timeoutSeconds: Double)
  /// Join and store a sentence under the given name, then call ``AnnouncementSession/rendered(_:at:)``.
  case render(Utterance, SpokenLocale, fileName: String)
  /// Look whether the notification of this turn's own event carries the turn's mark, then call
  /// ``AnnouncementSession/proved(_:at:)``.
  case prove(Turn)
  /// Call the content handler, then ``AnnouncementSession/delivered(at:)``.
  case deliver(Delivery)
  /// Send these receipts, then call ``AnnouncementSession/reported()``.
  case report([Receipt])
  /// Nothing more; also the answer to a call that came too late.
  case finish
}

/// A sound that is ready to be played.
public struct ReadySound: Hashable, Sendable {
  /// The file's name in `Library/Sounds`.
  public var fileName: String
  /// Its length in seconds.
  public var seconds: Double

  /// Makes a ready sound.
  public init(fileName: String, seconds: Double) { (self.fileName, self.seconds) = (fileName, seconds) }
}

/// Why a sound could not be made or fetched.
public struct SoundFailure: Error, Hashable, Sendable {
  /// The reason that a person can look up.
  public var code: ReasonCode

  /// Makes a failure.
  public init(_ code: ReasonCode) { self.code = code }
}

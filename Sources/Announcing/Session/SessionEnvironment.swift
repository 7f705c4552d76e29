public import SpokenText

/// What a session knows of the phone before it begins.
public struct SessionEnvironment: Sendable {
  /// What the person chose.
  public var settings: AnnouncementSettings
  /// The phone's language, for events that name none.
  public var phoneLocale: String
  /// Opens the voice of a language, or answers `nil` if the phone has none.
  public var voice: @Sendable (SpokenLocale) -> (any SentenceVoice)?
  /// Whether there is a network; `nil` if that is not known.
  public var hasNetwork: Bool?
  /// Whether this is the running app in the foreground, which may speak.
  public var canSpeak: Bool
  /// The extension of sound files, without a dot.
  public var soundSuffix: String

  /// Makes an environment.
  public init(
    settings: AnnouncementSettings = .init(), phoneLocale: String,
    voice: @escaping @Sendable (SpokenLocale) -> (any SentenceVoice)?, hasNetwork: Bool? = nil, canSpeak: Bool = false,
    soundSuffix: String = "caf"
  ) {
    (self.settings, self.phoneLocale, self.voice) = (settings, phoneLocale, voice)
    (self.hasNetwork, self.canSpeak, self.soundSuffix) = (hasNetwork, canSpeak, soundSuffix)
  }
}

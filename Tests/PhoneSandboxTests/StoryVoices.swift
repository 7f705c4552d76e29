import HTTPTransport
import PhoneSandbox
import SpokenText
import VoiceAudio

/// The voices of all stories: tones, so that a story comes out the same whatever recordings the repository has.
enum StoryVoices {
  private static let made = Locked<[String: Joiner]>([:])

  /// The voice of a language; each is made once, and only when a story needs it.
  @Sendable static func voice(_ name: String) -> Joiner? {
    guard let locale = try? SpokenLocale(name) else { return nil }
    return made.withLock { made in
      if let known = made[locale.tag] { return known }
      made[locale.tag] = try? ToneVoice.joiner(locale)
      return made[locale.tag]
    }
  }
}

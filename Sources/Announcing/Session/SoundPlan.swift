import PushPayload
import SpokenText
import VoiceAudio

/// Where the sound of one event comes from.
enum SoundSource: Hashable, Sendable {
  /// The extension joins it from clips.
  case joined(Phrase, seconds: Double)
  /// It was fetched and lies ready.
  case fetched(ReadySound)
  /// The payload names a file of the bundle.
  case bundled
  /// The running app speaks it.
  case speech(Phrase)
  /// The payload's fallback sound, for this reason.
  case chime(ReasonCode)

  /// How long it takes, in seconds, as far as can be known.
  var seconds: Double {
    switch self {
    case .joined(_, let seconds): seconds
    case .fetched(let sound): sound.seconds
    case .bundled: 4
    case .speech(let phrase): max(1.5, Double(phrase.text.unicodeScalars.count) * 0.2)
    case .chime: HearingRules.chimeSeconds
    }
  }

  var route: Route {
    switch self {
    case .joined: .clips
    case .fetched: .download
    case .bundled: .bundled
    case .speech: .speak
    case .chime: .chime
    }
  }
}

/// The ways that are left to say one event, from the best to the last.
///
/// All or nothing: a way that cannot say the whole sentence is passed over, and the reasons are kept.
struct SoundPlan: Sendable {
  enum Way: Hashable, Sendable { case clips, plainClips, download, speech, bundled }

  let event: SpokenEvent
  let phrase: Phrase
  let plain: Phrase?
  let locale: SpokenLocale
  private(set) var ways: [Way]
  private(set) var failures: [ReasonCode] = []

  /// - Parameters:
  ///   - event: What is to be said.
  ///   - phrase: Its sentence.
  ///   - plain: Its sentence without names and free text, if that differs.
  ///   - isPrivate: Whether figures must not be heard; then the server's file, which says them, is not fetched.
  ///   - canSpeak: Whether the running app may speak.
  init(event: SpokenEvent, phrase: Phrase, plain: Phrase?, locale: SpokenLocale, isPrivate: Bool, canSpeak: Bool) {
    (self.event, self.phrase, self.plain, self.locale) = (event, phrase, plain, locale)
    var ways: [Way]
    switch event.route ?? .auto {
    case .auto, .clips: ways = [.clips, .download, .speech, .plainClips]
    case .download: ways = [.download, .clips, .speech, .plainClips]
    case .speak: ways = [.speech, .clips, .download, .plainClips]
    case .bundled: ways = [.bundled]
    case .chime:
      ways = []
      failures = [.chimeAsked]
    }
    self.ways = ways.filter { way in
      switch way {
      case .download: event.sound != nil && !isPrivate
      case .speech: canSpeak
      case .plainClips: plain != nil
      default: true
      }
    }
    if event.route == .speak, !canSpeak { failures.append(.appNotForeground) }
  }

  /// The first reason why it is not said as asked.
  var reason: ReasonCode { failures.first ?? .noRouteLeft }

  mutating func failed(_ code: ReasonCode) { failures.append(code) }

  /// What to try next.
  enum Step: Hashable, Sendable {
    case use(SoundSource)
    case fetch(SoundReference)
  }

  /// Takes the next way that may work.
  mutating func next(voice: (SpokenLocale) -> (any SentenceVoice)?, hasNetwork: Bool?) -> Step {
    while !ways.isEmpty {
      switch ways.removeFirst() {
      case .clips: if let source = join(phrase, voice) { return .use(source) }
      case .plainClips: if let plain, let source = join(plain, voice) { return .use(source) }
      case .speech: return .use(.speech(phrase))
      case .bundled: return .use(.bundled)
      case .download:
        guard let sound = event.sound else { continue }
        guard hasNetwork != false else {
          failures.append(.noNetwork)
          continue
        }
        return .fetch(sound)
      }
    }
    return .use(.chime(reason))
  }

  private mutating func join(_ phrase: Phrase, _ voice: (SpokenLocale) -> (any SentenceVoice)?) -> SoundSource? {
    guard let voice = voice(locale) else {
      failures.append(.voicePackMissing)
      return nil
    }
    do {
      return .joined(phrase, seconds: try voice.seconds(phrase.utterance))
    } catch {
      failures.append(ReasonCode(error))
      return nil
    }
  }
}

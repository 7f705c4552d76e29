#if canImport(AVFAudio) && canImport(UserNotifications) && canImport(UIKit)
  import AVFAudio
  public import Announcing
  import Foundation
  public import SpokenText
  import UserNotifications
  public import VoiceAudio

  /// An experiment, off unless it is asked for: whole sentences in the system's voice, rendered inside the extension.
  ///
  /// Apple's engineers call `AVSpeechSynthesizer.write` in an extension possible, "mileage may vary"
  /// (https://developer.apple.com/forums/thread/759816); no shipped app is known to do it, and the extension may use 24 MB in
  /// all. So it is bounded in time and sound, it never runs on the main thread, and after the first failure this process speaks
  /// from clips only. A pack that ``PhoneVoicePack`` made gives the same voice without any of the risk.
  public final class RenderedSentenceVoice: SentenceVoice {
    /// How much an attempt may take.
    public struct Bounds: Hashable, Sendable {
      /// How long the extension waits for the voice, in seconds.
      public var waitingSeconds = 4.0
      /// The longest sentence, in seconds: the samples of 12 s take 1 MB.
      public var longestSeconds = 12.0

      /// The defaults.
      public init() {}
    }

    private let locale: SpokenLocale
    private let clips: Joiner?
    private let voice: AVSpeechSynthesisVoice?
    private let bounds: Bounds
    private let engine: Engine

    /// Makes the voice.
    ///
    /// - Parameters:
    ///   - locale: The language.
    ///   - clips: The voice pack that is fallen back to.
    ///   - voiceIdentifier: The system's voice; `nil` for the best one of the language.
    ///   - bounds: How much an attempt may take.
    public convenience init(
      locale: SpokenLocale, clips: Joiner?, voiceIdentifier: String? = nil, bounds: Bounds = .init()
    ) { self.init(locale: locale, clips: clips, voiceIdentifier: voiceIdentifier, bounds: bounds, engine: .shared) }

    /// Makes the voice with an engine of its own, for tests.
    package init(
      locale: SpokenLocale, clips: Joiner?, voiceIdentifier: String? = nil, bounds: Bounds = .init(), engine: Engine
    ) {
      (self.locale, self.clips, self.bounds, self.engine) = (locale, clips, bounds, engine)
      voice = VoiceChoice.voice(for: locale.tag, identifier: voiceIdentifier)
    }

    /// Renders the sentence and tells its length; if that fails, the length that its clips take.
    ///
    /// It waits for the voice, so call it from no thread that others need.
    public func seconds(_ utterance: Utterance) throws(JoinError) -> Double {
      if let sound = sound(utterance) { return sound.seconds }
      guard let clips else { throw .missingWords(utterance.words) }
      return try clips.seconds(utterance)
    }

    /// The sentence's sound file: rendered, or joined from clips.
    public func file(_ utterance: Utterance, container: AudioContainer, codec: AudioCodec) throws(JoinError) -> [UInt8]
    {
      if let sound = sound(utterance) {
        do { return try SoundFile.encode(sound, container: container, codec: codec) } catch { throw .file(error) }
      }
      guard let clips else { throw .missingWords(utterance.words) }
      return try clips.file(utterance, container: container, codec: codec)
    }

    /// The text that is spoken: segments are parted by commas, at which the voice breathes.
    var separator: String { ["zh", "yu", "ja"].contains(locale.tag.prefix(2)) ? "，" : ", " }

    private func sound(_ utterance: Utterance) -> PCM? {
      guard let voice else { return nil }
      let text = utterance.segments.filter { !$0.words.isEmpty }.map { Reader.joined($0.words, locale) }
        .joined(separator: separator)
      guard !text.isEmpty else { return nil }
      return engine.sound(text, voice, bounds)
    }
  }

  extension RenderedSentenceVoice {
    /// The one synthesizer of the process, what it has said, and whether it is still trusted.
    package final class Engine: @unchecked Sendable {
      // The synthesizer is touched on the queue only, everything else under the lock.
      static let shared = Engine()

      /// Makes one that is trusted and has said nothing.
      package init() {}

      private let queue = DispatchQueue(label: "aloud.sentence")
      private let lock = NSLock()
      private lazy var synthesizer = AVSpeechSynthesizer()
      private var isTrusted = true
      private var last: (key: String, sound: PCM)?

      /// Renders a text, once: the same text again is answered from memory.
      func sound(_ text: String, _ voice: AVSpeechSynthesisVoice, _ bounds: Bounds) -> PCM? {
        let key = voice.identifier + "\u{0}" + text
        if let last = lock.withLock({ last }), last.key == key { return last.sound }
        guard !Thread.isMainThread, lock.withLock({ isTrusted }), let speech = speech(text, voice, bounds) else {
          return nil
        }
        let finish = ClipFinish()
        guard var sound = finish.trimmed(speech.sound) else { return nil }
        finish.fade(&sound)
        guard let pcm = finish.levelled(sound, measure: { Loudness.integrated($0) })?.pcm else { return nil }
        lock.withLock { last = (key, pcm) }
        return pcm
      }

      private func speech(_ text: String, _ voice: AVSpeechSynthesisVoice, _ bounds: Bounds) -> Speech? {
        let answer = Answer()
        let collector = SpeechCollector(longestSeconds: bounds.longestSeconds) { answer.give(try? $0.get()) }
        queue.async { collector.start(text, voice: voice, on: self.synthesizer) }
        if let speech = answer.wait(seconds: bounds.waitingSeconds) { return speech }
        collector.fail(.silent)
        lock.withLock { isTrusted = false }
        queue.async { self.synthesizer.stopSpeaking(at: .immediate) }
        return nil
      }
    }

    /// A result that one thread waits for and another gives.
    private final class Answer: @unchecked Sendable {
      // The semaphore orders the writing before the reading.
      private let given = DispatchSemaphore(value: 0)
      private var speech: Speech?

      func give(_ speech: Speech?) {
        self.speech = speech
        given.signal()
      }

      func wait(seconds: Double) -> Speech? { given.wait(timeout: .now() + seconds) == .success ? speech : nil }
    }
  }
#endif

#if canImport(AVFAudio) && canImport(UIKit)
  public import AVFAudio
  public import Foundation
  import UIKit
  import os

  /// Speaks sentences in the running app, one after another, with the system's voice.
  ///
  /// One synthesizer lives as long as the app: a local one falls silent (iOS 16), and making and dropping them quickly crashes the
  /// system's own code (docs/iphone.md). The audio session is activated just before a sentence and let go of, with notice to
  /// others, after the last one. It needs no microphone permission and asks for none.
  @MainActor
  public final class SpeechAnnouncer: NSObject {
    /// How a sentence ended.
    public enum Outcome: Equatable, Sendable {
      /// It was spoken to its end.
      case spoken
      /// It was cut by a call, by Siri or by ``stop()``.
      case interrupted
      /// It could not begin: the audio session was refused, or nothing began in time.
      case notStarted
      /// It began and did not end within the bound.
      case timedOut
    }

    /// How long a sentence may take from its start, in seconds; a background wake-up has 30 in all.
    public static let longestSeconds = 25.0
    /// How long the system may take to begin, in seconds.
    public static let startSeconds = 4.0

    private struct Turn {
      let utterance: AVSpeechUtterance
      let finish: @MainActor (Outcome) -> Void
    }

    private let synthesizer = AVSpeechSynthesizer()
    private let session: AVAudioSession
    private let wait: @Sendable (Double) async -> Void
    private let log = Logger(subsystem: "aloud", category: "speech")
    private var turns: [Turn] = []
    private var isActive = false
    private var isStarted = false
    private var observers: [any NSObjectProtocol] = []

    /// Makes the announcer; keep it for the life of the app.
    ///
    /// - Parameters:
    ///   - session: The audio session.
    ///   - wait: Waits for so many seconds; a test gives its own.
    public init(
      session: AVAudioSession = .sharedInstance(),
      wait: @escaping @Sendable (Double) async -> Void = { try? await Task.sleep(nanoseconds: UInt64($0 * 1e9)) }
    ) {
      self.session = session
      self.wait = wait
      super.init()
      synthesizer.delegate = self
      observeInterruptions()
    }

    /// How many sentences are being spoken or wait.
    public var pendingCount: Int { turns.count }

    /// Makes the first sentence quick: sets the session's category and lets the system list its voices.
    public func prewarm() {
      setCategory()
      _ = AVSpeechSynthesisVoice.speechVoices()
    }

    /// Speaks `text` when everything before it has been spoken.
    ///
    /// - Parameters:
    ///   - text: What to say, numbers as words.
    ///   - locale: A BCP 47 tag, such as `zh-CN`; see ``VoiceChoice``.
    ///   - voiceIdentifier: A voice that the user chose.
    /// - Returns: How it ended, once it has.
    public func speak(_ text: String, locale: String, voiceIdentifier: String? = nil) async -> Outcome {
      let utterance = AVSpeechUtterance(string: text)
      utterance.voice = VoiceChoice.voice(for: locale, identifier: voiceIdentifier)
      return await withCheckedContinuation { continuation in
        turns.append(Turn(utterance: utterance) { continuation.resume(returning: $0) })
        if turns.count == 1 { begin() }
      }
    }

    /// Ends what is spoken and drops what waits.
    public func stop() {
      endAll(.interrupted)
      synthesizer.stopSpeaking(at: .immediate)
    }
  }

  // MARK: Turns

  extension SpeechAnnouncer {
    private func begin() {
      guard let turn = turns.first else { return letGo() }
      isStarted = false
      guard activate() else { return endAll(.notStarted) }
      let identity = ObjectIdentifier(turn.utterance)
      synthesizer.speak(turn.utterance)
      watch(identity, after: Self.startSeconds) { $0.isStarted ? nil : .notStarted }
      watch(identity, after: Self.longestSeconds) { _ in .timedOut }
    }

    // There is no error callback: a sentence that neither begins nor ends is found by the clock.
    private func watch(
      _ identity: ObjectIdentifier, after seconds: Double, judge: @escaping @MainActor (SpeechAnnouncer) -> Outcome?
    ) {
      let wait = wait
      Task { [weak self] in
        await wait(seconds)
        guard let self, let outcome = judge(self) else { return }
        if self.end(identity, outcome) { self.synthesizer.stopSpeaking(at: .immediate) }
      }
    }

    /// Ends the current turn if it is the one named; a late callback of an older one changes nothing.
    @discardableResult
    private func end(_ identity: ObjectIdentifier, _ outcome: Outcome) -> Bool {
      guard let turn = turns.first, ObjectIdentifier(turn.utterance) == identity else { return false }
      turns.removeFirst()
      turn.finish(outcome)
      begin()
      return true
    }

    private func endAll(_ outcome: Outcome) {
      let ended = turns
      turns = []
      for turn in ended { turn.finish(outcome) }
      letGo()
    }

    fileprivate func started(_ identity: ObjectIdentifier) {
      if let turn = turns.first, ObjectIdentifier(turn.utterance) == identity { isStarted = true }
    }

    fileprivate func finished(_ identity: ObjectIdentifier, _ outcome: Outcome) { end(identity, outcome) }
  }

  // MARK: Audio session

  extension SpeechAnnouncer {
    private func setCategory() {
      // .voicePrompt is the mode for short prompts (.spokenAudio would let others pause us); mixing lets music go on, ducked.
      do {
        try session.setCategory(
          .playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
      } catch {
        log.error("The audio session's category was refused: \(SpeechAnnouncer.name(error), privacy: .public)")
      }
    }

    private func activate() -> Bool {
      if isActive { return true }
      setCategory()
      do {
        try session.setActive(true)
        isActive = true
      } catch {
        log.error("The audio session was refused: \(SpeechAnnouncer.name(error), privacy: .public)")
      }
      return isActive
    }

    private func letGo() {
      guard isActive else { return }
      isActive = false
      do {
        try session.setActive(false, options: .notifyOthersOnDeactivation)
      } catch {
        log.error("The audio session was not let go of: \(SpeechAnnouncer.name(error), privacy: .public)")
      }
    }

    /// The name of an audio session's error code.
    ///
    /// Source: https://developer.apple.com/documentation/coreaudiotypes/avaudiosession/errorcode
    nonisolated static func name(_ error: any Error) -> String {
      switch (error as NSError).code {
      case 561_015_905: "cannotStartPlaying: not allowed from here, such as from the background or an extension"
      case 560_557_684: "cannotInterruptOthers: a session that does not mix cannot begin in the background"
      case 561_017_449: "insufficientPriority: a call or another session of higher priority is active"
      case 1_936_290_409: "siriIsRecording"
      case 560_030_580: "sessionNotActive"
      case -50: "badParam"
      case let code: "code \(code)"
      }
    }

    private func observeInterruptions() {
      let centre = NotificationCenter.default
      observers = [
        centre.addObserver(forName: AVAudioSession.interruptionNotification, object: nil, queue: nil) {
          [weak self] note in
          let type = (note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt)
            .flatMap(AVAudioSession.InterruptionType.init(rawValue:))
          guard type == .began else { return }
          Task { @MainActor in self?.interrupted() }
        },
        centre.addObserver(
          forName: AVAudioSession.mediaServicesWereResetNotification, object: nil, queue: nil
        ) { [weak self] _ in Task { @MainActor in self?.interrupted() } },
      ]
    }

    // A call has taken the session: iOS has deactivated it, and an amount said half is worse than one shown.
    private func interrupted() {
      isActive = false
      stop()
    }
  }

  extension SpeechAnnouncer: AVSpeechSynthesizerDelegate {
    // The thread of these is not documented, and an utterance may not cross: only its identity does.
    public nonisolated func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance)
    {
      let identity = ObjectIdentifier(utterance)
      Task { @MainActor in self.started(identity) }
    }

    public nonisolated func speechSynthesizer(
      _ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance
    ) {
      let identity = ObjectIdentifier(utterance)
      Task { @MainActor in self.finished(identity, .spoken) }
    }

    public nonisolated func speechSynthesizer(
      _ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance
    ) {
      let identity = ObjectIdentifier(utterance)
      Task { @MainActor in self.finished(identity, .interrupted) }
    }
  }

  /// Chooses a voice that speaks the locale, and no other language by accident.
  public enum VoiceChoice {
    /// The voice with `identifier` if it is installed and speaks the language; else the best one of the very locale; else `nil`.
    ///
    /// Mandarin and Cantonese are different languages: `zh-CN` never becomes `zh-HK`.
    public static func voice(for locale: String, identifier: String? = nil) -> AVSpeechSynthesisVoice? {
      let language = locale == "yue-HK" || locale == "yue" ? "zh-HK" : locale
      if let identifier, let chosen = AVSpeechSynthesisVoice(identifier: identifier), speaks(chosen, language) {
        return chosen
      }
      let best = AVSpeechSynthesisVoice.speechVoices().filter { speaks($0, language) }
        .max { $0.quality.rawValue < $1.quality.rawValue }
      return best ?? AVSpeechSynthesisVoice(language: language)
    }

    private static func speaks(_ voice: AVSpeechSynthesisVoice, _ language: String) -> Bool {
      if voice.language == language { return true }
      let base = language.prefix { $0 != "-" }
      guard base != "zh" else { return false }
      return voice.language.prefix { $0 != "-" } == base && !language.contains("-")
    }
  }
#endif

#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Announcing
  import Foundation
  import PushPayload
  import SpokenText
  import VoiceAudio

  /// The app in the foreground as the host of a handling: what is to be heard is spoken by the system's voice.
  ///
  /// It is the same planner over the same shared state as in the extension, so that nothing is said twice; only where the extension
  /// would join clips, the app speaks the sentence.
  final class AppSpeech: AnnouncementHost {
    private struct State {
      var delivery: Delivery?
      var waiting: [CheckedContinuation<Delivery?, Never>] = []
      var speech: Task<SpeechAnnouncer.Outcome, Never>?
      var locale: SpokenLocale?
    }

    let canSpeak = true
    private let speak: @Sendable (_ text: String, _ locale: String) async -> SpeechAnnouncer.Outcome
    private let state = Guarded(State())

    /// - Parameter speak: Speaks a text in a language and says how that ended.
    init(speak: @escaping @Sendable (_ text: String, _ locale: String) async -> SpeechAnnouncer.Outcome) {
      self.speak = speak
    }

    func voice(_ locale: SpokenLocale, _ phone: AnnouncementPhone) -> (any SentenceVoice)? { SystemVoice() }

    func render(
      _ utterance: Utterance, _ locale: SpokenLocale, _ name: String, _ phone: AnnouncementPhone
    ) -> Result<ReadySound, SoundFailure> {
      state.withLock { $0.locale = locale }
      return .success(ReadySound(fileName: name, seconds: SystemVoice.seconds(utterance)))
    }

    // The sentence that the server would have rendered is spoken here; the next way does it.
    func download(
      _ reference: SoundReference, _ name: String, _ phone: AnnouncementPhone
    ) async -> Result<ReadySound, SoundFailure> { .failure(SoundFailure(.downloadFailed)) }

    func deliver(_ delivery: Delivery) {
      let speak = speak
      let waiting = state.withLock { state in
        state.delivery = delivery
        if let (text, locale) = AppSpeech.sentence(delivery, state.locale) {
          state.speech = Task { await speak(text, locale) }
        }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume(returning: delivery) }
    }

    private static func sentence(_ delivery: Delivery, _ locale: SpokenLocale?) -> (text: String, locale: String)? {
      switch delivery.sound {
      case .speech(let text, let locale): (text, locale.tag)
      case .file: delivery.text.flatMap { text in locale.map { (text, $0.tag) } }
      case .original, .none: nil
      }
    }

    /// What was decided, or `nil` if the wait was given up.
    func decision() async -> Delivery? {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Delivery? in
          if state.delivery == nil { state.waiting.append(continuation) }
          return state.delivery
        }
        if let known { continuation.resume(returning: known) }
      }
    }

    /// Lets those who wait for a decision go.
    func giveUpWaiting() {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume(returning: nil) }
    }

    /// How the speaking ended; `nil` if nothing was to be spoken.
    func ending() async -> SpeechAnnouncer.Outcome? { await state.withLock { $0.speech }?.value }

    func outcome(_ receipts: [Receipt]) async -> [Receipt]? {
      guard let ending = await ending() else { return nil }
      return receipts.map { receipt in
        guard receipt.state == .played || receipt.state == .spoken || receipt.state == .merged else { return receipt }
        var receipt = receipt
        if receipt.route != nil { receipt.route = .speak }
        switch ending {
        case .spoken:
          if receipt.state == .played { receipt.state = .spoken }
          if receipt.code == .spoken { receipt.code = .spokenByApp }
        case .interrupted: (receipt.state, receipt.code) = (.silent, .speechInterrupted)
        case .notStarted: (receipt.state, receipt.code) = (.silent, .audioSessionRefused)
        case .timedOut: (receipt.state, receipt.code) = (.silent, .synthesizerSilent)
        }
        return receipt
      }
    }
  }

  /// The system's voice as the planner sees it: it can say any sentence, in about so many seconds.
  struct SystemVoice: SentenceVoice {
    func seconds(_ utterance: Utterance) throws(JoinError) -> Double { SystemVoice.seconds(utterance) }

    static func seconds(_ utterance: Utterance) -> Double {
      let count = utterance.segments.flatMap(\.words).reduce(0.0) { sum, word in
        // A character of a dense script is about a syllable; a letter is a third of one.
        sum + word.unicodeScalars.reduce(0.0) { $0 + ($1.value >= 0x2E80 ? 0.22 : 0.08) }
      }
      return max(1.5, count)
    }
  }
#endif

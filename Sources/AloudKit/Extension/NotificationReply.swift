#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Announcing
  import Foundation
  import SpokenText
  import UserNotifications
  import VoiceAudio

  /// The content handler of one notification and the content that it is called with.
  final class NotificationReply: AnnouncementHost {
    private struct Parts {
      let content: UNNotificationContent
      let handler: (UNNotificationContent) -> Void
    }

    // The lock hands the parts to one thread at a time, and to the first one that asks only: neither content nor handler is
    // Sendable in Apple's headers.
    private let parts: Guarded<Parts?>
    private let fallbackSound: String?
    private let isCritical: Bool
    private let rendersSentences: Bool
    let isExtension = true

    init(
      _ content: UNNotificationContent, fallbackSound: String?, isCritical: Bool, rendersSentences: Bool,
      handler: @escaping (UNNotificationContent) -> Void
    ) {
      parts = Guarded(Parts(content: content, handler: handler))
      (self.fallbackSound, self.isCritical, self.rendersSentences) = (fallbackSound, isCritical, rendersSentences)
    }

    func voice(_ locale: SpokenLocale, _ phone: AnnouncementPhone) -> (any SentenceVoice)? {
      let clips = phone.voices.voice(locale)
      return rendersSentences ? RenderedSentenceVoice(locale: locale, clips: clips) : clips
    }

    func render(
      _ utterance: Utterance, _ locale: SpokenLocale, _ name: String, _ phone: AnnouncementPhone
    ) -> Result<ReadySound, SoundFailure> {
      guard rendersSentences else { return phone.render(utterance, locale, name) }
      let voice = RenderedSentenceVoice(locale: locale, clips: phone.voices.voice(locale))
      do { return phone.keep(try voice.file(utterance, container: .caf, codec: .ima4), name) } catch {
        return .failure(SoundFailure(ReasonCode(error)))
      }
    }

    func deliver(_ delivery: Delivery) {
      let taken = parts.withLock { parts in
        defer { parts = nil }
        return parts
      }
      guard let taken else { return }
      guard let content = taken.content.mutableCopy() as? UNMutableNotificationContent else {
        return taken.handler(taken.content)
      }
      apply(delivery, to: content)
      taken.handler(content)
    }

    private func apply(_ delivery: Delivery, to content: UNMutableNotificationContent) {
      switch delivery.sound {
      case .file(let name): content.sound = sound(name)
      case .none, .speech: content.sound = nil
      case .original:
        // A payload that tells of an event and names no sound still must not fall silent.
        if content.sound == nil, delivery.code != .nothingToSay {
          content.sound = fallbackSound.map { UNNotificationSound(named: UNNotificationSoundName($0)) } ?? .default
        }
      }
      // Without any text iOS would ignore all changes; a delivery never has an empty one.
      if let title = delivery.title { content.title = title }
      if let body = delivery.body { content.body = body }
      content.userInfo[ShownNotification.codeKey] = delivery.code.rawValue
      if let text = delivery.text, !delivery.keys.isEmpty { content.userInfo[ShownNotification.saidKey] = text }
      if let turn = delivery.turn { content.userInfo[Delivery.turnKey] = turn }
    }

    // A critical alert stays one. Apple names the app's own folders for its sounds, the App Group's works in the field (Bark).
    private func sound(_ name: String) -> UNNotificationSound {
      let name = UNNotificationSoundName(name)
      return isCritical ? .criticalSoundNamed(name) : UNNotificationSound(named: name)
    }
  }
#endif

#if canImport(UserNotifications)
  import Announcing
  import ExactJSON
  import Foundation
  import PushPayload
  import UserNotifications
  import VoiceAudio

  /// The app in the background as the host of a handling: it may not begin to play, so what is to be heard goes out as a local
  /// notification with the joined sentence, or else with the fallback sound.
  ///
  /// https://developer.apple.com/forums/thread/803547
  final class LocalAnnouncement: AnnouncementHost {
    private let event: SpokenEvent
    private let title: String
    private let body: String
    private let fallbackSound: String?
    private let post: @Sendable (UNNotificationRequest) -> Void
    private let posted = Guarded(false)

    /// - Parameters:
    ///   - event: What happened.
    ///   - text: What the banner says, where the delivery brings no text of its own.
    ///   - fallbackSound: A file in the app bundle.
    ///   - post: Gives the request to the notification centre.
    init(
      _ event: SpokenEvent, text: (title: String, body: String), fallbackSound: String?,
      post: @escaping @Sendable (UNNotificationRequest) -> Void
    ) {
      (self.event, title, body) = (event, text.title, text.body)
      (self.fallbackSound, self.post) = (fallbackSound, post)
    }

    /// Whether something was posted.
    var hasPosted: Bool { posted.withLock { $0 } }

    func deliver(_ delivery: Delivery) {
      let fallback = fallbackSound.map { UNNotificationSound(named: UNNotificationSoundName($0)) } ?? .default
      switch delivery.sound {
      case .file(let name): post(delivery, UNNotificationSound(named: UNNotificationSoundName(name)))
      case .original, .speech: post(delivery, fallback)
      case .none: return
      }
    }

    private func post(_ delivery: Delivery, _ sound: UNNotificationSound) {
      let content = UNMutableNotificationContent()
      content.title = delivery.title ?? title
      content.body = delivery.body ?? (body.isEmpty ? delivery.text ?? "…" : body)
      content.sound = sound
      content.threadIdentifier = event.group ?? ""
      content.userInfo = LocalAnnouncement.userInfo(event, delivery)
      posted.withLock { $0 = true }
      post(UNNotificationRequest(identifier: LocalAnnouncement.prefix + event.id, content: content, trigger: nil))
    }

    /// What local notifications of ours are called, so that one event has one.
    static let prefix = "aloud-event-"

    // As text: a property list would make a binary number of the amount.
    private static func userInfo(_ event: SpokenEvent, _ delivery: Delivery) -> [AnyHashable: Any] {
      var userInfo: [AnyHashable: Any] = [
        "aloud": event.json.serialized(), ShownNotification.codeKey: delivery.code.rawValue,
      ]
      if let turn = delivery.turn { userInfo[Delivery.turnKey] = turn }
      return userInfo
    }
  }
#endif

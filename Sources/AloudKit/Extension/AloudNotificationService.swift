#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Foundation
  import PushPayload
  public import UserNotifications
  import VoiceAudio

  /// A notification service extension that speaks: name the configuration, and it is complete.
  ///
  /// ```swift
  /// import AloudKit
  ///
  /// nonisolated final class NotificationService: AloudNotificationService {
  ///   override var configuration: AloudConfiguration { .till }
  /// }
  /// ```
  ///
  /// `nonisolated` matters in targets whose default isolation is the main actor, as new projects of Xcode 26 have it: iOS calls
  /// an extension on a queue of its own.
  ///
  /// It never plays anything itself, which iOS forbids: it makes a sound file and names it as the notification's sound. All
  /// decisions are made by ``Announcing/AnnouncementSession``; the state that several instances and processes share lies in
  /// the App Group. Where that is missing, or sealed before the first unlock, the notification appears with its own sound.
  ///
  /// https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension
  open class AloudNotificationService: UNNotificationServiceExtension {
    /// What app and extension share.
    ///
    /// Override it. As it stands, the App Group is `group.` and the app's bundle identifier, and there is no server.
    open var configuration: AloudConfiguration {
      AloudConfiguration(appGroup: "group." + (Bundle.main.bundleIdentifier ?? "").droppingLastLabel)
    }

    /// An experiment, off unless it is overridden: whole sentences in the system's voice, rendered inside the extension.
    ///
    /// Clips are what it falls back to; ``RenderedSentenceVoice`` says what it may cost.
    open var rendersWholeSentences: Bool { false }

    /// The phone's parts in a test.
    package var phone: AnnouncementPhone?

    // An instance may be given several notifications at once: each has a run of its own, and the time is over for all.
    private let runs = Guarded<[ObjectIdentifier: AnnouncementRun]>([:])

    open override func didReceive(
      _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      let configuration = configuration
      let userInfo = UserInfo.json(from: request.content.userInfo)
      let reply = NotificationReply(
        request.content, fallbackSound: configuration.fallbackSound, isCritical: APSPart(userInfo).isCritical,
        rendersSentences: rendersWholeSentences, handler: contentHandler)
      let run = AnnouncementRun(requestID: request.identifier, userInfo: userInfo, host: reply)
      let identity = ObjectIdentifier(run)
      let (runs, phone) = (runs, phone)
      runs.withLock { $0[identity] = run }
      run.start(phone: { phone ?? AnnouncementPhone(configuration, process: .extension) }) {
        runs.withLock { $0[identity] = nil }
      }
    }

    open override func serviceExtensionTimeWillExpire() {
      for run in runs.withLock({ Array($0.values) }) { run.expire() }
    }
  }

  extension String {
    /// A bundle identifier without its last part: an extension's is the app's and one part more.
    fileprivate var droppingLastLabel: String {
      lastIndex(of: ".").map { String(self[..<$0]) } ?? self
    }
  }
#endif

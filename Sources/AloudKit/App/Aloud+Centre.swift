#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Announcing
  import ExactJSON
  import Foundation
  import PushPayload
  import SpokenText
  public import UserNotifications

  /// Notifications in the foreground, and a person's answers to them.
  ///
  /// The callbacks may come on any thread and their objects may not cross: plain values are read first.
  @available(iOSApplicationExtension, unavailable)
  extension Aloud: UNUserNotificationCenterDelegate {
    public nonisolated func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
      let request = notification.request
      let userInfo = UserInfo.json(from: request.content.userInfo)
      let (identifier, hasSound) = (request.identifier, request.content.sound != nil)
      Task { @MainActor in
        completionHandler(await present(identifier, userInfo, hasSound: hasSound))
      }
    }

    public nonisolated func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
      let request = response.notification.request
      let userInfo = UserInfo.json(from: request.content.userInfo)
      let (identifier, action) = (request.identifier, response.actionIdentifier)
      Task { @MainActor in
        let event = PayloadDecoder.decode(userInfo, requestID: identifier).event
        onResponse?(
          EventResponse(
            event: event, action: action == UNNotificationDefaultActionIdentifier ? nil : action,
            isDismissal: action == UNNotificationDismissActionIdentifier))
        completionHandler()
      }
    }

    /// How long the banner waits for the planner's word whether its own sound is wanted, in seconds.
    static var presentationSeconds: Double { 1 }

    /// What a notification that comes while the app is open shows and plays.
    ///
    /// What the extension has decided stands as it is: its sound is played by iOS and the app says nothing. What it has not
    /// handled the app plans and speaks itself, and then the notification's own sound is left out.
    private func present(
      _ identifier: String, _ userInfo: JSON, hasSound: Bool
    ) async -> UNNotificationPresentationOptions {
      let shows: UNNotificationPresentationOptions = [.banner, .list, .badge]
      let notification = ShownNotification(requestID: identifier, userInfo: userInfo, at: 0)
      guard notification.code == nil, notification.event != nil else {
        return hasSound ? shows.union(.sound) : shows
      }
      let host = speechHost()
      let run = AnnouncementRun(requestID: identifier, userInfo: userInfo, host: host)
      keep(run)
      let clock = phone.clock
      let watch = Task.detached {
        await clock.sleep(clock.now().upSeconds + Aloud.presentationSeconds)
        host.giveUpWaiting()
      }
      let decision = await host.decision()
      watch.cancel()
      return decision?.sound == .original ? shows.union(.sound) : shows
    }

    func speechHost() -> AppSpeech {
      AppSpeech { [announcer, options] text, locale in
        await announcer.speak(text, locale: locale, voiceIdentifier: options.voiceIdentifier)
      }
    }

    /// Starts a run and holds it until its end.
    func keep(_ run: AnnouncementRun) {
      let identity = ObjectIdentifier(run)
      runs[identity] = run
      let phone = phone
      run.start(phone: { phone }) { [weak self] in
        Task { @MainActor in
          self?.runs[identity] = nil
          self?.onChange?()
        }
      }
    }
  }
#endif

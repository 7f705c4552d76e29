#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  public import Announcing
  public import Foundation
  import PushPayload
  import UIKit
  public import UserNotifications

  /// The app's side: permission, registration, what is heard in the foreground, what was missed, and what background pushes bring.
  ///
  /// ```swift
  /// final class AppDelegate: NSObject, UIApplicationDelegate {
  ///   let aloud = Aloud.start(configuration: .till)
  ///
  ///   func application(_: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
  ///     aloud.didRegister(deviceToken: token)
  ///   }
  ///   func application(
  ///     _: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
  ///     fetchCompletionHandler completion: @escaping (UIBackgroundFetchResult) -> Void
  ///   ) { aloud.handleBackgroundPush(userInfo, completion: completion) }
  /// }
  /// ```
  ///
  /// Start it before the launch has finished: a notification that opened the app is handed over then
  /// (https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate). Keep it for the life of the app.
  @available(iOSApplicationExtension, unavailable)
  @MainActor
  public final class Aloud: NSObject {
    /// What can be chosen when the app starts.
    public struct Options: Sendable {
      /// Asks for permission at the start; `false` to ask later, with ``Aloud/requestPermission()``.
      public var asksForPermission = true
      /// What is asked for.
      ///
      /// Alerts must be among it: without them iOS does not run the extension.
      public var permissions: UNAuthorizationOptions = [.alert, .sound, .badge]
      /// The account that pushes for a user are sent to.
      public var user: String?
      /// The groups in which pushes for groups reach this phone.
      public var groups: [String] = []
      /// Where device tokens of this build are valid; `nil`: found out from the build.
      public var environment: PushEnvironment?
      /// Registers the phone by way of your own server, and answers the secret that Aloud's server gave.
      public var register: (@Sendable (DeviceRegistration) async throws -> String)?
      /// The system voice for sentences that the app speaks itself.
      public var voiceIdentifier: String?
      /// Tries to speak when a background push comes.
      ///
      /// iOS refuses it unless the app already plays (keep-alive mode of the talking
      /// clock); a local notification is posted then.
      public var speaksInBackground = false

      /// The defaults.
      public init() {}
    }

    /// What app and extension share.
    public let configuration: AloudConfiguration
    /// What was chosen at the start.
    public let options: Options
    /// The app's voice.
    public let announcer: SpeechAnnouncer
    /// Called when something was decided on an event, in the app or in the extension; look at ``received()`` again.
    public var onChange: (@MainActor () -> Void)?
    /// Called when a person has answered a notification.
    public var onResponse: (@MainActor (EventResponse) -> Void)?
    /// How the last registration ended; `nil` before the first.
    public internal(set) var registration: Result<Void, any Error>?

    let phone: AnnouncementPhone
    private var signal: DarwinSignal?
    private var observer: (any NSObjectProtocol)?
    var runs: [ObjectIdentifier: AnnouncementRun] = [:]
    var isCatchingUp = false
    var token: String?
    var isRegistering = false
    var wantsRegistration = false

    /// Starts Aloud in the app: becomes the notification centre's delegate, asks for permission, registers for pushes, sends
    /// receipts that were left, and says in one sentence what was missed.
    ///
    /// - Parameters:
    ///   - configuration: What app and extension share.
    ///   - options: What can be chosen.
    /// - Returns: The app's side; keep it.
    @discardableResult
    public static func start(configuration: AloudConfiguration, options: Options = Options()) -> Aloud {
      start(AnnouncementPhone(configuration, process: .app), options: options, announcer: SpeechAnnouncer())
    }

    package static func start(_ phone: AnnouncementPhone, options: Options, announcer: SpeechAnnouncer) -> Aloud {
      let aloud = Aloud(phone, options, announcer)
      aloud.begin()
      return aloud
    }

    private init(_ phone: AnnouncementPhone, _ options: Options, _ announcer: SpeechAnnouncer) {
      (configuration, self.phone, self.options, self.announcer) = (phone.configuration, phone, options, announcer)
    }

    private func begin() {
      UNUserNotificationCenter.current().delegate = self
      announcer.prewarm()
      signal = DarwinSignal(appGroup: configuration.appGroup) { [weak self] in
        Task { @MainActor in self?.extensionSignalled() }
      }
      observer = NotificationCenter.default.addObserver(
        forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
      ) { [weak self] _ in Task { @MainActor in await self?.catchUp() } }
      UIApplication.shared.registerForRemoteNotifications()
      Task {
        if options.asksForPermission { _ = await requestPermission() }
        await catchUp()
      }
    }

    private func extensionSignalled() {
      onChange?()
      let phone = phone
      Task.detached { await phone.tidy() }
    }

    /// Asks for permission; the system asks a person only once.
    ///
    /// - Returns: Whether alerts or sounds are allowed now.
    public func requestPermission() async -> Bool {
      (try? await UNUserNotificationCenter.current().requestAuthorization(options: options.permissions)) ?? false
    }

    // MARK: Settings

    /// The person's settings, which the extension reads for each notification.
    ///
    /// What cannot be written keeps its old value; use
    /// ``save(_:)`` to learn of that.
    public var settings: AnnouncementSettings {
      get { phone.settings }
      set { try? save(newValue) }
    }

    /// Writes the settings into the App Group, and registers again if that changes what the server must know.
    ///
    /// - Throws: `SharedStateError.noAppGroup`, or what the file system says.
    public func save(_ settings: AnnouncementSettings) throws {
      try SettingsFile(folder: phone.folder).save(settings)
      registerAgain()
    }

    /// Turns speaking for a group (`aps.thread-id`) or a kind of event on or off.
    public func setMuted(_ isMuted: Bool, group: String) {
      if isMuted { settings.mutedGroups.insert(group) } else { settings.mutedGroups.remove(group) }
    }

    /// Sets the hours in which nothing is spoken; `nil`: none.
    public func setQuietHours(_ hours: DayWindow?) { settings.quietHours = hours }

    // MARK: Events

    /// The events whose notifications are shown now, newest first, with what became of them.
    public func received() async -> [ReceivedEvent] {
      let shown = await phone.shown()
      let decided = decisions()
      return shown.compactMap { shown in
        guard let event = shown.event, let key = shown.key else { return nil }
        return ReceivedEvent(event: event, decision: decided[key] ?? shown.code, at: shown.at)
      }.sorted { ($0.at, $0.id) > ($1.at, $1.id) }
    }

    /// What was decided on an event; `nil` if nothing was on this phone.
    public func decision(on eventID: String) -> ReasonCode? { decisions()[eventID] }

    private func decisions() -> [String: ReasonCode] {
      let entries = (try? phone.hearing.update { $0.ledger.entries }) ?? []
      return Dictionary(entries.map { ($0.key, $0.code) }) { first, _ in first }
    }
  }
#endif

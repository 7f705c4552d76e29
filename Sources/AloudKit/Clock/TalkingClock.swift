#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  public import Announcing
  package import AVFAudio
  import Foundation
  import SpokenText
  import UIKit
  public import UserNotifications
  import VoiceAudio

  /// A clock that says the hour from the pocket: iOS itself plays a sound file at each time, so nothing of this app has to run.
  ///
  /// ```swift
  /// let clock = TalkingClock()
  /// clock.start()
  /// await clock.requestPermission()
  /// await clock.apply(settings)
  /// ```
  ///
  /// Each time is one repeating calendar notification with a rendered file of its own in the app's `Library/Sounds`. A repeating
  /// request counts once against the 64 that iOS keeps for an app, and its time is local, so that a flight or the change to
  /// summer time needs no work. Bringing the schedule up to date is idempotent: only what differs is replaced.
  ///
  /// Where the app stays awake by itself (``Announcing/ClockSettings/keepsAlive``), the risk in App Review is the app's.
  @available(iOSApplicationExtension, unavailable)
  @MainActor
  public final class TalkingClock {
    /// What the person chose.
    public private(set) var settings: ClockSettings
    /// What became of it the last time.
    public private(set) var report = ClockReport()
    /// Called after each change of the schedule.
    public var onReport: (@MainActor (ClockReport) -> Void)?

    private let world: ClockWorld
    private let center: UNUserNotificationCenter
    private var last: Task<ClockReport, Never>?
    private var observers: [any NSObjectProtocol] = []
    private let presenter = ClockPresenter()
    private let player = SoundPlayer()
    private let session: AVAudioSession
    private let events: NotificationCenter
    private lazy var keeper = ClockKeeper(clock: self, world: world, session: session, events: events)

    /// Makes the clock and reads its settings; keep it for the life of the app.
    ///
    /// - Parameter appGroup: The App Group in which voice packs may lie; `nil` if the app has none.
    public convenience init(appGroup: String? = nil) { self.init(world: .live(appGroup: appGroup), center: .current()) }

    /// Makes the clock in a world of its own, for tests.
    package init(
      world: ClockWorld, center: UNUserNotificationCenter, session: AVAudioSession = .sharedInstance(),
      events: NotificationCenter = .default
    ) {
      (self.world, self.center, self.session, self.events) = (world, center, session, events)
      settings = world.load()
    }

    /// Brings the schedule up to date now and whenever something changes on which it depends: time zone, language, the app
    /// itself or its voices.
    ///
    /// Where the app has set no delegate of the notification centre, the clock becomes it, so that the time is heard while the
    /// app is in front.
    public func start() {
      if center.delegate == nil { center.delegate = presenter }
      let names = [
        UIApplication.didBecomeActiveNotification, NSNotification.Name.NSSystemTimeZoneDidChange,
        NSLocale.currentLocaleDidChangeNotification,
      ]
      observers = names.map { name in
        events.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
          Task { @MainActor in _ = await self?.refresh() }
        }
      }
      Task { _ = await refresh() }
    }

    /// Asks the person for the right to show and sound notifications; iOS asks once, then answers from memory.
    @discardableResult
    public func requestPermission() async -> Bool {
      (try? await center.requestAuthorization(options: [.alert, .sound])) ?? false
    }

    /// Stores new settings and brings the schedule up to date.
    @discardableResult
    public func apply(_ settings: ClockSettings) async -> ClockReport {
      self.settings = settings
      do {
        try world.save(settings)
      } catch {
        // The schedule is still brought up to date; the report says that the choice will be forgotten.
        var report = await refresh()
        if report.code == nil {
          report.code = .fileNotWritten
          report.detail = "The settings could not be stored: \(error.localizedDescription)"
        }
        return publish(report)
      }
      return await refresh()
    }

    /// Brings the schedule up to date: called twice, it changes nothing the second time.
    @discardableResult
    public func refresh() async -> ClockReport {
      let before = last
      // One after the other: two at once would both count the same free places.
      let task = Task {
        _ = await before?.value
        return await self.bring()
      }
      last = task
      return await task.value
    }

    /// Which steps the active hours leave room for, beside the app's other notifications.
    public func possibleSteps() async -> [ClockSchedule.Step] {
      let pending = await center.pendingNotificationRequests()
      return settings.steps(otherRequests: pending.filter { !TalkingClock.isClock($0) }.count)
    }

    /// Whether a request is one of this clock.
    public static func isClock(_ request: UNNotificationRequest) -> Bool {
      request.identifier.hasPrefix(ClockSchedule.idPrefix)
    }

    /// Says a time in the running app, as the notification will.
    ///
    /// - Parameter minute: The minute of the day; `nil` for now.
    /// - Returns: Why it was not said, or `nil`.
    @discardableResult
    public func say(minute: Int? = nil) async -> ReasonCode? {
      guard let voice = voice() else { return .voicePackMissing }
      do {
        let request = try single(minute ?? world.now().minuteOfDay, voice)
        let bytes = try voice.joiner.file(request.utterance, container: .caf, codec: voice.joiner.pack.codec)
        return await keeper.playOnce(bytes, with: player) ? nil : .audioSessionRefused
      } catch let error as PhraseError {
        return error.code
      } catch let error as JoinError {
        return ReasonCode(error)
      } catch {
        return .renderFailed
      }
    }
  }

  // MARK: Bringing up to date

  @available(iOSApplicationExtension, unavailable)
  extension TalkingClock {
    private struct Voice {
      let locale: SpokenLocale
      let joiner: Joiner
      var id: String { joiner.pack.fingerprint }
    }

    private func voice() -> Voice? {
      let tags = (settings.locale.map { [$0] } ?? []) + world.languages()
      guard let locale = SpokenLocale.first(of: settings.locale == nil ? tags : Array(tags.prefix(1))),
        let pack = world.voices().pack(for: locale, id: settings.voiceID)
      else { return nil }
      return Voice(locale: locale, joiner: Joiner(pack: pack))
    }

    /// The request of one time, whether or not it lies in the active hours.
    private func single(_ minute: Int, _ voice: Voice) throws(PhraseError) -> ClockSchedule.Request {
      try ClockSchedule.request(minute: minute, style: settings.style, locale: voice.locale, voiceID: voice.id)
    }

    private func bring() async -> ClockReport {
      guard settings.isOn else { return publish(await clear()) }
      var report = ClockReport()
      guard let voice = voice() else {
        report.code = .voicePackMissing
        report.detail = "There is no voice pack for \(settings.locale ?? world.languages().first ?? "this language")."
        return publish(report)
      }
      (report.locale, report.voiceID) = (voice.locale.tag, voice.joiner.pack.id)
      do {
        let schedule = settings.schedule(locale: voice.locale, voiceID: voice.id)
        let requests = try schedule.requests()
        report.rendered = try await TalkingClock.render(requests, voice.joiner, into: world.sounds)
        switch settings.delivery {
        case .notifications: try await notify(schedule, &report)
        case .alarms: try await alarm(requests, &report)
        }
        sweep(needed: Set(requests.map(\.fileName)))
        keeper.turn(on: settings.keepsAlive && settings.delivery == .notifications, minutes: schedule.minutes)
      } catch let error as PhraseError {
        (report.code, report.detail) = (error.code, error.message)
      } catch let error as JoinError {
        (report.code, report.detail) = (ReasonCode(error), error.description)
      } catch {
        (report.code, report.detail) = (.fileNotWritten, error.localizedDescription)
      }
      return publish(report)
    }

    private func publish(_ report: ClockReport) -> ClockReport {
      self.report = report
      onReport?(report)
      return report
    }

    private func clear() async -> ClockReport {
      var report = ClockReport()
      keeper.turn(on: false, minutes: [])
      report.removed = await removeRequests() + ClockAlarms.removeAll()
      sweep(needed: [])
      return report
    }

    private func removeRequests() async -> Int {
      let ours = await center.pendingNotificationRequests().filter(TalkingClock.isClock).map(\.identifier)
      if !ours.isEmpty { center.removePendingNotificationRequests(withIdentifiers: ours) }
      return ours.count
    }

    /// Makes the files that are not there; nothing else is touched before all of them are.
    private nonisolated static func render(
      _ requests: [ClockSchedule.Request], _ joiner: Joiner, into folder: URL
    ) async throws -> Int {
      try AtomicFile.makeFolder(folder)
      var made = 0
      for request in requests {
        let target = folder.appendingPathComponent(request.fileName, isDirectory: false)
        guard !FileManager.default.fileExists(atPath: target.path) else { continue }
        let bytes = try joiner.file(request.utterance, container: .caf, codec: joiner.pack.codec)
        try AtomicFile.write(bytes, to: target)
        made += 1
      }
      return made
    }

    private func sweep(needed: Set<String>) {
      let removable = ClockSchedule.removableFiles(
        in: world.storedSounds(), needed: needed, nowUnixSeconds: world.now().unixSeconds)
      for name in removable { try? FileManager.default.removeItem(at: world.sounds.appendingPathComponent(name)) }
    }
  }

  // MARK: Notifications and alarms

  @available(iOSApplicationExtension, unavailable)
  extension TalkingClock {
    private func notify(_ schedule: ClockSchedule, _ report: inout ClockReport) async throws {
      report.removed += ClockAlarms.removeAll()
      let allowed = await center.notificationSettings()
      guard allowed.authorizationStatus != .denied, allowed.authorizationStatus != .notDetermined else {
        throw PhraseError(.notificationsOff, ReasonCode.notificationsOff.entry.advice.english)
      }
      let change = try schedule.change(pending: await pendingIDs())
      // Removed before anything is added: 48 old and 48 new ones together would be more than iOS keeps.
      if !change.removing.isEmpty { center.removePendingNotificationRequests(withIdentifiers: change.removing) }
      for request in change.adding { try await center.add(TalkingClock.notification(request)) }
      report.removed += change.removing.count
      report.added += change.adding.count
      // What iOS drops beyond its limit vanishes without an error, so it is counted.
      let kept = Set(await pendingIDs())
      report.timesADay = kept.filter { $0.hasPrefix(ClockSchedule.idPrefix) }.count
      guard change.adding.allSatisfy({ kept.contains($0.id) }) else {
        throw PhraseError(.pendingLimitReached, "iOS did not keep all times of the clock.")
      }
      if allowed.soundSetting == .disabled { report.code = .soundsOff }
    }

    private func alarm(_ requests: [ClockSchedule.Request], _ report: inout ClockReport) async throws {
      let change = try await ClockAlarms.bring(requests)
      report.removed += change.removed + (await removeRequests())
      (report.added, report.timesADay) = (change.added, requests.count)
    }

    private func pendingIDs() async -> [String] { await center.pendingNotificationRequests().map(\.identifier) }

    /// The repeating notification of one time; its components name no time zone, so that it follows the phone's.
    static func notification(_ request: ClockSchedule.Request) -> UNNotificationRequest {
      let content = UNMutableNotificationContent()
      content.title = request.title
      content.body = request.body
      content.sound = UNNotificationSound(named: UNNotificationSoundName(request.fileName))
      content.threadIdentifier = "aloud-clock"
      var time = DateComponents()
      (time.hour, time.minute) = (request.hour, request.minute)
      return UNNotificationRequest(
        identifier: request.id, content: content,
        trigger: UNCalendarNotificationTrigger(dateMatching: time, repeats: true))
    }

    /// For the app that stays awake: takes the notification of a time out of iOS's hands while the app speaks it itself.
    func hold(minute: Int) async {
      let prefix = ClockSchedule.idPrefix + DayWindow.text(minute)
      let held = await pendingIDs().filter { $0.hasPrefix(prefix) }
      if !held.isEmpty { center.removePendingNotificationRequests(withIdentifiers: held) }
    }

    /// The sound file of a time, or `nil` if it cannot be read.
    func sound(minute: Int) -> [UInt8]? {
      guard let voice = voice(), let request = try? single(minute, voice),
        let data = try? Data(contentsOf: world.sounds.appendingPathComponent(request.fileName))
      else { return nil }
      return Array(data)
    }
  }

  /// Lets the time be seen and heard while the app is in front.
  private final class ClockPresenter: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([.banner, .list, .sound]) }
  }
#endif

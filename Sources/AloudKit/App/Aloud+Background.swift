#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Announcing
  import ExactJSON
  import Foundation
  import PushPayload
  import SpokenText
  public import UIKit
  import UserNotifications

  /// What background pushes bring, and what was missed.
  @available(iOSApplicationExtension, unavailable)
  extension Aloud {
    /// How long a background push is worked on, in seconds; the system gives 30 and counts how much of it apps use.
    public static var backgroundSeconds: Double { 25 }

    /// Handles a background push: speaks or posts what it tells of, or else looks for what was missed.
    ///
    /// The completion is called exactly once on the main thread, at the latest after ``backgroundSeconds`` or when the system wants
    /// its time back. Call it from `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    public func handleBackgroundPush(
      _ userInfo: [AnyHashable: Any], completion: @escaping (UIBackgroundFetchResult) -> Void
    ) {
      let json = UserInfo.json(from: userInfo)
      Task {
        completion(await backgroundPush(json))
      }
    }

    /// Takes the events of the receipts' background transfer, also of the extension's.
    ///
    /// Call it from `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// - Returns: `false` if the session is none of Aloud's; then the completion is yours to call.
    public func handleBackgroundTransfer(_ identifier: String, completion: @escaping () -> Void) -> Bool {
      let ours = [PhoneProcess.app, .extension].map { BackgroundCarrier.identifier(configuration.appGroup, $0) }
      guard ours.contains(identifier) else { return false }
      let once = MainActorOnce(completion)
      AnnouncementPhone.carrier(configuration, identifier).takeEvents {
        Task { @MainActor in once.call() }
      }
      return true
    }

    private func backgroundPush(_ json: JSON) async -> UIBackgroundFetchResult {
      let event = PayloadDecoder.decode(json, requestID: "").event
      let race = BackgroundRace()
      let clock = phone.clock
      let watch = Task.detached {
        await clock.sleep(clock.now().upSeconds + Aloud.backgroundSeconds)
        await race.end(.noData)
      }
      defer { watch.cancel() }
      return await BackgroundWindow.run("aloud.push", expired: { race.end(.noData) }) {
        await withCheckedContinuation { continuation in
          race.begin(continuation)
          Task {
            let hasNews = event == nil ? await catchUp(race) : await announce(json, race)
            race.end(hasNews ? .newData : .noData)
          }
        }
      }
    }

    /// Plans what a payload tells of; in the foreground it is spoken, else posted.
    private func announce(_ json: JSON, _ race: BackgroundRace? = nil) async -> Bool {
      guard let event = PayloadDecoder.decode(json, requestID: "").event else { return false }
      if UIApplication.shared.applicationState == .active || options.speaksInBackground {
        let host = speechHost()
        await finish(AnnouncementRun(requestID: event.id, userInfo: json, host: host), race)
        if let ending = await host.ending(), ending == .notStarted { await post(event, host) }
        return true
      }
      let host = localHost(event)
      await finish(AnnouncementRun(requestID: event.id, userInfo: json, host: host), race)
      return host.hasPosted
    }

    private func finish(_ run: AnnouncementRun, _ race: BackgroundRace?) async {
      race?.onEnd { run.expire() }
      await run.run(phone)
      onChange?()
    }

    /// The way that is left when the system did not let the app speak: a local notification with the fallback sound.
    private func post(_ event: SpokenEvent, _ host: AppSpeech) async {
      guard let delivery = await host.decision() else { return }
      var shown = delivery
      (shown.sound, shown.code) = (.original, .audioSessionRefused)
      localHost(event).deliver(shown)
    }

    private func localHost(_ event: SpokenEvent) -> LocalAnnouncement {
      let settings = phone.settings
      let book = try? PhraseBook(tag: settings.locale ?? event.locale ?? configuration.locale)
      let phrase = book.flatMap { try? $0.phrase(for: event, options: PhraseOptions(privacy: settings.privacy)) }
      return LocalAnnouncement(
        event, text: (phrase?.title ?? "", phrase?.body ?? ""), fallbackSound: configuration.fallbackSound
      ) { request in UNUserNotificationCenter.current().add(request) }
    }

    // MARK: What was missed

    /// Asks the server what this phone has not heard, and says it in one sentence together with what earlier handlings could not
    /// say.
    ///
    /// Called when the app becomes active and for background pushes that tell of no event.
    ///
    /// - Returns: Whether there was anything.
    @discardableResult
    public func catchUp() async -> Bool { await catchUp(nil) }

    private func catchUp(_ race: BackgroundRace?) async -> Bool {
      guard !isCatchingUp else { return false }
      isCatchingUp = true
      defer { isCatchingUp = false }
      await phone.tidy()
      guard phone.settings.summarisesMissed else { return false }
      var missed: [SpokenEvent] = []
      if let record = phone.folder.flatMap(DeviceRecord.init) {
        missed = await phone.server.pending(record, seconds: 8) ?? []
      }
      guard let event = Aloud.summary(of: missed, phone) else { return false }
      return await announce(["aloud": event.json], race)
    }

    /// One event that carries all that nobody has said yet.
    ///
    /// A payment carries it, if there is one; it is told late rather than never, as the sum is. Other events keep their end.
    private static func summary(of missed: [SpokenEvent], _ phone: AnnouncementPhone) -> SpokenEvent? {
      let state = try? phone.hearing.update { $0 }
      guard let state else { return nil }
      let kept = state.pool.filter { $0.owner == nil && $0.turn == nil && $0.isSummable }.map { SpokenEvent($0.entry) }
      var seen = Set(state.pool.filter { $0.owner != nil || $0.turn != nil }.map(\.key))
      var open = (missed + kept).filter { state.ledger[$0.id] == nil && seen.insert($0.id).inserted }
      guard let place = open.lastIndex(where: { $0.knownKind?.isPayment == true }) ?? open.indices.last else {
        return nil
      }
      var event = open.remove(at: place)
      if event.knownKind?.isPayment == true { event.until = nil }
      event.pending = open.map { PendingEntry($0) }
      event.pendingCount = nil
      return event
    }
  }

  extension SpokenEvent {
    /// An event of which only what a summary needs is known.
    fileprivate init(_ entry: PendingEntry) {
      self.init(id: entry.id, kind: entry.kind)
      (amount, currency, at) = (entry.amount, entry.currency, entry.at)
    }
  }

  /// One answer to the system, whoever is first: the work, the clock or the system itself.
  @MainActor
  private final class BackgroundRace {
    private var continuation: CheckedContinuation<UIBackgroundFetchResult, Never>?
    private var result: UIBackgroundFetchResult?
    private var actions: [@MainActor () -> Void] = []

    func begin(_ continuation: CheckedContinuation<UIBackgroundFetchResult, Never>) {
      if let result { return continuation.resume(returning: result) }
      self.continuation = continuation
    }

    /// Does something at the end, or now if that is over.
    func onEnd(_ action: @escaping @MainActor () -> Void) {
      if result == nil { actions.append(action) } else { action() }
    }

    func end(_ result: UIBackgroundFetchResult) {
      guard self.result == nil else { return }
      self.result = result
      // What has not been handed over is handed over now; a run that is over does nothing.
      for action in actions { action() }
      actions = []
      continuation?.resume(returning: result)
      continuation = nil
    }
  }

  /// A completion that is called at most once, on the main actor.
  @MainActor
  private final class MainActorOnce {
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) { self.body = body }

    func call() {
      body?()
      body = nil
    }
  }
#endif

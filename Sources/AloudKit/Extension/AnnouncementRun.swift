#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Announcing
  import ExactJSON
  import Foundation
  import PushPayload
  import SpokenText
  import VoiceAudio

  /// What is done with the result of a handling: the extension's way or the app's.
  protocol AnnouncementHost: Sendable {
    /// Whether this is the service extension, whose last run the self-test shows.
    var isExtension: Bool { get }
    /// Whether the running app may speak.
    var canSpeak: Bool { get }
    /// The voices that it says sentences with.
    func voice(_ locale: SpokenLocale, _ phone: AnnouncementPhone) -> (any SentenceVoice)?
    /// Joins a sentence and keeps it under `name`.
    func render(
      _ utterance: Utterance, _ locale: SpokenLocale, _ name: String, _ phone: AnnouncementPhone
    ) -> Result<ReadySound, SoundFailure>
    /// Fetches a sound and keeps it under `name`.
    func download(
      _ reference: SoundReference, _ name: String, _ phone: AnnouncementPhone
    ) async -> Result<ReadySound, SoundFailure>
    /// Hands the result over. Called exactly once.
    func deliver(_ delivery: Delivery)
    /// The receipts as they turned out, once what was delivered is over; `nil` if it was as the session says.
    func outcome(_ receipts: [Receipt]) async -> [Receipt]?
  }

  extension AnnouncementHost {
    var isExtension: Bool { false }
    var canSpeak: Bool { false }
    func voice(_ locale: SpokenLocale, _ phone: AnnouncementPhone) -> (any SentenceVoice)? {
      phone.voices.voice(locale)
    }
    func render(
      _ utterance: Utterance, _ locale: SpokenLocale, _ name: String, _ phone: AnnouncementPhone
    ) -> Result<ReadySound, SoundFailure> { phone.render(utterance, locale, name) }
    func download(
      _ reference: SoundReference, _ name: String, _ phone: AnnouncementPhone
    ) async -> Result<ReadySound, SoundFailure> { await phone.download(reference, name) }
    func outcome(_ receipts: [Receipt]) async -> [Receipt]? { nil }
  }

  /// Drives one ``Announcing/AnnouncementSession``: does what it asks for, step by step, and takes the system's word that the time
  /// is over on whatever thread it comes.
  ///
  /// The session is a value under a lock that is held for computing only. A step on the shared file works on a copy; if the time
  /// ran out meanwhile, the copy and its result are dropped. So nothing that `expire()` does waits for a file or the network,
  /// and the host is asked to deliver exactly once.
  final class AnnouncementRun: Sendable {
    private struct State {
      var session: AnnouncementSession?
      var phone: AnnouncementPhone?
      var version = 0
      var isOver = false
      var once = OnceOnly()
      var task: Task<Void, Never>?
      var startedUpSeconds = 0.0
    }

    private let requestID: String
    private let userInfo: JSON
    private let host: any AnnouncementHost
    private let owner = UUID().uuidString
    private let state = Guarded(State())

    init(requestID: String, userInfo: JSON, host: any AnnouncementHost) {
      (self.requestID, self.userInfo, self.host) = (requestID, userInfo, host)
    }

    /// Begins; returns at once.
    ///
    /// - Parameters:
    ///   - phone: Makes the phone's parts; called off this thread.
    ///   - ended: Called when all is done.
    func start(phone: @escaping @Sendable () -> AnnouncementPhone, ended: @escaping @Sendable () -> Void = {}) {
      let task = Task.detached {
        await self.run(phone())
        ended()
      }
      state.withLock { $0.task = task }
    }

    /// Begins and waits for the end.
    func run(_ phone: AnnouncementPhone) async {
      guard var action = begin(phone) else { return }
      while action != .finish { action = await perform(action, phone) }
      await phone.tidy()
    }

    /// The time is over: delivers the best that there is, at once, on this thread.
    func expire() {
      let (action, phone, isEarly) = state.withLock { state -> (SessionAction, AnnouncementPhone?, Bool) in
        // What is handed over, or about to be, goes its way to the end: the steps after it must still be written down.
        if state.session?.isDelivered == true { return (.finish, nil, false) }
        state.version += 1
        state.isOver = true
        state.task?.cancel()
        guard let phone = state.phone, state.session != nil else { return (.finish, nil, state.once.take()) }
        return (state.session?.expire(at: phone.clock.now()) ?? .finish, phone, false)
      }
      if isEarly { host.deliver(Delivery(sound: .original, code: .timeTakenBack, route: .chime)) }
      guard var next = Optional(action), let phone else { return }
      while let following = performNow(next, phone) { next = following }
    }

    private func begin(_ phone: AnnouncementPhone) -> SessionAction? {
      let host = host
      let environment = SessionEnvironment(
        settings: phone.settings, phoneLocale: phone.configuration.locale, voice: { host.voice($0, phone) },
        hasNetwork: nil, canSpeak: host.canSpeak)
      var session = AnnouncementSession(
        payload: PayloadDecoder.decode(userInfo, requestID: requestID), requestID: requestID, owner: owner,
        environment: environment)
      let time = phone.clock.now()
      let action = session.begin(at: time)
      return state.withLock { state in
        guard !state.isOver else { return nil }
        (state.session, state.phone, state.startedUpSeconds) = (session, phone, time.upSeconds)
        return action
      }
    }

    // MARK: Steps

    private func perform(_ action: SessionAction, _ phone: AnnouncementPhone) async -> SessionAction {
      switch action {
      case .sleep(let until):
        await phone.clock.sleep(until)
        return change { $0.woke(at: phone.clock.now()) }
      case .fetchPending(let seconds):
        let entries = await pending(phone, seconds)
        return change { $0.fetched(entries, at: phone.clock.now()) }
      case .download(let reference, let name, _):
        let result = await host.download(reference, name, phone)
        return change { $0.downloaded(result, at: phone.clock.now()) }
      case .render(let utterance, let locale, let name):
        let result = host.render(utterance, locale, name, phone)
        return change { $0.rendered(result, at: phone.clock.now()) }
      case .prove(let turn):
        let evidence = await evidence(turn, phone)
        return change { $0.proved(evidence, at: phone.clock.now()) }
      case .report(let receipts):
        let final = await host.outcome(receipts)
        return report(final ?? receipts, phone)
      case .update:
        do { return try update(phone) } catch .damaged { await recover(phone) } catch { return failed(error, phone) }
        do { return try update(phone) } catch { return failed(error, phone) }
      case .deliver, .finish: return performNow(action, phone) ?? .finish
      }
    }

    /// Does what needs no waiting; `nil` at the end, or where waiting would be needed.
    private func performNow(_ action: SessionAction, _ phone: AnnouncementPhone) -> SessionAction? {
      switch action {
      case .update: do { return try update(phone) } catch { return failed(error, phone) }
      case .deliver(let delivery): return deliver(delivery, phone)
      case .report(let receipts): return report(receipts, phone)
      default: return nil
      }
    }

    private func change(_ body: (inout AnnouncementSession) -> SessionAction) -> SessionAction {
      state.withLock { state in
        guard var session = state.session else { return .finish }
        defer { state.session = session }
        return body(&session)
      }
    }

    private func update(_ phone: AnnouncementPhone) throws(SharedStateError) -> SessionAction {
      let (copy, version) = state.withLock { ($0.session, $0.version) }
      guard let copy else { return .finish }
      return try phone.hearing.update { hearing in
        // Under the file's lock: what has expired must not take a turn any more.
        guard self.state.withLock({ $0.version == version }) else { return .finish }
        var session = copy
        let action = session.update(&hearing, at: phone.clock.now())
        return self.state.withLock { state in
          guard state.version == version else { return .finish }
          state.session = session
          return action
        }
      }
    }

    private func failed(_ error: SharedStateError, _ phone: AnnouncementPhone) -> SessionAction {
      change { $0.sharedStateFailed(error, at: phone.clock.now()) }
    }

    private func deliver(_ delivery: Delivery, _ phone: AnnouncementPhone) -> SessionAction {
      let (isFirst, receipts, event, started) = state.withLock { state in
        (state.once.take(), state.session?.receiptsSoFar ?? [], state.session?.event, state.startedUpSeconds)
      }
      guard isFirst else { return .finish }
      let time = phone.clock.now()
      phone.outbox?.draft(receipts, requestID: requestID, name: owner)
      if let folder = phone.folder, host.isExtension {
        ExtensionRecord(
          at: Int(time.unixSeconds), eventID: event?.id, reason: delivery.code, version: AppVersion.text,
          seconds: time.upSeconds - started
        ).save(in: folder)
      }
      host.deliver(delivery)
      return change { $0.delivered(at: phone.clock.now()) }
    }

    private func report(_ receipts: [Receipt], _ phone: AnnouncementPhone) -> SessionAction {
      phone.outbox?.post(receipts, name: owner)
      DarwinSignal.post(appGroup: phone.configuration.appGroup)
      return change { $0.reported() }
    }

    // MARK: Questions to the phone

    private func pending(_ phone: AnnouncementPhone, _ seconds: Double) async -> [PendingEntry]? {
      guard let record = phone.folder.flatMap(DeviceRecord.init) else { return nil }
      return await phone.server.pending(record, seconds: seconds)?.map { PendingEntry($0) }
    }

    /// Whether a turn was handed over, as far as the notification centre shows.
    private func evidence(_ turn: Turn, _ phone: AnnouncementPhone) async -> HearingState.Evidence {
      // A notification that is not there may have been swept away by its reader after it was heard.
      guard let shown = await phone.shown().first(where: { $0.key == turn.ownKey }) else { return .unknown }
      return shown.turn == turn.number ? .handed : .notHanded
    }

    /// Begins a new shared state with what the shown notifications say was decided.
    private func recover(_ phone: AnnouncementPhone) async {
      let decided = await phone.shown().compactMap { shown in
        shown.key.flatMap { key in shown.code.map { Ledger.Entry(key: key, code: $0) } }
      }
      // If it fails, the next step fails in the same way and says so.
      try? phone.hearing.beginAnew(decided)
    }
  }

  /// The version of the running bundle, for records and the server.
  enum AppVersion {
    static var text: String {
      let facts = Bundle.main.infoDictionary ?? [:]
      let version = facts["CFBundleShortVersionString"] as? String ?? "0"
      return (facts["CFBundleVersion"] as? String).map { "\(version) (\($0))" } ?? version
    }
  }
#endif

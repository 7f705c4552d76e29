public import PushPayload
import SpokenText
import VoiceAudio

/// One handling of one notification, from its arrival to the call of the content handler and the receipt.
///
/// It is a value that decides; the caller acts. Begin with ``begin(at:)`` and do what each answer asks for; the answers
/// end with ``SessionAction/finish``. A call that comes when nothing of its kind was asked for (because the time ran out
/// meanwhile) changes nothing and answers `.finish`. Several sessions of one phone know of each other only through the
/// shared ``HearingState``, so they may run in one process or in several, and each may be killed after any step.
///
/// ```swift
/// var action = session.begin(at: now())
/// while action != .finish {
///   switch action {
///   case .update: action = try shared.update { session.update(&$0, at: now()) }
///   case .deliver(let delivery): handler(content(delivery)); action = session.delivered(at: now())
///   …
///   }
/// }
/// ```
public struct AnnouncementSession: Sendable {
  /// What is being done, which decides what may be answered next.
  enum Phase: Hashable, Sendable {
    case new, fetchingPending, fetchingSound, sleeping, rendering, delivering, reporting, finished
    case recording(Verdict), admitting, asking, proving(Turn), proved(Int, HearingState.Evidence), abandoning
    case committing, confirming, releasing
  }

  let payload: DecodedPayload
  let requestID: String
  let owner: String
  let environment: SessionEnvironment
  var phase = Phase.new
  var startedUpSeconds = 0.0
  var key = ""
  var missed: [PendingEntry] = []
  var isLate = false
  var canMerge = true
  var unsayable: Set<String> = []
  var book: PhraseBook?
  var plan: SoundPlan?
  var step = SoundPlan.Step.use(.chime(.nothingToSay))
  var source = SoundSource.chime(.nothingToSay)
  var turn: Turn?
  var items: [PooledEvent] = []
  var spoken: Phrase?
  var prepared: Delivery?
  var receipts: [Receipt] = []
  var seenBusyUntilUpSeconds = 0.0
  var mustRelease = false

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - payload: What was decoded from the notification.
  ///   - requestID: The notification request's identifier.
  ///   - owner: A name that no other handling has, for example a UUID.
  ///   - environment: What is known of the phone.
  public init(payload: DecodedPayload, requestID: String, owner: String, environment: SessionEnvironment) {
    (self.payload, self.requestID, self.owner, self.environment) = (payload, requestID, owner, environment)
  }

  /// The event, if the payload has one.
  public var event: SpokenEvent? { payload.event }
  /// Whether the content handler has been asked for.
  public var isDelivered: Bool {
    switch phase {
    case .delivering, .confirming, .releasing, .reporting, .finished: true
    default: false
    }
  }

  /// The receipts so far: known as soon as the delivery is, so that a process that is ended right after the content handler
  /// can have stored them before.
  public var receiptsSoFar: [Receipt] { receipts }

  // MARK: Steps

  /// The first step.
  public mutating func begin(at time: PhoneTime) -> SessionAction {
    guard phase == .new else { return .finish }
    startedUpSeconds = time.upSeconds
    guard let event else {
      return deliver(Delivery(sound: .original, code: .nothingToSay, route: .chime))
    }
    key = event.ledgerKey(requestID: requestID)
    missed = environment.settings.summarisesMissed ? event.pending : []
    let verdict = Verdict(event, settings: environment.settings, at: time)
    guard verdict == .speak else { return act(.recording(verdict)) }
    isLate = Verdict.isLate(event, at: time)
    let held = event.pendingCount ?? 0
    let mayHaveMissed = environment.settings.summarisesMissed && (!missed.isEmpty || held > 0)
    if isLate, !mayHaveMissed { return act(.recording(.silent(.late))) }
    prepare(event)
    if environment.settings.summarisesMissed, held > missed.count, environment.hasNetwork != false {
      phase = .fetchingPending
      return .fetchPending(timeoutSeconds: 4)
    }
    return act(.admitting)
  }

  /// The server's list of missed events came, or `nil` if it could not be had.
  public mutating func fetched(_ entries: [PendingEntry]?, at time: PhoneTime) -> SessionAction {
    guard phase == .fetchingPending else { return .finish }
    if let entries { missed = entries }
    return act(.admitting)
  }

  /// The wait is over.
  public mutating func woke(at time: PhoneTime) -> SessionAction {
    guard phase == .sleeping else { return .finish }
    return act(.asking)
  }

  /// The sound was fetched, or not.
  public mutating func downloaded(_ result: Result<ReadySound, SoundFailure>, at time: PhoneTime) -> SessionAction {
    guard phase == .fetchingSound else { return .finish }
    switch result {
    case .success(let sound): source = .fetched(sound)
    case .failure(let failure):
      plan?.failed(failure.code)
      return takeNextWay()
    }
    return act(.asking)
  }

  /// The sentence was joined, or not.
  public mutating func rendered(_ result: Result<ReadySound, SoundFailure>, at time: PhoneTime) -> SessionAction {
    guard phase == .rendering, let turn else { return .finish }
    switch result {
    case .success(let sound):
      prepared = delivery(.file(sound.fileName), seconds: sound.seconds, turn: turn)
      return act(.committing)
    case .failure(let failure):
      plan?.failed(failure.code)
      if items.count > 1 {
        canMerge = false
        return act(.asking)
      }
      return act(.abandoning)
    }
  }

  /// Whether a turn whose speaker may be dead was handed over.
  public mutating func proved(_ evidence: HearingState.Evidence, at time: PhoneTime) -> SessionAction {
    guard case .proving(let turn) = phase else { return .finish }
    return act(.proved(turn.number, evidence))
  }

  /// The content handler was called.
  public mutating func delivered(at time: PhoneTime) -> SessionAction {
    guard phase == .delivering else { return .finish }
    if turn?.phase == .handing { return act(.confirming) }
    return mustRelease ? act(.releasing) : report()
  }

  /// The receipts were sent, or at least stored so that they will be.
  public mutating func reported() -> SessionAction {
    guard phase == .reporting else { return .finish }
    phase = .finished
    return .finish
  }

  /// iOS takes the time back: answers with the best that there is, or `.finish` if the handler was already asked for.
  ///
  /// The event was not said, so it goes into the next sum.
  public mutating func expire(at time: PhoneTime) -> SessionAction {
    guard !isDelivered else { return .finish }
    mustRelease = !key.isEmpty
    let isBusy = seenBusyUntilUpSeconds > time.upSeconds
    return deliver(Delivery(sound: isBusy ? .none : .original, code: .timeTakenBack, route: .chime), at: time)
  }

  /// The shared state could not be had: nothing can be spoken, since nobody knows what was.
  public mutating func sharedStateFailed(_ error: SharedStateError, at time: PhoneTime) -> SessionAction {
    guard isDelivered else { return deliver(Delivery(sound: .original, code: error.code, route: .chime), at: time) }
    return phase == .finished ? .finish : report()
  }

  // MARK: Helpers of all steps

  mutating func act(_ next: Phase) -> SessionAction {
    phase = next
    return .update
  }

  mutating func deliver(_ delivery: Delivery, at time: PhoneTime? = nil) -> SessionAction {
    if let event, let time {
      let state = Receipt.State(delivery)
      receipts.append(
        Receipt(
          eventID: event.id, state: state, code: delivery.code, at: Int(time.unixSeconds.rounded(.down)),
          route: delivery.keys.isEmpty ? nil : delivery.route))
    }
    phase = .delivering
    return .deliver(delivery)
  }

  mutating func report() -> SessionAction {
    guard !receipts.isEmpty else {
      phase = .finished
      return .finish
    }
    phase = .reporting
    return .report(receipts)
  }

  /// Finds the language, the sentence and the first way to say it.
  private mutating func prepare(_ event: SpokenEvent) {
    let settings = environment.settings
    do {
      let book = try PhraseBook(tag: settings.locale ?? event.locale ?? environment.phoneLocale)
      self.book = book
      var options = PhraseOptions(privacy: settings.privacy, saysSender: settings.saysSender)
      let phrase = try book.phrase(for: event, options: options)
      options.isPlain = true
      let plain = try? book.phrase(for: event, options: options)
      plan = SoundPlan(
        event: event, phrase: phrase, plain: plain == phrase ? nil : plain, locale: book.locale,
        isPrivate: settings.privacy, canSpeak: environment.canSpeak)
      spoken = phrase
    } catch {
      step = .use(.chime(error.code))
      canMerge = false
      return
    }
    chooseStep()
    if let locale = book?.locale, environment.voice(locale) == nil { canMerge = false }
  }

  private mutating func chooseStep() {
    let environment = environment
    step = plan?.next(voice: environment.voice, hasNetwork: environment.hasNetwork) ?? .use(.chime(.noRouteLeft))
  }

  /// Follows the step that was chosen: a source that is ready, or a download.
  mutating func followStep() -> SessionAction? {
    switch step {
    case .use(let source):
      self.source = source
      return nil
    case .fetch(let reference):
      phase = .fetchingSound
      let name = SoundFileName.make(
        eventKey: key, text: reference.url, nonce: owner, suffix: SoundFileName.suffix(of: reference.url) ?? "caf")
      return .download(reference, fileName: name, timeoutSeconds: 10)
    }
  }

  mutating func takeNextWay() -> SessionAction {
    chooseStep()
    return followStep() ?? act(.asking)
  }
}

extension Receipt.State {
  /// The state of the own event.
  init(_ delivery: Delivery) {
    switch (delivery.sound, delivery.code) {
    case (_, .duplicate): self = .duplicate
    case (_, .late): self = .expired
    case (_, .keptForNextSum), (_, .timeTakenBack): self = .kept
    case (_, .mergedIntoSum) where delivery.keys.isEmpty: self = .merged
    case (_, .mergedIntoSummary) where delivery.keys.isEmpty: self = .merged
    case (.speech, _): self = .spoken
    case (.file, _): self = .played
    case (.original, .spokenFromBundle): self = .played
    case (.original, _): self = .chimed
    case (.none, _): self = .silent
    }
  }
}

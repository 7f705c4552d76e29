import PushPayload
import SpokenText
import VoiceAudio

extension AnnouncementSession {
  /// The step that reads and changes the shared state.
  ///
  /// Call it under the state's lock; it only computes.
  public mutating func update(_ state: inout HearingState, at time: PhoneTime) -> SessionAction {
    switch phase {
    case .recording(let verdict): return record(verdict, &state, at: time)
    case .admitting: return admit(&state, at: time)
    case .proved(let number, let evidence):
      state.prove(turn: number, evidence)
      return ask(&state, at: time)
    case .asking: return ask(&state, at: time)
    case .abandoning:
      if let turn { state.abandon(turn: turn.number, owner: owner) }
      turn = nil
      return takeNextWay()
    case .committing: return commit(&state, at: time)
    case .confirming:
      if let turn { state.confirm(turn: turn.number) }
      return report()
    case .releasing:
      if let turn { state.abandon(turn: turn.number, owner: owner) }
      state.release(key, owner: owner)
      return report()
    default: return .finish
    }
  }

  /// Records what the settings decided.
  ///
  /// A sound that cuts into a sentence is left out.
  private mutating func record(_ verdict: Verdict, _ state: inout HearingState, at time: PhoneTime) -> SessionAction {
    if state.ledger[key] != nil || state.isInHand(key, by: owner, at: time) { return silent(.duplicate, at: time) }
    switch verdict {
    case .speak: return silent(.nothingToSay, at: time)
    case .silent(let code):
      state.decide(key, code)
      return silent(code, at: time)
    case .chime(let code):
      state.decide(key, code)
      guard state.isSilent(at: time) else { return silent(code, at: time) }
      state.occupy(seconds: HearingRules.chimeSeconds, at: time)
      return deliver(Delivery(sound: .original, code: code, route: .chime), at: time)
    }
  }

  private mutating func admit(_ state: inout HearingState, at time: PhoneTime) -> SessionAction {
    guard let event else { return .finish }
    let seconds: Double = if case .use(let source) = step { source.seconds } else { 4 }
    let isLost: Bool = if case .use(.chime(let code)) = step { plan == nil || !code.isTemporary } else { false }
    let arrival = HearingState.Arrival(
      key: key, entry: PendingEntry(event), owner: owner, seconds: seconds, isSummable: !event.replay && !isLost)
    let admission = state.admit(arrival, at: time)
    state.admitMissed(missed, at: time)
    guard admission == .admitted else { return silent(.duplicate, at: time) }
    return followStep() ?? ask(&state, at: time)
  }

  /// Asks for the turn until it is given, the event is decided elsewhere, or the wait has lasted too long.
  private mutating func ask(_ state: inout HearingState, at time: PhoneTime) -> SessionAction {
    let deadline = startedUpSeconds + HearingRules.longestWaitSeconds
    var timesLost = 0
    while true {
      let wish = HearingState.TurnRequest(key: key, owner: owner, canMerge: canMerge, excluding: unsayable)
      switch state.requestTurn(wish, at: time) {
      case .wait(let until):
        if time.upSeconds >= deadline { return giveUp(&state, at: time) }
        seenBusyUntilUpSeconds = state.busyUntil(at: time) ?? until
        phase = .sleeping
        return .sleep(untilUpSeconds: min(until, deadline))
      case .decided(let code): return silent(code.asMerged, at: time)
      case .prove(let turn):
        phase = .proving(turn)
        return .prove(turn)
      case .unknown:
        // The state was lost, or damaged and begun anew: bring the event again.
        timesLost += 1
        guard let event, timesLost == 1 else { return silent(.sharedStateDamaged, at: time) }
        let arrival = HearingState.Arrival(
          key: key, entry: PendingEntry(event), owner: owner, seconds: source.seconds, isSummable: !event.replay)
        guard state.admit(arrival, at: time) == .admitted else { return silent(.duplicate, at: time) }
      case .speak(let turn, let items):
        (self.turn, self.items) = (turn, items)
        if let action = speak(&state, at: time) { return action }
      }
    }
  }

  /// Makes ready what the turn says; `nil` if it cannot say all of it and must ask again.
  private mutating func speak(_ state: inout HearingState, at time: PhoneTime) -> SessionAction? {
    guard let turn else { return .finish }
    if items.count > 1 { return speakSum(turn) }
    if isLate {
      state.abandon(turn: turn.number, owner: owner)
      state.decide(key, .late)
      return silent(.late, at: time)
    }
    switch source {
    case .joined(let phrase, _):
      spoken = phrase
      return render(phrase, turn)
    case .fetched(let sound):
      prepared = delivery(.file(sound.fileName), seconds: sound.seconds, turn: turn)
    case .bundled: prepared = delivery(.original, seconds: source.seconds, turn: turn)
    case .speech(let phrase):
      prepared = delivery(.speech(phrase.text, book?.locale ?? .enUS), seconds: source.seconds, turn: turn)
    case .chime(let code) where code.isTemporary && plan != nil && event?.replay == false:
      // Nobody has heard the amount, so it waits for the next sum.
      state.abandon(turn: turn.number, owner: owner)
      state.release(key, owner: owner)
      state.occupy(seconds: HearingRules.chimeSeconds, at: time)
      self.turn = nil
      return deliver(Delivery(sound: .original, code: code, route: .chime), at: time)
    case .chime(let code):
      var chime = delivery(.original, seconds: source.seconds, turn: turn)
      (chime.code, chime.keys, chime.text) = (code, [], nil)
      prepared = chime
    }
    return commit(&state, at: time)
  }

  private mutating func speakSum(_ turn: Turn) -> SessionAction? {
    guard let book, let voice = environment.voice(book.locale) else {
      canMerge = false
      return nil
    }
    if let phrase = sum(of: items, book, voice) {
      spoken = phrase
      return render(phrase, turn)
    }
    // A word is missing, or the sum is too large: leave out what cannot be said at all, else say each for itself.
    let lost = items.filter { sum(of: [$0], book, voice) == nil }.map(\.key)
    if lost.isEmpty || lost.contains(key) { canMerge = false } else { unsayable.formUnion(lost) }
    return nil
  }

  private func sum(of items: [PooledEvent], _ book: PhraseBook, _ voice: any SentenceVoice) -> Phrase? {
    guard
      let phrase = try? book.sum(
        of: items.map(\.entry), missed: items.contains(where: \.isMissed), privacy: environment.settings.privacy),
      (try? voice.seconds(phrase.utterance)) != nil
    else { return nil }
    return phrase
  }

  private mutating func render(_ phrase: Phrase, _ turn: Turn) -> SessionAction {
    phase = .rendering
    let name = SoundFileName.make(
      eventKey: key, text: phrase.text, nonce: "\(owner)/\(turn.number)", suffix: environment.soundSuffix)
    return .render(phrase.utterance, book?.locale ?? .enUS, fileName: name)
  }

  private mutating func commit(_ state: inout HearingState, at time: PhoneTime) -> SessionAction {
    guard let turn, let prepared else { return .finish }
    guard state.commit(turn: turn.number, owner: owner, code: prepared.code, seconds: prepared.seconds, at: time) else {
      self.turn = nil
      return ask(&state, at: time)
    }
    self.turn?.phase = .handing
    for item in items where item.key != key {
      receipts.append(
        Receipt(
          eventID: item.entry.id, state: .merged, code: prepared.code, at: Int(time.unixSeconds.rounded(.down)),
          route: prepared.route))
    }
    return deliver(prepared, at: time)
  }

  /// The wait has lasted too long: the notification goes out silent, and its amount into the next sum.
  private mutating func giveUp(_ state: inout HearingState, at time: PhoneTime) -> SessionAction {
    let isSummable = state.pool.first { $0.key == key }?.isSummable ?? false
    state.release(key, owner: owner)
    if isSummable { return silent(.keptForNextSum, at: time) }
    let code: ReasonCode = if case .chime(let code) = source { code } else { .noRouteLeft }
    state.decide(key, code)
    return silent(code, at: time)
  }

  private mutating func silent(_ code: ReasonCode, at time: PhoneTime) -> SessionAction {
    turn = nil
    var delivery = Delivery(sound: .none, code: code, route: .chime)
    if environment.settings.privacy { (delivery.title, delivery.body) = (spoken?.title, spoken?.body) }
    return deliver(delivery, at: time)
  }

  func delivery(_ sound: Delivery.Sound, seconds: Double, turn: Turn) -> Delivery {
    var code = turn.code
    if items.count == 1 {
      switch source {
      case .bundled: code = .spokenFromBundle
      case .speech: code = .spokenByApp
      default: code = event?.replay == true ? .replayed : .spoken
      }
    }
    let route: Route = items.count > 1 ? .clips : source.route
    var delivery = Delivery(
      sound: sound, code: code, route: route, keys: items.map(\.key), text: spoken?.text, seconds: seconds,
      turn: turn.number)
    if environment.settings.privacy, let plan, !plan.phrase.body.isEmpty {
      delivery.title = plan.phrase.title.isEmpty ? nil : plan.phrase.title
      delivery.body = plan.phrase.body
    }
    return delivery
  }
}

extension ReasonCode {
  /// The reason for an event that another handling's sentence has said.
  fileprivate var asMerged: ReasonCode {
    switch self {
    case .mergedIntoSum, .mergedIntoSummary, .turnNotProven: self
    default: .duplicate
    }
  }
}

extension ReasonCode {
  /// Whether the sound may be had later, so that the event is worth keeping for the next sum.
  var isTemporary: Bool {
    switch self {
    case .voicePackMissing, .downloadFailed, .downloadTimedOut, .noNetwork, .renderFailed, .fileNotWritten,
      .lockedSinceRestart, .appNotForeground:
      true
    default: false
    }
  }
}

extension HearingState {
  /// Whether another living handling has the event.
  func isInHand(_ key: String, by owner: String, at time: PhoneTime) -> Bool {
    guard let place = poolIndex(key), pool[place].owner != owner else { return false }
    return pool[place].turn != nil
      || pool[place].owner != nil && isAlive(pool[place].leaseUpSeconds, pool[place].bootID, at: time)
  }

  /// Whether nobody speaks or is about to.
  func isSilent(at time: PhoneTime) -> Bool { busyUntil(at: time) == nil && turn == nil }

  /// Keeps others from speaking while a sound of ours plays that needed no turn.
  mutating func occupy(seconds: Double, at time: PhoneTime) {
    busyUntilUpSeconds = time.upSeconds + HearingRules.startLatencySeconds + seconds
    busyBootID = time.bootID
  }
}

extension SoundFileName {
  /// The extension of the file at an address, if it is one that iOS plays.
  static func suffix(of url: String) -> String? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let suffix = path[path.index(after: dot)...].lowercased()
    return ["caf", "wav", "aif", "aiff"].contains(suffix) ? suffix : nil
  }
}

extension HearingState {
  /// A handling's wish to speak.
  public struct TurnRequest: Hashable, Sendable {
    /// The event's key.
    public var key: String
    /// The handling.
    public var owner: String
    /// Whether it can say a sum.
    public var canMerge: Bool
    /// Events that it cannot say, even in a sum.
    public var excluding: Set<String>

    /// Makes a wish.
    public init(key: String, owner: String, canMerge: Bool, excluding: Set<String> = []) {
      (self.key, self.owner, self.canMerge, self.excluding) = (key, owner, canMerge, excluding)
    }
  }

  /// The answer to a wish to speak.
  public enum TurnAnswer: Hashable, Sendable {
    /// Look again then, on the phone's running clock.
    case wait(untilUpSeconds: Double)
    /// Speak: the turn, and what it says in order of arrival.
    case speak(Turn, [PooledEvent])
    /// Another sentence has said it, or it was decided otherwise.
    case decided(ReasonCode)
    /// Find out whether this turn was handed over, then ask again.
    case prove(Turn)
    /// The event is not in the pool: the state was lost.
    case unknown
  }

  /// Asks for the turn.
  ///
  /// The phone must be silent and nobody else at it. Older events go first for a moment. If those who wait could not all
  /// be said one by one within ``HearingRules/patienceSeconds``, or if somebody left events behind, one sum says them all.
  public mutating func requestTurn(_ request: TurnRequest, at time: PhoneTime) -> TurnAnswer {
    settle(at: time)
    if let code = ledger[request.key] { return .decided(code) }
    guard let place = poolIndex(request.key), pool[place].owner == request.owner else { return .unknown }
    if let turn = unproven(at: time) { return .prove(turn) }
    let soon = time.upSeconds + HearingRules.pollSeconds
    if let turn {
      // A speaker that asks again has given up the turn that it had.
      guard turn.owner == request.owner, turn.phase == .preparing else { return .wait(untilUpSeconds: soon) }
      abandon(turn: turn.number, owner: request.owner)
    }
    if let end = busyUntil(at: time) { return .wait(untilUpSeconds: end) }
    let own = pool[place]
    if let older = olderWaiter(than: own, at: time) {
      let silentSince = max(busyBootID == time.bootID ? busyUntilUpSeconds : 0, own.arrivedUpSeconds, older)
      if time.upSeconds < silentSince + HearingRules.courtesySeconds { return .wait(untilUpSeconds: soon) }
    }
    let others = request.canMerge && own.isSummable ? companions(of: own, except: request.excluding, at: time) : []
    let turn = begin(own, with: others, at: time)
    return .speak(turn, pool.filter { $0.turn == turn.number })
  }

  /// When the oldest living event that waits longer than `own` arrived.
  private func olderWaiter(than own: PooledEvent, at time: PhoneTime) -> Double? {
    pool.first { event in
      event.key != own.key && event.owner != nil && event.turn == nil
        && isAlive(event.leaseUpSeconds, event.bootID, at: time)
        && event.arrivedUpSeconds < own.arrivedUpSeconds
    }?.arrivedUpSeconds
  }

  /// What must be said together with `own`: what dead handlings left, and the living if they could not wait.
  private func companions(of own: PooledEvent, except: Set<String>, at time: PhoneTime) -> [PooledEvent] {
    let waiting = pool.filter { $0.key != own.key && $0.turn == nil && $0.isSummable && !except.contains($0.key) }
    let living = waiting.filter { $0.owner != nil && isAlive($0.leaseUpSeconds, $0.bootID, at: time) }
    let pause = HearingRules.startLatencySeconds + HearingRules.gapSeconds
    var start = time.upSeconds + own.seconds + pause
    var allCanWait = true
    for event in living {
      if start > event.arrivedUpSeconds + HearingRules.patienceSeconds { allCanWait = false }
      start += event.seconds + pause
    }
    let left = waiting.filter { $0.owner == nil || !isAlive($0.leaseUpSeconds, $0.bootID, at: time) }
    return allCanWait ? left : waiting
  }

  private mutating func begin(_ own: PooledEvent, with others: [PooledEvent], at time: PhoneTime) -> Turn {
    let code: ReasonCode =
      others.isEmpty ? .spoken : others.contains(where: \.isMissed) ? .mergedIntoSummary : .mergedIntoSum
    let new = Turn(
      number: nextTurn, owner: own.owner ?? "", ownKey: own.key, keys: [own.key] + others.map(\.key), phase: .preparing,
      leaseUpSeconds: time.upSeconds + HearingRules.preparingSeconds, bootID: time.bootID, code: code)
    nextTurn += 1
    let keys = Set(new.keys)
    for place in pool.indices where keys.contains(pool[place].key) { pool[place].turn = new.number }
    turn = new
    return new
  }

  /// Gives a turn back before anything was handed over.
  public mutating func abandon(turn number: Int, owner: String) {
    guard let turn, turn.number == number, turn.owner == owner, turn.phase == .preparing else { return }
    for place in pool.indices where pool[place].turn == number { pool[place].turn = nil }
    self.turn = nil
  }

  /// The last step before the content handler is called: from here on the sentence counts as heard unless the
  /// notification proves otherwise.
  ///
  /// - Parameters:
  ///   - number: The turn.
  ///   - owner: The handling.
  ///   - code: The decision for the own event, or `nil` to keep the turn's.
  ///   - seconds: How long the sound is.
  ///   - time: Now.
  /// - Returns: `false` if the turn is no longer yours, because you took too long; then hand nothing over.
  public mutating func commit(
    turn number: Int, owner: String, code: ReasonCode? = nil, seconds: Double, at time: PhoneTime
  ) -> Bool {
    guard let mine = turn, mine.number == number, mine.owner == owner, mine.phase == .preparing,
      isAlive(mine.leaseUpSeconds, mine.bootID, at: time)
    else { return false }
    turn?.phase = .handing
    turn?.leaseUpSeconds = time.upSeconds + HearingRules.handingSeconds
    if let code { turn?.code = code }
    busyUntilUpSeconds =
      time.upSeconds + HearingRules.startLatencySeconds + min(max(seconds, 0), 30) + HearingRules.gapSeconds
    busyBootID = time.bootID
    return true
  }

  /// The first step after the content handler was called: the events of the turn are decided.
  public mutating func confirm(turn number: Int) {
    guard let done = turn, done.number == number, done.phase == .handing else { return }
    for key in done.keys { ledger.record(key, done.code) }
    let keys = Set(done.keys)
    pool.removeAll { keys.contains($0.key) }
    turn = nil
  }
}

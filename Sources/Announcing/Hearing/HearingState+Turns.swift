public import PushPayload

extension HearingState {
  /// What a handling brings into the pool.
  public struct Arrival: Hashable, Sendable {
    public var key: String
    public var entry: PendingEntry
    public var owner: String
    public var seconds: Double
    public var isSummable: Bool

    /// Makes an arrival.
    public init(key: String, entry: PendingEntry, owner: String, seconds: Double, isSummable: Bool) {
      (self.key, self.entry, self.owner) = (key, entry, owner)
      (self.seconds, self.isSummable) = (seconds, isSummable)
    }
  }

  /// Whether an event may be spoken by the one who brought it.
  public enum Admission: Hashable, Sendable {
    /// It is in the pool and yours.
    case admitted
    /// It was decided before, as said here.
    case decided(ReasonCode)
    /// Another living handling has it.
    case inHand
  }

  /// Brings an event into the pool.
  ///
  /// An event that a dead handling left behind is taken over, so that a resend after a kill is spoken.
  public mutating func admit(_ arrival: Arrival, at time: PhoneTime) -> Admission {
    settle(at: time)
    if let code = ledger[arrival.key] { return .decided(code) }
    if let place = poolIndex(arrival.key) {
      let known = pool[place]
      let isHeld = known.owner != nil && isAlive(known.leaseUpSeconds, known.bootID, at: time)
      guard known.turn == nil, !isHeld || known.owner == arrival.owner else { return .inHand }
      pool.remove(at: place)
    }
    pool.append(pooled(arrival, at: time))
    return .admitted
  }

  /// Puts what the server says was missed into the pool, for the next sum; known events are passed over.
  public mutating func admitMissed(_ entries: [PendingEntry], at time: PhoneTime) {
    for entry in entries where ledger[entry.id] == nil && poolIndex(entry.id) == nil {
      var event = pooled(Arrival(key: entry.id, entry: entry, owner: "", seconds: 0, isSummable: true), at: time)
      (event.owner, event.isMissed) = (nil, true)
      pool.append(event)
    }
    while pool.count > Ledger.capacity, let oldest = pool.firstIndex(where: { $0.turn == nil && $0.owner == nil }) {
      ledger.record(pool.remove(at: oldest).key, .noRouteLeft)
    }
  }

  private func pooled(_ arrival: Arrival, at time: PhoneTime) -> PooledEvent {
    PooledEvent(
      key: arrival.key, entry: arrival.entry, owner: arrival.owner,
      leaseUpSeconds: time.upSeconds + HearingRules.extensionSeconds, bootID: time.bootID,
      arrivedUpSeconds: time.upSeconds, seconds: arrival.seconds, turn: nil, isSummable: arrival.isSummable,
      isMissed: false)
  }

  /// Records a decision that needed no turn.
  public mutating func decide(_ key: String, _ code: ReasonCode) {
    ledger.record(key, code)
    pool.removeAll { $0.key == key && $0.turn == nil }
  }

  /// Gives an event back: its owner waits no longer, the next sum takes it.
  public mutating func release(_ key: String, owner: String) {
    guard let place = poolIndex(key), pool[place].owner == owner else { return }
    if pool[place].isSummable || pool[place].turn != nil { pool[place].owner = nil } else { pool.remove(at: place) }
  }

  /// Frees what a speaker that died before handing over had taken, and forgets what nobody can say any more.
  mutating func settle(at time: PhoneTime) {
    if let turn, turn.phase == .preparing, !isAlive(turn.leaseUpSeconds, turn.bootID, at: time) { drop(turn) }
    pool = pool.filter { event in
      let isStale =
        event.bootID == time.bootID && time.upSeconds - event.arrivedUpSeconds > HearingRules.longestKeptSeconds
      return event.turn != nil || event.isSummable && !isStale
        || isAlive(event.leaseUpSeconds, event.bootID, at: time)
    }
  }

  private mutating func drop(_ dead: Turn) {
    for place in pool.indices where pool[place].turn == dead.number { pool[place].turn = nil }
    turn = nil
  }

  /// A speaker that may have died while it called the content handler; whether it did must be found out.
  func unproven(at time: PhoneTime) -> Turn? {
    guard let turn, turn.phase == .handing, !isAlive(turn.leaseUpSeconds, turn.bootID, at: time) else { return nil }
    return turn
  }

  /// What is known of a notification whose handler may or may not have been called.
  public enum Evidence: Hashable, Sendable {
    /// The notification carries the turn's mark.
    case handed
    /// The notification is there without the mark.
    case notHanded
    /// The notification cannot be seen.
    case unknown
  }

  /// Settles a speaker that died in the moment of handing over.
  ///
  /// Without evidence it counts as heard: an amount said twice is worse than one that is in the list only.
  public mutating func prove(turn number: Int, _ evidence: Evidence) {
    guard let dead = turn, dead.number == number, dead.phase == .handing else { return }
    switch evidence {
    case .handed: confirm(turn: number)
    case .unknown:
      turn?.code = .turnNotProven
      confirm(turn: number)
    case .notHanded:
      drop(dead)
      busyUntilUpSeconds = 0
    }
  }
}

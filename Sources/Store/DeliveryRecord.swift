/// The queue's side of one delivery as a value: every change of state in every store goes through here.
///
/// The functions are pure: they change the value, and give the timeline entries to append. A store reads the row, calls one
/// of them, writes the row, and, when `unblocks` says so, lets the next blocked delivery of the device and lane wait.
package struct DeliveryRecord: Hashable, Sendable {
  package var id: DeliveryID
  package var eventKey: Int64
  package var deviceKey: Int64
  package var sequence: Int64
  package var lane: Lane
  package var state: DeliveryState
  /// When it is to be sent; of a held one: when it is given up.
  package var due: Timestamp
  package var until: Timestamp?
  package var attempts: Int
  package var epoch: Int64
  /// The number of the worker that has it; 0: none.
  package var worker: Int64
  package var proof: Proof
  package var flags: Flags

  /// What is known about a delivery besides its state.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// Its event is of class `must-hear`.
    package static let mustHear = Flags(rawValue: 1)
    /// An earlier send may have reached the phone.
    package static let resend = Flags(rawValue: 2)
    /// A person asked to hear it again.
    package static let replay = Flags(rawValue: 4)
    /// The phone has answered since it was last put into the queue.
    package static let confirmed = Flags(rawValue: 8)
    /// Not made at acceptance, so not in the first answer.
    package static let added = Flags(rawValue: 16)
  }

  package init(
    id: DeliveryID, eventKey: Int64, deviceKey: Int64, sequence: Int64, lane: Lane, state: DeliveryState,
    due: Timestamp,
    until: Timestamp?, attempts: Int = 0, epoch: Int64 = 0, worker: Int64 = 0, proof: Proof = .none, flags: Flags
  ) {
    self.id = id
    self.eventKey = eventKey
    self.deviceKey = deviceKey
    self.sequence = sequence
    self.lane = lane
    self.state = state
    self.due = due
    self.until = until
    self.attempts = attempts
    self.epoch = epoch
    self.worker = worker
    self.proof = proof
    self.flags = flags
  }

  /// Whether it stands before others of its device and lane.
  package var isHead: Bool { state.isOpen && state != .blocked }

  /// Whether the step from `before` to `self` frees the way for the next of its device and lane.
  package func unblocks(from before: DeliveryRecord) -> Bool { before.isHead && !isHead }

  /// Whether its time has passed.
  package func isStale(at now: Timestamp) -> Bool { until.map { $0 <= now } ?? false }

  // MARK: Claims

  /// A worker takes it.
  package mutating func claim(worker number: Int64) {
    state = .claimed
    worker = number
    epoch += 1
  }

  /// The worker is about to send it.
  package mutating func markSending(_ intent: SendIntent, worker number: Int64, now: Timestamp)
    -> (IntentAnswer, [TimelineEntry])
  {
    guard holds(intent.ticket, worker: number) else { return (.fenced, []) }
    if state == .sending { return (.go, []) }
    if flags.contains(.confirmed) {
      settle(as: .sent)
      return (.settled, [])
    }
    state = .sending
    var entries: [TimelineEntry] = []
    if let rendered = intent.rendered { entries.append(entry(.rendered, rendered, now)) }
    entries.append(entry(.sending, "", now))
    return (.go, entries)
  }

  /// What became of the send.
  ///
  /// Nil: the claim is another's.
  package mutating func finish(_ result: SendResult, worker number: Int64, now: Timestamp) -> [TimelineEntry]? {
    guard holds(result.ticket, worker: number) else { return nil }
    if flags.contains(.confirmed), !result.outcome.isSent {
      settle(as: .sent)
      return []
    }
    switch result.outcome {
    case .sent(let gatewayID):
      attempts += 1
      settle(as: .sent)
      return [entry(.sent, gatewayID, now)]
    case .retry(let time, let reason):
      attempts += 1
      wait(until: time)
      return [entry(.retry, reason, now)]
    case .failed(let reason):
      attempts += 1
      settle(as: .failed)
      return [entry(.failed, reason, now)]
    case .dead(let reason):
      attempts += 1
      settle(as: .dead)
      return [entry(.dead, reason, now)]
    case .expired:
      settle(as: .expired)
      return [entry(.expired, "", now)]
    case .ambiguous(let time, let reason):
      attempts += 1
      return becomeAmbiguous(resendAt: time, reason: reason, now: now)
    case .released:
      wait(until: now)
      return []
    }
  }

  /// Its worker is lost.
  ///
  /// The class decides about a send that may have happened.
  package mutating func takeOver(now: Timestamp) -> [TimelineEntry] {
    if flags.contains(.confirmed) {
      settle(as: .sent)
      return [entry(.takenOver, "", now)]
    }
    guard state == .sending else {
      wait(until: now)
      return [entry(.takenOver, "", now)]
    }
    attempts += 1
    let resendAt: Timestamp? = flags.contains(.mustHear) ? now : nil
    return [entry(.takenOver, "", now)] + becomeAmbiguous(resendAt: resendAt, reason: "worker lost", now: now)
  }

  // MARK: The phone's word

  /// Takes a receipt.
  ///
  /// `changed` is false when it says less than what is known.
  package mutating func receive(_ receipt: NewReceipt, now: Timestamp) -> (changed: Bool, entries: [TimelineEntry]) {
    let again = flags.contains(.replay) && !flags.contains(.confirmed) && receipt.proof == .heard
    let rises = receipt.proof > proof
    if rises { proof = receipt.proof }
    let before = self
    let mayConfirm = !flags.contains(.replay) || state.rawValue >= DeliveryState.sending.rawValue
    if mayConfirm, receipt.proof != .none { flags.insert(.confirmed) }
    if flags.contains(.confirmed), [.blocked, .waiting, .ambiguous].contains(state) { settle(as: .sent) }
    let entries = rises || again ? [entry(receipt.proof.timelineKind, receipt.reason, now)] : []
    return (rises || again || self != before, entries)
  }

  // MARK: Outside events

  /// Its time has passed.
  package mutating func expire(now: Timestamp) -> [TimelineEntry] {
    let unresolved = state == .ambiguous
    settle(as: .expired)
    return [entry(.expired, unresolved ? "unresolved" : "", now)]
  }

  /// It cannot be sent any more (its device was removed).
  package mutating func fail(_ reason: String, now: Timestamp) -> [TimelineEntry] {
    settle(as: .failed)
    return [entry(.failed, reason, now)]
  }

  /// Into the queue again.
  ///
  /// Nil: it is under way and stays so.
  package mutating func requeue(_ request: Requeue, behindAnother: Bool, now: Timestamp) -> [TimelineEntry]? {
    guard state != .claimed, state != .sending else { return nil }
    flags.remove(.confirmed)
    if let new = request.until { until = new }
    attempts = 0
    let kind: TimelineKind
    let words: String
    switch request.reason {
    case .resend(let text):
      if state != .blocked, state != .waiting { flags.insert(.resend) }
      (kind, words) = (.resend, text)
    case .replay(let text):
      flags.insert(.replay)
      (kind, words) = (.replay, text)
    }
    state = behindAnother ? .blocked : .waiting
    worker = 0
    due = earlier(request.due, until)
    return [entry(kind, words, now)]
  }

  // MARK: Parts

  private func holds(_ ticket: DeliveryTicket, worker number: Int64) -> Bool {
    (state == .claimed || state == .sending) && worker == number && epoch == ticket.epoch && id == ticket.id
  }

  private mutating func settle(as end: DeliveryState) {
    state = end
    worker = 0
    due = .distantPast
  }

  private mutating func wait(until time: Timestamp) {
    state = .waiting
    worker = 0
    due = earlier(time, until)
  }

  private mutating func becomeAmbiguous(resendAt: Timestamp?, reason: String, now: Timestamp) -> [TimelineEntry] {
    var entries = [entry(.ambiguous, reason, now)]
    if let resendAt {
      wait(until: resendAt)
      flags.insert(.resend)
      entries.append(entry(.resend, "", now))
    } else {
      state = .ambiguous
      worker = 0
      due = until ?? Timestamp(milliseconds: .max)
    }
    return entries
  }

  private func earlier(_ time: Timestamp, _ end: Timestamp?) -> Timestamp { end.map { min($0, time) } ?? time }

  private func entry(_ kind: TimelineKind, _ detail: String, _ now: Timestamp) -> TimelineEntry {
    TimelineEntry(at: now, kind: kind, delivery: id, detail: detail)
  }
}

extension SendOutcome {
  /// Whether the gateway took it.
  package var isSent: Bool {
    if case .sent = self { return true }
    return false
  }
}

extension Proof {
  /// The timeline entry for a receipt.
  package var timelineKind: TimelineKind {
    switch self {
    case .none: .note
    case .received: .received
    case .silent: .silent
    case .expired: .late
    case .duplicate: .duplicate
    case .merged: .merged
    case .heard: .heard
    }
  }
}

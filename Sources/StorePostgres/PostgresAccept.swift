package import Store

/// A call of `accept` that waits for the accepting thread.
struct PGAccept: Sendable {
  var events: [NewEvent]
  var now: Timestamp
  var complete: @Sendable (Result<[AcceptOutcome], StoreError>) -> Void
}

extension PostgresStore {
  package func accept(_ events: [NewEvent], now: Timestamp) async throws(StoreError) -> [AcceptOutcome] {
    let result: Result<[AcceptOutcome], StoreError> = await withCheckedContinuation { continuation in
      let push = accepts.push(PGAccept(events: events, now: now) { continuation.resume(returning: $0) })
      if push != .queued { continuation.resume(returning: .failure(push.error)) }
    }
    return try result.get()
  }
}

/// How many deliveries may still be opened, for all accepting threads.
final class PGRoom: Sendable {
  /// Open deliveries at the last count, and those accepted here since; nil: not counted yet.
  private let open = StoreLock<Int?>(nil)

  /// How many of `needed` further deliveries may be open; they are taken as opened.
  func take(_ needed: Int, _ session: PGSession) throws(StoreError) -> Int {
    let limit = session.options.limits.openDeliveries
    if left(limit) < needed { try count(session) }
    // Looked at and taken at once: two threads accept.
    return open.withLock { open in
      let room = max(0, min(needed, limit - (open ?? 0)))
      open = (open ?? 0) + room
      return room
    }
  }

  /// How many may be opened by the last count.
  func left(_ session: PGSession) throws(StoreError) -> Int {
    if open.withLock({ $0 }) == nil { try count(session) }
    return max(0, left(session.options.limits.openDeliveries))
  }

  /// So many were opened.
  func add(_ count: Int) { open.withLock { $0 = ($0 ?? 0) + count } }

  /// Something went wrong: what was added may never have been stored.
  func forget() { open.withLock { $0 = nil } }

  private func left(_ limit: Int) -> Int { open.withLock { $0.map { limit - $0 } ?? 0 } }

  private func count(_ session: PGSession) throws(StoreError) {
    let counted = try session.first(
      "SELECT count(*) FROM (SELECT 1 FROM deliveries_open LIMIT $1) AS open",
      .int(session.options.limits.openDeliveries)
    ) { Int($0.int(0)) }
    open.withLock { $0 = counted }
  }
}

/// A thread that accepts: everything that waits goes into one transaction (group insert).
///
/// There are two, so that a large group is worked on while another's events are still read, or its commit waits for the disk.
final class PGAccepter: @unchecked Sendable {
  // Unchecked: `session` and `wasUsual` belong to the thread once it runs.
  private let session: PGSession
  private let queue: JobQueue<PGAccept>
  private let signal: WakeUpSignal
  private let others: PGOthers
  private let room: PGRoom
  private let handOver: PGHandOver
  /// Whose turn it is to take a group, with the number of calls that are expected, 0 after a large one.
  private let turn: StoreLock<Int>
  /// Whether the group before held nothing that the function of the schema leaves alone.
  private var wasUsual = true

  /// How many there are.
  static let count = 2
  /// Most calls in one transaction.
  private static let largestBatch = 1024
  /// With more events a group costs so much by itself that neither waiting for others nor one transaction for all gains anything.
  private static let largeGroup = 200

  init(
    session: PGSession, queue: JobQueue<PGAccept>, signal: WakeUpSignal, others: PGOthers, room: PGRoom,
    handOver: PGHandOver, turn: StoreLock<Int>
  ) {
    self.session = session
    self.queue = queue
    self.signal = signal
    self.others = others
    self.room = room
    self.handOver = handOver
    self.turn = turn
  }

  func work() {
    if session.options.acceptsSoon { warmUp() }
    while let calls = turn.withLock({ expected in next(&expected) }) { accept(calls) }
    session.disconnect()
  }

  /// Connects, and has PostgreSQL plan what accepting needs, so that the first event does not wait for it (12 ms).
  private func warmUp() {
    // Without a connection the first event tries again, and says what is wrong.
    do throws(StoreError) { _ = try acceptNew([], false) } catch {}
  }

  /// Takes a group in this thread's turn; nil: the queue is closed.
  ///
  /// A small one is also accepted in the turn, and nothing is left to do: shared between two transactions it would cost twice.
  private func next(_ expected: inout Int) -> [PGAccept]? {
    guard let calls = queue.take(PGAccepter.largestBatch, crowd: .init(expecting: expected)) else { return nil }
    if calls.reduce(0, { $0 + $1.events.count }) > PGAccepter.largeGroup {
      expected = 0
      return calls
    }
    expected = JobQueue<PGAccept>.Crowd.expected(after: calls.count, before: expected)
    accept(calls)
    return []
  }

  private func accept(_ calls: [PGAccept]) {
    if calls.isEmpty { return }
    do throws(StoreError) {
      let events = calls.flatMap { call in call.events.map { ($0, call.now) } }
      let notifies = calls.contains { others.mayListen(at: $0.now) }
      let outcomes = try accept(events, notifies)
      wasUsual = outcomes.allSatisfy(\.isUsual)
      signal.wake()
      var rest = outcomes[...]
      for call in calls {
        call.complete(.success(Array(rest.prefix(call.events.count))))
        rest = rest.dropFirst(call.events.count)
      }
    } catch {
      room.forget()
      handOver.changed()
      // One call that PostgreSQL cannot take must not fail its neighbours.
      if calls.count > 1, !error.isTemporary {
        for call in calls { accept([call]) }
      } else {
        for call in calls { call.complete(.failure(error)) }
      }
    }
  }

  private func accept(_ events: [(event: NewEvent, now: Timestamp)], _ notifies: Bool) throws(StoreError)
    -> [AcceptOutcome]
  {
    let doubts = session.commitsInDoubt
    if wasUsual, let outcomes = try acceptNew(events, notifies) { return outcomes }
    let outcomes = try acceptAny(events, notifies)
    handOver.changed()
    if session.commitsInDoubt == doubts { return outcomes }
    // The connection was lost when the events may have been stored: what is found as stored then is no repeat.
    room.forget()
    return zip(outcomes, events).map { outcome, new in
      guard case .repeated(let event) = outcome, event.acceptedAt == new.now else { return outcome }
      return .accepted(event)
    }
  }

  /// Accepts events that are all new, in one round trip; nil: something is otherwise, and nothing was written.
  private func acceptNew(_ events: [(event: NewEvent, now: Timestamp)], _ notifies: Bool) throws(StoreError)
    -> [AcceptOutcome]?
  {
    // Where others are to be told, they are to work as well.
    let offer = notifies ? nil : events.first.flatMap { handOver.offer(at: $0.now) }
    let doubts = session.commitsInDoubt
    defer { if let offer, session.commitsInDoubt != doubts { handOver.doubt(offer.worker) } }
    do throws(StoreError) {
      let accepted = try session.transaction(isRepeatable: true) {
        session throws(StoreError) -> PGAcceptFunction.Accepted? in
        let left = try self.room.left(session)
        let call = PGAcceptFunction.call(events, session.options.limits, room: left, claimingFor: offer)
        guard let call else { return nil }
        let answers = try session.send([call] + (notifies ? [.notifyingOthers] : []), commits: true)
        return PGAcceptFunction.accepted(events, answers[0], claimingFor: offer)
      }
      guard let accepted else { return nil }
      room.add(accepted.outcomes.reduce(0) { $0 + ($1.event?.deliveries.count ?? 0) })
      if accepted.leavesDue { handOver.changed() }
      if let offer { handOver(accepted, to: offer.worker) }
      return accepted.outcomes
    } catch {
      // Such as an id that another process stored in this moment.
      if error.isTemporary { throw error }
      return nil
    }
  }

  /// Gives what was claimed to the worker's next claim.
  private func handOver(_ accepted: PGAcceptFunction.Accepted, to worker: Int64) {
    if accepted.claimed.isEmpty { return }
    do throws(StoreError) {
      var claimed: [PGHandOver.Claimed] = []
      claimed.reserveCapacity(accepted.claimed.count)
      for (record, event, phone) in accepted.claimed {
        let device = phone.device(try profile(phone.profileID))
        claimed.append(PGHandOver.Claimed(record, event: event, device: device))
      }
      handOver.add(claimed, for: worker)
    } catch { handOver.doubt(worker) }
  }

  private func profile(_ id: Int64) throws(StoreError) -> DeviceProfile {
    if let known = session.profiles[id] { return known }
    return try session.transaction(isRepeatable: true) { session throws(StoreError) in try session.profile(id) }
  }

  private func acceptAny(_ events: [(event: NewEvent, now: Timestamp)], _ notifies: Bool) throws(StoreError)
    -> [AcceptOutcome]
  {
    try session.transaction(isRepeatable: true) { session throws(StoreError) in
      var batch = PGAcceptBatch(session: session, events: events, notifies: notifies)
      try batch.run(room: { needed throws(StoreError) in try self.room.take(needed, session) })
      return batch.outcomes
    }
  }
}

extension AcceptOutcome {
  /// Whether the function of the schema answers so.
  fileprivate var isUsual: Bool {
    switch self {
    case .accepted, .refused(.noDevices): true
    case .repeated, .refused: false
    }
  }
}

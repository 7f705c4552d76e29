internal import Store

/// Deliveries that were claimed for this process's worker when their events were accepted.
///
/// A claim costs PostgreSQL about as much as accepting does. Where one process does all the work and nothing is due that was
/// there before, its worker would claim in the next moment what is accepted now; so that is stored as claimed by it, and the
/// worker's next claim takes it from here. The rules are those of any claim: the rows say who has them, so a worker that dies
/// loses them to the next, and one that cannot know what it holds registers anew.
///
/// As soon as anything else may be due, or others are there to work, everything goes the way through the queue.
final class PGHandOver: Sendable {
  /// For whom a group may be claimed, and how many deliveries at most.
  struct Offer: Hashable, Sendable {
    var worker: Int64
    var most: Int
  }

  /// A delivery as it was stored, with all that a claim gives.
  struct Claimed: Sendable {
    var record: DeliveryRecord
    var delivery: ClaimedDelivery

    init(_ record: DeliveryRecord, event: EventRecord, device: Device) {
      self.record = record
      delivery = ClaimedDelivery(record, event: event, device: device)
    }

    /// Whether it is sent before another.
    func isBefore(_ other: Claimed) -> Bool {
      (record.lane.rawValue, record.due, record.id) < (other.record.lane.rawValue, other.record.due, other.record.id)
    }
  }

  /// What a claim finds here, and whether it has to look into the queue.
  struct Taken: Sendable {
    var claimed: [Claimed] = []
    var looks = true
    /// For ``looked(_:for:isEmpty:now:)``.
    fileprivate var changes = 0
  }

  private struct State {
    /// The workers of this process, by name.
    var workers: [String: Int64] = [:]
    /// What waits for a worker's claim.
    var claimed: [Int64: [Claimed]] = [:]
    /// Workers that may have claimed what nobody here knows.
    var inDoubt: Set<Int64> = []
    /// How often something may have become due otherwise, and how far the queue has been seen empty since.
    var changes = 1
    var emptyAt = 0
    /// When the queue was looked into.
    var lookedAt = Timestamp.distantPast

    var onlyWorker: Int64? { workers.count == 1 ? workers.first?.value : nil }

    /// What this one had is in the queue again.
    mutating func forget(_ worker: Int64) {
      claimed[worker] = nil
      inDoubt.remove(worker)
    }
  }

  private let state = StoreLock(State())
  /// Deliveries that may wait for their worker's claim; more than a claim takes would only stand in the way of others.
  private static let most = 256
  /// After so long without a look into the queue nothing is handed over: something may have become due by itself.
  private static let lookMilliseconds: Int64 = 400

  /// A worker has registered.
  ///
  /// What the same name had before was given back with its registration.
  func began(_ lease: WorkerLease) {
    state.withLock { state in
      if let before = state.workers.updateValue(lease.number, forKey: lease.name) { state.forget(before) }
      state.changes += 1
    }
  }

  /// A worker is about to give its registration back.
  func ended(_ lease: WorkerLease) {
    state.withLock { state in
      if state.workers[lease.name] == lease.number { state.workers[lease.name] = nil }
      state.forget(lease.number)
      state.changes += 1
    }
  }

  /// Something may be due that is not handed over.
  func changed() { state.withLock { $0.changes += 1 } }

  /// An accepted group may have been claimed for this worker, and what was claimed is not known.
  func doubt(_ worker: Int64) { state.withLock { _ = $0.inDoubt.insert(worker) } }

  /// For whom a group that is accepted now may be claimed.
  func offer(at now: Timestamp) -> Offer? {
    state.withLock { state in
      guard state.emptyAt == state.changes, let worker = state.onlyWorker, !state.inDoubt.contains(worker) else {
        return nil
      }
      let isRecent = now >= state.lookedAt && now < state.lookedAt.adding(milliseconds: PGHandOver.lookMilliseconds)
      let room = PGHandOver.most - (state.claimed[worker]?.count ?? 0)
      return isRecent && room > 0 ? Offer(worker: worker, most: room) : nil
    }
  }

  /// Takes in what was claimed for a worker.
  func add(_ claimed: [Claimed], for worker: Int64) {
    state.withLock { state in
      if state.workers.values.contains(worker) {
        state.claimed[worker, default: []] += claimed
      } else {
        // It has ended meanwhile, or registered anew, and given them back.
        state.changes += 1
      }
    }
  }

  /// What a claim of this worker takes; it is not here any more.
  ///
  /// - Throws: once the worker may hold what it cannot know, so that it registers anew.
  func take(for worker: Int64) throws(StoreError) -> Taken {
    try state.withLock { state throws(StoreError) in
      if state.inDoubt.contains(worker) {
        throw .unavailable(retryAfterSeconds: 1, reason: "It is open what was claimed while the connection was lost.")
      }
      let claimed = state.claimed.removeValue(forKey: worker) ?? []
      let looks = state.emptyAt != state.changes || claimed.isEmpty || state.onlyWorker != worker
      return Taken(claimed: claimed, looks: looks, changes: state.changes)
    }
  }

  /// A claim has looked into the queue, and it was left empty or not.
  func looked(_ taken: Taken, for worker: Int64, isEmpty: Bool, now: Timestamp) {
    state.withLock { state in
      guard state.onlyWorker == worker else { return }
      state.lookedAt = now
      state.emptyAt = isEmpty ? taken.changes : 0
    }
  }
}

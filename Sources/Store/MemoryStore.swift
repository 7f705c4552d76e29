/// A store that forgets when the process ends: for tests, demos and the virtual iPhone. The reference for the others.
package actor MemoryStore: Store {
  let limits: StoreLimits
  var isClosed = false
  var shares: LaneShares

  var devices: [Int64: Device] = [:]
  var deviceKeys: [String: Int64] = [:]
  var sequences: [Int64: Int64] = [:]

  var events: [Int64: StoredEvent] = [:]
  var eventKeys: [String: Int64] = [:]
  var answers: [IdempotencyKey: Int64] = [:]
  var deliveries: [DeliveryID: DeliveryRecord] = [:]
  var deliveriesOfEvent: [Int64: [DeliveryID]] = [:]
  /// Open deliveries of a device and lane, the head first.
  var queues: [QueueKey: [DeliveryID]] = [:]
  /// Waiting deliveries of each lane, in order of due time.
  var waiting: [DueQueue] = Lane.allCases.map { _ in DueQueue() }
  var held: Set<DeliveryID> = []
  var openCount = 0

  var workers: [Int64: WorkerLease] = [:]
  var ladders: [Int64: Ladder] = [:]
  var webhooks: [String: Hook] = [:]
  var apiKeys: [APIKey] = []
  var providerTokens: [[String]: SharedProviderToken] = [:]
  var nonces: [[String]: Timestamp] = [:]
  var auditEntries: [StoredAuditEntry] = []
  var numbers: [String: Int64] = [:]
  let signal = WakeUpSignal()

  struct StoredEvent {
    var record: EventRecord
    var digest: [UInt8]
    var idempotencyKey: IdempotencyKey?
    var timeline: [TimelineEntry]
  }

  struct QueueKey: Hashable {
    var device: Int64
    var lane: Lane
  }

  struct Ladder {
    var steps: [LadderStep]
    var index: Int
    var due: Timestamp
    var epoch: Int64
  }

  struct Hook {
    var webhook: NewWebhook
    var attempts = 0
    var createdAt: Timestamp
    var epoch: Int64 = 0
    var due: Timestamp
    var isDead = false
  }

  /// An empty store.
  package init(limits: StoreLimits = StoreLimits(), shares: LaneShares = LaneShares()) {
    self.limits = limits
    self.shares = shares
  }

  package func close() {
    isClosed = true
    signal.finish()
  }

  package nonisolated func wakeUps() -> AsyncStream<Void> { signal.stream() }

  func check() throws(StoreError) { if isClosed { throw .closed } }

  func next(_ name: String) -> Int64 {
    numbers[name, default: 0] += 1
    return numbers[name, default: 1]
  }

  // MARK: Changing deliveries

  /// Applies a change of one delivery, keeps the queues in step and appends the entries to the timeline.
  func apply(_ new: DeliveryRecord, _ entries: [TimelineEntry]) {
    guard let old = deliveries[new.id] else { return }
    deliveries[new.id] = new
    events[new.eventKey]?.timeline += entries
    reindex(old: old, new: new)
    if new.unblocks(from: old) { promote(QueueKey(device: new.deviceKey, lane: new.lane)) }
  }

  /// Changes a record by one of its own functions, and applies it.
  func change(_ record: DeliveryRecord, _ step: (inout DeliveryRecord) -> [TimelineEntry]) {
    var new = record
    let entries = step(&new)
    apply(new, entries)
  }

  /// Stores a new delivery.
  func insert(_ record: DeliveryRecord) {
    deliveries[record.id] = record
    deliveriesOfEvent[record.eventKey, default: []].append(record.id)
    queues[QueueKey(device: record.deviceKey, lane: record.lane), default: []].append(record.id)
    openCount += 1
    if record.state == .waiting { waiting[record.lane.rawValue].push(record.due, record.id) }
  }

  private func reindex(old: DeliveryRecord, new: DeliveryRecord) {
    let key = QueueKey(device: new.deviceKey, lane: new.lane)
    if old.state.isOpen, !new.state.isOpen {
      queues[key]?.removeAll { $0 == new.id }
      if queues[key]?.isEmpty == true { queues[key] = nil }
      openCount -= 1
    } else if !old.state.isOpen, new.state.isOpen {
      queues[key, default: []].append(new.id)
      openCount += 1
    }
    if new.state == .waiting { waiting[new.lane.rawValue].push(new.due, new.id) }
    if new.state == .ambiguous { held.insert(new.id) } else { held.remove(new.id) }
  }

  /// Lets the blocked delivery with the lowest sequence wait.
  private func promote(_ key: QueueKey) {
    let blocked = (queues[key] ?? []).compactMap { deliveries[$0] }.filter { $0.state == .blocked }
    guard var next = blocked.min(by: { $0.sequence < $1.sequence }) else { return }
    next.state = .waiting
    deliveries[next.id] = next
    waiting[key.lane.rawValue].push(next.due, next.id)
    signal.wake()
  }

  func summary(_ id: DeliveryID) -> DeliverySummary? {
    guard let record = deliveries[id] else { return nil }
    return DeliverySummary(record, token: devices[record.deviceKey]?.token, user: devices[record.deviceKey]?.user)
  }

  func summaries(of eventKey: Int64) -> [DeliverySummary] {
    (deliveriesOfEvent[eventKey] ?? []).sorted().compactMap(summary)
  }
}

extension DeliverySummary {
  /// What the timeline page shows of a record.
  package init(_ record: DeliveryRecord, token: String?, user: String?) {
    let pending = record.state.isOpen || record.state == .ambiguous
    self.init(
      id: record.id, token: token, user: user, sequence: record.sequence, state: record.state, proof: record.proof,
      attempts: record.attempts, due: pending && record.due.milliseconds != .max ? record.due : nil)
  }
}

/// A binary heap of due times.
///
/// Entries that no longer hold are left in it and recognised when they come up.
struct DueQueue {
  struct Entry: Comparable {
    var due: Timestamp
    var id: DeliveryID

    static func < (left: Entry, right: Entry) -> Bool { (left.due, left.id) < (right.due, right.id) }
  }

  private var heap: [Entry] = []

  var first: Entry? { heap.first }

  mutating func push(_ due: Timestamp, _ id: DeliveryID) {
    heap.append(Entry(due: due, id: id))
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func pop() -> Entry? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == parent { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

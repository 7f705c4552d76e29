internal import Store

/// One claim over the lanes: first each lane's share, then what is left, alarms first.
struct PGClaim {
  private let session: PGSession
  private let lease: WorkerLease
  private let now: Timestamp
  private var claimed: [[ClaimedDelivery]] = [[], [], []]
  private var expired: [DeliveryID] = []

  init(session: PGSession, lease: WorkerLease, now: Timestamp) {
    (self.session, self.lease, self.now) = (session, lease, now)
  }

  mutating func run(limit: Int, quotas: [Int]) throws(StoreError) -> ClaimBatch {
    let lanes = Lane.allCases.filter { quotas[$0.rawValue] > 0 }
    let answers = try session.send([.holding(lease)] + lanes.map { taking($0, quotas[$0.rawValue]) })
    if answers[0].first({ _ in true }) == nil { throw .fenced }
    for (lane, answer) in zip(lanes, answers.dropFirst()) {
      try collect(lane, quotas[lane.rawValue], answer)
    }
    for lane in Lane.allCases where claimed[lane.rawValue].count >= quotas[lane.rawValue] {
      let room = limit - claimed.reduce(0) { $0 + $1.count }
      if room > 0 { try collect(lane, room, try session.send([taking(lane, room)])[0]) }
    }
    return ClaimBatch(claimed: claimed.flatMap { $0 }, expired: expired)
  }

  /// Takes in what was asked of a lane; where something was past its time, asks for more in its place.
  private mutating func collect(_ lane: Lane, _ count: Int, _ answer: PGAnswer) throws(StoreError) {
    var room = count
    var answer = answer
    while true {
      var stale: [PGChange] = []
      for (new, event, device, profile) in rows(answer) {
        var old = new
        (old.state, old.worker, old.epoch) = (.waiting, 0, new.epoch - 1)
        if old.isStale(at: now) {
          var ended = old
          let entries = ended.expire(now: now)
          stale.append(PGChange(old: old, new: ended, entries: entries))
        } else {
          let device = device.device(try session.profile(profile))
          claimed[lane.rawValue].append(ClaimedDelivery(new, event: event, device: device))
          room -= 1
        }
      }
      if stale.isEmpty { return }
      expired += stale.map(\.old.id)
      try session.apply(stale)
      if room == 0 { return }
      answer = try session.send([taking(lane, room)])[0]
    }
  }

  private typealias Row = (DeliveryRecord, EventRecord, PGDevice, profile: Int64)

  /// What `taking` gave, in the order in which it is to be sent.
  private func rows(_ answer: PGAnswer) -> [Row] {
    answer.rows { ($0.delivery(), $0.event(13), $0.device(22), profile: $0.int(24)) as Row }
      .sorted { ($0.0.due, $0.0.id) < ($1.0.due, $1.0.id) }
  }

  /// Claims due deliveries of a lane as `DeliveryRecord.claim` does, with their events and devices.
  private func taking(_ lane: Lane, _ count: Int) -> PGStatement {
    PGStatement(
      """
      WITH c AS MATERIALIZED (
        SELECT id FROM deliveries_open WHERE ready AND lane = $2 AND due <= $3 ORDER BY due, id LIMIT $4
        FOR UPDATE SKIP LOCKED)
      UPDATE deliveries_open d SET state = 2, ready = false, worker = $1, epoch = d.epoch + 1
      FROM c, events e, devices v WHERE d.id = c.id AND e.key = d.event AND v.id = d.device
      RETURNING d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker,
        d.proof, d.flags, e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at,
        v.id, v.token, v.profile, v.owner, v.secret, v.registered_at, v.proven
      """, .int(lease.number), .int(lane.rawValue), .time(now), .int(count))
  }
}

extension PGStatement {
  /// Keeps the worker's registration from being taken over until the transaction ends; heartbeats go on meanwhile.
  ///
  /// Gives a row if it is there.
  static func holding(_ lease: WorkerLease) -> PGStatement {
    PGStatement("SELECT 1 FROM workers WHERE number = $1 FOR KEY SHARE", .int(lease.number))
  }
}

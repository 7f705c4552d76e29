internal import Store

/// One claim over the lanes: first each lane's share, then what is left, alarms first.
///
/// Its commit is not waited for: an intent, which is, takes it along, and a claim that PostgreSQL loses in a crash leaves its
/// deliveries waiting. So that the tickets of a lost claim are worth nothing when the same worker claims the same again,
/// epochs leap ahead after every lost connection (`PGSession.epochFloor`).
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
    let hold = PGStatement(
      "SELECT set_config('synchronous_commit', 'off', true) FROM workers WHERE number = $1 FOR KEY SHARE",
      .int(lease.number))
    let answers = try session.send([hold, taking(quotas, of: limit)])
    if answers[0].first({ _ in true }) == nil { throw .fenced }
    let taken = rows(answers[1])
    let byLane = Dictionary(grouping: taken) { $0.0.lane }
    for lane in Lane.allCases { try collect(lane, quotas[lane.rawValue], byLane[lane] ?? []) }
    // Another worker took what had been counted, or something was past its time: its place goes to the others. (Where nothing
    // was taken, a lane without a share may still have something.)
    let planned = answers[1].first { Int($0.int(29)) } ?? (quotas.contains(0) ? limit : 0)
    for lane in Lane.allCases where taken.count < planned && claimed[lane.rawValue].count >= quotas[lane.rawValue] {
      let room = limit - claimed.reduce(0) { $0 + $1.count }
      if room > 0 { try collect(lane, room, try take(lane, room)) }
    }
    return ClaimBatch(claimed: claimed.flatMap { $0 }, expired: expired)
  }

  /// Takes in what was asked of a lane; where something was past its time, asks for more in its place.
  private mutating func collect(_ lane: Lane, _ count: Int, _ taken: [Row]) throws(StoreError) {
    var room = count
    var taken = taken
    while true {
      var stale: [PGChange] = []
      for (new, event, device, profile) in taken {
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
      taken = try take(lane, room)
    }
  }

  private func take(_ lane: Lane, _ count: Int) throws(StoreError) -> [Row] {
    rows(try session.send([taking(Lane.allCases.map { $0 == lane ? count : 0 }, of: count, only: lane)])[0])
  }

  private typealias Row = (DeliveryRecord, EventRecord, PGDevice, profile: Int64)

  /// What `taking` gave, in the order in which it is to be sent.
  private func rows(_ answer: PGAnswer) -> [Row] {
    answer.rows { ($0.delivery(), $0.event(13), $0.device(22), profile: $0.int(24)) as Row }
      .sorted { ($0.0.due, $0.0.id) < ($1.0.due, $1.0.id) }
  }

  /// Claims due deliveries as `DeliveryRecord.claim` does, with their events and devices: of each lane its share and, where
  /// others do not use theirs, more, alarms first.
  ///
  /// What waits is counted first, no further than the limit, which costs less than a second statement for what is left. Where
  /// something is past its time, a lane gives its share only: what stands behind comes in its place. The last column says
  /// how many there should be; more than the limit, when there may be further ones.
  ///
  /// - Parameter only: the one lane that is taken from; nil: all
  private func taking(_ shares: [Int], of limit: Int, only: Lane? = nil) -> PGStatement {
    let counted = Lane.allCases.map { only ?? $0 == $0 ? limit : 0 }
    return PGStatement(
      """
      WITH room AS MATERIALIZED (
        SELECT alarm.n AS a, payment.n AS p, report.n AS r, alarm.stale OR payment.stale OR report.stale AS stale,
          CASE WHEN alarm.stale OR payment.stale OR report.stale THEN 0
            ELSE $10 - least(alarm.n, $3) - least(payment.n, $4) - least(report.n, $5) END AS free
        FROM (SELECT count(*) AS n, coalesce(bool_or(until <= $2), false) AS stale FROM (
          SELECT until FROM deliveries_open WHERE ready AND lane = 0 AND due <= $2 ORDER BY due, id LIMIT $7) AS q) AS alarm,
          (SELECT count(*) AS n, coalesce(bool_or(until <= $2), false) AS stale FROM (
          SELECT until FROM deliveries_open WHERE ready AND lane = 1 AND due <= $2 ORDER BY due, id LIMIT $8) AS q) AS payment,
          (SELECT count(*) AS n, coalesce(bool_or(until <= $2), false) AS stale FROM (
          SELECT until FROM deliveries_open WHERE ready AND lane = 2 AND due <= $2 ORDER BY due, id LIMIT $9) AS q) AS report),
      plan AS MATERIALIZED (
        SELECT least(a, $3 + free) AS a, least(p, $4 + greatest(0, free - greatest(0, a - $3))) AS p,
          least(r, $5 + greatest(0, free - greatest(0, a - $3) - greatest(0, p - $4))) AS r, stale
        FROM room),
      c AS MATERIALIZED (
        SELECT id FROM (
          SELECT id FROM deliveries_open WHERE ready AND lane = 0 AND due <= $2 ORDER BY due, id
          LIMIT (SELECT a FROM plan) FOR UPDATE SKIP LOCKED) AS alarm
        UNION ALL SELECT id FROM (
          SELECT id FROM deliveries_open WHERE ready AND lane = 1 AND due <= $2 ORDER BY due, id
          LIMIT (SELECT p FROM plan) FOR UPDATE SKIP LOCKED) AS payment
        UNION ALL SELECT id FROM (
          SELECT id FROM deliveries_open WHERE ready AND lane = 2 AND due <= $2 ORDER BY due, id
          LIMIT (SELECT r FROM plan) FOR UPDATE SKIP LOCKED) AS report)
      UPDATE deliveries_open d SET state = 2, ready = false, worker = $1, epoch = greatest(d.epoch + 1, $6)
      FROM c, events e, devices v WHERE d.id = c.id AND e.key = d.event AND v.id = d.device
      RETURNING d.id, d.event, d.device, d.sequence, d.lane, d.state, d.due, d.until, d.attempts, d.epoch, d.worker,
        d.proof, d.flags, e.key, e.id, e.kind, e.body, e.class, e.lane, e.at, e.until, e.accepted_at,
        v.id, v.token, v.profile, v.owner, v.secret, v.registered_at, v.proven, (SELECT CASE WHEN stale THEN $10 + 1 ELSE a + p + r END FROM plan)
      """, .int(lease.number), .time(now), .int(shares[0]), .int(shares[1]), .int(shares[2]),
      .int(session.epochFloor(now)), .int(counted[0]), .int(counted[1]), .int(counted[2]), .int(limit))
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

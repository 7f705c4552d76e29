package import Store

/// Intents and results.
///
/// The common case, a claimed delivery to be sent or a sent one that was taken, is one statement for all: `DeliveryRecord`
/// decides about what the row must be by then, and the statement changes it only if it is that. What is otherwise is read
/// and decided one by one.
extension PostgresStore {
  package func markSending(_ intents: [SendIntent], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [IntentAnswer]
  {
    // A delivery that is sending already answers its holder “go” again.
    let going = try await perform(isRepeatable: true) { session throws(StoreError) in
      try session.startAll(intents, lease, now)
    }
    if !intents.isEmpty, going.count == intents.count { return intents.map { _ in .go } }
    let rest = try await perform(isRepeatable: true) { session throws(StoreError) in
      try session.start(intents.filter { !going.contains($0.ticket) }, lease, now)
    }
    var answers = rest[...]
    return intents.map { going.contains($0.ticket) ? .go : answers.popFirst() ?? .fenced }
  }

  package func finish(_ results: [SendResult], lease: WorkerLease, now: Timestamp) async throws(StoreError)
    -> [FinishAnswer]
  {
    let (answers, wakes) = try await perform { session throws(StoreError) -> ([FinishAnswer], Bool) in
      let freed = try session.settleSent(results, lease, now)
      if freed.count == results.count {
        let promoting = PGStatement.promoting(Set(freed.values), proven: freed.devices(provenBy: results))
        let promoted = try session.send(promoting, commits: true)
        return (results.map { _ in .done }, (promoted.last?.changedRows ?? 0) > 0)
      }
      let places = results.indices.filter { freed[results[$0].ticket] == nil }
      let answers = try session.finish(places.map { results[$0] }, lease, now)
      if !freed.isEmpty {
        try session.send(PGStatement.promoting(Set(freed.values), proven: freed.devices(provenBy: results)))
      }
      let byPlace = Dictionary(zip(places, answers)) { first, _ in first }
      return (results.indices.map { byPlace[$0] ?? .done }, true)
    }
    // Where nothing stood behind what was sent, nothing is due that was not before.
    if wakes { wake() }
    return answers
  }
}

extension PGSession {
  /// A delivery as the common case expects it.
  private func expected(_ ticket: DeliveryTicket, _ state: DeliveryState, _ worker: Int64) -> DeliveryRecord {
    DeliveryRecord(
      id: ticket.id, eventKey: 0, deviceKey: 0, sequence: 0, lane: .payment, state: state, due: .distantPast,
      until: nil,
      epoch: ticket.epoch, worker: worker, flags: [])
  }

  /// Writes the intents for deliveries that are claimed and unconfirmed, and commits; gives their tickets.
  fileprivate func startAll(_ intents: [SendIntent], _ lease: WorkerLease, _ now: Timestamp) throws(StoreError)
    -> Set<DeliveryTicket>
  {
    let sorted = intents.sorted { $0.ticket.id < $1.ticket.id }
    let lines = sorted.map { intent in
      var record = expected(intent.ticket, .claimed, lease.number)
      return record.markSending(intent, worker: lease.number, now: now).1.map(TimelineCodec.line).joined()
    }
    let answers = try send(
      [
        PGStatement(
          """
          WITH w AS MATERIALIZED (SELECT number FROM workers WHERE number = $1 FOR KEY SHARE)
          UPDATE deliveries_open d SET state = 3, timeline = d.timeline || u.lines
          FROM w, unnest($2::bigint[], $3::bigint[], $4::text[]) AS u(id, epoch, lines)
          WHERE d.id = u.id AND d.state = 2 AND d.worker = w.number AND d.epoch = u.epoch AND d.flags & $5::integer = 0
          RETURNING d.id, d.epoch
          """, .int(lease.number), .ints(sorted.map { $0.ticket.id.rawValue }), .ints(sorted.map(\.ticket.epoch)),
          .texts(lines), .int(DeliveryRecord.Flags.confirmed.rawValue))
      ], commits: true)
    return Set(answers[0].rows { DeliveryTicket(id: DeliveryID($0.int(0)), epoch: $0.int(1)) })
  }

  /// Writes intents one by one, whatever the deliveries are.
  fileprivate func start(_ intents: [SendIntent], _ lease: WorkerLease, _ now: Timestamp) throws(StoreError)
    -> [IntentAnswer]
  {
    if try send([.holding(lease)])[0].first({ _ in true }) == nil { throw .fenced }
    var current = try deliveries(intents.map(\.ticket.id))
    var changes: [PGChange] = []
    var answers: [IntentAnswer] = []
    for intent in intents {
      guard let old = current[intent.ticket.id] else {
        answers.append(.fenced)
        continue
      }
      var new = old
      let (answer, entries) = new.markSending(intent, worker: lease.number, now: now)
      answers.append(answer)
      if new != old { changes.append(PGChange(old: old, new: new, entries: entries)) }
      current[new.id] = new
    }
    try apply(changes)
    return answers
  }

  /// Settles what the gateway has taken; gives the queues that are free now, by ticket.
  fileprivate func settleSent(_ results: [SendResult], _ lease: WorkerLease, _ now: Timestamp) throws(StoreError)
    -> [DeliveryTicket: PGQueueKey]
  {
    // What comes twice is decided in its order.
    let counts = Dictionary(results.map { ($0.ticket.id, 1) }, uniquingKeysWith: +)
    let sent = results.filter { $0.outcome.isSent && counts[$0.ticket.id] == 1 }
      .sorted { $0.ticket.id < $1.ticket.id }
    if sent.isEmpty { return [:] }
    let lines = sent.map { result in
      var record = expected(result.ticket, .sending, lease.number)
      return record.finish(result, worker: lease.number, now: now)?.map(TimelineCodec.line).joined() ?? ""
    }
    let settled = try rows(
      """
      UPDATE deliveries d SET state = 5, open = false, worker = 0, due = $1, attempts = d.attempts + 1,
        timeline = d.timeline || u.lines
      FROM unnest($3::bigint[], $4::bigint[], $5::text[]) AS u(id, epoch, lines)
      WHERE d.id = u.id AND d.open AND d.state IN (2, 3) AND d.worker = $2 AND d.epoch = u.epoch
      RETURNING d.id, d.epoch, d.device, d.lane
      """, .time(.distantPast), .int(lease.number), .ints(sent.map { $0.ticket.id.rawValue }),
      .ints(sent.map(\.ticket.epoch)), .texts(lines)
    ) { row in
      (
        DeliveryTicket(id: DeliveryID(row.int(0)), epoch: row.int(1)),
        PGQueueKey(device: row.int(2), lane: Lane(rawValue: Int(row.int(3))) ?? .report)
      )
    }
    return Dictionary(settled) { first, _ in first }
  }

  /// Settles results one by one, whatever they are.
  fileprivate func finish(_ results: [SendResult], _ lease: WorkerLease, _ now: Timestamp) throws(StoreError)
    -> [FinishAnswer]
  {
    var current = try deliveries(results.map(\.ticket.id))
    var changes: [PGChange] = []
    var answers: [FinishAnswer] = []
    var proven: Set<Int64> = []
    for result in results {
      guard let old = current[result.ticket.id] else {
        answers.append(.fenced)
        continue
      }
      var new = old
      guard let entries = new.finish(result, worker: lease.number, now: now) else {
        answers.append(.fenced)
        continue
      }
      answers.append(.done)
      changes.append(PGChange(old: old, new: new, entries: entries))
      current[new.id] = new
      if result.provesDevice { proven.insert(new.deviceKey) }
    }
    try apply(changes)
    if !proven.isEmpty { try send([.proving(proven)]) }
    return answers
  }
}

extension [DeliveryTicket: PGQueueKey] {
  /// The devices of those deliveries whose results prove them.
  fileprivate func devices(provenBy results: [SendResult]) -> Set<Int64> {
    Set(results.compactMap { $0.provesDevice ? self[$0.ticket]?.device : nil })
  }
}

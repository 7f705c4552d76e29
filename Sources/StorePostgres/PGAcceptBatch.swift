internal import Store

/// One transaction's worth of events to accept.
struct PGAcceptBatch {
  let session: PGSession
  let events: [(event: NewEvent, now: Timestamp)]
  /// Whether other processes are told.
  private let notifies: Bool
  private(set) var outcomes: [AcceptOutcome]
  private var limits: StoreLimits { session.options.limits }

  init(session: PGSession, events: [(NewEvent, Timestamp)], notifies: Bool) {
    self.session = session
    self.notifies = notifies
    self.events = events
    outcomes = Array(repeating: .refused(.noDevices), count: events.count)
  }

  mutating func run(room: (Int) throws(StoreError) -> Int) throws(StoreError) {
    var places = Array(events.indices)
    while !places.isEmpty {
      let (known, targets) = try lookUp(places.map { events[$0].event })
      let (fresh, later) = sort(places, known)
      let fitting = try choose(fresh, targets, room)
      if !fitting.isEmpty { try store(fitting, commits: later.isEmpty) }
      // Repeats of something new in the same batch get its answer; if that was refused, they stand for themselves.
      places = []
      for (place, first) in later {
        if let outcome = repeated(events[place].event, like: first) {
          outcomes[place] = outcome
        } else {
          places.append(place)
        }
      }
    }
  }

  private func lookUp(_ events: [NewEvent]) throws(StoreError) -> (KnownEvents, PGTargets) {
    let known = KnownEvents.statements(events)
    let targets = PGTargets.statements(events.map(\.target), limit: limits.devicesPerEvent + 1)
    let answers = try session.send(known + targets.map(\.statement))
    return (
      try KnownEvents(session, answers.prefix(known.count)),
      PGTargets(Array(zip(targets.map(\.kind), answers.dropFirst(known.count))))
    )
  }

  /// Answers repeats of stored events; gives the places of new ones, and of repeats within the batch with their first.
  private mutating func sort(_ places: [Int], _ known: KnownEvents) -> (fresh: [Int], later: [(Int, Int)]) {
    var byID: [String: Int] = [:]
    var byKey: [IdempotencyKey: Int] = [:]
    var fresh: [Int] = []
    var later: [(Int, Int)] = []
    for place in places {
      let event = events[place].event
      if let key = event.idempotencyKey, let stored = known.byKey[key] {
        outcomes[place] = stored.digest == event.digest ? .repeated(stored.answer) : .refused(.keyReused)
      } else if let key = event.idempotencyKey, let first = byKey[key] {
        later.append((place, first))
      } else if let stored = known.byID[event.id] {
        outcomes[place] = stored.digest == event.digest ? .repeated(stored.answer) : .refused(.idReused)
      } else if let first = byID[event.id] {
        later.append((place, first))
      } else {
        fresh.append(place)
        byID[event.id] = place
        if let key = event.idempotencyKey { byKey[key] = place }
      }
    }
    return (fresh, later)
  }

  private func repeated(_ event: NewEvent, like first: Int) -> AcceptOutcome? {
    guard case .accepted(let answer) = outcomes[first] else { return nil }
    let original = events[first].event
    if original.digest == event.digest { return .repeated(answer) }
    let isSameKey = event.idempotencyKey != nil && event.idempotencyKey == original.idempotencyKey
    return .refused(isSameKey ? .keyReused : .idReused)
  }

  /// Refuses what has no devices, too many, or no room; gives the rest with their devices.
  private mutating func choose(_ fresh: [Int], _ targets: PGTargets, _ room: (Int) throws(StoreError) -> Int)
    throws(StoreError) -> [(place: Int, devices: [Int64])]
  {
    var chosen: [(place: Int, devices: [Int64])] = []
    for place in fresh {
      let devices = targets.devices(for: events[place].event.target)
      if devices.isEmpty, !events[place].event.keepsWithoutDevices {
        outcomes[place] = .refused(.noDevices)
      } else if devices.count > limits.devicesPerEvent {
        outcomes[place] = .refused(.tooManyDevices(allowed: limits.devicesPerEvent))
      } else {
        chosen.append((place, devices))
      }
    }
    var left = try room(chosen.reduce(0) { $0 + $1.devices.count })
    return chosen.filter { choice in
      if choice.devices.count <= left {
        left -= choice.devices.count
        return true
      }
      outcomes[choice.place] = .refused(.queueFull(retryAfterSeconds: 1))
      return false
    }
  }

  private mutating func store(_ chosen: [(place: Int, devices: [Int64])], commits: Bool) throws(StoreError) {
    var counts: [Int64: Int] = [:]
    var queues: Set<PGQueueKey> = []
    for choice in chosen {
      let lane = events[choice.place].event.lane
      for device in choice.devices {
        counts[device, default: 0] += 1
        queues.insert(PGQueueKey(device: device, lane: lane))
      }
    }
    let answers = try session.send([.numbering(counts), .open(queues), storing(chosen.map(\.place))])
    var sequences = Dictionary(answers[0].rows { ($0.int(0), $0.int(1)) }) { first, _ in first }
    // A device that was removed meanwhile: look everything up again.
    if sequences.count < counts.count { throw session.conflict() }
    for (device, count) in counts { sequences[device, default: 0] -= Int64(count) }
    var open = Set(answers[1].rows { PGQueueKey($0) })
    let keys = Dictionary(answers[2].rows { ($0.text(0), $0.int(1)) }) { first, _ in first }
    var new: [PGNewDelivery] = []
    for choice in chosen {
      let (event, now) = events[choice.place]
      // Another process stored the same id or idempotency key meanwhile.
      guard let key = keys[event.id] else { throw session.conflict() }
      let record = EventRecord(event, key: key, acceptedAt: now)
      for device in choice.devices {
        sequences[device, default: 0] += 1
        let isBehind = !open.insert(PGQueueKey(device: device, lane: event.lane)).inserted
        new.append(
          PGNewDelivery(
            event: record, device: device, sequence: sequences[device, default: 0], isBehind: isBehind,
            due: event.notBefore ?? now, isAdded: false, timeline: ""))
      }
    }
    let made = try session.send(
      [.inserting(new)] + laddering(chosen.map(\.place), keys) + (notifies ? [.notifyingOthers] : []),
      commits: commits)
    answer(chosen, PGNewDelivery.ids(of: new, made[0])[...])
  }

  private mutating func answer(_ chosen: [(place: Int, devices: [Int64])], _ ids: ArraySlice<DeliveryID>) {
    var rest = ids
    for choice in chosen {
      let (event, now) = events[choice.place]
      let own = Array(rest.prefix(choice.devices.count))
      rest = rest.dropFirst(choice.devices.count)
      outcomes[choice.place] = .accepted(AcceptedEvent(id: event.id, acceptedAt: now, deliveries: own))
    }
  }

  /// Stores the events; gives their ids and keys.
  ///
  /// An id or idempotency key that another process stored meanwhile is left out.
  private func storing(_ places: [Int]) -> PGStatement {
    let new = places.map { events[$0].event }
    return PGStatement(
      """
      INSERT INTO events(id, kind, body, class, lane, at, until, accepted_at, digest, scope, scope_key)
      SELECT id, kind, body, class, lane, at, until, accepted_at, digest, scope, scope_key
      FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bytea[], $10::text[], $11::text[]) WITH ORDINALITY
        AS u(id, kind, body, class, lane, at, until, accepted_at, digest, scope, scope_key, place)
      ORDER BY place ON CONFLICT DO NOTHING RETURNING id, key
      """,
      .texts(new.map(\.id)), .texts(new.map(\.kind)), .byteses(new.map(\.body)),
      .ints(new.map { $0.deliveryClass.rawValue }), .ints(new.map { $0.lane.rawValue }),
      .ints(new.map { $0.at.milliseconds }), .ints(new.map { $0.until?.milliseconds }),
      .ints(places.map { events[$0].now.milliseconds }), .byteses(new.map(\.digest)),
      .texts(new.map { $0.idempotencyKey?.scope }), .texts(new.map { $0.idempotencyKey?.key }))
  }

  /// Stores the ladders of those that have one.
  private func laddering(_ places: [Int], _ keys: [String: Int64]) -> [PGStatement] {
    var rows: [(key: Int64, steps: String, due: Int64)] = []
    for place in places where !events[place].event.ladder.isEmpty {
      let (event, now) = events[place]
      let text = LadderCodec.encode(event.ladder)
      guard let first = LadderCodec.decode(text).first, let key = keys[event.id] else { continue }
      rows.append((key, text, now.adding(seconds: first.afterSeconds).milliseconds))
    }
    if rows.isEmpty { return [] }
    return [
      PGStatement(
        """
        INSERT INTO ladders SELECT event, steps, 0, due, 0
        FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS u(event, steps, due)
        """, .ints(rows.map(\.key)), .texts(rows.map(\.steps)), .ints(rows.map(\.due)))
    ]
  }
}

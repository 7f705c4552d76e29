internal import Store

/// Accepts a group of events, all of them new, in one statement.
///
/// What several statements with round trips between them cost is mostly waiting: for the other process to get a processor, and
/// for it to answer. So the usual case is a function of the schema; whatever is otherwise it leaves to `PGAcceptBatch`.
enum PGAcceptFunction {
  /// Part of the schema.
  ///
  /// The function gives NULL and changes nothing when an id or a key is known, a target has too many phones, or there is no
  /// room. Each of its statements sees what was committed before it began: whether something is open for a phone is looked up
  /// when the phone's row is held (not with EXISTS, for which all that is open would be read into a hash table). Rows of phones
  /// are taken in the order of their keys, as everywhere.
  ///
  /// With a worker (`claimer`), deliveries that are due are stored as claimed by it, unless there are more than it may have:
  /// see `PGHandOver`. Its registration is held until the end, as by a claim, and taken before any phone's row, as by those who
  /// take its work over. What was claimed is given with all that a claim gives.
  static let sql = """
    DROP FUNCTION accept_events;
    CREATE FUNCTION accept_events(
      ids text[], kinds text[], bodies bytea[], classes bigint[], lanes bigint[], ats bigint[], untils bigint[],
      accepted_ats bigint[], digests bytea[], scopes text[], scope_keys text[], dues bigint[], flags bigint[],
      kept bigint[], token_places bigint[], tokens bytea[], owner_places bigint[], owners text[],
      group_places bigint[], group_names text[], ladder_places bigint[], ladder_steps text[], ladder_dues bigint[],
      most_devices bigint, room bigint, claimer bigint, most_claimed bigint,
      OUT places bigint[], OUT deliveries bigint[], OUT states bigint[], OUT sequences bigint[], OUT phones bigint[],
      OUT keys bigint[], OUT numbered bigint[], OUT claimed_tokens bytea[], OUT claimed_profiles bigint[],
      OUT claimed_owners text[], OUT claimed_secrets bytea[], OUT claimed_registered bigint[],
      OUT claimed_proven bigint[])
    LANGUAGE plpgsql AS $body$
    DECLARE
      bases bigint[];
      counted bigint;
      storing bigint[] := kept;
      place bigint;
    BEGIN
      IF claimer IS NOT NULL THEN
        SELECT w.number INTO claimer FROM workers w WHERE w.number = claimer FOR KEY SHARE;
      END IF;
      IF EXISTS (SELECT 1 FROM events e WHERE e.id = ANY(ids)) THEN RETURN; END IF;
      IF scopes IS NOT NULL AND EXISTS (
        SELECT 1 FROM unnest(scopes, scope_keys) AS u(scope, scope_key)
        JOIN events e ON e.scope = u.scope AND e.scope_key = u.scope_key) THEN RETURN; END IF;

      SELECT array_agg(t.place), array_agg(t.device) INTO places, phones
      FROM (
        SELECT u.place, v.id AS device FROM unnest(token_places, tokens) AS u(place, token)
          JOIN devices v ON v.token = u.token
        UNION ALL
        SELECT u.place, d.id FROM unnest(owner_places, owners) AS u(place, owner) CROSS JOIN LATERAL (
          SELECT v.id FROM devices v WHERE v.owner = u.owner ORDER BY v.id LIMIT most_devices + 1) AS d
        UNION ALL
        SELECT u.place, d.device FROM unnest(group_places, group_names) AS u(place, name) CROSS JOIN LATERAL (
          SELECT g.device FROM device_groups g WHERE g.name = u.name ORDER BY g.device LIMIT most_devices + 1) AS d
        ORDER BY 1, 2) AS t;
      places := coalesce(places, '{}');
      phones := coalesce(phones, '{}');
      IF cardinality(phones) > room OR cardinality(phones) > most_devices AND EXISTS (
        SELECT 1 FROM unnest(places) AS p(place) GROUP BY p.place HAVING count(*) > most_devices)
      THEN
        places := NULL;
        RETURN;
      END IF;
      IF cardinality(phones) > most_claimed THEN claimer := NULL; END IF;
      FOREACH place IN ARRAY places LOOP storing[place] := 1; END LOOP;

      WITH c AS MATERIALIZED (
        SELECT f.device, count(*) AS count FROM unnest(phones) AS f(device) GROUP BY f.device ORDER BY f.device),
      n AS (
        UPDATE devices v SET sequence = v.sequence + c.count FROM c WHERE v.id = c.device
        RETURNING v.id, v.sequence - c.count AS base, v.token, v.profile, v.owner, v.secret, v.registered_at, v.proven)
      SELECT array_agg(n.id), array_agg(n.base), (SELECT count(*) FROM c),
        array_agg(n.token) FILTER (WHERE claimer IS NOT NULL), array_agg(n.profile) FILTER (WHERE claimer IS NOT NULL),
        array_agg(n.owner) FILTER (WHERE claimer IS NOT NULL), array_agg(n.secret) FILTER (WHERE claimer IS NOT NULL),
        array_agg(n.registered_at) FILTER (WHERE claimer IS NOT NULL),
        array_agg(n.proven::integer::bigint) FILTER (WHERE claimer IS NOT NULL)
        INTO numbered, bases, counted, claimed_tokens, claimed_profiles, claimed_owners, claimed_secrets,
          claimed_registered, claimed_proven
      FROM (SELECT * FROM n ORDER BY id) AS n;
      IF coalesce(cardinality(numbered), 0) < counted THEN
        RAISE EXCEPTION 'a phone was removed meanwhile' USING ERRCODE = 'serialization_failure';
      END IF;

      keys := ARRAY(
        SELECT CASE WHEN storing[g.place] = 1 THEN nextval('events_key_seq') ELSE 0 END
        FROM generate_series(1, cardinality(ids)) AS g(place));
      INSERT INTO events(key, id, kind, body, class, lane, at, until, accepted_at, digest, scope, scope_key)
        OVERRIDING SYSTEM VALUE
      SELECT keys[u.place], u.id, u.kind, u.body, u.class, u.lane, u.at, u.until, u.accepted_at, u.digest, u.scope,
        u.scope_key
      FROM unnest(ids, kinds, bodies, classes, lanes, ats, untils, accepted_ats, digests, scopes, scope_keys)
        WITH ORDINALITY
        AS u(id, kind, body, class, lane, at, until, accepted_at, digest, scope, scope_key, place)
      WHERE storing[u.place] = 1 ORDER BY u.place;

      WITH made AS (
        INSERT INTO deliveries_open(
          event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags, open, ready)
        SELECT keys[t.place], t.device, bases[t.slot] + t.nth, lanes[t.place], t.state, dues[t.place], untils[t.place], 0,
          (t.state = 2)::integer, CASE WHEN t.state = 2 THEN claimer ELSE 0 END, 0, flags[t.place], true, t.state = 1
        FROM (
          SELECT q.number, q.place, q.device, q.slot, q.nth, CASE
            WHEN q.is_behind THEN 0
            WHEN claimer IS NOT NULL AND dues[q.place] <= accepted_ats[q.place]
              AND coalesce(untils[q.place] > accepted_ats[q.place], true) THEN 2
            ELSE 1 END AS state
          FROM (
            SELECT d.number, d.place, d.device, dense_rank() OVER (ORDER BY d.device) AS slot,
              row_number() OVER (PARTITION BY d.device ORDER BY d.number) AS nth,
              row_number() OVER (PARTITION BY d.device, lanes[d.place] ORDER BY d.number) > 1 OR coalesce((
                SELECT true FROM deliveries_open o WHERE o.device = d.device AND o.lane = lanes[d.place] LIMIT 1), false)
                AS is_behind
            FROM unnest(places, phones) WITH ORDINALITY AS d(place, device, number)) AS q) AS t
        ORDER BY t.number RETURNING id, state, sequence)
      SELECT array_agg(made.id), array_agg(made.state::bigint), array_agg(made.sequence)
        INTO deliveries, states, sequences FROM made;
      deliveries := coalesce(deliveries, '{}');

      IF cardinality(ladder_places) > 0 THEN
        INSERT INTO ladders SELECT keys[u.place], u.steps, 0, u.due, 0
        FROM unnest(ladder_places, ladder_steps, ladder_dues) AS u(place, steps, due) WHERE storing[u.place] = 1;
      END IF;
    END
    $body$;

    """

  /// The call for these events, with room for so many deliveries; nil where one repeats another.
  static func call(
    _ events: [(event: NewEvent, now: Timestamp)], _ limits: StoreLimits, room: Int,
    claimingFor offer: PGHandOver.Offer?
  ) -> PGStatement? {
    let new = events.map(\.event)
    let keys = new.compactMap(\.idempotencyKey)
    if Set(new.map(\.id)).count < new.count || Set(keys).count < keys.count { return nil }
    var targets = Targets()
    for (place, event) in new.enumerated() { targets.add(event.target, place + 1) }
    var ladders = Ladders()
    for (place, (event, now)) in events.enumerated() { ladders.add(event.ladder, place + 1, now) }
    return PGStatement(
      """
      SELECT places, deliveries, states, sequences, phones, keys, numbered, claimed_tokens, claimed_profiles,
        claimed_owners, claimed_secrets, claimed_registered, claimed_proven
      FROM accept_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27)
      """,
      .texts(new.map(\.id)), .texts(new.map(\.kind)), .byteses(new.map(\.body)),
      .ints(new.map { $0.deliveryClass.rawValue }), .ints(new.map { $0.lane.rawValue }),
      .ints(new.map { $0.at.milliseconds }), .ints(new.map { $0.until?.milliseconds }),
      .ints(events.map { $0.now.milliseconds }), .byteses(new.map(\.digest)),
      keys.isEmpty ? .null : .texts(new.map { $0.idempotencyKey?.scope }),
      keys.isEmpty ? .null : .texts(new.map { $0.idempotencyKey?.key }),
      .ints(events.map { PGNewDelivery.due($0.event.notBefore ?? $0.now, until: $0.event.until).milliseconds }),
      .ints(new.map { PGNewDelivery.flags($0.deliveryClass, isAdded: false).rawValue }),
      .ints(new.map { $0.keepsWithoutDevices ? 1 : 0 }),
      .ints(targets.tokenPlaces), .byteses(targets.tokens), .ints(targets.ownerPlaces), .texts(targets.owners),
      .ints(targets.groupPlaces), .texts(targets.groups), .ints(ladders.places), .texts(ladders.steps),
      .ints(ladders.dues), .int(limits.devicesPerEvent), .int(room), offer.map { .int($0.worker) } ?? .null,
      .int(offer?.most ?? 0))
  }

  /// What became of a group.
  struct Accepted {
    var outcomes: [AcceptOutcome]
    /// What was claimed for the worker, with the phones, in the order of acceptance.
    var claimed: [(record: DeliveryRecord, event: EventRecord, phone: PGDevice)] = []
    /// Whether something has to be claimed that is due.
    var leavesDue = false
  }

  /// What became of the events; nil where the function left them alone.
  static func accepted(
    _ events: [(event: NewEvent, now: Timestamp)], _ answer: PGAnswer, claimingFor offer: PGHandOver.Offer?
  ) -> Accepted? {
    let made = answer.first { row in row.isNull(0) || row.isNull(1) ? nil : Made(row) }
    guard let made, let made else { return nil }
    var deliveries = [[DeliveryID]](repeating: [], count: events.count)
    for (place, id) in zip(made.places, made.deliveries) { deliveries[Int(place) - 1].append(DeliveryID(id)) }
    var accepted = Accepted(
      outcomes: zip(events, deliveries).map { one, deliveries in
        if deliveries.isEmpty, !one.event.keepsWithoutDevices { return .refused(.noDevices) }
        return .accepted(AcceptedEvent(id: one.event.id, acceptedAt: one.now, deliveries: deliveries))
      })
    accepted.leavesDue = made.states.contains(Int64(DeliveryState.waiting.rawValue))
    if let offer, !made.phones.isEmpty { accepted.claimed = made.claimed(events, worker: offer.worker) }
    return accepted
  }

  /// What the function gave, deliveries in the order of their events.
  private struct Made {
    var places: [Int64]
    var deliveries: [Int64]
    var states: [Int64]
    private var sequences: [Int64]
    private var devices: [Int64]
    private var keys: [Int64]
    /// The phones by their keys, if something was claimed.
    var phones: [Int64: PGDevice]

    init(_ row: PGRow) {
      (places, deliveries, states, sequences) = (row.ints(0), row.ints(1), row.ints(2), row.ints(3))
      (devices, keys) = (row.ints(4), row.ints(5))
      phones = [:]
      if !states.contains(Int64(DeliveryState.claimed.rawValue)) { return }
      let (numbered, profiles) = (row.ints(6), row.ints(8))
      let (tokens, owners, secrets) = (row.elements(7), row.elements(9), row.elements(10))
      let (registered, proven) = (row.ints(11), row.ints(12))
      phones.reserveCapacity(numbered.count)
      for place in numbered.indices {
        phones[numbered[place]] = PGDevice(
          profileID: profiles[place], key: numbered[place], token: TokenCodec.decode(tokens[place] ?? []),
          user: owners[place].map { String(decoding: $0, as: UTF8.self) }, secretHash: secrets[place],
          registeredAt: Timestamp(milliseconds: registered[place]), isProven: proven[place] != 0)
      }
    }

    func claimed(_ events: [(event: NewEvent, now: Timestamp)], worker: Int64)
      -> [(record: DeliveryRecord, event: EventRecord, phone: PGDevice)]
    {
      places.indices.compactMap { number in
        guard states[number] == DeliveryState.claimed.rawValue, let phone = phones[devices[number]] else { return nil }
        let (event, now) = events[Int(places[number]) - 1]
        let key = keys[Int(places[number]) - 1]
        let record = DeliveryRecord(
          id: DeliveryID(deliveries[number]), eventKey: key, deviceKey: devices[number], sequence: sequences[number],
          lane: event.lane, state: .claimed, due: PGNewDelivery.due(event.notBefore ?? now, until: event.until),
          until: event.until, epoch: 1, worker: worker, flags: PGNewDelivery.flags(event.deliveryClass, isAdded: false))
        return (record, EventRecord(event, key: key, acceptedAt: now), phone)
      }
    }
  }

  /// The targets of events, each kind with the places of its events.
  private struct Targets {
    var tokenPlaces: [Int] = []
    var tokens: [[UInt8]] = []
    var ownerPlaces: [Int] = []
    var owners: [String] = []
    var groupPlaces: [Int] = []
    var groups: [String] = []

    mutating func add(_ target: Target, _ place: Int) {
      switch target {
      case .device(let token):
        tokenPlaces.append(place)
        tokens.append(TokenCodec.encode(token))
      case .user(let user):
        ownerPlaces.append(place)
        owners.append(user)
      case .group(let name):
        groupPlaces.append(place)
        groups.append(name)
      }
    }
  }

  /// The ladders of events that have one.
  private struct Ladders {
    var places: [Int] = []
    var steps: [String] = []
    var dues: [Int64] = []

    mutating func add(_ ladder: [LadderStep], _ place: Int, _ now: Timestamp) {
      if ladder.isEmpty { return }
      let text = LadderCodec.encode(ladder)
      guard let first = LadderCodec.decode(text).first else { return }
      places.append(place)
      steps.append(text)
      dues.append(now.adding(seconds: first.afterSeconds).milliseconds)
    }
  }
}

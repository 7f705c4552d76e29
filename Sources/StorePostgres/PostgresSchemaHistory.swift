/// Steps of the schema whose work later ones have replaced.
///
/// Kept to the letter: a database knows the steps it has taken by their checksums.
extension PostgresSchema {
  /// Step 4: what `PGAcceptFunction.sql` is now.
  static let acceptBeforeHandOver = """
    CREATE FUNCTION accept_events(
      ids text[], kinds text[], bodies bytea[], classes bigint[], lanes bigint[], ats bigint[], untils bigint[],
      accepted_ats bigint[], digests bytea[], scopes text[], scope_keys text[], dues bigint[], flags bigint[],
      kept bigint[], token_places bigint[], tokens bytea[], owner_places bigint[], owners text[],
      group_places bigint[], group_names text[], ladder_places bigint[], ladder_steps text[], ladder_dues bigint[],
      most_devices bigint, room bigint, OUT places bigint[], OUT deliveries bigint[])
    LANGUAGE plpgsql AS $body$
    DECLARE
      found bigint[];
      numbered bigint[];
      bases bigint[];
      keys bigint[];
      storing bigint[] := kept;
      place bigint;
    BEGIN
      IF EXISTS (SELECT 1 FROM events e WHERE e.id = ANY(ids)) THEN RETURN; END IF;
      IF scopes IS NOT NULL AND EXISTS (
        SELECT 1 FROM unnest(scopes, scope_keys) AS u(scope, scope_key)
        JOIN events e ON e.scope = u.scope AND e.scope_key = u.scope_key) THEN RETURN; END IF;

      SELECT array_agg(t.place ORDER BY t.place, t.device), array_agg(t.device ORDER BY t.place, t.device)
        INTO places, found
      FROM (
        SELECT u.place, v.id AS device FROM unnest(token_places, tokens) AS u(place, token)
          JOIN devices v ON v.token = u.token
        UNION ALL
        SELECT u.place, d.id FROM unnest(owner_places, owners) AS u(place, owner) CROSS JOIN LATERAL (
          SELECT v.id FROM devices v WHERE v.owner = u.owner ORDER BY v.id LIMIT most_devices + 1) AS d
        UNION ALL
        SELECT u.place, d.device FROM unnest(group_places, group_names) AS u(place, name) CROSS JOIN LATERAL (
          SELECT g.device FROM device_groups g WHERE g.name = u.name ORDER BY g.device LIMIT most_devices + 1) AS d
      ) AS t;
      places := coalesce(places, '{}');
      found := coalesce(found, '{}');
      IF cardinality(found) > room OR cardinality(found) > most_devices AND EXISTS (
        SELECT 1 FROM unnest(places) AS p(place) GROUP BY p.place HAVING count(*) > most_devices)
      THEN
        places := NULL;
        RETURN;
      END IF;
      FOREACH place IN ARRAY places LOOP storing[place] := 1; END LOOP;

      WITH n AS (
        UPDATE devices v SET sequence = v.sequence + c.count
        FROM (SELECT f.device, count(*) AS count FROM unnest(found) AS f(device) GROUP BY f.device ORDER BY f.device) AS c
        WHERE v.id = c.device RETURNING v.id, v.sequence - c.count AS base)
      SELECT array_agg(n.id ORDER BY n.id), array_agg(n.base ORDER BY n.id) INTO numbered, bases FROM n;
      IF coalesce(cardinality(numbered), 0) < (SELECT count(DISTINCT f.device) FROM unnest(found) AS f(device)) THEN
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
        SELECT keys[t.place], t.device, bases[t.slot] + t.nth, lanes[t.place],
          CASE WHEN t.is_behind THEN 0 ELSE 1 END, dues[t.place], untils[t.place], 0, 0, 0, 0, flags[t.place], true,
          NOT t.is_behind
        FROM (
          SELECT d.number, d.place, d.device, dense_rank() OVER (ORDER BY d.device) AS slot,
            row_number() OVER (PARTITION BY d.device ORDER BY d.number) AS nth,
            row_number() OVER (PARTITION BY d.device, lanes[d.place] ORDER BY d.number) > 1 OR coalesce((
              SELECT true FROM deliveries_open o WHERE o.device = d.device AND o.lane = lanes[d.place] LIMIT 1), false)
              AS is_behind
          FROM unnest(places, found) WITH ORDINALITY AS d(place, device, number)) AS t
        ORDER BY t.number RETURNING id)
      SELECT array_agg(made.id) INTO deliveries FROM made;
      deliveries := coalesce(deliveries, '{}');

      IF cardinality(ladder_places) > 0 THEN
        INSERT INTO ladders SELECT keys[u.place], u.steps, 0, u.due, 0
        FROM unnest(ladder_places, ladder_steps, ladder_dues) AS u(place, steps, due) WHERE storing[u.place] = 1;
      END IF;
    END
    $body$;

    """
}

package import Store

/// A device's row, before its profile and groups are looked up.
struct PGDevice {
  var profileID: Int64
  var key: Int64
  var token: String
  var user: String?
  var secretHash: [UInt8]?
  var registeredAt: Timestamp
  var isProven: Bool

  func device(_ profile: DeviceProfile, groups: [String] = []) -> Device {
    Device(
      key: key, token: token, profile: profile, user: user, groups: groups, secretHash: secretHash,
      registeredAt: registeredAt, isProven: isProven)
  }
}

extension PGRow {
  /// A device from seven columns (`id, token, profile, owner, secret, registered_at, proven`), starting at `column`.
  func device(_ column: Int32 = 0) -> PGDevice {
    PGDevice(
      profileID: int(column + 2), key: int(column), token: TokenCodec.decode(bytes(column + 1)),
      user: optionalText(column + 3), secretHash: isNull(column + 4) ? nil : bytes(column + 4),
      registeredAt: time(column + 5), isProven: int(column + 6) != 0)
  }
}

extension PostgresStore {
  package func upsert(_ device: NewDevice, now: Timestamp) async throws(StoreError) -> DeviceChange {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      let token = PGValue.bytes(TokenCodec.encode(device.token))
      let found = try session.send([
        .finding(device.profile),
        PGStatement(
          """
          SELECT v.id, p.environment FROM devices v JOIN profiles p ON p.id = v.profile WHERE v.token = $1
          FOR UPDATE OF v
          """, token),
      ])
      let stored = found[0].first { $0.int(0) }
      let profile = if let stored { stored } else { try session.make(device.profile) }
      if let known = found[1].first({ (key: $0.int(0), environment: Int($0.int(1))) }) {
        let staysProven = known.environment == device.profile.environment.rawValue
        let renew = PGStatement(
          """
          UPDATE devices SET profile = $1, owner = $2, secret = coalesce($3, secret), registered_at = $4,
            proven = proven AND $5::integer = 1 WHERE id = $6
          """, .int(profile), .text(device.user), .bytes(device.secretHash), .time(now), .int(staysProven ? 1 : 0),
          .int(known.key))
        try session.send(
          [renew, PGStatement("DELETE FROM device_groups WHERE device = $1", .int(known.key))]
            + PGStatement.grouping(token, device.groups), commits: true)
        return .renewed
      }
      let insert = PGStatement(
        """
        INSERT INTO devices(token, profile, owner, secret, registered_at) VALUES($1, $2, $3, $4, $5)
        ON CONFLICT DO NOTHING RETURNING id
        """, token, .int(profile), .text(device.user), .bytes(device.secretHash), .time(now))
      if try session.send([insert])[0].first({ _ in true }) == nil { throw session.conflict() }
      try session.send(PGStatement.grouping(token, device.groups), commits: true)
      return .registered
    }
  }

  package func removeDevice(token: String, reason: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await perform(wakes: true) { session throws(StoreError) in
      guard let device = try session.lockedDevice(token) else { return false }
      try session.remove(device.key, reason, now)
      return true
    }
  }

  package func prune(token: String, unregisteredSince since: Timestamp, now: Timestamp) async throws(StoreError)
    -> PruneOutcome
  {
    try await perform(wakes: true) { session throws(StoreError) in
      guard let device = try session.lockedDevice(token) else { return .unknown }
      if device.registeredAt > since { return .registeredSince }
      try session.remove(device.key, "device unregistered", now)
      return .removed
    }
  }

  package func device(token: String) async throws(StoreError) -> Device? {
    try await devices(for: .device(token: token), limit: 1).first
  }

  package func devices(for target: Target, limit: Int) async throws(StoreError) -> [Device] {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      let ids = try PGTargets(session, target, limit: limit).devices(for: target)
      let rows = try session.rows(
        """
        SELECT id, token, profile, owner, secret, registered_at, proven FROM devices WHERE id = ANY($1::bigint[])
        ORDER BY id
        """, .ints(ids)
      ) { $0.device() }
      return try session.complete(rows)
    }
  }

  package func devices(after key: Int64, limit: Int) async throws(StoreError) -> [Device] {
    try await perform(isRepeatable: true) { session throws(StoreError) in
      let rows = try session.rows(
        """
        SELECT id, token, profile, owner, secret, registered_at, proven FROM devices WHERE id > $1 ORDER BY id LIMIT $2
        """, .int(key), .int(limit)
      ) { $0.device() }
      return try session.complete(rows)
    }
  }

  package func moveDevice(token: String, to environment: PushEnvironment, now: Timestamp) async throws(StoreError)
    -> Bool
  {
    try await perform { session throws(StoreError) in
      guard let row = try session.lockedDevice(token) else { return false }
      var profile = try session.profile(row.profileID)
      profile.environment = environment
      let number = try session.number(of: profile)
      try session.run("UPDATE devices SET profile = $1, proven = false WHERE id = $2", .int(number), .int(row.key))
      return true
    }
  }
}

extension PGSession {
  /// Most profiles remembered: apps with odd profiles must not fill the memory.
  private static let mostProfiles = 4096

  /// A profile; its row never changes, so it is remembered.
  func profile(_ id: Int64) throws(StoreError) -> DeviceProfile {
    if let known = profiles[id] { return known }
    let stored = try first(
      """
      SELECT gateway, environment, topic, locale, pack_id, pack_version, sounds, app FROM profiles WHERE id = $1
      """, .int(id)
    ) { row in
      func filled(_ column: Int32) -> String? { row.text(column).isEmpty ? nil : row.text(column) }
      return DeviceProfile(
        gateway: row.text(0), environment: PushEnvironment(rawValue: Int(row.int(1))) ?? .production,
        topic: row.text(2),
        locale: filled(3), packID: filled(4), packVersion: filled(5),
        sounds: row.text(6).split(separator: "\n").map { String($0) }, app: filled(7))
    }
    guard let stored else { throw .broken("The database lacks profile \(id) of a device.") }
    if profiles.count >= PGSession.mostProfiles { profiles = [:] }
    profiles[id] = stored
    return stored
  }

  /// The row number of a profile, made when there is none.
  fileprivate func number(of profile: DeviceProfile) throws(StoreError) -> Int64 {
    if let stored = try send([.finding(profile)])[0].first({ $0.int(0) }) { return stored }
    return try make(profile)
  }

  /// Stores a profile; gives its row number.
  fileprivate func make(_ profile: DeviceProfile) throws(StoreError) -> Int64 {
    let made = try first(
      """
      INSERT INTO profiles(gateway, environment, topic, locale, pack_id, pack_version, sounds, app, signature)
      VALUES($1, $2, $3, $4, $5, $6, $7, $8, sha256(convert_to($9::text, 'UTF8'))) ON CONFLICT DO NOTHING RETURNING id
      """, .text(profile.gateway), .int(profile.environment.rawValue), .text(profile.topic),
      .text(profile.locale ?? ""), .text(profile.packID ?? ""), .text(profile.packVersion ?? ""),
      .text(profile.sounds.joined(separator: "\n")), .text(profile.app ?? ""), .text(profile.signature)
    ) { $0.int(0) }
    guard let made else { throw conflict() }
    return made
  }

  fileprivate func lockedDevice(_ token: String) throws(StoreError) -> PGDevice? {
    try first(
      """
      SELECT id, token, profile, owner, secret, registered_at, proven FROM devices WHERE token = $1 FOR UPDATE
      """, .bytes(TokenCodec.encode(token))
    ) { $0.device() }
  }

  /// Deletes a device; what was to be sent to it fails, all at once so that nothing is freed in between.
  fileprivate func remove(_ device: Int64, _ reason: String, _ now: Timestamp) throws(StoreError) {
    let open = try rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries_open WHERE device = $1
      UNION ALL
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries_settled WHERE device = $1 AND state = 4 AND proof = 0
      """, .int(device)
    ) { $0.delivery() }
    let locked = try deliveries(open.map(\.id))
    let changes = locked.values.filter { $0.state.isOpen || $0.state == .ambiguous }.map { old in
      var new = old
      let entries = new.fail(reason, now: now)
      return PGChange(old: old, new: new, entries: entries)
    }
    try apply(changes.sorted { $0.old.id < $1.old.id })
    try run("DELETE FROM device_groups WHERE device = $1", .int(device))
    try run("DELETE FROM devices WHERE id = $1", .int(device))
  }

  fileprivate func complete(_ rows: [PGDevice]) throws(StoreError) -> [Device] {
    let groups = try self.rows(
      "SELECT device, name FROM device_groups WHERE device = ANY($1::bigint[])", .ints(rows.map(\.key))
    ) { ($0.int(0), $0.text(1)) }
    let byDevice = Dictionary(grouping: groups, by: \.0).mapValues { $0.map(\.1).sorted() }
    var devices: [Device] = []
    for row in rows { devices.append(row.device(try profile(row.profileID), groups: byDevice[row.key] ?? [])) }
    return devices
  }
}

extension PGStatement {
  /// Gives the row number of a profile, if there is one.
  fileprivate static func finding(_ profile: DeviceProfile) -> PGStatement {
    PGStatement(
      "SELECT id FROM profiles WHERE signature = sha256(convert_to($1::text, 'UTF8'))", .text(profile.signature))
  }

  /// Adds a device that has no groups to these.
  fileprivate static func grouping(_ token: PGValue, _ groups: [String]) -> [PGStatement] {
    if groups.isEmpty { return [] }
    return [
      PGStatement(
        """
        INSERT INTO device_groups SELECT u.name, v.id FROM devices v CROSS JOIN unnest($2::text[]) AS u(name)
        WHERE v.token = $1
        """, token, .texts(Set(groups).sorted()))
    ]
  }
}

extension DeviceProfile {
  /// All of it in one text.
  ///
  /// The lengths keep “ab” + “c” apart from “a” + “bc”.
  fileprivate var signature: String {
    let texts = [gateway, topic] + [locale, packID, packVersion].map { $0 ?? "" }
    return (texts + [environment.name, sounds.joined(separator: "\n"), app ?? ""])
      .map { "\($0.utf8.count):\($0)" }.joined()
  }
}

package import Store

extension SQLiteStore {
  package func upsert(_ device: NewDevice, now: Timestamp) async throws(StoreError) -> DeviceChange {
    try await write { context throws(StoreError) in
      let profile = try SQLiteProfiles.number(of: device.profile, context.database)
      let token = TokenCodec.encode(device.token)
      let known = try context.database.first(
        "SELECT v.id, p.environment FROM devices v JOIN profiles p ON p.id = v.profile WHERE v.token = ?", .blob(token)
      ) { (key: $0.int(0), environment: Int($0.int(1))) }
      let key: Int64
      if let known {
        key = known.key
        let staysProven = known.environment == device.profile.environment.rawValue
        try context.database.run(
          """
          UPDATE devices SET profile = ?, user = ?, secret = coalesce(?, secret), registered_at = ?, proven = proven * ?
          WHERE id = ?
          """, .int(profile), .text(device.user), .blob(device.secretHash), .time(now), .int(staysProven ? 1 : 0),
          .int(key))
      } else {
        try context.database.run(
          "INSERT INTO devices(token, profile, user, secret, registered_at) VALUES(?, ?, ?, ?, ?)", .blob(token),
          .int(profile), .text(device.user), .blob(device.secretHash), .time(now))
        key = context.database.lastKey
      }
      try context.setGroups(device.groups, of: key)
      return known == nil ? .registered : .renewed
    }
  }

  package func removeDevice(token: String, reason: String, now: Timestamp) async throws(StoreError) -> Bool {
    try await write { context throws(StoreError) in
      guard let device = try context.database.device(token) else { return false }
      try context.remove(device.key, reason, now)
      return true
    }
  }

  package func prune(token: String, unregisteredSince since: Timestamp, now: Timestamp) async throws(StoreError)
    -> PruneOutcome
  {
    try await write { context throws(StoreError) in
      guard let device = try context.database.device(token) else { return .unknown }
      if device.registeredAt > since { return .registeredSince }
      try context.remove(device.key, "device unregistered", now)
      return .removed
    }
  }

  package func device(token: String) async throws(StoreError) -> Device? {
    try await read { context throws(StoreError) in
      guard let row = try context.database.device(token) else { return nil }
      return try context.complete(row)
    }
  }

  package func devices(for target: Target, limit: Int) async throws(StoreError) -> [Device] {
    try await read { context throws(StoreError) in
      let rows: [SQLiteDevice]
      switch target {
      case .device(let token): rows = try context.database.device(token).map { [$0] } ?? []
      case .user(let user):
        rows = try context.database.rows(
          """
          SELECT id, token, profile, user, secret, registered_at, proven FROM devices WHERE user = ? ORDER BY id LIMIT ?
          """, .text(user), .int(limit)
        ) { $0.device() }
      case .group(let name):
        rows = try context.database.rows(
          """
          SELECT v.id, v.token, v.profile, v.user, v.secret, v.registered_at, v.proven
          FROM device_groups g CROSS JOIN devices v ON v.id = g.device WHERE g.name = ? ORDER BY v.id LIMIT ?
          """, .text(name), .int(limit)
        ) { $0.device() }
      }
      return try context.complete(rows)
    }
  }

  package func devices(after key: Int64, limit: Int) async throws(StoreError) -> [Device] {
    try await read { context throws(StoreError) in
      let rows = try context.database.rows(
        """
        SELECT id, token, profile, user, secret, registered_at, proven FROM devices WHERE id > ? ORDER BY id LIMIT ?
        """, .int(key), .int(limit)
      ) { $0.device() }
      return try context.complete(rows)
    }
  }

  package func moveDevice(token: String, to environment: PushEnvironment, now: Timestamp) async throws(StoreError)
    -> Bool
  {
    try await write { context throws(StoreError) in
      guard let row = try context.database.device(token) else { return false }
      var profile = try context.profiles.profile(row.profileID, context.database)
      profile.environment = environment
      let number = try SQLiteProfiles.number(of: profile, context.database)
      try context.database.run(
        "UPDATE devices SET profile = ?, proven = 0 WHERE id = ?", .int(number), .int(row.key))
      return true
    }
  }
}

extension SQLiteConnection {
  func device(_ token: String) throws(StoreError) -> SQLiteDevice? {
    try first(
      "SELECT id, token, profile, user, secret, registered_at, proven FROM devices WHERE token = ?",
      .blob(TokenCodec.encode(token))
    ) { $0.device() }
  }
}

extension SQLiteWriteContext {
  fileprivate func setGroups(_ groups: [String], of device: Int64) throws(StoreError) {
    try database.run("DELETE FROM device_groups WHERE device = ?", .int(device))
    for name in Set(groups) {
      try database.run("INSERT INTO device_groups VALUES(?, ?)", .text(name), .int(device))
    }
  }

  /// Deletes a device; what was to be sent to it fails, the last first so that nothing is freed in between.
  fileprivate func remove(_ device: Int64, _ reason: String, _ now: Timestamp) throws(StoreError) {
    let open = try database.rows(
      """
      SELECT id, event, device, sequence, lane, state, due, until, attempts, epoch, worker, proof, flags
      FROM deliveries WHERE device = ? AND (open = 1 OR state = 4 AND proof = 0) ORDER BY sequence DESC
      """, .int(device)
    ) { $0.delivery() }
    for old in open {
      var new = old
      let entries = new.fail(reason, now: now)
      try apply(new, from: old, entries)
    }
    try database.run("DELETE FROM device_groups WHERE device = ?", .int(device))
    try database.run("DELETE FROM devices WHERE id = ?", .int(device))
  }
}

extension SQLiteReadContext {
  fileprivate func complete(_ row: SQLiteDevice) throws(StoreError) -> Device {
    let groups = try database.rows("SELECT name FROM device_groups WHERE device = ? ORDER BY name", .int(row.key)) {
      $0.text(0)
    }
    return row.device(try profiles.profile(row.profileID, database), groups: groups)
  }

  fileprivate func complete(_ rows: [SQLiteDevice]) throws(StoreError) -> [Device] {
    var devices: [Device] = []
    for row in rows { devices.append(try complete(row)) }
    return devices
  }
}

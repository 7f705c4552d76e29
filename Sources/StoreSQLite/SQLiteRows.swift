internal import Store

/// Profiles by their row number; a profile's row never changes, so it can be remembered.
struct SQLiteProfiles {
  private var known: [Int64: DeviceProfile] = [:]
  /// Most profiles remembered: apps with odd profiles must not fill the memory.
  private static let most = 4096

  mutating func profile(_ id: Int64, _ database: SQLiteConnection) throws(StoreError) -> DeviceProfile {
    if let profile = known[id] { return profile }
    let stored = try database.first(
      """
      SELECT gateway, environment, topic, locale, pack_id, pack_version, sounds, app FROM profiles WHERE id = ?
      """, .int(id)
    ) { row in
      DeviceProfile(
        gateway: row.text(0), environment: PushEnvironment(rawValue: Int(row.int(1))) ?? .production,
        topic: row.text(2),
        locale: row.filledText(3), packID: row.filledText(4), packVersion: row.filledText(5),
        sounds: row.text(6).split(separator: "\n").map { String($0) }, app: row.filledText(7))
    }
    guard let stored else { throw .broken("The database lacks profile \(id) of a device.") }
    if known.count >= SQLiteProfiles.most { known = [:] }
    known[id] = stored
    return stored
  }

  /// The row number of a profile, made when there is none.
  static func number(of profile: DeviceProfile, _ database: SQLiteConnection) throws(StoreError) -> Int64 {
    let sounds = profile.sounds.joined(separator: "\n")
    let locale = profile.locale ?? ""
    let packID = profile.packID ?? ""
    let packVersion = profile.packVersion ?? ""
    let app = profile.app ?? ""
    let found = try database.first(
      """
      SELECT id FROM profiles WHERE gateway = ? AND environment = ? AND topic = ? AND locale = ? AND pack_id = ?
        AND pack_version = ? AND sounds = ? AND app = ?
      """, .text(profile.gateway), .int(profile.environment.rawValue), .text(profile.topic), .text(locale),
      .text(packID), .text(packVersion), .text(sounds), .text(app)
    ) { $0.int(0) }
    if let found { return found }
    try database.run(
      """
      INSERT INTO profiles(gateway, environment, topic, locale, pack_id, pack_version, sounds, app)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(profile.gateway), .int(profile.environment.rawValue), .text(profile.topic), .text(locale),
      .text(packID), .text(packVersion), .text(sounds), .text(app))
    return database.lastKey
  }
}

/// Bits of the `flags` column that are not flags of the record.
enum SQLiteFlags {
  /// The intent is written: the column `state` stays “claimed”, so that no index changes on the way from claim to result.
  static let sending = 32

  /// The columns `state` and `flags` for a record.
  static func columns(_ record: DeliveryRecord) -> (state: Int, flags: Int) {
    record.state == .sending
      ? (DeliveryState.claimed.rawValue, record.flags.rawValue | sending)
      : (record.state.rawValue, record.flags.rawValue)
  }
}

extension SQLiteRow {
  fileprivate func filledText(_ column: Int32) -> String? {
    let value = text(column)
    return value.isEmpty ? nil : value
  }

  /// A delivery from thirteen columns in the order of the table, starting at `column`.
  func delivery(_ column: Int32 = 0) -> DeliveryRecord {
    let stored = Int(int(column + 12))
    let isSending = stored & SQLiteFlags.sending != 0
    return DeliveryRecord(
      id: DeliveryID(int(column)), eventKey: int(column + 1), deviceKey: int(column + 2), sequence: int(column + 3),
      lane: Lane(rawValue: Int(int(column + 4))) ?? .report,
      state: isSending ? .sending : DeliveryState(rawValue: Int(int(column + 5))) ?? .failed, due: time(column + 6),
      until: optionalTime(column + 7), attempts: Int(int(column + 8)), epoch: int(column + 9), worker: int(column + 10),
      proof: Proof(rawValue: Int(int(column + 11))) ?? .none,
      flags: DeliveryRecord.Flags(rawValue: stored & ~SQLiteFlags.sending))
  }

  /// An event from nine columns (`key, id, kind, body, class, lane, at, until, accepted_at`), starting at `column`.
  func event(_ column: Int32 = 0) -> EventRecord {
    EventRecord(
      key: int(column), id: text(column + 1), kind: text(column + 2), body: blob(column + 3),
      deliveryClass: DeliveryClass(rawValue: Int(int(column + 4))) ?? .atMostOnce,
      lane: Lane(rawValue: Int(int(column + 5))) ?? .report, at: time(column + 6), until: optionalTime(column + 7),
      acceptedAt: time(column + 8))
  }

  /// A device from seven columns (`id, token, profile, user, secret, registered_at, proven`); the profile is filled in later.
  func device(_ column: Int32 = 0) -> SQLiteDevice {
    SQLiteDevice(
      profileID: int(column + 2), key: int(column), token: token(column + 1),
      user: optionalText(column + 3), secretHash: isNull(column + 4) ? nil : blob(column + 4),
      registeredAt: time(column + 5), isProven: int(column + 6) != 0)
  }
}

/// A device's row, before its profile and groups are looked up.
struct SQLiteDevice {
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

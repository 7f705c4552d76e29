/// Which of Apple's push environments a token belongs to.
package enum PushEnvironment: Int, CaseIterable, Hashable, Sendable {
  case production = 0
  case sandbox = 1

  /// The word used in JSON.
  package var name: String { self == .production ? "production" : "sandbox" }

  /// The other one, to try after BadDeviceToken.
  package var other: PushEnvironment { self == .production ? .sandbox : .production }
}

/// What many devices have in common; databases keep each profile once.
package struct DeviceProfile: Hashable, Sendable {
  /// `apns`, `jpush` and so on.
  package var gateway: String
  package var environment: PushEnvironment
  /// The bundle id that pushes go to.
  package var topic: String
  package var locale: String?
  package var packID: String?
  package var packVersion: String?
  /// Names of sound files in the app's bundle.
  package var sounds: [String]
  /// What the app says about itself (name and version), as text.
  package var app: String?

  package init(
    gateway: String = "apns", environment: PushEnvironment, topic: String, locale: String? = nil, packID: String? = nil,
    packVersion: String? = nil, sounds: [String] = [], app: String? = nil
  ) {
    self.gateway = gateway
    self.environment = environment
    self.topic = topic
    self.locale = locale
    self.packID = packID
    self.packVersion = packVersion
    self.sounds = sounds
    self.app = app
  }
}

/// A device to register.
package struct NewDevice: Hashable, Sendable {
  package var token: String
  package var profile: DeviceProfile
  package var user: String?
  package var groups: [String]
  /// Hash of the device's own secret; nil: keep the one that is stored.
  package var secretHash: [UInt8]?

  package init(
    token: String, profile: DeviceProfile, user: String? = nil, groups: [String] = [], secretHash: [UInt8]? = nil
  ) {
    self.token = token
    self.profile = profile
    self.user = user
    self.groups = groups
    self.secretHash = secretHash
  }
}

/// A registered device.
package struct Device: Hashable, Sendable {
  /// The store's own number for it.
  package var key: Int64
  package var token: String
  package var profile: DeviceProfile
  package var user: String?
  /// Sorted, each once.
  ///
  /// Empty in claims (senders do not need them).
  package var groups: [String]
  package var secretHash: [UInt8]?
  /// When it last registered: an older 410 does not remove it.
  package var registeredAt: Timestamp
  /// Whether a push to it has been accepted in its present environment.
  package var isProven: Bool

  package init(
    key: Int64, token: String, profile: DeviceProfile, user: String?, groups: [String], secretHash: [UInt8]?,
    registeredAt: Timestamp, isProven: Bool
  ) {
    self.key = key
    self.token = token
    self.profile = profile
    self.user = user
    self.groups = groups
    self.secretHash = secretHash
    self.registeredAt = registeredAt
    self.isProven = isProven
  }
}

/// What a registration did.
package enum DeviceChange: Hashable, Sendable {
  case registered
  case renewed
}

/// What a 410 did.
package enum PruneOutcome: Hashable, Sendable {
  case removed
  /// It has registered again since that time and stays.
  case registeredSince
  case unknown
}

/// How databases keep tokens: hexadecimal ones as bytes (half the size), others as they are.
package enum TokenCodec {
  /// A leading 1 and the bytes of a lower-case hexadecimal token, or a leading 0 and the token's UTF-8.
  package static func encode(_ token: String) -> [UInt8] {
    let text = Array(token.utf8)
    guard text.count.isMultiple(of: 2), !text.isEmpty else { return [0] + text }
    var bytes: [UInt8] = [1]
    bytes.reserveCapacity(text.count / 2 + 1)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return [0] + text }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The token again; an empty value gives an empty token.
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.first == 1 else { return String(decoding: bytes.dropFirst(), as: UTF8.self) }
    let count = (bytes.count - 1) * 2
    return String(unsafeUninitializedCapacity: count) { text in
      for index in 1..<bytes.count {
        text[2 * index - 2] = letter(bytes[index] >> 4)
        text[2 * index - 1] = letter(bytes[index] & 15)
      }
      return count
    }
  }

  /// The token again, from bytes at hand.
  package static func decode(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { decode($0) } }

  private static func letter(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

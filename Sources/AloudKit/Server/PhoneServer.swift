#if canImport(UserNotifications)
  import ExactJSON
  import Foundation
  import PushPayload

  /// What the phone remembers of its registration with the server, in the App Group.
  ///
  /// The secret lies in a file that is readable after the first unlock, not in the keychain: the extension must reach it on a locked
  /// phone, app and extension share the App Group anyway, and a keychain group would be one more entitlement to get wrong. Whoever
  /// has it can post receipts and read the list of missed events of this one device token, and nothing else; each registration
  /// makes it invalid.
  package struct DeviceRecord: Hashable, Sendable {
    /// The device token in hexadecimal.
    package var token: String
    /// What the server gave the device.
    package var secret: String
    /// What was registered, so that a change is noticed.
    package var profile: String

    package init(token: String, secret: String, profile: String) {
      (self.token, self.secret, self.profile) = (token, secret, profile)
    }

    /// Reads the record of an App Group, or `nil` if the phone has not registered.
    package init?(folder: AppGroupFolder) {
      guard let data = FileManager.default.contents(atPath: folder.file(DeviceRecord.name).path),
        let json = try? JSON.parse(Array(data)), let token = json["token"]?.stringValue,
        let secret = json["secret"]?.stringValue
      else { return nil }
      self.init(token: token, secret: secret, profile: json["profile"]?.stringValue ?? "")
    }

    package func save(in folder: AppGroupFolder) throws {
      let json: JSON = ["token": .string(token), "secret": .string(secret), "profile": .string(profile)]
      try folder.write(Array(json.serialized().utf8), to: folder.file(DeviceRecord.name))
    }

    private static let name = "device.json"
  }

  /// The phone's way to the server: docs/wire.md describes the calls.
  struct PhoneServer: Sendable {
    /// The server's address without a slash at its end, or `nil` if none is configured or it is not https.
    let base: String?
    let http: PhoneHTTP

    init(_ server: String?, http: PhoneHTTP) {
      let address = server.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      // A receipt names events and carries the device's secret: it goes over TLS or not at all.
      base = address.flatMap { URL(string: $0)?.scheme == "https" ? $0 : nil }
      self.http = http
    }

    func url(_ path: String) -> URL? { base.flatMap { URL(string: $0 + path) } }

    static func headers(_ record: DeviceRecord) -> [String: String] {
      ["Content-Type": "application/json", "Authorization": "Device \(record.secret)"]
    }

    /// What the phone has not heard, or `nil` if that cannot be found out now.
    func pending(_ record: DeviceRecord, seconds: Double) async -> [SpokenEvent]? {
      guard let url = url("/v1/devices/\(record.token)/pending") else { return nil }
      let request = PhoneHTTP.Request(url: url, headers: PhoneServer.headers(record), seconds: seconds)
      guard let answer = try? await http.send(request), answer.status == 200,
        let list = (try? JSON.parse(answer.body))?["pending"]?.arrayValue
      else { return nil }
      return list.compactMap { SpokenEvent($0) }
    }

    /// Registers the phone and answers the device's secret.
    ///
    /// - Throws: ``RegistrationError``.
    func register(_ registration: DeviceRegistration, key: String) async throws(RegistrationError) -> String {
      guard let url = url("/v1/devices") else { throw .noServer }
      var request = PhoneHTTP.Request(method: "POST", url: url)
      request.headers = ["Content-Type": "application/json", "Authorization": "Bearer \(key)"]
      request.body = Array(registration.json.serialized().utf8)
      let answer: PhoneHTTP.Answer
      do { answer = try await http.send(request) } catch { throw .noAnswer }
      guard (200...201).contains(answer.status), let secret = (try? JSON.parse(answer.body))?["secret"]?.stringValue
      else { throw .refused(status: answer.status) }
      return secret
    }
  }
#endif

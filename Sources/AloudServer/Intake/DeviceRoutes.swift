internal import Announcing
internal import ExactJSON
internal import HTTPTransport
internal import PushPayload
internal import Store

/// Phones: who they are, what they heard, what they missed.
struct DeviceRoutes: Sendable {
  let store: any Store
  let time: TimeSource
  let metrics: Metrics
  let defaultTopic: String?
  /// What a device is that registers without saying.
  let defaultsToProduction: Bool

  var endpoints: [Endpoint] {
    [
      Endpoint("POST", "/v1/devices", .key(.device)) { call in try await register(call) },
      Endpoint("GET", "/v1/devices", .key(.read)) { call in try await list(call) },
      Endpoint("DELETE", "/v1/devices/{token}", .device) { call in try await remove(call) },
      Endpoint("GET", "/v1/devices/{token}/pending", .device) { call in try await pending(call) },
      Endpoint("POST", "/v1/receipts", .device) { call in try await receive(call) },
    ]
  }

  private var now: Timestamp { Timestamp(milliseconds: time.unixMilliseconds) }

  /// How a device is named where its token must not stand.
  static func id(_ token: String) -> String { "dev_" + Crypto.hex(Crypto.sha256(Array(token.utf8)).prefix(8)) }

  // MARK: Registry

  private func register(_ call: Call) async throws -> HTTPResponse {
    let secret = DeviceSecret()
    let device = try newDevice(try call.jsonObject(), secret: secret)
    do {
      let change = try await store.upsert(device, now: now)
      try await note(call, "device.register", device.token)
      return .json(
        ["id": .string(DeviceRoutes.id(device.token)), "secret": .string(secret.text)],
        status: change == .registered ? 201 : 200)
    } catch { throw Problem(error) }
  }

  private func newDevice(_ object: JSONObject, secret: DeviceSecret) throws(Problem) -> NewDevice {
    var reader = FieldReader(object)
    var token = reader.identifier("token", limit: 200)
    if object["token"] == nil { reader.object(to: "token", "is missing; send the device token in hexadecimal") }
    let gateway = reader.word("gateway", as: Gateway.self) ?? .apns
    token = token.map(DeviceToken.canonical)
    if gateway == .apns, let token, !DeviceToken.isHexadecimal(token) {
      reader.object(to: "token", "must be hexadecimal digits without spaces")
    }
    let environment =
      reader.word("environment", as: Environment.self) ?? (defaultsToProduction ? .production : .sandbox)
    let topic = reader.text("topic", limit: 200) ?? defaultTopic
    if topic == nil, gateway == .apns { reader.object(to: "topic", "is missing; it is the app's bundle identifier") }
    var pack = reader.nested("pack")
    let packID = pack?.text("id", limit: 100)
    let packVersion = pack?.text("version", limit: 40)
    if var inner = pack {
      inner.refuseUnknown()
      reader.absorb(inner)
      pack = inner
    }
    let profile = DeviceProfile(
      gateway: gateway.rawValue, environment: environment == .production ? .production : .sandbox, topic: topic ?? "",
      locale: reader.text("locale", limit: 35), packID: packID, packVersion: packVersion,
      sounds: names("sounds", &reader, limit: 500), app: reader.text("app", limit: 100))
    let user = reader.identifier("user", limit: 120)
    let groups = names("groups", &reader, limit: 100)
    reader.refuseUnknown()
    guard reader.problems.isEmpty, let token else { throw .invalid(reader.problems) }
    return NewDevice(token: token, profile: profile, user: user, groups: groups, secretHash: secret.digest)
  }

  private func names(_ member: String, _ reader: inout FieldReader, limit: Int) -> [String] {
    guard let value = reader.raw(member) else { return [] }
    guard let list = value.arrayValue?.map(\.stringValue), list.count <= limit, !list.contains(nil) else {
      reader.object(to: member, "must be a list of at most \(limit) texts")
      return []
    }
    return list.compactMap { $0 }
  }

  private enum Gateway: String, CaseIterable { case apns, jpush }
  private enum Environment: String, CaseIterable { case production, sandbox, development }

  private func list(_ call: Call) async throws -> HTTPResponse {
    let after = try call.place("after") ?? 0
    do {
      let devices = try await store.devices(after: after, limit: 200)
      var page: JSONObject = ["devices": .array(devices.map(DeviceRoutes.json))]
      if devices.count == 200, let last = devices.last { page["next"] = .string(String(last.key)) }
      return .json(.object(page))
    } catch { throw Problem(error) }
  }

  private static func json(_ device: Device) -> JSON {
    var object: JSONObject = [
      "id": .string(id(device.token)), "gateway": .string(device.profile.gateway),
      "environment": .string(device.profile.environment.name), "topic": .string(device.profile.topic),
      "registeredAt": .string(EventRoutes.text(device.registeredAt)), "proven": .bool(device.isProven),
    ]
    if let user = device.user { object["user"] = .string(user) }
    if let locale = device.profile.locale { object["locale"] = .string(locale) }
    if let pack = device.profile.packID {
      object["pack"] = ["id": .string(pack), "version": .string(device.profile.packVersion ?? "")]
    }
    return .object(object)
  }

  private func remove(_ call: Call) async throws -> HTTPResponse {
    let device = try await owned(call, token: call.parameter("token"))
    do {
      _ = try await store.removeDevice(token: device.token, reason: "removed by its owner", now: now)
      try await note(call, "device.remove", device.token)
    } catch { throw Problem(error) }
    return HTTPResponse(status: 204)
  }

  /// The device with this token, if the caller may speak for it.
  private func owned(_ call: Call, token: String) async throws(Problem) -> Device {
    let device: Device?
    do {
      device = try await store.device(token: DeviceToken.canonical(token))
    } catch { throw Problem(error) }
    switch call.caller {
    case .key where call.caller.has(.device):
      guard let device else { throw .notFound("No device has registered with this token.") }
      return device
    case .device(let secret):
      // An unknown token and a wrong secret answer alike, so that tokens cannot be found out.
      guard let device, let hash = device.secretHash, Crypto.constantTimeEquals(hash, secret.digest) else {
        throw .wrongDeviceSecret
      }
      return device
    default: throw .wrongDeviceSecret
    }
  }

  private func note(_ call: Call, _ action: String, _ token: String) async throws(StoreError) {
    try await store.audit([
      AuditEntry(at: now, actor: call.caller.auditName, action: action, target: DeviceRoutes.id(token))
    ])
  }

  // MARK: Proof and ledger

  private func receive(_ call: Call) async throws -> HTTPResponse {
    let object = try call.jsonObject()
    guard let token = object["token"]?.stringValue else {
      throw Problem.invalid("/token", "is missing; send the device token that the receipt is from")
    }
    let list = object["receipts"]?.arrayValue ?? [.object(object)]
    guard (1...1_000).contains(list.count) else { throw Problem.invalid("/receipts", "must have 1 to 1,000 entries") }
    let device = try await owned(call, token: token)
    var receipts: [NewReceipt] = []
    for (index, value) in list.enumerated() {
      guard let receipt = Receipt(value) else {
        throw Problem.invalid(
          "/receipts/\(index)",
          "needs event, state (\(Receipt.State.allCases.map(\.rawValue).joined(separator: ", "))), code and at")
      }
      receipts.append(
        NewReceipt(
          eventID: receipt.eventID, token: device.token, proof: receipt.state.proof, reason: receipt.code.rawValue,
          phoneTime: Timestamp(seconds: Int64(receipt.at))))
    }
    do {
      let outcomes = try await store.record(receipts, now: now)
      for receipt in receipts { metrics.count(.receipts, [receipt.proof.name]) }
      return .json(["recorded": .int(outcomes.filter { $0 != .unknown }.count)], status: 202)
    } catch { throw Problem(error) }
  }

  private func pending(_ call: Call) async throws -> HTTPResponse {
    let device = try await owned(call, token: call.parameter("token"))
    let after = try call.place("after") ?? 0
    do {
      let entries = try await store.pending(
        token: device.token, after: after, since: now.adding(seconds: -7 * 86_400), limit: 200)
      let events = entries.compactMap { entry -> JSON? in
        guard let stored = StoredEvent(entry.event.body) else { return nil }
        var object = stored.event.json.objectValue ?? [:]
        object["sequence"] = .int(Int(entry.sequence))
        return .object(object)
      }
      return .json(["pending": .array(events)])
    } catch { throw Problem(error) }
  }
}

/// How a device token is written.
enum DeviceToken {
  /// APNs' tokens are hexadecimal and the same in either case; the ids of other gateways are what they are.
  static func canonical(_ token: String) -> String { isHexadecimal(token) ? token.lowercased() : token }

  /// Whether there is nothing but hexadecimal digits in it.
  static func isHexadecimal(_ token: String) -> Bool {
    token.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
  }
}

extension Receipt.State {
  /// What the state proves.
  fileprivate var proof: Proof {
    switch self {
    case .played, .spoken: .heard
    case .merged: .merged
    case .duplicate: .duplicate
    case .expired: .expired
    case .silent, .chimed: .silent
    case .kept: .received
    }
  }
}

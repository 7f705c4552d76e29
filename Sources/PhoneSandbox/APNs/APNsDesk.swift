package import APNsWire
import ExactJSON
package import HTTPTransport
import PushPayload

/// A request as it came to the desk.
package struct APNsDeskRequest: Sendable {
  package var method: String
  package var path: String
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// Whether the body was longer than the server keeps.
  package var bodyIsTruncated: Bool
  /// Which connection it came on.
  package var connection: Int

  /// Makes a request.
  package init(
    method: String = "POST", path: String, headers: HTTPHeaders, body: [UInt8], bodyIsTruncated: Bool = false,
    connection: Int = 0
  ) {
    (self.method, self.path, self.headers, self.body) = (method, path, headers, body)
    (self.bodyIsTruncated, self.connection) = (bodyIsTruncated, connection)
  }
}

/// The answer to a request.
package struct APNsDeskAnswer: Hashable, Sendable {
  /// The HTTP status.
  package var status: Int
  /// Apple's reason for a refusal.
  package var reason: String?
  /// The push's UUID.
  package var apnsID: String
  /// With a 410: since when the token is no longer valid, UNIX milliseconds.
  package var timestampMilliseconds: Int?
  /// The push, if it was taken.
  package var push: AcceptedPush?

  /// The body of the answer.
  package var body: [UInt8] {
    guard let reason else { return [] }
    var object: JSONObject = ["reason": .string(reason)]
    if let timestampMilliseconds { object["timestamp"] = .int(timestampMilliseconds) }
    return Array(JSON.object(object).serialized().utf8)
  }
}

/// What APNs decides about one request, without a socket.
///
/// The checks and their reasons follow Apple, "Handling notification responses from APNs". Apple documents no order of the
/// checks; here the connection's faults come before those of the message, and those of the message before the device's.
package struct APNsDesk: Sendable {
  /// A device token's registration.
  struct Device: Sendable {
    var topic: String
    /// Whether the token is hexadecimal; what is not is never good, registered or not.
    var isHexadecimal: Bool
    /// Why it is no longer valid, with the time in UNIX milliseconds; nil while it is.
    var end: (reason: String, milliseconds: Int)?
  }

  private var tokens: ProviderTokenChecker
  private let topics: Set<String>
  private var devices: [String: Device] = [:]
  private var recent: [String: (second: Int, count: Int)] = [:]
  /// How many pushes a second one device may get before `TooManyRequests`; 0 is no limit, and Apple names no figure.
  package var pushesPerDeviceSecond = 0

  /// Makes a desk.
  ///
  /// - Parameters:
  ///   - keys: The providers' keys.
  ///   - topics: The bundle ids that these providers may push to; empty allows those of the registered devices.
  ///   - environment: Which of Apple's two services it stands for.
  package init(keys: [ProviderKey], topics: Set<String> = [], environment: APNsEnvironment = .development) {
    tokens = ProviderTokenChecker(keys, environment: environment)
    self.topics = topics
  }

  /// Lets a device token of an app exist.
  package mutating func register(token: String, topic: String) {
    devices[token.lowercased()] = Device(topic: topic, isHexadecimal: Crypto.bytes(hex: token) != nil)
  }

  /// Lets a token be one whose app was removed at `milliseconds` (`Unregistered`), or that has run out (`ExpiredToken`).
  package mutating func unregister(
    token: String, atMilliseconds milliseconds: Int, reason: String = "Unregistered"
  ) {
    devices[token.lowercased()]?.end = (reason, milliseconds)
  }

  /// Forgets what a closed connection had used.
  package mutating func closed(connection: Int) { tokens.forget(connection: connection) }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: UNIX seconds.
  ///   - makeID: Makes a UUID for a push that came without one.
  package mutating func answer(_ request: APNsDeskRequest, now: Double, makeID: () -> String) -> APNsDeskAnswer {
    let sentID = request.headers["apns-id"]
    let id = sentID.flatMap { PushRules.isUUID($0) ? $0 : nil } ?? makeID()
    func refused(_ reason: String, _ timestamp: Int? = nil) -> APNsDeskAnswer {
      APNsDeskAnswer(
        status: APNsReason(reason).status ?? 400, reason: reason, apnsID: id, timestampMilliseconds: timestamp)
    }
    guard request.method == "POST" else { return refused("MethodNotAllowed") }
    guard request.path.hasPrefix("/3/device") else { return refused("BadPath") }
    let token = Substring(request.path.utf8.dropFirst("/3/device".utf8.count).drop { $0 == UInt8(ascii: "/") })
      .lowercased()
    guard !token.isEmpty else { return refused("MissingDeviceToken") }
    if request.headers.hasRepeated(prefix: "apns-") { return refused("DuplicateHeaders") }
    let authorization = request.headers["authorization"]
    let topic = request.headers["apns-topic"]
    if let reason = tokens.refusal(authorization, topic: topic, connection: request.connection, now: now) {
      return refused(reason)
    }
    let headers: PushHeaders
    switch APNsDesk.headers(request.headers) {
    case .success(let read): headers = read
    case .failure(let fault): return refused(fault.reason)
    }
    if let reason = PushRules.headerFindings(headers).compactMap(\.reason).first { return refused(reason) }
    if request.bodyIsTruncated || request.body.count > headers.pushType.maximumPayloadBytes {
      return refused("PayloadTooLarge")
    }
    if request.body.isEmpty { return refused("PayloadEmpty") }
    // Apple documents no reason for a body that is no JSON object; PayloadEmpty is what comes nearest.
    guard let payload = try? JSON.parse(request.body), payload.objectValue?.isEmpty == false else {
      return refused("PayloadEmpty")
    }
    if let fault = deviceFault(token, headers, now: now) { return refused(fault.reason, fault.timestamp) }
    return APNsDeskAnswer(
      status: 200, apnsID: id,
      push: AcceptedPush(token: token, headers: headers, payload: payload, apnsID: id, acceptedAt: now))
  }

  private mutating func deviceFault(
    _ token: String, _ headers: PushHeaders, now: Double
  ) -> (reason: String, timestamp: Int?)? {
    guard let device = devices[token], device.isHexadecimal else { return ("BadDeviceToken", nil) }
    let bundleID = String(headers.topic.dropLast(headers.pushType.topicSuffix.utf8.count))
    if !topics.isEmpty, !topics.contains(bundleID) { return ("TopicDisallowed", nil) }
    if bundleID != device.topic { return ("DeviceTokenNotForTopic", nil) }
    if let end = device.end { return (end.reason, end.milliseconds) }
    guard pushesPerDeviceSecond > 0 else { return nil }
    let second = Int(now)
    let count = recent[token]?.second == second ? (recent[token]?.count ?? 0) + 1 : 1
    recent[token] = (second, count)
    return count > pushesPerDeviceSecond ? ("TooManyRequests", nil) : nil
  }

  private struct HeaderFault: Error { let reason: String }

  private static func headers(_ fields: HTTPHeaders) -> Result<PushHeaders, HeaderFault> {
    guard let topic = fields["apns-topic"], !topic.isEmpty else { return .failure(.init(reason: "MissingTopic")) }
    guard let type = PushType(rawValue: fields["apns-push-type"] ?? "alert") else {
      return .failure(.init(reason: "InvalidPushType"))
    }
    var headers = PushHeaders(topic: topic, pushType: type)
    if let text = fields["apns-priority"] {
      guard let priority = Int(text) else { return .failure(.init(reason: "BadPriority")) }
      headers.priority = priority
    }
    if let text = fields["apns-expiration"] {
      guard let expiration = Int(text) else { return .failure(.init(reason: "BadExpirationDate")) }
      headers.expiration = expiration
    }
    headers.collapseID = fields["apns-collapse-id"]
    headers.id = fields["apns-id"]
    return .success(headers)
  }
}

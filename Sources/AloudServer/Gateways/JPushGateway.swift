internal import ExactJSON
internal import HTTPTransport
internal import PushPayload
internal import Store

/// JPush's REST interface, version 3 (docs.jiguang.cn/jpush/server/push/rest_api_v3_push).
///
/// The device's token is its registration id. JPush hands the push to APNs, with our `aloud` part as an extra, which the
/// phone's decoder reads as from any gateway.
struct JPushGateway: PushGateway {
  let name = "jpush"
  private let url: String
  private let authorization: String
  private let client: any HTTPSending
  private let time: TimeSource
  private let timeoutSeconds: Double

  /// The longest `ios` object in bytes: JPush repacks it, and names 2,000 as safe.
  static let maximumBytes = 2_000

  /// Makes a gateway.
  ///
  /// - Parameters:
  ///   - url: The interface's address without a path.
  ///   - secret: The application's master secret.
  init(
    url: String, appKey: String, secret: String, client: any HTTPSending, time: TimeSource, timeoutSeconds: Double = 10
  ) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    authorization = "Basic " + Crypto.base64(Array("\(appKey):\(secret)".utf8))
    (self.client, self.time, self.timeoutSeconds) = (client, time, timeoutSeconds)
  }

  func send(_ pushes: [GatewayPush], report: @escaping @Sendable (Int, GatewayOutcome) -> Void) {
    for (index, push) in pushes.enumerated() {
      Task { report(index, await send(push)) }
    }
  }

  func stop(graceSeconds: Double) async {}

  private func send(_ push: GatewayPush) async -> GatewayOutcome {
    guard let body = Self.body(push, now: time.unixSeconds) else {
      return .refused(reason: "the notification is longer than JPush takes")
    }
    let request = HTTPClientRequest(
      method: "POST", url: url + "/v3/push",
      headers: ["Authorization": authorization, "Content-Type": "application/json"], body: body.serializedBytes(),
      timeoutSeconds: timeoutSeconds)
    do throws(HTTPClientError) {
      return Self.outcome(try await client.send(request), environment: push.environment)
    } catch { return Self.outcome(error) }
  }

  // MARK: Request

  /// The push as JPush wants it; nil when it is too long even without the events that the phone missed.
  static func body(_ push: GatewayPush, now: Int) -> JSON? {
    let payload = push.notification.payload
    guard let aps = payload["aps"]?.objectValue, var part = payload["aloud"]?.objectValue else { return nil }
    var ios = JSONObject()
    ios["alert"] = aps["alert"]
    ios["sound"] = aps["sound"]
    // Unlike APNs', JPush's flags are truth values.
    ios["mutable-content"] = true
    ios["thread-id"] = aps["thread-id"]
    if let level = aps["interruption-level"] { ios["interruption-level"] = level }
    ios["extras"] = ["aloud": .object(part)]
    if size(ios) > maximumBytes {
      if let missed = part["pending"]?.arrayValue, part["pendingCount"] == nil {
        part["pendingCount"] = .int(missed.count)
      }
      part["pending"] = nil
      ios["extras"] = ["aloud": .object(part)]
    }
    guard size(ios) <= maximumBytes else { return nil }
    let headers = push.notification.headers
    var options: JSONObject = ["apns_production": .bool(push.environment == .production)]
    // 0 would mean “only if the phone is there now”; JPush keeps at most ten days.
    options["time_to_live"] = .int(min(864_000, max(0, (headers.expiration ?? now) - now)))
    if let collapse = headers.collapseID { options["apns_collapse_id"] = .string(collapse) }
    return [
      "platform": ["ios"], "audience": ["registration_id": [.string(push.token)]],
      "notification": ["ios": .object(ios)], "options": .object(options),
    ]
  }

  private static func size(_ object: JSONObject) -> Int { JSON.object(object).serialized().utf8.count }

  // MARK: Answer

  /// What an answer means.
  static func outcome(_ response: HTTPClientResponse, environment: PushEnvironment) -> GatewayOutcome {
    let json = try? JSON.parse(response.body)
    let code = json?["error"]?["code"]?.intValue
    let reason = "JPush \(response.status)" + (code.map { " \($0)" } ?? "")
    switch (response.status, code) {
    case (200, _):
      // The id comes as text or as a number.
      guard let id = json?["msg_id"].flatMap({ $0.stringValue ?? $0.numberValue?.text }) else {
        return .ambiguous(reason: "JPush answered 200 without a message id")
      }
      return .accepted(id: id, environment: environment)
    case (429, _), (_, 2002): return .notSent(reason: reason, retryAfterSeconds: wait(response) ?? 60)
    // JPush's own failures in the middle of the work: whether the push went out nobody knows.
    case (500...599, 1000), (500...599, 1030): return .ambiguous(reason: reason)
    case (500...599, _): return .notSent(reason: reason, retryAfterSeconds: wait(response))
    default: return .refused(reason: words(code, reason))
    }
  }

  /// What a missing answer means: before the request left nothing was sent, afterwards nobody knows.
  static func outcome(_ error: HTTPClientError) -> GatewayOutcome {
    switch error {
    case .badURL, .badRequest, .lookup, .forbiddenAddress, .connect, .tls:
      .notSent(reason: "JPush cannot be reached", retryAfterSeconds: nil)
    case .badResponse, .responseTooLarge, .timedOut: .ambiguous(reason: "JPush did not answer")
    }
  }

  /// Seconds until the rate limit's window begins anew.
  private static func wait(_ response: HTTPClientResponse) -> Double? {
    (response.headers["x-rate-limit-reset"] ?? response.headers["retry-after"]).flatMap { Double($0) }
  }

  private static func words(_ code: Int?, _ reason: String) -> String {
    switch code {
    case 1003: reason + ": a value is not valid; is the registration id right?"
    case 1004, 1008: reason + ": the app key or the master secret is wrong"
    case 1005: reason + ": the message is too long"
    case 1011: reason + ": no phone has this registration id, or it was away for 255 days"
    case 1020: reason + ": only HTTPS is taken"
    case 2003: reason + ": this server's address is not on the application's list"
    default: reason
    }
  }
}

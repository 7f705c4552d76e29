internal import APNsClient
internal import APNsWire
internal import ExactJSON
internal import HTTPTransport
package import PushPayload
package import Store

/// A way to a phone.
///
/// A third one is a conformance of this protocol and a name in the device's `gateway`.
package protocol PushGateway: Sendable {
  /// The name in a device's registration: `apns`, `jpush`.
  var name: String { get }
  /// Sends each push and reports exactly one outcome for each, in any order and on any thread.
  func send(_ pushes: [GatewayPush], report: @escaping @Sendable (Int, GatewayOutcome) -> Void)
  /// Lets go of its connections after what is under way has ended.
  func stop(graceSeconds: Double) async
}

/// One push to one phone.
package struct GatewayPush: Sendable {
  package var token: String
  package var environment: PushEnvironment
  /// Whether a push to this token was accepted before.
  package var isProven: Bool
  package var notification: PushNotification
  /// It must not leave later than in so many seconds; nil: any time.
  ///
  /// Afterwards it may be another worker's.
  package var leaveWithinSeconds: Double?
}

/// What became of a push.
package enum GatewayOutcome: Sendable, Hashable {
  /// The gateway took it, under this id, in this environment.
  case accepted(id: String, environment: PushEnvironment)
  /// It was refused for good.
  case refused(reason: String)
  /// The token is gone since then (milliseconds since 1970).
  case unregistered(reason: String, sinceMilliseconds: Int64?)
  /// It left, and nobody knows whether it arrived.
  case ambiguous(reason: String)
  /// It was certainly not taken; it may be sent again, not before the given time.
  case notSent(reason: String, retryAfterSeconds: Double?)
}

/// Apple's push service.
struct APNsGateway: PushGateway {
  let name = "apns"
  let sender: APNsSender

  func send(_ pushes: [GatewayPush], report: @escaping @Sendable (Int, GatewayOutcome) -> Void) {
    let requests = pushes.map { push in
      APNsRequest(
        deviceToken: push.token, headers: push.notification.headers, payload: push.notification.bytes,
        environment: push.environment == .production ? .production : .development, isProven: push.isProven,
        waitSeconds: push.leaveWithinSeconds)
    }
    sender.send(requests) { index, outcome in report(index, GatewayOutcome(outcome)) }
  }

  func stop(graceSeconds: Double) async { await sender.stop(graceSeconds: graceSeconds) }
}

extension GatewayOutcome {
  fileprivate init(_ outcome: APNsOutcome) {
    self =
      switch outcome {
      case .accepted(let id, _, let environment):
        .accepted(id: id ?? "", environment: environment == .production ? .production : .sandbox)
      case .rejected(let reason, _): .refused(reason: reason.text)
      case .unregistered(let reason, let since): .unregistered(reason: reason.text, sinceMilliseconds: since)
      case .ambiguous(let text): .ambiguous(reason: text)
      case .notSent(let text, let seconds, _): .notSent(reason: text, retryAfterSeconds: seconds)
      }
  }
}

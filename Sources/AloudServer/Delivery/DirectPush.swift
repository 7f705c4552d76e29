internal import APNsClient
internal import APNsWire
internal import HTTPTransport
package import PushPayload
internal import Store

/// One push to one phone from the command line, without a server and a database.
package enum DirectPush {
  /// Sends and waits for what became of it.
  ///
  /// - Parameters:
  ///   - notification: What to send; its topic may be empty for the configuration's.
  ///   - token: The device token in hexadecimal.
  ///   - configuration: Where the key is and which environment is meant.
  /// - Returns: Whether APNs took it, and in words what it said.
  /// - Throws: ``StartFailure`` when the key cannot be used.
  package static func send(
    _ notification: PushNotification, token: String, configuration: ServerConfiguration
  ) async throws(StartFailure) -> (isAccepted: Bool, text: String) {
    guard let apns = configuration.apns else {
      throw StartFailure("An APNs key is needed: --apns-key FILE --key-id ID --team-id ID --topic BUNDLE-ID.")
    }
    let gateway = try Gateways.apnsGateway(apns, store: MemoryStore(), time: .live)
    var notification = notification
    if notification.headers.topic.isEmpty { notification.headers.topic = apns.topic }
    let push = GatewayPush(
      token: token, environment: apns.isProduction ? .production : .sandbox, isProven: false,
      notification: notification)
    let outcome = await withCheckedContinuation { continuation in
      gateway.send([push]) { _, outcome in continuation.resume(returning: outcome) }
    }
    await gateway.stop(graceSeconds: 1)
    return describe(outcome)
  }

  private static func describe(_ outcome: GatewayOutcome) -> (isAccepted: Bool, text: String) {
    switch outcome {
    case .accepted(let id, let environment): (true, "accepted by APNs (\(environment.name)), id \(id)")
    case .refused(let reason): (false, "refused: \(reason)")
    case .unregistered(let reason, _): (false, "the token is gone: \(reason)")
    case .ambiguous(let reason): (false, "sent, and nobody knows whether it arrived: \(reason)")
    case .notSent(let reason, let seconds):
      (false, "not sent: \(reason)" + (seconds.map { "; try again in \(Int($0)) s" } ?? ""))
    }
  }
}

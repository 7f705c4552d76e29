import Announcing
import PushPayload

/// A push on its way to one phone.
struct PhonePush: Hashable, Sendable {
  var push: AcceptedPush

  /// The identifier of the notification request: the collapse id if there is one.
  var requestID: String { push.headers.collapseID ?? push.apnsID }
}

/// What APNs keeps for a phone that is offline.
///
/// Source: Apple, "Sending notification requests to APNs": one notification for each bundle id and device, usually the newest;
/// with an expiration of 0 none is kept; an expired one is dropped.
struct Mailbox: Hashable, Sendable {
  private var kept: PhonePush?

  /// Takes a push for a phone that is offline.
  ///
  /// - Returns: The pushes that are lost by it, with the reason.
  mutating func put(_ push: PhonePush) -> [(PhonePush, ReasonCode)] {
    if push.push.headers.expiration == 0 { return [(push, .expiredAtAPNs)] }
    defer { kept = push }
    return kept.map { [($0, .replacedOffline)] } ?? []
  }

  /// Hands out what is kept, now that the phone is back.
  mutating func take(atUnixSeconds now: Double) -> (push: PhonePush?, expired: PhonePush?) {
    defer { kept = nil }
    guard let kept else { return (nil, nil) }
    if let expiration = kept.push.headers.expiration, Double(expiration) < now { return (nil, kept) }
    return (kept, nil)
  }
}

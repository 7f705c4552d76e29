// Room: an APNs-compatible server and virtual iPhones that run Announcing under iOS's rules.

package import ExactJSON
package import PushPayload

/// A push that the sandbox has taken, on its way to a phone.
package struct AcceptedPush: Hashable, Sendable {
  /// The device token, lower-case hexadecimal.
  package var token: String
  /// The headers as they were understood.
  package var headers: PushHeaders
  /// The body.
  package var payload: JSON
  /// The push's UUID, the sender's or one made here.
  package var apnsID: String
  /// When it was taken, UNIX seconds.
  package var acceptedAt: Double

  /// Makes a push.
  package init(token: String, headers: PushHeaders, payload: JSON, apnsID: String, acceptedAt: Double) {
    (self.token, self.headers, self.payload) = (token, headers, payload)
    (self.apnsID, self.acceptedAt) = (apnsID, acceptedAt)
  }
}

// Room: what APNs asks of a provider, as values and state machines: reasons, verdicts, tokens, retries. No socket, no clock, no chance.

/// Which of Apple's two services a device token belongs to.
package enum APNsEnvironment: String, CaseIterable, Hashable, Sendable {
  case production
  /// Apps signed for development; Apple calls the host "sandbox".
  case development

  /// The other one: a token that this service does not know may belong there.
  package var other: APNsEnvironment { self == .production ? .development : .production }

  /// Apple's host ("Sending notification requests to APNs"); 443 and 2197 are its ports.
  package var appleHost: String { self == .production ? "api.push.apple.com" : "api.sandbox.push.apple.com" }
}

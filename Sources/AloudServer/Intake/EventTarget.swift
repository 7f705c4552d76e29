/// Whom an event is for.
package enum EventTarget: Sendable, Hashable {
  /// All devices of a user.
  case user(String)
  /// One device, by its token.
  case device(String)
  /// All devices that registered for a group.
  case group(String)
}

package import PushPayload

/// An event as a caller asked for it, checked: everything in it can be said and sent.
package struct EventRequest: Sendable, Hashable {
  /// The event; its locale is nil when the device's own is to be used.
  package var event: SpokenEvent
  /// Whom it is for.
  package var target: EventTarget
  /// What kind of promise it has.
  package var eventClass: EventClass
  /// A file in the app's bundle that says it, for the route `bundled`.
  package var bundledSound: String?
  /// What the banner shows instead of the phrase book's words.
  package var title: String?
  package var body: String?

  /// Makes a request from its parts.
  package init(
    event: SpokenEvent, target: EventTarget, eventClass: EventClass, bundledSound: String? = nil, title: String? = nil,
    body: String? = nil
  ) {
    (self.event, self.target, self.eventClass) = (event, target, eventClass)
    (self.bundledSound, self.title, self.body) = (bundledSound, title, body)
  }
}

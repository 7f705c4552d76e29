#if canImport(UserNotifications)
  public import Announcing
  public import PushPayload
  import UserNotifications

  /// An event that reached this phone, for a list in the app.
  public struct ReceivedEvent: Hashable, Sendable, Identifiable {
    /// What the push said.
    public var event: SpokenEvent
    /// What became of it on this phone; `nil` while that is not decided.
    public var decision: ReasonCode?
    /// When it came, UNIX seconds.
    public var at: Int

    /// Makes an event.
    public init(event: SpokenEvent, decision: ReasonCode?, at: Int) {
      (self.event, self.decision, self.at) = (event, decision, at)
    }

    /// The event's id.
    public var id: String { event.id }

    /// Whether a person could hear it, alone or in a sum.
    public var wasSpoken: Bool { decision.map { ReasonCode.spokenCodes.contains($0) } ?? false }
  }

  /// A person's answer to a notification.
  public struct EventResponse: Hashable, Sendable {
    /// The event, if the notification told of one.
    public var event: SpokenEvent?
    /// What was chosen: an action's identifier, or `nil` for opening the notification.
    public var action: String?
    /// Whether the notification was swept away.
    public var isDismissal: Bool

    /// Makes a response.
    public init(event: SpokenEvent?, action: String?, isDismissal: Bool) {
      (self.event, self.action, self.isDismissal) = (event, action, isDismissal)
    }
  }

  extension ReasonCode {
    /// The decisions that a person can hear.
    static let spokenCodes: Set<ReasonCode> = [
      .spoken, .mergedIntoSum, .mergedIntoSummary, .spokenByApp, .spokenFromBundle, .replayed,
    ]
  }
#endif

/// The value of `apns-push-type`.
///
/// Source: Apple, "Sending notification requests to APNs".
public enum PushType: String, CaseIterable, Hashable, Sendable {
  case alert, background, voip, pushtotalk, liveactivity, widgets, controls, location, fileprovider, complication, mdm

  /// What stands after the bundle id in the topic.
  public var topicSuffix: String {
    switch self {
    case .alert, .background, .mdm: ""
    case .voip: ".voip"
    case .pushtotalk: ".voip-ptt"
    case .liveactivity: ".push-type.liveactivity"
    case .widgets: ".push-type.widgets"
    case .controls: ".push-type.controls"
    case .location: ".location-query"
    case .fileprovider: ".pushkit.fileprovider"
    case .complication: ".complication"
    }
  }

  /// The largest payload in bytes: 4,096, for VoIP 5,120.
  public var maximumPayloadBytes: Int { self == .voip ? 5120 : 4096 }
}

/// The headers of a request to APNs.
public struct PushHeaders: Hashable, Sendable {
  /// `apns-topic`: the bundle id and the push type's suffix.
  public var topic: String
  /// `apns-push-type`.
  public var pushType: PushType
  /// `apns-priority`: 10, 5 or 1.
  public var priority: Int
  /// `apns-expiration`: UNIX seconds; 0 is one attempt, `nil` leaves it to Apple.
  public var expiration: Int?
  /// `apns-collapse-id`: at most 64 bytes.
  public var collapseID: String?
  /// `apns-id`: a lower-case UUID; `nil` lets APNs make one.
  public var id: String?

  /// Makes headers; nothing is checked yet, see ``PushRules``.
  public init(
    topic: String, pushType: PushType = .alert, priority: Int = 10, expiration: Int? = nil, collapseID: String? = nil,
    id: String? = nil
  ) {
    (self.topic, self.pushType, self.priority) = (topic, pushType, priority)
    (self.expiration, self.collapseID, self.id) = (expiration, collapseID, id)
  }

  /// The headers of a spoken push: type `alert`, priority 10, the event's id as collapse id, an explicit expiration.
  ///
  /// - Parameters:
  ///   - topic: The bundle id.
  ///   - event: What is to be said; an id that is too long is not used as collapse id.
  ///   - expiration: Until when APNs keeps it, UNIX seconds. Keep it longer than `until`, so that a phone that was
  ///     offline still gets the push that carries its ledger.
  ///   - id: The request's UUID.
  public static func alert(topic: String, event: SpokenEvent, expiration: Int, id: String? = nil) -> PushHeaders {
    PushHeaders(
      topic: topic, expiration: expiration,
      collapseID: event.id.utf8.count <= SpokenEvent.maximumIDBytes ? event.id : nil, id: id)
  }

  /// The headers of a silent push: type `background`, priority 5 (10 is an error by Apple's page).
  public static func background(topic: String, expiration: Int? = nil, id: String? = nil) -> PushHeaders {
    PushHeaders(topic: topic, pushType: .background, priority: 5, expiration: expiration, id: id)
  }

  /// Name and value of each header, without `authorization`, in a fixed order.
  public var fields: [(name: String, value: String)] {
    var fields = [
      (name: "apns-topic", value: topic), ("apns-push-type", pushType.rawValue), ("apns-priority", String(priority)),
    ]
    if let expiration { fields.append(("apns-expiration", String(expiration))) }
    if let collapseID { fields.append(("apns-collapse-id", collapseID)) }
    if let id { fields.append(("apns-id", id)) }
    return fields
  }
}

public import ExactJSON

/// Why a payload could not be made.
public enum PayloadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The payload has so many bytes, more than APNs takes, even without the pending entries.
  case tooLarge(bytes: Int, limit: Int)
  /// There is no text to show, so the phone's extension would never run.
  case noText
  /// The id is empty, longer than 64 bytes, or holds characters that a header cannot carry.
  case badID

  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "The payload has \(bytes) bytes and APNs takes \(limit). Shorten the title, the body or the event's text."
    case .noText: "A spoken push must show a title or a body. Give it one."
    case .badID: "An event id must have 1 to 64 printable ASCII characters without spaces."
    }
  }
}

/// What a spoken push shows and falls back to.
public struct AlertText: Hashable, Sendable {
  public var title: String
  public var subtitle: String?
  public var body: String
  /// A file in the app bundle with its extension, or `default`.
  public var fallbackSound: String
  /// Groups notifications on the phone, and what its settings can mute.
  public var threadID: String?
  public var category: String?
  /// `passive`, `active`, `time-sensitive` or `critical`.
  public var interruptionLevel: String?

  /// Makes what is shown.
  public init(
    title: String, subtitle: String? = nil, body: String, fallbackSound: String = "default", threadID: String? = nil,
    category: String? = nil, interruptionLevel: String? = nil
  ) {
    (self.title, self.subtitle, self.body, self.fallbackSound) = (title, subtitle, body, fallbackSound)
    (self.threadID, self.category, self.interruptionLevel) = (threadID, category, interruptionLevel)
  }
}

/// Makes the payloads that this product sends.
public enum PayloadBuilder {
  /// A spoken push: alert text, `mutable-content` 1, a bundled fallback sound and the `aloud` part.
  ///
  /// Pending entries that do not fit are left out and counted in `pendingCount`, so that the phone fetches them.
  ///
  /// - Parameters:
  ///   - event: What is to be said.
  ///   - alert: What is shown, and the sound if speaking fails.
  /// - Throws: ``PayloadError`` if it shows nothing, has no usable id, or is too large for APNs.
  public static func alert(_ event: SpokenEvent, alert: AlertText) throws(PayloadError) -> JSON {
    guard isUsableID(event.id) else { throw .badID }
    guard !alert.title.isEmpty || !alert.body.isEmpty else { throw .noText }
    let held = max(event.pendingCount ?? 0, event.pending.count)
    if held == event.pending.count {
      let whole = payload(event, alert)
      if whole.fits(PushType.alert.maximumPayloadBytes) { return whole }
    }
    return try shortened(event, held: held, alert)
  }

  private static func payload(_ event: SpokenEvent, _ alert: AlertText) -> JSON {
    .object(JSONObject(distinct: [.init("aps", aps(alert)), .init("aloud", event.json)]))
  }

  /// Leaves out pending entries until the rest fits.
  private static func shortened(_ event: SpokenEvent, held: Int, _ alert: AlertText) throws(PayloadError) -> JSON {
    let limit = PushType.alert.maximumPayloadBytes
    var event = event
    while true {
      if event.pending.count < held { event.pendingCount = held }
      let payload = payload(event, alert)
      if payload.fits(limit) { return payload }
      guard !event.pending.isEmpty else { throw .tooLarge(bytes: payload.serializedSize, limit: limit) }
      event.pending.removeLast(max(1, event.pending.count / 8))
    }
  }

  /// A silent push with nothing but `content-available` in `aps`, which asks a running app to do something now.
  public static func background(_ event: SpokenEvent) throws(PayloadError) -> JSON {
    guard isUsableID(event.id) else { throw .badID }
    let payload: JSON = ["aps": ["content-available": 1], "aloud": event.json]
    let size = payload.serializedSize
    let limit = PushType.background.maximumPayloadBytes
    guard size <= limit else { throw .tooLarge(bytes: size, limit: limit) }
    return payload
  }

  /// Whether `id` can name an event: 1 to 64 printable ASCII characters, since it travels in a header.
  public static func isUsableID(_ id: String) -> Bool {
    (1...SpokenEvent.maximumIDBytes).contains(id.utf8.count) && id.utf8.allSatisfy { (33...126).contains($0) }
  }

  private static func aps(_ alert: AlertText) -> JSON {
    var text: [JSONObject.Member] = []
    text.reserveCapacity(3)
    if !alert.title.isEmpty { text.append(.init("title", .string(alert.title))) }
    if let subtitle = alert.subtitle { text.append(.init("subtitle", .string(subtitle))) }
    if !alert.body.isEmpty { text.append(.init("body", .string(alert.body))) }
    var aps: [JSONObject.Member] = []
    aps.reserveCapacity(6)
    aps.append(.init("alert", .object(JSONObject(distinct: text))))
    aps.append(.init("sound", .string(alert.fallbackSound)))
    aps.append(.init("mutable-content", 1))
    if let thread = alert.threadID { aps.append(.init("thread-id", .string(thread))) }
    if let category = alert.category { aps.append(.init("category", .string(category))) }
    if let level = alert.interruptionLevel { aps.append(.init("interruption-level", .string(level))) }
    return .object(JSONObject(distinct: aps))
  }
}

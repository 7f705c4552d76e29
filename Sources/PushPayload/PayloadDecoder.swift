public import ExactJSON

/// The form in which a payload carries what is to be said.
public enum PayloadDialect: String, CaseIterable, Hashable, Sendable {
  /// Ours: an `aloud` part.
  case aloud
  /// `msg_id`, `text`, `voice_type` beside `aps`.
  case messageText
  /// `event`, `amount`, `currency`, `from`, `timestamp`.
  case flatEvent
  /// `voice {text, amount, unit, suffix}` with `metadata {event_id, timestamp}`.
  case voice
  /// `amount`, `type`, `action`, `order_id`.
  case flatOrder
  /// `sound_url`: a file to fetch.
  case soundURL
  /// `useVoice`: whether to speak what is shown.
  case useVoice
  /// Nothing that is to be said.
  case none
}

/// A payload as this product understands it.
public struct DecodedPayload: Hashable, Sendable {
  /// Which form it had.
  public var dialect: PayloadDialect
  /// What is to be said, or `nil` if nothing is.
  public var event: SpokenEvent?
  /// What iOS reads.
  public var aps: APSPart

  /// Makes a decoded payload.
  public init(dialect: PayloadDialect, event: SpokenEvent?, aps: APSPart) {
    (self.dialect, self.event, self.aps) = (dialect, event, aps)
  }
}

/// Understands our payload and those of other systems, whatever the gateway did to types and case.
public enum PayloadDecoder {
  /// Reads a payload, or a notification's user info turned into JSON.
  ///
  /// - Parameters:
  ///   - payload: The whole payload with its `aps`.
  ///   - requestID: The notification request's identifier; it names events of dialects that carry no id of their own.
  ///     Two requests are then two events, which is right for two payments of one amount.
  /// - Returns: Always something: a payload that says nothing has no event.
  public static func decode(_ payload: JSON, requestID: String) -> DecodedPayload {
    let aps = APSPart(payload)
    guard let object = payload.objectValue else { return DecodedPayload(dialect: .none, event: nil, aps: aps) }
    let root = TolerantObject(object)
    for (dialect, read) in readers {
      guard var event = read(root, aps, requestID) else { continue }
      event.group = event.group ?? aps.threadID
      return DecodedPayload(dialect: dialect, event: event, aps: aps)
    }
    return DecodedPayload(dialect: .none, event: nil, aps: aps)
  }

  private typealias Reader = @Sendable (TolerantObject, APSPart, String) -> SpokenEvent?

  // From the most to the least specific; the first that recognises its own marks wins.
  private static let readers: [(PayloadDialect, Reader)] = [
    (.aloud, { root, _, request in root.object("aloud").flatMap { SpokenEvent($0, fallbackID: request) } }),
    (.voice, PayloadDialects.voice),
    (.flatEvent, PayloadDialects.flatEvent),
    (.flatOrder, PayloadDialects.flatOrder),
    (.messageText, PayloadDialects.messageText),
    (.soundURL, PayloadDialects.soundURL),
    (.useVoice, PayloadDialects.useVoice),
  ]
}

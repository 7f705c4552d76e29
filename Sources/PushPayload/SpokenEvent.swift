/// Something that happened in a business and is to be heard on a phone.
///
/// It is both the REST event and the `aloud` part of a payload. Amounts stay the exact text that was sent.
public struct SpokenEvent: Hashable, Sendable {
  /// Names the event for ever; the phone speaks it once.
  ///
  /// At most 64 bytes, so that it can be the collapse id.
  public var id: String
  /// What happened, one of ``EventKind`` or the sender's own word.
  public var kind: String
  /// The language to speak, as a BCP 47 tag; `nil` leaves it to the phone.
  public var locale: String?
  /// The amount as exact decimal text, for example `28.50`.
  public var amount: String?
  /// The currency's ISO 4217 code.
  public var currency: String?
  /// Who paid, asked or called.
  public var from: String?
  /// Free text, the time of a clock (`15:00`), or what a request is about.
  public var text: String?
  /// The service that the sentence names first, for example `微信`.
  public var brand: String?
  /// A word after a whole amount, as one of the dialects sends it (`整`).
  public var suffix: String?
  /// What the phone's own settings can mute, from `aps.thread-id`; the kind stands for it when absent.
  public var group: String?
  /// When it happened, UNIX seconds.
  public var at: Int?
  /// Until when it may be spoken, UNIX seconds; after that the notification is shown silently.
  public var until: Int?
  /// Where the sound is to come from; `nil` is ``Route/auto``.
  public var route: Route?
  /// The rendered sound of the download route.
  public var sound: SoundReference?
  /// Whether a person asked to hear it again.
  public var replay: Bool
  /// Tells one asking from the next, so that the same replay push is not spoken twice.
  public var replayToken: String?
  /// Earlier events that this phone has not confirmed, for one summary sentence.
  public var pending: [PendingEntry]
  /// How many the server still holds; more than ``pending`` means that the rest must be fetched.
  public var pendingCount: Int?

  /// Makes an event; everything but the id and the kind may be absent.
  public init(
    id: String, kind: String, locale: String? = nil, amount: String? = nil, currency: String? = nil,
    from: String? = nil, text: String? = nil, brand: String? = nil, suffix: String? = nil, group: String? = nil,
    at: Int? = nil, until: Int? = nil, route: Route? = nil, sound: SoundReference? = nil, replay: Bool = false,
    replayToken: String? = nil, pending: [PendingEntry] = [], pendingCount: Int? = nil
  ) {
    (self.id, self.kind, self.locale, self.amount, self.currency) = (id, kind, locale, amount, currency)
    (self.from, self.text, self.brand, self.suffix, self.group) = (from, text, brand, suffix, group)
    (self.at, self.until, self.route, self.sound) = (at, until, route, sound)
    (self.replay, self.replayToken, self.pending, self.pendingCount) = (replay, replayToken, pending, pendingCount)
  }

  /// The kind, if it is one that the phrase book knows, also under its names in other systems.
  public var knownKind: EventKind? { EventKind(named: kind) }

  /// The longest id in bytes: APNs takes no longer `apns-collapse-id`.
  public static let maximumIDBytes = 64
}

/// A sound file that waits on the server.
public struct SoundReference: Hashable, Sendable {
  /// An https address.
  public var url: String
  /// The SHA-256 of the file, 64 lower-case hexadecimal digits; `nil` in dialects that carry none.
  public var sha256: String?
  /// The file's length in bytes.
  public var bytes: Int?

  /// Makes a reference; nothing is checked here.
  public init(url: String, sha256: String? = nil, bytes: Int? = nil) {
    (self.url, self.sha256, self.bytes) = (url, sha256, bytes)
  }
}

/// An event that a phone may have missed, as short as a summary needs it.
public struct PendingEntry: Hashable, Sendable {
  /// The event's id.
  public var id: String
  /// What happened.
  public var kind: String
  /// The exact amount, for a payment.
  public var amount: String?
  /// The currency's ISO 4217 code.
  public var currency: String?
  /// When it happened, UNIX seconds.
  public var at: Int?

  /// Makes an entry.
  public init(id: String, kind: String, amount: String? = nil, currency: String? = nil, at: Int? = nil) {
    (self.id, self.kind, self.amount, self.currency, self.at) = (id, kind, amount, currency, at)
  }

  /// The short form of an event.
  public init(_ event: SpokenEvent) {
    self.init(id: event.id, kind: event.kind, amount: event.amount, currency: event.currency, at: event.at)
  }
}

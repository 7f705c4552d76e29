public import ExactJSON

/// What iOS itself reads of a payload: the `aps` dictionary.
///
/// Source of keys and types: Apple, "Generating a remote notification", tables 1 to 3.
public struct APSPart: Hashable, Sendable {
  public var title: String?
  public var subtitle: String?
  public var body: String?
  /// Whether there is something to show, also when the texts are keys into the app's own tables.
  public var hasAlert: Bool
  /// The file name, or `default`.
  public var sound: String?
  /// Whether the sound is a dictionary for a critical alert.
  public var isCritical: Bool
  public var badge: Int?
  public var threadID: String?
  public var category: String?
  public var interruptionLevel: String?
  /// Whether `mutable-content` is exactly the number 1, as iOS wants it.
  public var isMutable: Bool
  /// Whether `content-available` is exactly the number 1.
  public var isContentAvailable: Bool

  /// Reads the part as iOS does: exact keys and types, everything else ignored.
  public init(_ payload: JSON) {
    let aps = payload["aps"]
    let alert = aps?["alert"]
    title = alert?["title"]?.stringValue
    subtitle = alert?["subtitle"]?.stringValue
    body = alert?["body"]?.stringValue ?? alert?.stringValue
    let keys = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
    hasAlert = !(alert?.stringValue ?? "").isEmpty || keys.contains { !(alert?[$0]?.stringValue ?? "").isEmpty }
    sound = aps?["sound"]?.stringValue ?? aps?["sound"]?["name"]?.stringValue
    isCritical = aps?["sound"]?["critical"]?.intValue == 1
    badge = aps?["badge"]?.intValue
    threadID = aps?["thread-id"]?.stringValue
    category = aps?["category"]?.stringValue
    interruptionLevel = aps?["interruption-level"]?.stringValue
    isMutable = aps?["mutable-content"]?.intValue == 1
    isContentAvailable = aps?["content-available"]?.intValue == 1
  }

  /// Whether the service extension runs for it: an alert with text and `mutable-content` 1.
  ///
  /// Source: Apple, "Modifying content in newly delivered notifications". The user must also allow alerts.
  public var startsExtension: Bool { isMutable && hasAlert }
  /// Whether it is a silent push: `content-available` and nothing that a person would notice.
  public var isSilentPush: Bool { isContentAvailable && !hasAlert && sound == nil && badge == nil }
}

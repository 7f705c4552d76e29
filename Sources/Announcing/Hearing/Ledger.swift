/// What has been decided on this phone, so that no event is spoken twice.
public struct Ledger: Hashable, Sendable {
  /// How an event was decided.
  public struct Entry: Hashable, Sendable {
    /// The event's id; for a replay, the id and what tells one asking from the next.
    public var key: String
    /// What was decided.
    public var code: ReasonCode

    /// Makes an entry.
    public init(key: String, code: ReasonCode) { (self.key, self.code) = (key, code) }
  }

  /// The decisions, oldest first.
  public private(set) var entries: [Entry]
  private var codes: [String: ReasonCode]

  /// How many decisions are remembered.
  ///
  /// By count and not by age, since a clock that was set wrong for a moment must not make a phone forget.
  public static let capacity = 1000

  /// Makes a ledger; the last of several decisions on one key counts.
  public init(_ entries: [Entry] = []) {
    self.entries = []
    codes = [:]
    for entry in entries.suffix(Ledger.capacity) { record(entry.key, entry.code) }
  }

  /// What was decided on `key`, or `nil` if nothing was.
  public subscript(key: String) -> ReasonCode? { codes[key] }

  /// Records a decision; the first decision on a key stands.
  public mutating func record(_ key: String, _ code: ReasonCode) {
    guard codes[key] == nil else { return }
    if entries.count >= Ledger.capacity { codes[entries.removeFirst().key] = nil }
    entries.append(Entry(key: key, code: code))
    codes[key] = code
  }
}

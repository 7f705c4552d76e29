/// Lets exactly one of several callers through.
///
/// iOS calls `serviceExtensionTimeWillExpire` on another thread than the work, and the content handler must be called
/// once. Keep the value under a lock and call the handler only when ``take()`` said yes.
public struct OnceOnly: Hashable, Sendable {
  private var isTaken = false

  /// Nobody has been let through yet.
  public init() {}

  /// `true` for the first caller, `false` for every later one.
  public mutating func take() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }
}

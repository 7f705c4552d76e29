/// Why the shared state could not be read or written.
public enum SharedStateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The lock was not to be had in time.
  case busy
  /// The file is sealed until the first unlock after a restart.
  case locked
  /// There is no App Group.
  case noAppGroup
  /// It could not be written.
  case notWritten
  /// It is there and cannot be read, so that nobody knows what was said.
  case damaged

  /// The reason that a person can look up.
  public var code: ReasonCode {
    switch self {
    case .busy: .sharedStateBusy
    case .locked: .lockedSinceRestart
    case .noAppGroup: .appGroupMissing
    case .notWritten: .fileNotWritten
    case .damaged: .sharedStateDamaged
    }
  }

  public var description: String { "\(code.rawValue): \(code.entry.title.english). \(code.entry.advice.english)" }
}

/// Where the ``HearingState`` of a phone lives: a file in the App Group under a lock that the system releases when its
/// holder dies, or memory in tests.
public protocol SharedState: Sendable {
  /// Reads the state, lets `body` change it, and writes it back, all under one lock.
  ///
  /// `body` is short and does nothing but compute. A damaged file never counts as an empty state: what was said would be
  /// said again.
  ///
  /// - Throws: ``SharedStateError``; nothing has then been changed.
  func update<Result: Sendable>(
    _ body: (inout HearingState) -> Result
  ) throws(SharedStateError) -> Result
}

/// Why a store could not do what was asked.
///
/// Nothing of the call was written.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The database cannot take it now (busy, full, unreachable): answer 503 with `Retry-After` in seconds.
  case unavailable(retryAfterSeconds: Int, reason: String)
  /// The worker's lease was taken over: it must drop its work, send nothing of it, and register again.
  case fenced
  /// The store is closed.
  case closed
  /// The database was written by a newer Aloud.
  case newerSchema(found: Int, known: Int)
  /// A migration that the database has applied is not the one this Aloud knows under that number.
  case changedMigration(version: Int)
  /// Another process holds the database, which allows only one.
  case inUse(reason: String)
  /// The database cannot be opened or used until a person does something; the text says what.
  case cannotOpen(reason: String)
  /// This store has no such function; the text says what to do instead.
  case unsupported(String)
  /// The database answered something that the store does not understand, or is damaged.
  case broken(String)

  package var description: String {
    switch self {
    case .unavailable(let seconds, let reason):
      "The store cannot take this now: \(reason) Try again in \(seconds) s."
    case .fenced:
      "This worker's lease ran out and another has taken its work over. Register the worker again."
    case .closed:
      "The store is closed."
    case .newerSchema(let found, let known):
      "The database has schema version \(found), this Aloud knows \(known). Start the newer Aloud, or restore a backup."
    case .changedMigration(let version):
      "Migration \(version) in the database is not the one this Aloud knows. Was the database made by a changed build?"
    case .inUse(let reason), .cannotOpen(let reason), .unsupported(let reason), .broken(let reason):
      reason
    }
  }

  /// Whether the same call may succeed later without anyone doing something.
  package var isTemporary: Bool {
    if case .unavailable = self { return true }
    return false
  }
}

internal import Store

/// Moves the write-ahead log into the file on a thread of its own, so that nobody who waits for a commit waits for that too.
///
/// While changes go on the log would never be quite through, and so never begin again: what came meanwhile, a few pages, the writer
/// moves itself after the next commit.
final class SQLiteCheckpointer: @unchecked Sendable {
  // Unchecked: `database` belongs to the thread once it runs.
  private enum Phase { case idle, moving, moved }

  private let database: SQLiteConnection
  private let queue = JobQueue<Void>(capacity: 1)
  private let phase = StoreLock(Phase.idle)

  /// Pages of 4 KiB in the log from which it is moved.
  private static let usualPages = 2_000
  /// From so many the writer waits for it: the disk does not keep up.
  private static let mostPages = 16_000

  /// Takes a connection of its own to the same file.
  init(database: SQLiteConnection) { self.database = database }

  /// The thread's life.
  func work() {
    while queue.take(1) != nil {
      _ = database.checkpoint(truncate: false)
      phase.withLock { $0 = .moved }
    }
  }

  /// Tells of a commit.
  ///
  /// - Parameter pages: in the log
  /// - Returns: whether the writer shall move the rest now
  func committed(pages: Int) -> Bool {
    phase.withLock { phase in
      switch phase {
      case .moved:
        phase = .idle
        return true
      case .idle where pages >= Self.usualPages:
        phase = .moving
        _ = queue.push(())
        return false
      default: return pages >= Self.mostPages
      }
    }
  }

  /// Ends the thread after what it is doing.
  func close() { queue.close() }
}

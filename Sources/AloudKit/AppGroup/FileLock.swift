#if canImport(UserNotifications)
  package import Announcing
  import Foundation

  /// A lock between the processes of one App Group, on a file.
  ///
  /// It is `flock(2)`: the kernel lets go of it when a process dies, so that a killed extension blocks nobody. It is held for the
  /// time of one small read and write, never while something is spoken or fetched.
  final class FileLock: Sendable {
    private let path: String

    /// Makes a lock on the file at `path`, which is made when missing.
    init(path: String) { self.path = path }

    /// Runs `body` while nobody else is inside, in this process or another.
    ///
    /// - Parameter patienceInSeconds: How long to wait; a holder needs milliseconds, so a longer wait means a stopped process.
    /// - Returns: What `body` returned.
    /// - Throws: `SharedStateError.busy` after the wait, `.locked` before the first unlock, or what `body` throws.
    func withLock<T>(
      patienceInSeconds: Double = 2, _ body: () throws(SharedStateError) -> T
    ) throws(SharedStateError) -> T {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw SharedStateError(errno: errno) }
      defer { close(file) }
      let end = ProcessInfo.processInfo.systemUptime + patienceInSeconds
      while flock(file, LOCK_EX | LOCK_NB) != 0 {
        guard ProcessInfo.processInfo.systemUptime < end else { throw .busy }
        // The kernel offers no wait with an end; two milliseconds are a tenth of what a holder needs at worst.
        usleep(2_000)
      }
      defer { flock(file, LOCK_UN) }
      return try body()
    }
  }

  extension SharedStateError {
    /// What an error number of the file system means here.
    ///
    /// A file that is sealed until the first unlock answers `EPERM`.
    package init(errno code: Int32) {
      switch code {
      case EPERM, EACCES: self = .locked
      case ENOENT, ENOTDIR: self = .noAppGroup
      default: self = .notWritten
      }
    }
  }
#endif

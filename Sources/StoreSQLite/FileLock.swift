internal import CLinux
internal import Glibc
internal import Store

/// Keeps a second server away from a database file.
///
/// It lies in a file of its own, because closing any descriptor of the
/// database would drop SQLite's own locks (https://www.sqlite.org/howtocorrupt.html, section 2.2).
final class FileLock: Sendable {
  private let descriptor: StoreLock<Int32>

  init(path: String) throws(StoreError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if file < 0 {
      throw .cannotOpen(
        reason:
          "\(path) cannot be made: \(String(cString: strerror(errno))). Does the folder exist, and may this user write to it?"
      )
    }
    if flock(file, LOCK_EX | LOCK_NB) != 0 {
      _ = Glibc.close(file)
      throw .inUse(
        reason:
          "Another Aloud server uses this database (\(path) is locked). Stop it, or give this one a file of its own.")
    }
    descriptor = StoreLock(file)
  }

  func release() {
    descriptor.withLock { file in
      guard file >= 0 else { return }
      // Unlocked by name, because a process that is just being started may still hold a copy of the descriptor.
      flock(file, LOCK_UN)
      _ = Glibc.close(file)
      file = -1
    }
  }

  deinit { release() }

  /// Makes an empty file that only its owner may read, unless there is one.
  static func makePrivateFile(_ path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { _ = Glibc.close(file) }
  }
}

internal import Glibc

/// Takes files into use again when they change.
actor FileReloader {
  private let what: LogValue.StaticText
  private let stamp: @Sendable () -> String
  private let log: ServerLog
  private let apply: @Sendable () async throws -> Void
  private var known: String

  /// Makes a reloader; the files are in use already.
  ///
  /// - Parameters:
  ///   - what: The files' name in the log.
  ///   - stamp: Gives something that changes when they do.
  ///   - apply: Reads them and takes them into use; when it throws, the old ones stay.
  init(
    _ what: LogValue.StaticText, stamp: @escaping @Sendable () -> String, log: ServerLog,
    apply: @escaping @Sendable () async throws -> Void
  ) {
    (self.what, self.stamp, self.log, self.apply) = (what, stamp, log, apply)
    known = stamp()
  }

  /// Looks once; never more to do at once.
  func round() async -> Bool {
    let now = stamp()
    guard now != known else { return false }
    do {
      try await apply()
      known = now
      log.write(.info, "files reloaded", ["what": .word(what)])
    } catch {
      // A half-written pair is tried again in the next round.
      log.write(.error, "new files cannot be used; the old ones stay", ["what": .word(what)])
    }
    return false
  }
}

/// Something that changes when a file does.
enum FileStamp {
  /// Of several files together.
  static func of(_ paths: [String]) -> String {
    paths.map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return "missing" }
      return "\(status.st_ino).\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }
}

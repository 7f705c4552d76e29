#if canImport(UserNotifications)
  import Foundation
  import UserNotifications

  /// Writes files so that nobody ever sees half of one.
  enum AtomicFile {
    /// Writes `bytes` under a temporary name beside `target` and renames it there.
    ///
    /// A fixed `temporaryName` is for writers that exclude each other by a lock. The file can be read once the phone has been unlocked after its start: a sound must be heard on a locked phone.
    ///
    /// - Throws: What the file system says; nothing is left behind.
    static func write(
      _ bytes: [UInt8], to target: URL, temporaryName: String? = nil, files: FileManager = .default
    ) throws {
      let temporary = target.deletingLastPathComponent()
        .appendingPathComponent(temporaryName ?? ".\(UUID().uuidString).part", isDirectory: false)
      do {
        try Data(bytes).write(to: temporary)
        try? files.setAttributes(readableWhenLocked, ofItemAtPath: temporary.path)
        guard rename(temporary.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      } catch {
        try? files.removeItem(at: temporary)
        throw error
      }
    }

    /// Makes a folder that can be read on a locked phone; one that is there stays as it is.
    static func makeFolder(_ folder: URL, files: FileManager = .default) throws {
      try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: readableWhenLocked)
    }

    /// The protection of everything that must be read on a locked phone.
    static var readableWhenLocked: [FileAttributeKey: Any] {
      #if canImport(ObjectiveC)
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
      #else
        [:]
      #endif
    }
  }
#endif

#if canImport(UserNotifications)
  package import Foundation
  import UserNotifications

  /// The folders that app and extension share.
  ///
  /// `Library/Sounds` is where iOS looks for a notification's sound
  /// (https://developer.apple.com/documentation/usernotifications/unnotificationsound); the rest lies in `Library/Aloud`.
  /// Files are readable after the first unlock: a payment must be heard on a locked phone.
  package struct AppGroupFolder: Sendable {
    /// `Library/Sounds` of the App Group.
    package let sounds: URL
    /// `Library/Aloud` of the App Group: state, lock and voice packs.
    package let state: URL
    /// `Library/Aloud/Voices`: voice packs that the app installed.
    package var voices: URL { state.appendingPathComponent("Voices", isDirectory: true) }
    /// `Library/Aloud/Receipts`: what the server has not been told yet.
    var receipts: URL { state.appendingPathComponent("Receipts", isDirectory: true) }

    /// Finds the App Group's folders and makes what is missing.
    ///
    /// - Returns: `nil` where the entitlement is missing on this target (or, rarely, the system gives no container).
    package init?(appGroup: String, files: FileManager = .default) {
      guard let container = files.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else { return nil }
      self.init(container: container)
    }

    /// The folders in a container; what is missing is made.
    package init(container: URL) {
      let library = container.appendingPathComponent("Library", isDirectory: true)
      sounds = library.appendingPathComponent("Sounds", isDirectory: true)
      state = library.appendingPathComponent("Aloud", isDirectory: true)
      // A folder that cannot be made shows when something is to be written into it.
      for folder in [sounds, voices, receipts] { try? AtomicFile.makeFolder(folder) }
    }

    /// Where a small file of this name lies.
    func file(_ name: String) -> URL { state.appendingPathComponent(name, isDirectory: false) }

    /// Writes a file so that nobody sees half of it.
    ///
    /// - Parameter temporaryName: The name until it is whole; one that a sweeper knows, where there is one.
    /// - Throws: What the file system says; nothing is left behind.
    package func write(_ bytes: [UInt8], to target: URL, temporaryName: String? = nil) throws {
      try AtomicFile.write(bytes, to: target, temporaryName: temporaryName)
    }
  }
#endif

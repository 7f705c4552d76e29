#if canImport(UserNotifications)
  package import Announcing
  package import Foundation
  import UserNotifications

  /// What a talking clock needs of the phone beside its notifications; tests give their own.
  package struct ClockWorld: Sendable {
    /// `Library/Sounds` of the app: the first place where iOS looks for a sound, and the only one beside the bundle for AlarmKit.
    package var sounds: URL
    /// The file with the settings.
    package var settings: URL
    /// The voices of the phone, looked for anew each time.
    package var voices: @Sendable () -> InstalledVoices
    /// The languages of the phone, the preferred one first.
    package var languages: @Sendable () -> [String]
    /// The clocks of the phone.
    package var now: @Sendable () -> PhoneTime
    /// Waits for so many seconds.
    package var wait: @Sendable (Double) async -> Void

    /// Makes a world of given parts.
    package init(
      sounds: URL, settings: URL, voices: @escaping @Sendable () -> InstalledVoices,
      languages: @escaping @Sendable () -> [String], now: @escaping @Sendable () -> PhoneTime,
      wait: @escaping @Sendable (Double) async -> Void
    ) {
      (self.sounds, self.settings, self.voices) = (sounds, settings, voices)
      (self.languages, self.now, self.wait) = (languages, now, wait)
    }

    /// The phone itself.
    static func live(appGroup: String?) -> ClockWorld {
      let library =
        FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
        ?? FileManager.default.temporaryDirectory
      return ClockWorld(
        sounds: library.appendingPathComponent("Sounds", isDirectory: true),
        settings: library.appendingPathComponent("Aloud", isDirectory: true)
          .appendingPathComponent("clock.json", isDirectory: false),
        voices: { InstalledVoices(appGroup: appGroup) },
        languages: { Locale.preferredLanguages + [Locale.current.identifier] },
        now: {
          PhoneTime(
            unixSeconds: Date().timeIntervalSince1970, upSeconds: ProcessInfo.processInfo.systemUptime, bootID: "",
            utcOffsetSeconds: TimeZone.current.secondsFromGMT())
        },
        wait: { try? await Task.sleep(nanoseconds: UInt64(max(0, $0) * 1e9)) })
    }

    /// The stored settings, or the defaults where there are none.
    func load() -> ClockSettings {
      guard let data = try? Data(contentsOf: settings),
        let stored = try? JSONDecoder().decode(ClockSettings.self, from: data)
      else { return ClockSettings() }
      return stored
    }

    /// Stores settings.
    func save(_ value: ClockSettings) throws {
      try AtomicFile.makeFolder(settings.deletingLastPathComponent())
      try AtomicFile.write(Array(try JSONEncoder().encode(value)), to: settings)
    }

    /// What lies in the sound folder.
    func storedSounds() -> [StoredSound] {
      let keys: Set<URLResourceKey> = [.contentModificationDateKey]
      let found =
        (try? FileManager.default.contentsOfDirectory(at: sounds, includingPropertiesForKeys: Array(keys))) ?? []
      return found.compactMap { file in
        guard let date = try? file.resourceValues(forKeys: keys).contentModificationDate else { return nil }
        return StoredSound(name: file.lastPathComponent, modifiedUnixSeconds: date.timeIntervalSince1970)
      }
    }
  }
#endif

#if canImport(UserNotifications)
  package import Foundation
  package import SpokenText
  import UserNotifications
  package import VoiceAudio

  /// The voice packs of ``InstalledVoices`` as the extension needs them: found by language, opened once in a process.
  ///
  /// A pack is mapped, not read, and stays open while the process lives; one that was replaced or removed is noticed by its date.
  package final class VoiceShelf: Sendable {
    private struct Opened {
      let date: Date
      /// `nil` for a pack that cannot be opened.
      let locale: SpokenLocale?
      let pack: VoicePack?
    }

    private let places: [URL]
    private let opened = Guarded<[String: Opened]>([:])

    /// A shelf of the packs that lie in these folders, the first folder first.
    package init(places: [URL]) { self.places = places }

    // An extension's process serves many notifications, each perhaps by an object of its own.
    private static let shelves = Guarded<[[URL]: VoiceShelf]>([:])

    /// The one shelf of this process for the phone's packs.
    static func shared(_ installed: InstalledVoices) -> VoiceShelf {
      shelves.withLock { shelves in
        if let known = shelves[installed.folders] { return known }
        let shelf = VoiceShelf(places: installed.folders)
        shelves[installed.folders] = shelf
        return shelf
      }
    }

    /// A voice for a language, or `nil` if the phone has none.
    package func voice(_ locale: SpokenLocale) -> Joiner? { pack(locale).map { Joiner(pack: $0) } }

    /// The pack for a language: of several in one folder the newest, since made packs' names end in the moment.
    package func pack(_ locale: SpokenLocale) -> VoicePack? {
      for place in places {
        for candidate in candidates(in: place, locale.tag) {
          if let found = open(candidate.path, candidate.date), found.locale == locale, let pack = found.pack {
            return pack
          }
        }
      }
      return nil
    }

    // A pack that names its language in the folder's name is looked at first, since opening reads a manifest.
    private func candidates(in place: URL, _ tag: String) -> [(path: String, date: Date)] {
      let folders = InstalledVoices.packs(in: place).map(\.path)
      return (folders.filter { $0.contains(tag) } + folders.filter { !$0.contains(tag) }).map { path in
        let facts = try? FileManager.default.attributesOfItem(atPath: path + "/pack.json")
        return (path, facts?[.modificationDate] as? Date ?? .distantPast)
      }
    }

    private func open(_ path: String, _ date: Date) -> Opened? {
      if let known = opened.withLock({ $0[path] }), known.date == date { return known }
      let pack = try? VoicePack.open(path: path)
      let new = Opened(date: date, locale: pack.flatMap { try? SpokenLocale($0.locale) }, pack: pack)
      opened.withLock { $0[path] = new }
      return new
    }
  }
#endif

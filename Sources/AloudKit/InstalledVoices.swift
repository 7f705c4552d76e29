#if canImport(UserNotifications)
  public import Foundation
  public import SpokenText
  public import VoiceAudio
  import UserNotifications

  /// The voice packs of this phone: those that it made or loaded itself, then those in the app's bundle.
  public struct InstalledVoices: Sendable {
    /// One pack, for a list to choose from.
    public struct Voice: Hashable, Identifiable, Sendable {
      /// The pack's identifier.
      public let id: String
      /// Its language tag.
      public let locale: String
      /// Who speaks.
      public let name: String
      /// Where it lies.
      public let folder: URL
    }

    /// Where the packs lie, the first folder first.
    let folders: [URL]

    /// The voices of an App Group and of a bundle.
    ///
    /// - Parameters:
    ///   - appGroup: The App Group whose `Library/Aloud/Voices` is looked in first; `nil` for none.
    ///   - bundle: The bundle with `NAME.voicepack` folders; an extension also sees those of its app.
    public init(appGroup: String?, bundle: Bundle = .main) {
      var folders: [URL] = []
      if let appGroup, let group = AppGroupFolder(appGroup: appGroup) { folders.append(group.voices) }
      if let resources = bundle.resourceURL { folders.append(resources) }
      if bundle.bundleURL.pathExtension == "appex" {
        // App.app/PlugIns/Extension.appex
        folders.append(bundle.bundleURL.deletingLastPathComponent().deletingLastPathComponent())
      }
      self.init(folders: folders)
    }

    /// The voices in given folders; a voice in an earlier folder goes before one in a later.
    public init(folders: [URL]) { self.folders = folders }

    /// All packs that can be opened.
    public var all: [Voice] {
      packs.map { folder, pack in
        Voice(id: pack.id, locale: pack.locale, name: pack.manifest.voice, folder: folder)
      }
    }

    /// The pack for a language: the chosen one if it speaks the language, else the first of this very locale.
    ///
    /// - Parameters:
    ///   - locale: The language.
    ///   - id: The identifier of a pack that a person chose.
    public func pack(for locale: SpokenLocale, id: String? = nil) -> VoicePack? {
      let fitting = packs.map(\.pack).filter { (try? SpokenLocale($0.locale)) == locale }
      return fitting.first { $0.id == id } ?? fitting.first
    }

    private var packs: [(folder: URL, pack: VoicePack)] {
      folders.flatMap(InstalledVoices.packs).compactMap { place in
        (try? VoicePack.open(path: place.path)).map { (place, $0) }
      }
    }

    /// The packs' folders in a folder, the newest of those that the phone made first: their names end in the moment.
    static func packs(in folder: URL) -> [URL] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.filter { $0.hasSuffix(".voicepack") && !$0.hasPrefix(".") }.sorted(by: >)
        .map { folder.appendingPathComponent($0, isDirectory: true) }
    }
  }
#endif

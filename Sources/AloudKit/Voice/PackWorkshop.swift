#if canImport(UserNotifications)
  import Announcing
  import Foundation
  import SpokenText
  import UserNotifications
  import VoiceAudio

  /// The files of a voice pack that is being made: a part for each unit, and at the end the pack.
  ///
  /// A part's name is made of everything that its sound depends on, so that work that was broken off goes on where it stopped.
  struct PackWorkshop: Sendable {
    /// What is made.
    let locale: SpokenLocale
    /// Who speaks: identifier and name.
    let voice: (id: String, name: String)
    private let voices: URL
    private let parts: URL

    /// Opens the workshop of a voice in the folder of the phone's voice packs.
    init(locale: SpokenLocale, voice: (id: String, name: String), in voices: URL) throws {
      (self.locale, self.voice, self.voices) = (locale, voice, voices)
      parts = voices.appendingPathComponent(".parts-\(SoundFileName.hash(voice.id + locale.tag))", isDirectory: true)
      try AtomicFile.makeFolder(parts)
    }

    // MARK: Parts

    private func place(_ unit: PackScript.Unit) -> URL {
      parts.appendingPathComponent(SoundFileName.hash("1\u{0}\(unit.name)") + ".wav", isDirectory: false)
    }

    /// A unit's clip, if it has been made.
    func kept(_ unit: PackScript.Unit) -> Sound? {
      guard let data = try? Data(contentsOf: place(unit)), let file = try? SoundFile.decode(Array(data)) else {
        return nil
      }
      return Sound(file.pcm)
    }

    /// Keeps a unit's clip.
    func keep(_ clip: Sound, _ unit: PackScript.Unit) throws {
      try AtomicFile.write(SoundFile.encode(clip.pcm, container: .wav, codec: .lpcm), to: place(unit))
    }

    /// Forgets a unit's clip.
    func drop(_ unit: PackScript.Unit) { try? FileManager.default.removeItem(at: place(unit)) }

    // MARK: The pack

    /// The identifier of the pack: one for each voice and language.
    var packID: String { "phone-\(locale.tag)-\(SoundFileName.hash(voice.id).prefix(8))" }

    /// Puts the parts together, checks the pack as any other and moves it into place; then the parts and older packs of
    /// this voice are removed.
    ///
    /// - Throws: ``PhoneVoicePackError``, or what the file system says; the parts stay.
    func finish(_ units: [PackScript.Unit], unixSeconds: Int) throws -> InstalledVoices.Voice {
      let contents = try assemble(units, version: "\(unixSeconds)")
      let new = voices.appendingPathComponent(".new-\(UUID().uuidString)", isDirectory: true)
      defer { try? FileManager.default.removeItem(at: new) }
      try AtomicFile.makeFolder(new)
      try AtomicFile.write(contents.clips, to: new.appendingPathComponent("clips.caf", isDirectory: false))
      try AtomicFile.write(contents.manifest, to: new.appendingPathComponent("pack.json", isDirectory: false))
      let pack = try open(new)
      let coverage = Coverage(of: pack, locale: locale, depth: 300)
      guard coverage.rows.allSatisfy(\.isComplete) else {
        let words = coverage.rows.flatMap(\.missing).prefix(12).joined(separator: " ")
        throw PhoneVoicePackError(.wordsMissing, "The pack that was made cannot say: \(words).")
      }
      let name = "phone-\(locale.tag)-\(unixSeconds)-\(packID.suffix(8)).voicepack"
      let place = voices.appendingPathComponent(name, isDirectory: true)
      guard rename(new.path, place.path) == 0 else {
        throw PhoneVoicePackError(.fileNotWritten, "The pack could not be put in place at \(place.lastPathComponent).")
      }
      clear(except: name)
      return InstalledVoices.Voice(id: pack.id, locale: pack.locale, name: pack.manifest.voice, folder: place)
    }

    private func assemble(_ units: [PackScript.Unit], version: String) throws -> PackAssembly.Contents {
      var clips: [PreparedClip] = []
      var rate: Int?
      for unit in units {
        guard let sound = kept(unit) else {
          throw PhoneVoicePackError(.fileNotWritten, "The clip “\(unit.name)” is gone; make the pack again.")
        }
        guard sound.sampleRate == rate ?? sound.sampleRate else {
          drop(unit)
          throw PhoneVoicePackError(.renderFailed, "The voice changed its sample rate; make the pack again.")
        }
        rate = sound.sampleRate
        clips.append(PreparedClip(name: unit.name, words: unit.words, sound: sound))
      }
      let manifest = PackManifest(
        id: packID, version: version, locale: locale.tag, voice: voice.name,
        licence: "Made on this phone from a system voice, for this phone only", sampleRate: rate ?? 22_050,
        codec: .ima4,
        loudness: ClipFinish().loudness, clips: [])
      do { return try PackAssembly.files(manifest, clips) } catch {
        throw PhoneVoicePackError(.renderFailed, error.message)
      }
    }

    private func open(_ folder: URL) throws(PhoneVoicePackError) -> VoicePack {
      do { return try VoicePack.open(path: folder.path) } catch {
        throw PhoneVoicePackError(.renderFailed, error.message)
      }
    }

    /// Removes the parts and every other pack of this voice and language.
    private func clear(except name: String) {
      let files = FileManager.default
      try? files.removeItem(at: parts)
      for other in (try? files.contentsOfDirectory(atPath: voices.path)) ?? [] where other != name {
        let isOurs = other.hasPrefix("phone-\(locale.tag)-") && other.hasSuffix("-\(packID.suffix(8)).voicepack")
        let isAbandoned = other.hasPrefix(".new-")
        if isOurs || isAbandoned { try? files.removeItem(at: voices.appendingPathComponent(other)) }
      }
    }
  }
#endif

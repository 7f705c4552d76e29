/// A clip that is ready to be put into a pack.
package struct PreparedClip: Sendable {
  /// What it is called in the manifest.
  package var name: String
  /// The words it says.
  package var words: [String]
  /// Where it may be used; start and length are filled in by the writer.
  package var take: PackManifest.Take
  /// The sound, shaped.
  package var sound: Sound

  /// Makes a clip without a context.
  package init(
    name: String, words: [String], sound: Sound, take: PackManifest.Take = .init(start: 0, length: 0)
  ) {
    self.name = name
    self.words = words
    self.take = take
    self.sound = sound
  }
}

/// Puts clips together into a pack's two files.
package enum PackAssembly {
  /// The bytes of the two files of a pack.
  package struct Contents: Sendable {
    /// `pack.json`.
    package let manifest: [UInt8]
    /// `clips.caf`.
    package let clips: [UInt8]
  }

  /// Encodes clips and completes the manifest, whose own clips are replaced.
  ///
  /// Clips of IMA4 are made neutral. Clips with the same words become takes of one.
  /// - Parameter standIns: Words that are spoken by the clip of another word.
  /// - Throws: ``VoicePackError`` if there is no clip, a name stands twice, or two takes would fit equally.
  package static func files(
    _ manifest: PackManifest, _ clips: [PreparedClip], standIns: [(word: String, clip: String)] = []
  ) throws(VoicePackError) -> Contents {
    guard !clips.isEmpty else { throw VoicePackError(.badManifest, "A voice pack needs at least one clip.") }
    var manifest = manifest
    manifest.clips = []
    var samples: [Int16] = []
    var packets: [UInt8] = []
    for clip in clips {
      var take = clip.take
      let pcm = clip.sound.pcm.samples
      if manifest.codec == .ima4 {
        let encoded = IMA4.neutralPackets(pcm)
        guard encoded.withUnsafeBytes({ IMA4.isNeutral($0) }) else {
          throw VoicePackError(.badClip, "The clip \(clip.name) cannot be made neutral for IMA4; use the codec lpcm.")
        }
        take.start = packets.count / IMA4.packetBytes * IMA4.packetFrames
        take.length = encoded.count / IMA4.packetBytes * IMA4.packetFrames
        packets += encoded
      } else {
        take.start = samples.count
        take.length = pcm.count
        samples += pcm
      }
      try add(take, of: clip, to: &manifest)
    }
    for standIn in standIns {
      guard let other = manifest.clips.first(where: { $0.words == [standIn.clip] }) else { continue }
      manifest.clips.append(PackManifest.Clip(name: standIn.word, words: [standIn.word], takes: other.takes))
    }
    let file: [UInt8]
    do throws(SoundFileError) {
      file =
        manifest.codec == .ima4
        ? try SoundFile.packetFile(packets, sampleRate: manifest.sampleRate)
        : try SoundFile.encode(
          PCM(sampleRate: manifest.sampleRate, samples: samples), container: .caf, codec: manifest.codec)
    } catch {
      throw VoicePackError(.badClips, error.description)
    }
    return Contents(manifest: Array(manifest.json.utf8), clips: file)
  }

  private static func add(
    _ take: PackManifest.Take, of clip: PreparedClip, to manifest: inout PackManifest
  ) throws(VoicePackError) {
    if let same = manifest.clips.firstIndex(where: { $0.words == clip.words }) {
      guard !manifest.clips[same].takes.contains(where: { hasSameContext($0, take) }) else {
        throw VoicePackError(
          .badManifest,
          "There are two recordings of \"\(clip.words.joined(separator: " "))\" for the same place: "
            + "\(manifest.clips[same].name) and \(clip.name). Remove one.")
      }
      manifest.clips[same].takes.append(take)
      return
    }
    guard !manifest.clips.contains(where: { $0.name == clip.name }) else {
      throw VoicePackError(.badManifest, "Two clips are called \"\(clip.name)\".")
    }
    manifest.clips.append(PackManifest.Clip(name: clip.name, words: clip.words, takes: [take]))
  }

  private static func hasSameContext(_ one: PackManifest.Take, _ other: PackManifest.Take) -> Bool {
    one.before == other.before && one.after == other.after && one.position == other.position
  }
}

import VoiceAudio

/// Voice packs for tests, made of computed sounds.
enum TestPack {
  /// One clip of a test pack.
  struct Clip {
    var words: [String]
    var samples: [Int16]
    var take = PackManifest.Take(start: 0, length: 0)
  }

  /// Clips that say single words, each with its own sound of 0.2 to 0.3 s.
  static func clips(_ words: [String], sampleRate: Int = 24_000) -> [Clip] {
    words.enumerated().map { place, word in
      let frames = (sampleRate / 5 + place * 700 % (sampleRate / 10)) / 64 * 64
      return Clip(
        words: word.split(separator: " ").map(String.init),
        samples: TestSound.speech(frames: frames, sampleRate: sampleRate, seed: UInt64(place + 1)))
    }
  }

  /// The two files of a pack.
  static func files(
    _ clips: [Clip], codec: AudioCodec, sampleRate: Int = 24_000, isNeutral: Bool = true,
    change: (inout PackManifest) -> Void = { _ in }
  ) throws -> (manifest: [UInt8], clips: [UInt8]) {
    var samples: [Int16] = []
    var packets: [UInt8] = []
    var entries: [PackManifest.Clip] = []
    for (place, clip) in clips.enumerated() {
      var take = clip.take
      if codec == .ima4, isNeutral {
        let encoded = IMA4.neutralPackets(clip.samples)
        take.start = packets.count / 34 * 64
        take.length = encoded.count / 34 * 64
        packets += encoded
      } else {
        take.start = samples.count
        take.length = clip.samples.count / 64 * 64
        samples += clip.samples.prefix(take.length)
      }
      if let same = entries.firstIndex(where: { $0.words == clip.words }) {
        entries[same].takes.append(take)
      } else {
        entries.append(.init(name: "\(place)-" + clip.words.joined(), words: clip.words, takes: [take]))
      }
    }
    var manifest = PackManifest(
      id: "test", version: "1.0.0", locale: "zh-CN", voice: "computed", licence: "Apache-2.0", sampleRate: sampleRate,
      codec: codec, loudness: -16, clips: entries)
    change(&manifest)
    return (Array(manifest.json.utf8), try file(samples, packets, codec, sampleRate))
  }

  /// A pack of the given clips.
  static func pack(
    _ clips: [Clip], codec: AudioCodec, sampleRate: Int = 24_000, isNeutral: Bool = true,
    change: (inout PackManifest) -> Void = { _ in }
  ) throws -> VoicePack {
    let files = try files(clips, codec: codec, sampleRate: sampleRate, isNeutral: isNeutral, change: change)
    return try VoicePack(manifest: files.manifest, clips: files.clips)
  }

  private static func file(
    _ samples: [Int16], _ packets: [UInt8], _ codec: AudioCodec, _ sampleRate: Int
  ) throws -> [UInt8] {
    guard !packets.isEmpty else {
      return try SoundFile.encode(PCM(sampleRate: sampleRate, samples: samples), container: .caf, codec: codec)
    }
    return try SoundFile.packetFile(packets, sampleRate: sampleRate)
  }
}

internal import VoiceAudio

/// Clips that are ready, kept beside a pack until it is whole, so that work that was broken off goes on where it
/// stopped.
struct PartStore {
  private let folder: String
  private let sampleRate: Int
  /// Clips that had been kept before.
  private(set) var resumed = 0

  /// Opens the folder `.parts` of a pack, and makes it if it is not there.
  init(pack: String, sampleRate: Int) throws(AudioToolsError) {
    folder = pack + "/.parts"
    self.sampleRate = sampleRate
    try Files.makeFolder(folder)
  }

  /// The clip that is kept under a key; else what `make` gives, which is kept from now on.
  ///
  /// - Parameter key: Everything that the sound depends on.
  mutating func clip(
    _ key: [String], make: () throws(AudioToolsError) -> Sound
  ) throws(AudioToolsError) -> Sound {
    let path = folder + "/" + String(PartStore.hash(key.joined(separator: "\u{1E}").utf8), radix: 16) + ".wav"
    if let kept = try kept(path) {
      resumed += 1
      return kept
    }
    // Through 16 bits, so that a resumed pack has the same bytes.
    let clip = try make().pcm
    guard let bytes = try? SoundFile.encode(clip, container: .wav, codec: .lpcm) else {
      throw AudioToolsError(.unusable, "A clip could not be kept in \(path).")
    }
    try Files.write(bytes, to: path)
    return Sound(clip)
  }

  /// Removes all that was kept.
  func clear() throws(AudioToolsError) {
    for name in try Files.names(in: folder) { Files.remove(folder + "/" + name) }
    Files.removeFolder(folder)
  }

  /// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private func kept(_ path: String) throws(AudioToolsError) -> Sound? {
    guard Files.exists(path) else { return nil }
    let bytes = try Files.read(path)
    guard let file = try? SoundFile.decode(bytes), file.sampleRate == sampleRate else { return nil }
    return Sound(file.pcm)
  }
}

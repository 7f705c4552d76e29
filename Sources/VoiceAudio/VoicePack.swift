/// A voice: clips of speech in one file, and the manifest that says what each of them says.
///
/// Opening maps the file and checks every clip's bounds; no sound is read. What a clip's sound is like is looked at
/// when it is first used and then remembered.
public final class VoicePack: Sendable {
  /// What the pack says about itself.
  public let manifest: PackManifest
  let layout: SoundLayout
  let index: ClipIndex
  private let storage: MappedBytes
  private let checks: Guarded<[TakeKey: TakeCheck]>

  /// The largest manifest and clip file that are opened, in bytes.
  public static let limits = (manifest: 4 << 20, clips: 256 << 20)
  /// The rates of clips that are opened, in Hz: with 48 kHz the longest sentence takes 2.8 MB, which an extension has.
  public static let rates = 8_000...48_000

  /// Opens a pack's folder, which holds `pack.json` and `clips.caf`.
  /// - Throws: ``VoicePackError``.
  public static func open(path: String) throws(VoicePackError) -> VoicePack {
    let folder = path.hasSuffix("/") ? path : path + "/"
    let manifest = try MappedBytes.read(path: folder + "pack.json", limit: limits.manifest)
    let clips = try MappedBytes(path: folder + "clips.caf", limit: limits.clips)
    return try VoicePack(manifest: PackManifest(json: manifest), storage: clips)
  }

  /// Makes a pack from the bytes of `pack.json` and `clips.caf`.
  /// - Throws: ``VoicePackError``.
  public convenience init(manifest: [UInt8], clips: [UInt8]) throws(VoicePackError) {
    try self.init(manifest: PackManifest(json: manifest), storage: MappedBytes(clips))
  }

  private init(manifest: PackManifest, storage: MappedBytes) throws(VoicePackError) {
    let layout: SoundLayout
    do {
      layout = try SoundLayout(raw: storage.raw)
    } catch {
      throw VoicePackError(.badClips, "clips.caf cannot be used: \(error)")
    }
    try VoicePack.check(manifest, layout)
    self.manifest = manifest
    self.layout = layout
    self.storage = storage
    index = ClipIndex(manifest.clips)
    checks = Guarded([:])
  }

  /// The pack's name for programs.
  public var id: String { manifest.id }
  /// The pack's version.
  public var version: String { manifest.version }
  /// The language tag of what is said.
  public var locale: String { manifest.locale }
  /// The rate of all clips, in Hz.
  public var sampleRate: Int { layout.sampleRate }
  /// How the clips are stored.
  public var codec: AudioCodec { manifest.codec }
  /// The licence of the sound.
  public var licence: String { manifest.licence }
  /// What the clips were levelled to, in LUFS.
  public var loudness: Double { manifest.loudness }
  /// Every word that stands in a clip, once, in the order of the manifest.
  public var vocabulary: [String] {
    var seen: Set<String> = []
    return manifest.clips.flatMap(\.words).filter { seen.insert($0).inserted }
  }

  /// The words of `words` that this pack cannot say in their place; empty if it can say all.
  public func missing(words: [String]) -> [String] { ClipCover.missing(words, in: self) }

  private static func check(_ manifest: PackManifest, _ layout: SoundLayout) throws(VoicePackError) {
    guard layout.container == .caf, layout.channels == 1, layout.codec == manifest.codec, layout.primingFrames == 0
    else {
      throw VoicePackError(
        .formatMismatch,
        "clips.caf is a \(layout.container.rawValue) file of \(layout.codec.rawValue) with \(layout.channels) "
          + "channels; pack.json says \(manifest.codec.rawValue), and it must be CAF with one channel.")
    }
    guard layout.sampleRate == manifest.sampleRate else {
      throw VoicePackError(
        .formatMismatch,
        "clips.caf has \(layout.sampleRate) Hz and pack.json says \(manifest.sampleRate); make the pack anew.")
    }
    guard rates.contains(layout.sampleRate) else {
      throw VoicePackError(
        .formatMismatch,
        "clips.caf has \(layout.sampleRate) Hz; a voice pack has from \(rates.lowerBound) to \(rates.upperBound).")
    }
    let unit = manifest.codec == .ima4 ? IMA4.packetFrames : 1
    for clip in manifest.clips {
      for take in clip.takes {
        guard take.length > 0, take.start >= 0, take.start <= layout.frames, take.length <= layout.frames - take.start
        else {
          throw VoicePackError(
            .badClip,
            "The clip \"\(clip.name)\" has \(take.length) frames from \(take.start), outside the \(layout.frames) "
              + "of clips.caf.")
        }
        guard take.start % unit == 0, take.length % unit == 0 else {
          throw VoicePackError(
            .badClip, "The clip \"\(clip.name)\" does not begin and end at a packet of 64 frames.")
        }
      }
    }
  }
}

// MARK: Sound of takes

/// Which take of which clip.
struct TakeKey: Hashable, Sendable {
  let clip: Int
  let take: Int
}

/// What was found out about a take's sound when it was first used.
struct TakeCheck: Sendable {
  /// Whether its packets may be copied after those of any other such take.
  let isNeutral: Bool
  /// The largest absolute sample.
  let peak: Int
}

extension VoicePack {
  func take(_ key: TakeKey) -> PackManifest.Take { manifest.clips[key.clip].takes[key.take] }

  /// The stored bytes of a take.
  func bytes(_ key: TakeKey) -> UnsafeRawBufferPointer {
    let take = take(key)
    let range =
      manifest.codec == .ima4
      ? (take.start / IMA4.packetFrames * IMA4.packetBytes, take.length / IMA4.packetFrames * IMA4.packetBytes)
      : (take.start * 2, take.length * 2)
    let start = layout.dataRange.lowerBound + range.0
    return UnsafeRawBufferPointer(rebasing: storage.raw[start..<start + range.1])
  }

  /// Writes the samples of a take into `output`, which has room for its length.
  func samples(_ key: TakeKey, into output: UnsafeMutableBufferPointer<Int16>) {
    let source = bytes(key)
    guard manifest.codec == .lpcm else {
      var state = IMA4.State()
      IMA4.decode(source, count: source.count / IMA4.packetBytes, state: &state, into: output)
      return
    }
    UnsafeMutableRawBufferPointer(output).copyMemory(from: source)
    let isNative = (layout.byteOrder == .little) == (Int16(1).littleEndian == 1)
    if !isNative { for place in output.indices { output[place] = output[place].byteSwapped } }
  }

  /// What the sound of a take is like; found out once.
  func check(_ key: TakeKey) -> TakeCheck {
    if let known = checks.withLock({ $0[key] }) { return known }
    let found = examine(key)
    checks.withLock { $0[key] = found }
    return found
  }

  private func examine(_ key: TakeKey) -> TakeCheck {
    let length = take(key).length
    return withUnsafeTemporaryAllocation(of: Int16.self, capacity: length) { buffer in
      var state = IMA4.State()
      let source = bytes(key)
      if manifest.codec == .ima4 {
        IMA4.decode(source, count: source.count / IMA4.packetBytes, state: &state, into: buffer)
      } else {
        samples(key, into: buffer)
      }
      var low: Int16 = 0
      var high: Int16 = 0
      for sample in buffer {
        low = min(low, sample)
        high = max(high, sample)
      }
      // Where every head agrees with the samples before it, this decoder's state is every decoder's.
      let isNeutral = manifest.codec == .ima4 && state.isNeutral && IMA4.headsAgree(source, with: buffer)
      return TakeCheck(isNeutral: isNeutral, peak: max(Int(high), -Int(low)))
    }
  }
}

extension IMA4 {
  /// Whether packets leave every known decoder as they found it: the first head is zero, each head agrees with the
  /// running state, and predictor and index are back at zero after the last sample.
  ///
  /// Then a decoder that looks at every head, one that looks at it within a tolerance and one that looks at the first
  /// head alone all give the same sound, whatever such packets stand before or after.
  package static func isNeutral(_ packets: UnsafeRawBufferPointer) -> Bool {
    guard packets.count >= packetBytes, packets.count % packetBytes == 0 else { return false }
    let count = packets.count / packetBytes
    return withUnsafeTemporaryAllocation(of: Int16.self, capacity: count * packetFrames) { samples in
      var state = State()
      decode(packets, count: count, state: &state, into: samples)
      return state.isNeutral && headsAgree(packets, with: samples)
    }
  }

  /// Whether the first head is zero and each later one has a predictor within 127 of the sample before it and the index
  /// to which the codes have led.
  static func headsAgree(_ packets: UnsafeRawBufferPointer, with samples: UnsafeMutableBufferPointer<Int16>) -> Bool {
    guard packets[0] == 0, packets[1] == 0 else { return false }
    var index: Int32 = 0
    for packet in 0..<packets.count / packetBytes {
      let base = packet * packetBytes
      let head = UInt16(packets[base]) << 8 | UInt16(packets[base + 1])
      let before = packet == 0 ? 0 : Int(samples[packet * packetFrames - 1])
      guard Int32(head & 0x7F) == index, abs(Int(Int16(bitPattern: head & 0xFF80)) - before) <= 0x7F else {
        return false
      }
      for byte in base + 2..<base + packetBytes {
        index = min(88, max(0, index + adjustment(packets[byte] & 7)))
        index = min(88, max(0, index + adjustment(packets[byte] >> 4 & 7)))
      }
    }
    return true
  }

  @inline(__always)
  private static func adjustment(_ code: UInt8) -> Int32 { code < 4 ? -1 : (Int32(code) - 3) * 2 }
}

extension VoicePack {
  /// The sound of a take, for those who look a pack over; `nil` if there is none such.
  ///
  /// - Parameters:
  ///   - name: The clip's key in the manifest.
  ///   - take: The number of the take.
  package func sample(of name: String, take number: Int) -> (pcm: PCM, isNeutral: Bool)? {
    guard let clip = manifest.clips.firstIndex(where: { $0.name == name }),
      manifest.clips[clip].takes.indices.contains(number)
    else { return nil }
    let key = TakeKey(clip: clip, take: number)
    let length = take(key).length
    let samples = [Int16](unsafeUninitializedCapacity: length) { buffer, count in
      self.samples(key, into: UnsafeMutableBufferPointer(rebasing: buffer[..<length]))
      count = length
    }
    return (PCM(sampleRate: sampleRate, samples: samples), check(key).isNeutral)
  }
}

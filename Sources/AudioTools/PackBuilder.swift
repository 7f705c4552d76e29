internal import Announcing
package import SpokenText
package import VoiceAudio

/// Renders a voice pack with a speech engine: every word a locale needs, shaped and put together.
///
/// What has been rendered is kept in the folder `.parts` of the pack until the pack is whole, so that work that was
/// broken off goes on where it stopped.
package struct PackBuilder: Sendable {
  /// What is to be built.
  package struct Options: Sendable {
    /// The language and region.
    package var locale: SpokenLocale
    /// The pack's name for programs; `nil` for `aloud-LOCALE-built`.
    package var id: String?
    /// The pack's version.
    package var version = "1.0.0"
    /// Frames a second, in Hz.
    package var sampleRate = 22_050
    /// How clips are stored.
    package var codec = AudioCodec.ima4
    /// The loudness of all clips, in LUFS.
    package var loudness = -16.0
    /// How many times as fast as rendered or recorded the clips are spoken.
    package var tempo = 1.0
    /// What else is to be said in one piece.
    package var phrases: [String] = []
    /// What the engine is to be given for a word instead of its text.
    package var spoken: [String: String] = [:]
    /// A sentence in which each unit is spoken where the engine tells when its words begin and end; `{}` stands for the
    /// unit.
    package var carrier: String?
    /// The licence of the sound; `nil` for what the engine says.
    package var licence: String?
    /// Whom the licence asks to name.
    package var attribution = ""

    /// Makes options for a locale.
    package init(locale: SpokenLocale) { self.locale = locale }
  }

  /// What was built.
  package struct Summary: Sendable {
    /// The pack, opened.
    package let pack: VoicePack
    /// Where it lies.
    package let folder: String
    /// Units that had been rendered before.
    package let resumed: Int
    /// The length of all clips, in seconds.
    package let seconds: Double
    /// The size of `clips.caf`, in bytes.
    package let bytes: Int

    /// A few lines for people.
    package var text: String {
      """
      \(folder): \(pack.manifest.clips.count) clips, \(tenthsText(seconds)) s, \(bytes / 1_024) KiB, \(pack.codec.rawValue) at \
      \(pack.sampleRate) Hz\(resumed > 0 ? " (\(resumed) rendered before)" : "")
      voice: \(pack.manifest.voice)
      licence: \(pack.licence)
      """
    }
  }

  private let options: Options
  private let engine: any SpeechEngine
  private let shaper: ClipShaper

  /// Makes a builder.
  package init(_ options: Options, engine: any SpeechEngine) {
    self.options = options
    self.engine = engine
    shaper = ClipShaper(sampleRate: options.sampleRate, loudness: options.loudness, tempo: options.tempo)
  }

  /// Builds the pack in `folder`.
  ///
  /// - Parameter progress: Told of each unit before it is rendered.
  /// - Throws: ``AudioToolsError``; what has been rendered so far is kept for the next try.
  package func build(
    in folder: String, progress: (Progress) -> Void = { _ in }
  ) throws(AudioToolsError) -> Summary {
    guard options.codec == .ima4 || options.codec == .lpcm else {
      throw AudioToolsError(.badInput, "A voice pack is stored as ima4 or lpcm, not \(options.codec.rawValue).")
    }
    let units = PackScript(options.locale, phrases: options.phrases, spoken: options.spoken).units
    var parts = try PartStore(pack: folder, sampleRate: options.sampleRate)
    var clips: [PreparedClip] = []
    for (place, unit) in units.enumerated() {
      progress(Progress(done: place, total: units.count, current: unit.name))
      let sound = try parts.clip(key(unit)) { () throws(AudioToolsError) in try render(unit) }
      clips.append(PreparedClip(name: unit.name, words: unit.words, sound: sound))
    }
    let contents = try PackWriter.files(manifest, clips)
    let pack = try PackWriter.write(contents, to: folder)
    try parts.clear()
    progress(Progress(done: units.count, total: units.count, current: ""))
    return Summary(
      pack: pack, folder: folder, resumed: parts.resumed, seconds: clips.reduce(0) { $0 + $1.sound.seconds },
      bytes: contents.clips.count)
  }

  private var manifest: PackManifest {
    PackManifest(
      id: options.id ?? "aloud-\(options.locale.tag)-built", version: options.version, locale: options.locale.tag,
      voice: engine.voice, licence: options.licence ?? engine.licence, attribution: options.attribution,
      sampleRate: options.sampleRate, codec: options.codec, loudness: options.loudness, clips: [])
  }

  // MARK: Rendering

  private func render(_ unit: PackScript.Unit) throws(AudioToolsError) -> Sound {
    guard let carrier = options.carrier else {
      return try shaper.shape(engine.speak(unit.spoken).sound, name: unit.name)
    }
    guard let place = carrier.firstRange(of: "{}") else {
      throw AudioToolsError(.badInput, "The carrier sentence has no {} for the word: \(carrier)")
    }
    let before = String(carrier[..<place.lowerBound])
    let speech = try engine.speak(before + unit.spoken + carrier[place.upperBound...])
    guard let cut = CarrierCut.cut(unit.spoken, after: before, from: speech) else {
      throw AudioToolsError(
        .unusable,
        "The engine's timings do not tell where \"\(unit.spoken)\" lies in its sentence. Without a carrier sentence the "
          + "word is spoken alone.")
    }
    return try shaper.shape(cut, name: unit.name)
  }

  /// Everything that a unit's clip depends on.
  private func key(_ unit: PackScript.Unit) -> [String] {
    [engine.signature, unit.spoken, options.carrier ?? ""] + shaper.signature
  }
}

/// A number with one decimal.
func tenthsText(_ value: Double) -> String {
  let scaled = Int((value * 10).rounded())
  return "\(scaled < 0 ? "-" : "")\(abs(scaled) / 10).\(abs(scaled) % 10)"
}

package import Announcing
package import SpokenText
package import VoiceAudio

/// Makes a voice pack from recordings: a folder of sound files whose names say what is in them, or a table.
///
/// What has been taken in is kept as by ``PackBuilder`` until the pack is whole.
package struct PackImporter: Sendable {
  /// How recordings are taken in.
  package struct Options: Sendable {
    /// The language and region.
    package var locale: SpokenLocale
    /// The pack's name for programs; `nil` for `imported-LOCALE`.
    package var id: String?
    /// The pack's version.
    package var version = "1.0.0"
    /// Who speaks.
    package var voice = "own recordings"
    /// The licence of the recordings.
    package var licence = "unstated"
    /// Whom the licence asks to name.
    package var attribution = ""
    /// What a recording called `tts_pre` says.
    package var prefix = ["收款"]
    /// A table of files and words to use instead of names.
    package var table: String?
    /// Frames a second, in Hz.
    package var sampleRate = 24_000
    /// How clips are stored.
    package var codec = AudioCodec.ima4
    /// The loudness of all clips, in LUFS.
    package var loudness = -16.0
    /// How many times as fast as rendered or recorded the clips are spoken.
    package var tempo = 1.0

    /// Makes options for a locale.
    package init(locale: SpokenLocale) { self.locale = locale }
  }

  /// What was made of the recordings.
  package struct Summary: Sendable {
    /// The pack, opened.
    package let pack: VoicePack
    /// Where it lies.
    package let folder: String
    /// For each recording that was taken, what it is understood to say.
    package let taken: [(file: String, words: [String])]
    /// Recordings that were left out, and why.
    package let left: [(file: String, why: String)]
    /// Words that were not recorded and are spoken by the clip of another.
    package let standIns: [(word: String, clip: String)]
    /// The name of the fallback sound, if there was one.
    package let fallback: String?
    /// Recordings that had been taken in before.
    package let resumed: Int
    /// What the pack can and cannot say.
    package let coverage: Coverage

    /// A few lines for people.
    package var text: String {
      let before = resumed > 0 ? " (\(resumed) taken in before)" : ""
      var lines = ["\(folder): \(taken.count) recordings\(before), voice pack \(pack.id)"]
      lines += taken.map { "  \($0.file)  says \"\($0.words.joined(separator: " "))\"" }
      if let fallback { lines.append("  \(fallback): the sound for when nothing can be said") }
      lines += standIns.map { "  \"\($0.word)\" was not recorded; \"\($0.clip)\" stands in for it" }
      lines += left.map { "  left out: \($0.file): \($0.why)" }
      return (lines + [coverage.text]).joined(separator: "\n")
    }
  }

  private struct Recording {
    let file: String
    let words: [String]
    var take = PackManifest.Take(start: 0, length: 0)
  }

  private let options: Options

  /// Makes an importer.
  package init(_ options: Options) { self.options = options }

  /// The extensions of files that are looked at.
  private static let extensions: Set<String> = [
    "wav", "wave", "aif", "aiff", "aifc", "caf", "mp3", "flac", "ogg", "oga", "opus", "m4a", "aac", "au",
  ]

  /// Makes a pack in `folder` of the recordings in `source`.
  ///
  /// - Throws: ``AudioToolsError`` if no recording is understood, one cannot be read, or two say the same.
  package func make(
    from source: String, in folder: String, progress: (Progress) -> Void = { _ in }
  ) throws(AudioToolsError) -> Summary {
    var left: [(file: String, why: String)] = []
    var fallback: String?
    let recordings: [Recording]
    if let table = options.table {
      recordings = try listed(table)
    } else {
      recordings = try named(in: source, &left, &fallback)
    }
    guard !recordings.isEmpty else {
      let names = left.prefix(5).map { "\($0.file): \($0.why)" }.joined(separator: "; ")
      throw AudioToolsError(
        .badInput,
        "No recording in \(source) has a name that says what is in it\(names.isEmpty ? "" : " (\(names))"). "
          + "Name files after their words (二.mp3, 微信收款.wav, ling.mp3, tts_5.mp3) or give a table.")
    }
    let shaper = ClipShaper(sampleRate: options.sampleRate, loudness: options.loudness, tempo: options.tempo)
    var parts = try PartStore(pack: folder, sampleRate: options.sampleRate)
    var clips: [PreparedClip] = []
    for (place, recording) in recordings.enumerated() {
      progress(Progress(done: place, total: recordings.count, current: recording.file))
      let path = source + "/" + recording.file
      // By its bytes, so that a recording that was made anew is taken in anew.
      let key = ["\(PartStore.hash(try Files.read(path)))"] + shaper.signature
      let sound = try parts.clip(key) { () throws(AudioToolsError) in
        try shaper.shape(SoundReader.read(path: path).sound, name: recording.file)
      }
      clips.append(PreparedClip(name: recording.file, words: recording.words, sound: sound, take: recording.take))
    }
    let standIns = standIns(for: recordings.map(\.words))
    let pack = try PackWriter.write(PackWriter.files(manifest, clips, standIns: standIns), to: folder)
    if let fallback { try writeFallback(source + "/" + fallback, folder) }
    try parts.clear()
    progress(Progress(done: recordings.count, total: recordings.count, current: ""))
    return Summary(
      pack: pack, folder: folder, taken: recordings.map { ($0.file, $0.words) }, left: left,
      standIns: standIns, fallback: fallback, resumed: parts.resumed,
      coverage: Coverage(of: pack, locale: options.locale))
  }

  private var manifest: PackManifest {
    PackManifest(
      id: options.id ?? "imported-\(options.locale.tag)", version: options.version, locale: options.locale.tag,
      voice: options.voice, licence: options.licence, attribution: options.attribution, sampleRate: options.sampleRate,
      codec: options.codec, loudness: options.loudness, clips: [])
  }

  /// 二 says 两 where 两 was not recorded: 二千 is as right as 两千, though less usual.
  private func standIns(for words: [[String]]) -> [(word: String, clip: String)] {
    [("两", "二"), ("兩", "二")].filter { pair in
      !words.contains([pair.0]) && words.contains([pair.1]) && Reader(options.locale).vocabulary.contains(pair.0)
    }.map { (word: $0.0, clip: $0.1) }
  }

  private func named(
    in source: String, _ left: inout [(file: String, why: String)], _ fallback: inout String?
  ) throws(AudioToolsError) -> [Recording] {
    var recordings: [Recording] = []
    for file in try Files.names(in: source) {
      guard let dot = file.lastIndex(of: "."),
        PackImporter.extensions.contains(file[file.index(after: dot)...].lowercased())
      else { continue }
      switch RecordingNames.meaning(String(file[..<dot]), locale: options.locale, prefix: options.prefix) {
      case .words(let words): recordings.append(Recording(file: file, words: words))
      case .fallback: fallback = file
      case .unknown(let why): left.append((file, why))
      }
    }
    return recordings
  }

  private func listed(_ path: String) throws(AudioToolsError) -> [Recording] {
    var recordings: [Recording] = []
    for row in try ClipTable(Files.read(path), path: path).rows {
      var recording = Recording(file: row.file, words: row.words)
      recording.take.before = row.before
      recording.take.after = row.after
      if !row.position.isEmpty {
        guard let position = PackManifest.Position(rawValue: row.position) else {
          throw AudioToolsError(
            .badInput, "\(path), line \(row.line): the position is \"\(row.position)\"; it must be head or tail.")
        }
        recording.take.position = position
      }
      if !row.cost.isEmpty {
        guard let cost = Double(row.cost), (-0.9...100).contains(cost) else {
          throw AudioToolsError(.badInput, "\(path), line \(row.line): the cost must be a number from -0.9 to 100.")
        }
        recording.take.cost = cost
      }
      recordings.append(recording)
    }
    return recordings
  }

  /// The demos' sound for when nothing can be said becomes a notification sound beside the pack.
  private func writeFallback(_ path: String, _ folder: String) throws(AudioToolsError) {
    let sound = try SoundReader.read(path: path).sound
    let shaper = ClipShaper(sampleRate: options.sampleRate, loudness: options.loudness, tempo: options.tempo)
    let clip = try shaper.shape(sound, name: path)
    guard let bytes = try? SoundFile.encode(clip.pcm, container: .caf, codec: .ima4) else { return }
    try Files.write(bytes, to: folder + "/fallback.caf")
  }
}

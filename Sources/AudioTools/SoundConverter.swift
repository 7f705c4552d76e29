package import VoiceAudio

/// Turns any usual sound file into a notification sound that iOS takes, or says why it cannot.
package struct SoundConverter: Sendable {
  /// What is wanted.
  package struct Options: Hashable, Sendable {
    /// How samples are stored; `nil` for IMA4 in CAF and AIFF and 16-bit PCM in WAV.
    package var codec: AudioCodec?
    /// Frames a second, in Hz; `nil` for the source's, but at most 44,100.
    package var sampleRate: Int?
    /// The loudness in LUFS; `nil` to leave it.
    package var loudness: Double? = -16
    /// The longest sound, in seconds.
    package var maximumSeconds = 29.0

    /// Makes options.
    package init() {}
  }

  /// What a file is, what is to be said about it, and what was made of it.
  package struct Report: Hashable, Sendable {
    /// What the source is, for people.
    package let source: String
    /// What is to be said about the source as it stands, or about the file that was made of it.
    package let findings: [PackInspector.Finding]
    /// What was written, for people; `nil` if nothing was.
    package let written: String?

    /// Whether iOS would play the file that the findings are about.
    package var isPlayable: Bool { !findings.contains { $0.severity == .error } }

    /// All of it, for people.
    package var text: String {
      ([source, written].compactMap { $0 } + findings.map { "  \($0.severity.rawValue): \($0.message)" })
        .joined(separator: "\n")
    }
  }

  /// Judges a file as a notification sound; writes nothing.
  /// - Throws: ``AudioToolsError`` if it cannot be read as sound at all.
  package static func check(path: String) throws(AudioToolsError) -> Report {
    let result = try SoundReader.read(path: path)
    return Report(source: describe(path, result), findings: try judge(path, result), written: nil)
  }

  /// Converts a file.
  ///
  /// - Parameters:
  ///   - input: The path of a sound file, or `silence:SECONDS` or `chime:NAME` for a sound that is computed and whose
  ///     level stays as it is.
  ///   - output: The path of the new file, whose extension chooses the container: `caf`, `wav`, `aiff`.
  /// - Throws: ``AudioToolsError`` with the reason if no notification sound can be made of it.
  package static func convert(
    _ input: String, to output: String, options: Options = .init()
  ) throws(AudioToolsError) -> Report {
    guard let container = AudioContainer(fileName: output) else {
      throw AudioToolsError(
        .badInput, "\(output): iOS plays notification sounds from .caf, .wav and .aiff files; choose one of these.")
    }
    if let sound = try GeneratedSound.named(input, sampleRate: options.sampleRate ?? 44_100) {
      try bound(sound, input, options)
      let written = try write(sound, container, to: output, options)
      return Report(source: "\(input): computed", findings: [], written: written)
    }
    let result = try SoundReader.read(path: input)
    try bound(result.sound, input, options)
    let rate = options.sampleRate ?? min(result.sound.sampleRate, 44_100)
    var sound = try Resampler.resample(result.sound, to: rate)
    if let loudness = options.loudness {
      sound = try ClipShaper(sampleRate: rate, loudness: loudness).level(sound, name: input)
    }
    let written = try write(sound, container, to: output, options)
    return Report(source: describe(input, result), findings: try check(path: output).findings, written: written)
  }

  private static func bound(_ sound: Sound, _ input: String, _ options: Options) throws(AudioToolsError) {
    guard sound.seconds <= options.maximumSeconds else {
      throw AudioToolsError(
        .notSound,
        "\(input) lasts \(tenthsText(sound.seconds)) s. iOS plays its own sound instead of one of 30 s or more; "
          + "cut it to at most \(tenthsText(options.maximumSeconds)) s.")
    }
  }

  /// Encodes and writes a sound; what was written, for people.
  private static func write(
    _ sound: Sound, _ container: AudioContainer, to output: String, _ options: Options
  ) throws(AudioToolsError) -> String {
    let codec = options.codec ?? (container == .wav ? .lpcm : .ima4)
    let bytes: [UInt8]
    do throws(SoundFileError) {
      bytes = try SoundFile.encode(sound.pcm, container: container, codec: codec)
    } catch {
      throw AudioToolsError(.badInput, error.description)
    }
    try Files.write(bytes, to: output)
    return "\(output): \(container.rawValue), \(codec.rawValue), mono, \(sound.sampleRate) Hz, "
      + "\(tenthsText(sound.seconds)) s, \(bytes.count) bytes"
  }

  private static func describe(_ path: String, _ result: SoundReader.Result) -> String {
    let kind = result.layout.map { "\($0.container.rawValue), \($0.codec.rawValue)" } ?? "no CAF, WAV or AIFF"
    return "\(path): \(kind), \(result.channels == 1 ? "mono" : "\(result.channels) channels"), "
      + "\(result.sound.sampleRate) Hz, \(tenthsText(result.sound.seconds)) s"
  }

  private static func judge(
    _ path: String, _ result: SoundReader.Result
  ) throws(AudioToolsError) -> [PackInspector.Finding] {
    var findings: [PackInspector.Finding] = []
    func add(_ severity: PackInspector.Finding.Severity, _ message: String) {
      findings.append(.init(severity, message))
    }
    if let layout = result.layout {
      let named = AudioContainer(fileName: path)
      if named == nil {
        add(.error, "The name needs the extension .\(layout.container.rawValue): iOS finds a sound by its full name.")
      } else if named != layout.container {
        add(.warning, "The name says \(named?.rawValue ?? "") but the file is \(layout.container.rawValue); rename it.")
      }
      if layout.codec == .ima4, layout.container == .wav {
        add(.warning, "IMA ADPCM in WAV is not among the codecs that Apple names; convert it to CAF.")
      }
      if layout.codec == .float64 || layout.codec == .lpcm8 {
        add(.note, "\(layout.codec.rawValue) is linear PCM, but unusual; 16 bits are safer.")
      }
    } else {
      add(
        .error,
        "iOS does not play this kind as a notification sound and uses its own instead"
          + (result.refusal.map { ": \($0.message)" } ?? ".") + " Convert it: aloud convert \(path) sound.caf")
    }
    let seconds = result.sound.seconds
    if seconds >= 30 {
      add(.error, "It lasts \(tenthsText(seconds)) s; iOS plays its own sound instead of one of 30 s or more.")
    } else if seconds > 29 {
      add(.warning, "It lasts \(tenthsText(seconds)) s, too near the limit of 30 s; keep to 29 s.")
    } else if seconds > 5 {
      add(.warning, "It lasts \(tenthsText(seconds)) s: with the screen on, iOS stops it after about 5 s.")
    }
    if result.channels > 1 {
      add(.note, "It has \(result.channels) channels; one is enough for a phone and half the size.")
    }
    let peak = Decibels.of(Double(result.sound.peak))
    if peak > -0.1 { add(.warning, "It reaches full scale; loud sounds may be clipped.") }
    if let loudness = try LoudnessMeter.integrated(result.sound) {
      if loudness < -26 { add(.warning, "It is soft (\(tenthsText(loudness)) LUFS); -16 is heard in a shop.") }
    } else {
      add(.error, "It is silent.")
    }
    return findings
  }
}

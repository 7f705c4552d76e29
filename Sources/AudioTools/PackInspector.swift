package import Announcing
internal import SpokenText
package import VoiceAudio

/// Looks a voice pack over: what it is, what it can say, whether its sound is as it should be.
package struct PackInspector: Sendable {
  /// Something about a pack or a sound file that people should know.
  package struct Finding: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Hashable, Sendable {
      /// It will not work.
      case error
      /// It works, but not as it should.
      case warning
      /// For information.
      case note
    }

    /// How bad it is.
    package let severity: Severity
    /// What it is and what to do.
    package let message: String

    /// Makes a finding.
    package init(_ severity: Severity, _ message: String) {
      self.severity = severity
      self.message = message
    }
  }

  /// What was found.
  package struct Report: Sendable {
    /// What the pack says about itself.
    package let manifest: PackManifest
    /// The length of all takes, in seconds.
    package let seconds: Double
    /// Takes in all.
    package let takes: Int
    /// Takes whose packets may be copied.
    package let neutral: Int
    /// The highest peak, in decibels of full scale.
    package let peakDecibels: Double
    /// The least and the greatest loudness of a take, in LUFS.
    package let loudness: ClosedRange<Double>
    /// What the pack can say.
    package let coverage: Coverage
    /// What is not as it should be.
    package let findings: [Finding]

    /// Whether nothing is wrong.
    package var isClean: Bool { !findings.contains { $0.severity != .note } }

    /// What the pack is, for people.
    package var text: String {
      """
      \(manifest.id) \(manifest.version), \(manifest.locale)
      voice: \(manifest.voice)
      licence: \(manifest.licence)\(manifest.attribution.isEmpty ? "" : " (\(manifest.attribution))")
      sound: \(manifest.clips.count) clips, \(takes) takes, \(tenthsText(seconds)) s, \(manifest.codec.rawValue) at \
      \(manifest.sampleRate) Hz\(manifest.codec == .ima4 ? ", \(neutral) of \(takes) takes can be copied" : "")
      level: \(tenthsText(loudness.lowerBound)) to \(tenthsText(loudness.upperBound)) LUFS, stated \
      \(tenthsText(manifest.loudness)); peak \(tenthsText(peakDecibels)) dBFS
      \(coverage.text)
      """
    }

    /// What is not as it should be, for people; empty if all is well.
    package var findingsText: String {
      findings.map { "\($0.severity.rawValue): \($0.message)" }.joined(separator: "\n")
    }
  }

  /// Opens and inspects a pack's folder.
  ///
  /// - Parameter depth: See ``Coverage/init(of:locale:depth:)``.
  /// - Throws: ``AudioToolsError`` if it cannot be opened or its locale is not known.
  package static func inspect(path: String, depth: Int = 1_000) throws(AudioToolsError) -> Report {
    let pack: VoicePack
    do throws(VoicePackError) { pack = try VoicePack.open(path: path) } catch {
      throw AudioToolsError(.unusable, error.description)
    }
    return try inspect(pack, depth: depth)
  }

  /// Inspects a pack.
  package static func inspect(_ pack: VoicePack, depth: Int = 1_000) throws(AudioToolsError) -> Report {
    let locale: SpokenLocale
    do throws(ReadingError) { locale = try SpokenLocale(pack.locale) } catch {
      throw AudioToolsError(.badInput, "The pack's locale \"\(pack.locale)\": \(error)")
    }
    var survey = Survey()
    for clip in pack.manifest.clips {
      for take in clip.takes.indices { try survey.add(pack, clip, take) }
    }
    let coverage = Coverage(of: pack, locale: locale, depth: depth)
    return Report(
      manifest: pack.manifest, seconds: survey.seconds, takes: survey.takes, neutral: survey.neutral,
      peakDecibels: survey.peakDecibels, loudness: survey.loudness ?? -70 ... -70, coverage: coverage,
      findings: survey.findings(pack) + findings(coverage, pack.manifest))
  }

  private static func findings(_ coverage: Coverage, _ manifest: PackManifest) -> [Finding] {
    var findings = coverage.rows.enumerated().filter { !$0.element.isComplete }.map { place, row in
      // Amounts and numbers are what a pack is for; other currencies and sentences are a matter of taste.
      Finding(
        place < 4 ? .warning : .note,
        "\(row.tried - row.said) of \(row.tried) \(row.name) cannot be said; add clips for: "
          + row.missing.prefix(20).joined(separator: " "))
    }
    if manifest.licence.isEmpty || manifest.licence == "unstated" {
      findings.append(Finding(.warning, "The pack states no licence; say who may use the voice, for what."))
    }
    return findings
  }
}

/// What is gathered while a pack's takes are gone through.
private struct Survey {
  var seconds = 0.0
  var takes = 0
  var neutral = 0
  var loudness: ClosedRange<Double>?
  private var peak = 0
  private var loud: [String] = []
  private var uneven: [String] = []
  private var cut: [String] = []
  private var stubborn: [String] = []

  mutating func add(_ pack: VoicePack, _ clip: PackManifest.Clip, _ take: Int) throws(AudioToolsError) {
    guard let sample = pack.sample(of: clip.name, take: take) else { return }
    takes += 1
    seconds += sample.pcm.seconds
    if sample.isNeutral { neutral += 1 } else if pack.codec == .ima4 { stubborn.append(clip.name) }
    let highest = sample.pcm.peak
    peak = max(peak, highest)
    if highest > 29_205 { loud.append(clip.name) }
    let edge = max(abs(Int(sample.pcm.samples.first ?? 0)), abs(Int(sample.pcm.samples.last ?? 0)))
    if edge > 600 { cut.append(clip.name) }
    guard let measured = try LoudnessMeter.integrated(Sound(sample.pcm)) else { return }
    loudness = min(loudness?.lowerBound ?? measured, measured)...max(loudness?.upperBound ?? measured, measured)
    if abs(measured - pack.loudness) > 3 { uneven.append(clip.name) }
  }

  var peakDecibels: Double { Decibels.of(Double(peak) / 32_768) }

  func findings(_ pack: VoicePack) -> [PackInspector.Finding] {
    func list(_ names: [String]) -> String {
      names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " and \(names.count - 10) more" : "")
    }
    var findings: [PackInspector.Finding] = []
    if !loud.isEmpty {
      findings.append(.init(.warning, "Peaks pass -1 dBFS in \(list(loud)); the joiner must turn sentences down."))
    }
    if !uneven.isEmpty {
      findings.append(.init(.note, "More than 3 LU away from the stated loudness: \(list(uneven))."))
    }
    if !cut.isEmpty {
      findings.append(.init(.warning, "Begins or ends in the middle of sound, which may click: \(list(cut))."))
    }
    if !stubborn.isEmpty {
      findings.append(
        .init(.note, "Not neutral, so sentences with them are encoded instead of copied: \(list(stubborn))."))
    }
    return findings
  }
}

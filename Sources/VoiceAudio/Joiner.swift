/// Puts sentences together from the clips of a voice pack.
public struct Joiner: Sendable {
  /// The voice.
  public let pack: VoicePack
  /// How sentences are put together.
  public let options: JoinOptions

  /// Makes a joiner.
  public init(pack: VoicePack, options: JoinOptions = .init()) {
    self.pack = pack
    self.options = options
  }

  /// Chooses clips and pauses for an utterance; segments without words are passed over.
  ///
  /// - Throws: ``JoinError/missingWords(_:)`` with every word that is lacking,
  ///   ``JoinError/tooLong(seconds:limit:words:)``, ``JoinError/nothingToSay``.
  public func plan(_ utterance: Utterance) throws(JoinError) -> JoinPlan {
    let segments = utterance.segments.filter { !$0.words.isEmpty }
    let covers = segments.map { ClipCover($0.words, in: pack) }
    var seen: Set<String> = []
    let missing = zip(segments, covers)
      .flatMap { segment, cover in cover.missing.map { segment.words[$0] } }
      .filter { seen.insert($0).inserted }
    guard missing.isEmpty else { throw .missingWords(missing) }
    guard covers.contains(where: { !$0.takes.isEmpty }) else { throw .nothingToSay }
    var builder = PlanBuilder(pack: pack, options: options)
    for place in segments.indices {
      builder.speak(segments[place], covers[place])
      if place + 1 < segments.count { builder.pause(after: segments[place], before: segments[place + 1]) }
    }
    return try builder.plan()
  }

  /// Plans and renders an utterance in one go.
  /// - Throws: ``JoinError``.
  public func file(
    _ utterance: Utterance, container: AudioContainer, codec: AudioCodec
  ) throws(JoinError) -> [UInt8] {
    try file(plan(utterance), container: container, codec: codec)
  }
}

/// Gathers the parts of a plan and keeps count of the time.
private struct PlanBuilder {
  let pack: VoicePack
  let options: JoinOptions
  private let pauses: PackManifest.Pauses
  private var parts: [JoinPlan.Part] = []
  private var clips: [String] = []
  private var frames = 0
  private var late: [String] = []
  private var spans: [(role: Utterance.Role, frames: Int)] = []

  init(pack: VoicePack, options: JoinOptions) {
    self.pack = pack
    self.options = options
    pauses = options.pauses ?? pack.manifest.pauses
    silence(options.leadInSeconds)
    if let chime = options.chime {
      parts.append(.chime(chime))
      frames += IMA4.packets(for: PCM.frames(chime.seconds, at: pack.sampleRate)) * IMA4.packetFrames
      silence(pauses.afterChime)
    }
  }

  mutating func silence(_ seconds: Double) {
    // Whole packets, so that the same plan serves copied packets and samples.
    let count = IMA4.packets(for: PCM.frames(seconds, at: pack.sampleRate)) * IMA4.packetFrames
    guard count > 0 else { return }
    parts.append(.silence(frames: count))
    frames += count
  }

  mutating func speak(_ segment: Utterance.Segment, _ cover: ClipCover) {
    let start = frames
    var lateFrom: Int?
    for (take, words) in zip(cover.takes, cover.words) {
      parts.append(.take(take))
      clips.append(pack.manifest.clips[take.clip].name)
      frames += pack.take(take).length
      if seconds > options.maximumSeconds, lateFrom == nil { lateFrom = words.lowerBound }
    }
    if let lateFrom { late += segment.words[lateFrom...] }
    spans.append((segment.role, frames - start))
  }

  mutating func pause(after segment: Utterance.Segment, before next: Utterance.Segment) {
    if let own = segment.pauseAfterSeconds { return silence(own) }
    let brand = segment.role == .brand ? pauses.afterBrand : nil
    let amount = next.role == .amount ? pauses.beforeAmount : nil
    silence(brand ?? amount ?? pauses.between)
  }

  private var seconds: Double { Double(frames) / Double(pack.sampleRate) }

  func plan() throws(JoinError) -> JoinPlan {
    guard seconds <= options.maximumSeconds else {
      throw .tooLong(seconds: seconds, limit: options.maximumSeconds, words: late)
    }
    var warnings: [JoinWarning] = []
    if seconds > options.warningSeconds {
      var droppable = spans.filter { $0.role == .brand || $0.role == .sender || $0.role == .text }
      // What would be left is nothing.
      if droppable.count == spans.count { droppable = [] }
      warnings = [.long(seconds: seconds, canDrop: droppable.sorted { $0.frames > $1.frames }.map(\.role))]
    }
    return JoinPlan(parts: parts, clips: clips, estimatedSeconds: seconds, warnings: warnings)
  }
}

import AudioTools
import Glibc
import VoiceAudio

/// `aloud bench sound`: what joining costs beside the least it could cost, and beside sox and ffmpeg.
///
/// Twelve computed clips of 0.3 to 0.5 s at 24 kHz are joined into one file on a file system in memory. The floor is a
/// copy of the same bytes into a buffer that is used again, and one write. Every figure is the least and the median of
/// many runs in this process, except those of other programs, which are whole commands with their start.
package struct BenchSound {
  /// One thing that was timed.
  package struct Row: Sendable {
    /// What was done.
    package let name: String
    /// The least time of a run, in microseconds.
    package let least: Double
    /// The middle one of all runs, in microseconds.
    package let median: Double
    /// The median against that of the floor with the same bytes, where there is one.
    package let ratio: Double?
    /// What else there is to say.
    package var note: String
    /// What was promised, if anything was.
    package var goal: Goal?
  }

  /// A promise of docs/architecture.md and whether this run kept it.
  package struct Goal: Sendable {
    /// What was promised.
    package let text: String
    /// Whether it was kept.
    package let isMet: Bool
  }

  /// All figures.
  package struct Report: Sendable {
    /// The rows, in the order of measuring.
    package let rows: [Row]

    /// Whether every promise was kept.
    package var meetsGoals: Bool { rows.allSatisfy { $0.goal?.isMet ?? true } }

    /// A table for people.
    package var text: String {
      let lines = rows.map { row in
        let ratio = row.ratio.map { "\(BenchSound.decimals($0)) × floor" } ?? ""
        let times =
          row.median > 0
          ? "least \(BenchSound.decimals(row.least)) us, median \(BenchSound.decimals(row.median)) us" : ""
        let goal = row.goal.map { ($0.isMet ? "met: " : "MISSED: ") + $0.text } ?? ""
        return row.name + "\n    " + [times, ratio, row.note, goal].filter { !$0.isEmpty }.joined(separator: "; ")
      }
      let goals = rows.compactMap(\.goal)
      let met = goals.count(where: \.isMet)
      return (lines + ["goals: \(met) of \(goals.count) met"]).joined(separator: "\n")
    }
  }

  let voices: VoiceLibrary
  let rounds: Int
  let folder: String
  var rows: [Row] = []

  /// Measures everything.
  ///
  /// - Parameters:
  ///   - voices: Where the zh-CN pack is looked for; without one the rows that need it are left out.
  ///   - rounds: How often each thing is done.
  /// - Throws: `AudioToolsError` or `CommandFailure` if a file cannot be written.
  package static func run(voices: VoiceLibrary, rounds: Int = 300) throws -> Report {
    var bench = BenchSound(voices: voices, rounds: max(5, rounds))
    try Files.makeFolder(bench.folder)
    defer { bench.cleanUp() }
    try bench.joinPCM()
    try bench.joinIMA4()
    try bench.codecs()
    try bench.phone()
    try bench.otherPrograms()
    return Report(rows: bench.rows)
  }

  init(voices: VoiceLibrary, rounds: Int) {
    self.voices = voices
    self.rounds = rounds
    folder = (Files.isFolder("/dev/shm") ? "/dev/shm" : "/tmp") + "/aloud-bench-\(getpid())"
  }

  func cleanUp() {
    for name in (try? Files.names(in: folder)) ?? [] { Files.remove(folder + "/" + name) }
    Files.removeFolder(folder)
  }

  // MARK: Joining

  private static let names = (0..<12).map { "w\($0)" }

  static func clips() -> [PreparedClip] {
    names.enumerated().map { place, name in
      let frames = 24_000 * (300 + 200 * place / 11) / 1_000
      var phase = 0.0
      let samples = (0..<frames).map { frame in
        phase += 0.004 + 0.0006 * Double(place)
        let part = phase.truncatingRemainder(dividingBy: 1)
        let edge = min(1, Float(min(frame, frames - 1 - frame)) / 200)
        return Float(part < 0.5 ? part * 4 - 1 : 3 - part * 4) * 0.3 * edge
      }
      return PreparedClip(name: name, words: [name], sound: Sound(sampleRate: 24_000, samples: samples))
    }
  }

  private static func pack(_ codec: AudioCodec, overlap: Double = 0) throws -> VoicePack {
    let manifest = PackManifest(
      id: "bench", version: "1", locale: "en-US", voice: "computed", licence: "Apache-2.0", sampleRate: 24_000,
      codec: codec,
      loudness: -16, overlapSeconds: overlap, clips: [])
    let contents = try PackWriter.files(manifest, BenchSound.clips())
    return try VoicePack(manifest: contents.manifest, clips: contents.clips)
  }

  private mutating func joinPCM() throws {
    let utterance = Utterance(words: BenchSound.names)
    let joiner = Joiner(pack: try BenchSound.pack(.lpcm))
    let bytes = try joiner.file(utterance, container: .caf, codec: .lpcm)
    let floor = addFloor(bytes, "PCM")
    add("12 clips → plan", note: "no sound touched") { keep((try? joiner.plan(utterance))?.clips.count ?? 0) }
    add("12 clips → PCM in memory", note: "\(bytes.count) bytes") {
      keep((try? joiner.file(utterance, container: .caf, codec: .lpcm))?.count ?? 0)
    }
    add("12 words → joined PCM file", floor: floor) { [self] in
      save((try? joiner.file(utterance, container: .caf, codec: .lpcm)) ?? [])
    }
    promise("at most 2 × floor") { ($0.ratio ?? .infinity) <= 2 }
    let overlapping = Joiner(pack: try BenchSound.pack(.lpcm, overlap: 0.005))
    add("… with overlaps of 5 ms", floor: floor) { [self] in
      save((try? overlapping.file(utterance, container: .caf, codec: .lpcm)) ?? [])
    }
    let seconds = Double(bytes.count) / 48_000
    add("… encoded as IMA4", floor: floor) { [self] in
      save((try? joiner.file(utterance, container: .caf, codec: .ima4)) ?? [])
    }
    rows[rows.count - 1].note = "\(Int(seconds / rows[rows.count - 1].median * 1e6)) × real time"
    promise("at least 300 × real time") { seconds / $0.median * 1e6 >= 300 }
  }

  /// Notes a promise about the last row, and whether it was kept.
  mutating func promise(_ text: String, _ isKept: (Row) -> Bool) {
    rows[rows.count - 1].goal = Goal(text: text, isMet: isKept(rows[rows.count - 1]))
  }

  private mutating func joinIMA4() throws {
    let utterance = Utterance(words: BenchSound.names)
    let joiner = Joiner(pack: try BenchSound.pack(.ima4))
    let bytes = try joiner.file(utterance, container: .caf, codec: .ima4)
    let floor = addFloor(bytes, "IMA4")
    add("12 words → joined IMA4 file from an IMA4 pack", floor: floor) { [self] in
      save((try? joiner.file(utterance, container: .caf, codec: .ima4)) ?? [])
    }
    promise("at most 2 × floor") { ($0.ratio ?? .infinity) <= 2 }
    addPrepared("… the first time, when clips are looked at") {
      guard let fresh = try? BenchSound.pack(.ima4) else { return nil }
      return { keep((try? Joiner(pack: fresh).file(utterance, container: .caf, codec: .ima4))?.count ?? 0) }
    }
  }

  /// Copies bytes into a warm buffer and writes them once: less than this nothing can cost.
  private mutating func addFloor(_ bytes: [UInt8], _ name: String) -> Double {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
    defer { buffer.deallocate() }
    let path = folder + "/floor"
    add("floor: \(bytes.count) bytes of \(name) copied") {
      buffer.copyBytes(from: bytes)
      keep(Int(buffer[bytes.count / 2]))
    }
    return add("floor: the same copied and written once") {
      buffer.copyBytes(from: bytes)
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      keep(write(file, buffer.baseAddress, buffer.count))
      close(file)
    }.median
  }

  func save(_ bytes: [UInt8]) {
    let file = open(folder + "/out", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    keep(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
    close(file)
  }

  // MARK: Codecs

  private mutating func codecs() throws {
    let samples = BenchSound.clips().flatMap { $0.sound.pcm.samples }
    let long = PCM(sampleRate: 24_000, samples: Array((0..<4).map { _ in samples }.joined()))
    let theirs = try ffmpegSpeeds()
    for codec in [AudioCodec.ima4, .ulaw, .alaw] {
      let bytes = try SoundFile.encode(long, container: .caf, codec: codec)
      let encoding = addSpeed("encode \(codec.rawValue)", long.seconds) {
        keep((try? SoundFile.encode(long, container: .caf, codec: codec))?.count ?? 0)
      }
      if codec == .ima4, let theirs { promise("at least as fast as ffmpeg") { _ in encoding >= theirs.encoding } }
      let decoding = addSpeed("decode \(codec.rawValue)", long.seconds) {
        keep((try? SoundFile.decode(bytes))?.frames ?? 0)
      }
      if codec == .ima4, let theirs { promise("at least as fast as ffmpeg") { _ in decoding >= theirs.decoding } }
    }
  }

  @discardableResult mutating func addSpeed(_ name: String, _ seconds: Double, _ body: () -> Void) -> Double {
    let row = add(name, body)
    let speed = seconds / row.median * 1e6
    rows[rows.count - 1].note =
      "\(Int(speed)) × real time, \(BenchSound.decimals(row.median * 1e3 / seconds / 24_000)) ns a sample"
    return speed
  }

  // MARK: Timing

  @discardableResult mutating func add(
    _ name: String, floor: Double? = nil, rounds: Int? = nil, note: String = "", _ body: () -> Void
  ) -> Row {
    withoutActuallyEscaping(body) { body in addPrepared(name, floor: floor, rounds: rounds, note: note) { body } }
  }

  /// Times what `prepare` returns, but not `prepare`.
  @discardableResult mutating func addPrepared(
    _ name: String, floor: Double? = nil, rounds: Int? = nil, note: String = "", _ prepare: () -> (() -> Void)?
  ) -> Row {
    var times: [Double] = []
    for _ in 0..<(rounds ?? self.rounds) {
      guard let body = prepare() else { continue }
      let start = BenchSound.now()
      body()
      times.append(Double(BenchSound.now() - start) / 1_000)
    }
    times.sort()
    let median = times.isEmpty ? 0 : times[times.count / 2]
    let row = Row(
      name: name, least: times.first ?? 0, median: median, ratio: floor.map { median / $0 }, note: note, goal: nil)
    rows.append(row)
    return row
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  static func decimals(_ value: Double) -> String {
    if value >= 100 { return String(Int(value.rounded())) }
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}

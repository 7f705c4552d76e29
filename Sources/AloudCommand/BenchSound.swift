import Announcing
import AudioTools
import ExactJSON
import Glibc
import PushPayload
import SpokenText
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
    package let note: String
  }

  /// All figures.
  package struct Report: Sendable {
    /// The rows, in the order of measuring.
    package let rows: [Row]

    /// A table for people.
    package var text: String {
      rows.map { row in
        guard row.median > 0 else { return row.name + "\n    " + row.note }
        let ratio = row.ratio.map { "  \(BenchSound.decimals($0)) × floor" } ?? ""
        let times = "least \(BenchSound.decimals(row.least)) us, median \(BenchSound.decimals(row.median)) us"
        return row.name + "\n    " + times + ratio + (row.note.isEmpty ? "" : "  " + row.note)
      }.joined(separator: "\n")
    }
  }

  private let voices: VoiceLibrary
  private let rounds: Int
  private let folder: String
  private var rows: [Row] = []

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

  private init(voices: VoiceLibrary, rounds: Int) {
    self.voices = voices
    self.rounds = rounds
    folder = (Files.isFolder("/dev/shm") ? "/dev/shm" : "/tmp") + "/aloud-bench-\(getpid())"
  }

  private func cleanUp() {
    for name in (try? Files.names(in: folder)) ?? [] { Files.remove(folder + "/" + name) }
    Files.removeFolder(folder)
  }

  // MARK: Joining

  private static let names = (0..<12).map { "w\($0)" }

  private static func clips() -> [PreparedClip] {
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
    let overlapping = Joiner(pack: try BenchSound.pack(.lpcm, overlap: 0.005))
    add("… with overlaps of 5 ms", floor: floor) { [self] in
      save((try? overlapping.file(utterance, container: .caf, codec: .lpcm)) ?? [])
    }
    let seconds = Double(bytes.count) / 48_000
    let encoded = add("… encoded as IMA4", floor: floor) { [self] in
      save((try? joiner.file(utterance, container: .caf, codec: .ima4)) ?? [])
    }
    rows[rows.count - 1] = Row(
      name: encoded.name, least: encoded.least, median: encoded.median, ratio: encoded.ratio,
      note: "\(Int(seconds / encoded.median * 1e6)) × real time")
  }

  private mutating func joinIMA4() throws {
    let utterance = Utterance(words: BenchSound.names)
    let joiner = Joiner(pack: try BenchSound.pack(.ima4))
    let bytes = try joiner.file(utterance, container: .caf, codec: .ima4)
    let floor = addFloor(bytes, "IMA4")
    add("12 words → joined IMA4 file from an IMA4 pack", floor: floor) { [self] in
      save((try? joiner.file(utterance, container: .caf, codec: .ima4)) ?? [])
    }
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

  private func save(_ bytes: [UInt8]) {
    let file = open(folder + "/out", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    keep(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
    close(file)
  }

  // MARK: Codecs

  private mutating func codecs() throws {
    let samples = BenchSound.clips().flatMap { $0.sound.pcm.samples }
    let long = PCM(sampleRate: 24_000, samples: Array((0..<4).map { _ in samples }.joined()))
    for codec in [AudioCodec.ima4, .ulaw, .alaw] {
      let bytes = try SoundFile.encode(long, container: .caf, codec: codec)
      addSpeed("encode \(codec.rawValue)", long.seconds) {
        keep((try? SoundFile.encode(long, container: .caf, codec: codec))?.count ?? 0)
      }
      addSpeed("decode \(codec.rawValue)", long.seconds) { keep((try? SoundFile.decode(bytes))?.frames ?? 0) }
    }
  }

  private mutating func addSpeed(_ name: String, _ seconds: Double, _ body: () -> Void) {
    let row = add(name, body)
    let note =
      "\(Int(seconds / row.median * 1e6)) × real time, \(BenchSound.decimals(row.median * 1e3 / seconds / 24_000)) ns a sample"
    rows[rows.count - 1] = Row(name: name, least: row.least, median: row.median, ratio: nil, note: note)
  }

  // MARK: What the phone does

  private mutating func phone() throws {
    guard let pack = try? voices.pack(for: "zh-CN") else { return }
    let path = voices.folders.map { $0 + "/zh-CN.voicepack" }.first { Files.exists($0 + "/pack.json") } ?? ""
    add("open the zh-CN pack", note: "\(pack.manifest.clips.count) clips") {
      keep((try? VoicePack.open(path: path))?.manifest.clips.count ?? 0)
    }
    for (count, amount) in [(10, "28.50"), (20, "123456.78")] {
      let payload = BenchSound.payload(amount)
      add("payload of \(payload.count) bytes → sound file on disk, about \(count) words") { [self] in
        announce(payload, path)
      }
    }
    let words = (0..<50).map { _ in "一" }
    let joiner = Joiner(pack: pack)
    add("50 words → sound file on disk") { [self] in
      save((try? joiner.file(Utterance(words: words), container: .caf, codec: .ima4)) ?? [])
    }
    rows.append(
      Row(
        name: "memory for one announcement above what was there before", least: 0, median: 0, ratio: nil,
        note: "\(peakKiB { announce(BenchSound.payload("123456.78"), path) }) KiB"))
  }

  private static func payload(_ amount: String) -> [UInt8] {
    Array(
      """
      {"aps":{"alert":{"title":"微信收款","body":"收到付款"},"sound":"fallback.caf","mutable-content":1},"aloud":{"v":1,\
      "id":"evt_01","kind":"payment.received","locale":"zh-CN","amount":"\(amount)","currency":"CNY","brand":"微信"}}
      """.utf8)
  }

  /// From the bytes of a payload to a file that has been put in place, with the pack opened anew, as in a new process.
  private func announce(_ payload: [UInt8], _ path: String) {
    guard let json = try? JSON.parse(payload),
      let event = PayloadDecoder.decode(json, requestID: "bench").event,
      let phrase = try? PhraseBook(.zhCN).phrase(for: event), let pack = try? VoicePack.open(path: path),
      let bytes = try? Joiner(pack: pack).file(phrase.utterance, container: .caf, codec: .ima4)
    else { return }
    try? Files.write(bytes, to: folder + "/aloud.caf")
  }

  /// How much the process's peak of resident memory rises while `body` runs, in KiB.
  private func peakKiB(_ body: () -> Void) -> Int {
    func status(_ field: String) -> Int {
      let text = (try? FileBytes.read(path: "/proc/self/status")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
      return Int(line.filter { $0.isASCII && $0.isNumber }) ?? 0
    }
    let reset = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    _ = write(reset, "5", 1)
    close(reset)
    let before = status("VmRSS")
    body()
    return max(0, status("VmHWM") - before)
  }

  // MARK: Other programs

  private mutating func otherPrograms() throws {
    var files: [String] = []
    for clip in BenchSound.clips() {
      files.append(folder + "/" + clip.name + ".wav")
      try Files.write(
        SoundFile.encode(clip.sound.pcm, container: .wav, codec: .lpcm), to: files[files.count - 1])
    }
    let list = folder + "/list.txt"
    try Files.write(Array(files.map { "file '\($0)'\n" }.joined().utf8), to: list)
    addProgram("sox starts and ends", ["sox", "--version"])
    addProgram("sox joins the same 12 files into a WAV", ["sox"] + files + [folder + "/sox.wav"])
    addProgram("ffmpeg starts and ends", ["ffmpeg", "-version"])
    let concat = ["ffmpeg", "-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", list]
    addProgram("ffmpeg joins them into a WAV", concat + ["-c", "copy", folder + "/ffmpeg.wav"])
    addProgram("ffmpeg joins them into IMA4 in CAF", concat + ["-c:a", "adpcm_ima_qt", folder + "/ffmpeg.caf"])
    try addFFmpegSpeed()
  }

  private mutating func addProgram(_ name: String, _ arguments: [String]) {
    guard ChildProcess.find(arguments[0]) != nil else { return }
    let saved = rounds / 20
    add(name, rounds: max(3, saved), note: "whole command") { keep((try? ChildProcess.run(arguments))?.status ?? 0) }
  }

  /// ffmpeg's own figure for its encoder, without its start: the CPU time it reports for ten minutes of sound.
  private mutating func addFFmpegSpeed() throws {
    guard ChildProcess.find("ffmpeg") != nil else { return }
    let samples = BenchSound.clips().flatMap { $0.sound.pcm.samples }
    let long = PCM(sampleRate: 24_000, samples: Array((0..<124).map { _ in samples }.joined()))
    let path = folder + "/long.wav"
    try Files.write(SoundFile.encode(long, container: .wav, codec: .lpcm), to: path)
    let result = try ChildProcess.run([
      "ffmpeg", "-v", "info", "-benchmark", "-nostdin", "-y", "-i", path, "-c:a", "adpcm_ima_qt", "-f", "null", "-",
    ])
    let text = String(decoding: result.complaints, as: UTF8.self)
    guard let mark = text.firstRange(of: "bench: utime="),
      let user = Double(text[mark.upperBound...].prefix { $0 != "s" }),
      user > 0
    else { return }
    rows.append(
      Row(
        name: "ffmpeg encodes IMA4 (the user time it reports)", least: user * 1e6, median: user * 1e6, ratio: nil,
        note: "\(Int(long.seconds / user)) × real time"))
  }

  // MARK: Timing

  @discardableResult private mutating func add(
    _ name: String, floor: Double? = nil, rounds: Int? = nil, note: String = "", _ body: () -> Void
  ) -> Row {
    withoutActuallyEscaping(body) { body in addPrepared(name, floor: floor, rounds: rounds, note: note) { body } }
  }

  /// Times what `prepare` returns, but not `prepare`.
  @discardableResult private mutating func addPrepared(
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
    let row = Row(name: name, least: times.first ?? 0, median: median, ratio: floor.map { median / $0 }, note: note)
    rows.append(row)
    return row
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  fileprivate static func decimals(_ value: Double) -> String {
    if value >= 100 { return String(Int(value.rounded())) }
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}

/// Takes a value so that the optimiser cannot leave out the work that made it.
@inline(never)
private func keep(_ value: Int) {}

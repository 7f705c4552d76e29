import AudioTools
import VoiceAudio

// sox and ffmpeg at the same work: as whole commands, and what a further job costs them within one command.

extension BenchSound {
  mutating func otherPrograms() throws {
    var files: [String] = []
    for clip in BenchSound.clips() {
      files.append(folder + "/" + clip.name + ".wav")
      try Files.write(
        SoundFile.encode(clip.sound.pcm, container: .wav, codec: .lpcm), to: files[files.count - 1])
    }
    addProgram("sox starts and ends", ["sox", "--version"])
    let sox = addProgram("sox joins the same 12 files into a WAV", ["sox"] + files + [folder + "/sox.wav"])
    addWithin("sox", sox, ["sox"] + BenchSound.repeated(files) + [folder + "/sox.wav"])
    addProgram("ffmpeg starts and ends", ["ffmpeg", "-version"])
    let one = try list("list.txt", files)
    let many = try list("many.txt", BenchSound.repeated(files))
    for (what, output) in [
      ("a WAV", ["-c", "copy", folder + "/ffmpeg.wav"]),
      ("IMA4 in CAF", ["-c:a", "adpcm_ima_qt", folder + "/ffmpeg.caf"]),
    ] {
      func command(_ list: String) -> [String] {
        ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "concat", "-safe", "0", "-i", list] + output
      }
      let once = addProgram("ffmpeg joins them into \(what)", command(one))
      addWithin("ffmpeg into \(what)", once, command(many))
    }
  }

  /// How many jobs stand in the longer command.
  private static let jobs = 21

  private static func repeated(_ files: [String]) -> [String] { (0..<jobs).flatMap { _ in files } }

  private func list(_ name: String, _ files: [String]) throws -> String {
    try Files.write(Array(files.map { "file '\($0)'\n" }.joined().utf8), to: folder + "/" + name)
    return folder + "/" + name
  }

  @discardableResult private mutating func addProgram(_ name: String, _ arguments: [String]) -> Row? {
    guard ChildProcess.find(arguments[0]) != nil else { return nil }
    return add(name, rounds: max(3, rounds / 20), note: "whole command") {
      keep((try? ChildProcess.run(arguments))?.status ?? 0)
    }
  }

  /// What a job costs within a running program: the difference between 21 jobs in one command and one.
  private mutating func addWithin(_ name: String, _ once: Row?, _ arguments: [String]) {
    guard let once else { return }
    var timed = BenchSound(voices: voices, rounds: rounds)
    let many = timed.add(name, rounds: 5) { keep((try? ChildProcess.run(arguments))?.status ?? 0) }
    let count = Double(BenchSound.jobs - 1)
    rows.append(
      Row(
        name: "… \(name): 12 more files in the same command", least: max(0.01, (many.least - once.least) / count),
        median: max(0.01, (many.median - once.median) / count), ratio: nil,
        note: "in process, from 1 and \(BenchSound.jobs) jobs", goal: nil))
  }

  // MARK: Codecs

  /// How many times faster than the sound lasts ffmpeg encodes and decodes IMA4 by the CPU time that it reports for ten
  /// minutes of sound, without its start; `nil` without ffmpeg.
  mutating func ffmpegSpeeds() throws -> (encoding: Double, decoding: Double)? {
    guard ChildProcess.find("ffmpeg") != nil else { return nil }
    let samples = BenchSound.clips().flatMap { $0.sound.pcm.samples }
    let long = PCM(sampleRate: 24_000, samples: Array((0..<124).map { _ in samples }.joined()))
    let (source, encoded) = (folder + "/long.wav", folder + "/long.caf")
    try Files.write(SoundFile.encode(long, container: .wav, codec: .lpcm), to: source)
    try Files.write(SoundFile.encode(long, container: .caf, codec: .ima4), to: encoded)
    defer { for path in [source, encoded] { Files.remove(path) } }
    guard let encoding = try ffmpegSeconds(["-i", source, "-c:a", "adpcm_ima_qt", "-f", "null", "-"]),
      let decoding = try ffmpegSeconds(["-i", encoded, "-f", "null", "-"])
    else { return nil }
    for (what, seconds) in [("encodes", encoding), ("decodes", decoding)] {
      rows.append(
        Row(
          name: "ffmpeg \(what) IMA4", least: seconds * 1e6, median: seconds * 1e6, ratio: nil,
          note: "\(Int(long.seconds / seconds)) × real time by the user time it reports", goal: nil))
    }
    return (long.seconds / encoding, long.seconds / decoding)
  }

  private func ffmpegSeconds(_ work: [String]) throws -> Double? {
    let result = try ChildProcess.run(["ffmpeg", "-v", "info", "-benchmark", "-nostdin", "-y"] + work)
    let text = String(decoding: result.complaints, as: UTF8.self)
    guard let mark = text.firstRange(of: "bench: utime="),
      let user = Double(text[mark.upperBound...].prefix { $0 != "s" }), user > 0
    else { return nil }
    return user
  }
}

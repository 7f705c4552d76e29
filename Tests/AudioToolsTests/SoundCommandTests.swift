import AloudCommand
import AudioTools
import ExactJSON
import Testing
import VoiceAudio

/// `aloud say`, `pack` and `convert` as a person calls them, and what other programs say to their files.
struct SoundCommandTests {
  /// Collects what a command prints.
  private final class Screen: @unchecked Sendable {
    // Only the test's own task writes, one command at a time.
    var output = ""
    var errors = ""

    func io(isTerminal: Bool) -> CommandIO {
      CommandIO(
        write: { self.output += String(decoding: $0, as: UTF8.self) },
        writeError: { self.errors += String(decoding: $0, as: UTF8.self) }, readInput: { _ in 0 },
        errorIsTerminal: isTerminal)
    }
  }

  private func run(_ arguments: [String], isTerminal: Bool = false) async -> (code: ExitCode, screen: Screen) {
    let screen = Screen()
    return (await AloudCommand().run(arguments, io: screen.io(isTerminal: isTerminal)), screen)
  }

  private static func pack(_ locale: String) -> String { Workbench.root + "/Voices/\(locale).voicepack" }

  // MARK: say

  @Test(arguments: AudioContainer.allCases, [AudioCodec.lpcm, .ima4, .ulaw, .alaw])
  func `aloud say makes files that other decoders read to the same samples`(
    container: AudioContainer, codec: AudioCodec
  ) async throws {
    let bench = try Workbench()
    for (locale, amount, text) in [
      ("zh-CN", "CNY 1234.56", "收款一千二百三十四点五六元"),
      ("en-US", "USD 28.50", "Received twenty-eight dollars and fifty cents"),
    ] {
      let path = bench.path("\(locale).\(container.rawValue)")
      let (code, screen) = await run([
        "say", "--pack", Self.pack(locale), "--amount", amount, "--codec", codec.rawValue, "-o", path,
      ])
      #expect(code == .success, "\(screen.errors)")
      #expect(screen.output == text + "\n")
      let file = try SoundFile.decode(Files.read(path))
      #expect(file.container == container && file.codec == codec && file.channels == 1)
      for (decoder, theirs) in try decoded(path, file) {
        // Programs that do not heed the packet table give the last packet whole.
        let slack = codec == .ima4 ? (container == .wav ? 1_017 : 63) : 0
        #expect(theirs.count - file.frames >= 0 && theirs.count - file.frames <= slack, "\(decoder)")
        let difference = zip(file.pcm.samples, theirs).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        #expect(difference <= tolerance(decoder, container, codec), "\(decoder): \(difference)")
      }
      if container == .caf { try bench.run("python3", Workbench.root + "/Tools/peers/cafcheck.py", path) }
    }
  }

  /// What two independent programs decode a file to.
  private func decoded(_ path: String, _ file: SoundFile) throws -> [(String, [Int16])] {
    let bench = try Workbench()
    let copy = bench.path("copy" + path.suffix(from: path.lastIndex(of: ".") ?? path.endIndex))
    try Files.write(Files.read(path), to: copy)
    // libsndfile has no IMA4 in CAF and AIFF-C; libaudiofile has.
    let usesAudiofile = file.codec == .ima4 && file.container != .wav
    return [
      ("ffmpeg", try bench.ffmpeg(copy)),
      usesAudiofile ? ("libaudiofile", try bench.audiofile(copy)) : ("libsndfile", try bench.sndfile(copy)),
    ]
  }

  private func tolerance(_ decoder: String, _ container: AudioContainer, _ codec: AudioCodec) -> Int {
    switch (decoder, container, codec) {
    // It multiplies where the standard of IMA ADPCM shifts and adds.
    case ("ffmpeg", .wav, .ima4): 1_200
    // It takes every head as it stands, which is rounded by up to 64.
    case ("libaudiofile", _, .ima4): 64
    default: 0
    }
  }

  @Test func `aloud say tells how long a sentence is and what could be left out`() async throws {
    let bench = try Workbench()
    let arguments = ["say", "--pack", Self.pack("zh-CN"), "--brand", "支付宝", "--amount", "CNY 123456789.12", "--json"]
    let (code, screen) = await run(arguments + ["--lead-in", "3000", "-o", bench.path("a.caf")])
    #expect(code == .success)
    #expect(screen.errors.contains("Leave out the brand"))
    let file = try SoundFile.decode(Files.read(bench.path("a.caf")))
    let milliseconds = try #require(JSON.parse(screen.output)["milliseconds"]?.intValue)
    #expect(abs(Double(milliseconds) / 1_000 - file.pcm.seconds) < 0.06)
    #expect(file.pcm.samples.prefix(file.sampleRate * 29 / 10).allSatisfy { $0 == 0 })
    // What the pack lacks is named and nothing is written.
    let (lacking, complaint) = await run([
      "say", "--pack", Self.pack("en-US"), "--kind", "text", "--text", "you have a zebra", "-o", bench.path("b.caf"),
    ])
    #expect(lacking == .findings && complaint.errors.contains("\"zebra\""))
    #expect(!Files.exists(bench.path("b.caf")))
  }

  // MARK: pack

  private static let article = [
    "ling", "yi", "er", "san", "si", "wu", "liu", "qi", "ba", "jiu", "shi", "bai", "qian", "wan", "dian", "yuan",
    "zheng",
  ]
  private static let demo =
    (0...9).map { "tts_\($0)" } + [
      "tts_ten", "tts_hundred", "tts_thousand", "tts_ten_thousand", "tts_dot", "tts_yuan", "tts_pre", "tts_default",
    ]

  private func recordings(_ names: [String], _ bench: Workbench) throws -> String {
    let folder = bench.path("recordings")
    try Files.makeFolder(folder)
    for (place, name) in names.enumerated() {
      let sound = TestTones.recording(seed: UInt64(place + 1))
      let source = try bench.write(SoundFile.encode(sound, container: .wav, codec: .lpcm), "source.wav")
      try bench.run("ffmpeg", "-v", "error", "-y", "-i", source, folder + "/" + name + ".mp3")
    }
    return folder
  }

  @Test(arguments: [(article + ["liang"], "整"), (demo, "")])
  func `one command makes a voice of 18 MP3 clips, another says 1234.56 with it`(
    names: [String], suffix: String
  ) async throws {
    let bench = try Workbench()
    let source = try recordings(names, bench)
    let own = bench.path("own.voicepack")
    let (code, made) = await run(["pack", "import", source, "--locale", "zh-CN", "--out", own], isTerminal: true)
    #expect(code == .success, "\(made.errors)")
    #expect(made.output.contains("it lacks: 亿"))
    // A progress line on a terminal, wiped in the end.
    #expect(made.errors.contains("\r\u{1B}[K3 of "))
    #expect(made.errors.hasSuffix("\r\u{1B}[K"))
    let more = suffix.isEmpty ? [] : ["--suffix", suffix]
    let (said, screen) = await run(
      ["say", "--pack", own, "--bare", "--amount", "CNY 1234.56", "-o", bench.path("a.caf")] + more)
    #expect(said == .success, "\(screen.errors)")
    #expect(screen.output == "一千二百三十四点五六元\(suffix)\n")
    #expect(try SoundFile.decode(Files.read(bench.path("a.caf"))).pcm.seconds > 3)
    // An amount that needs 亿 falls back whole.
    let (whole, lacking) = await run([
      "say", "--pack", own, "--bare", "--amount", "CNY 123456789", "-o", bench.path("b.caf"),
    ])
    #expect(whole == .findings && lacking.errors.contains("亿"))
    #expect(!Files.exists(bench.path("b.caf")))
  }

  @Test func `inspect and check print coverage, levels, licence and what cannot be said`() async throws {
    let bench = try Workbench()
    let own = bench.path("own.voicepack")
    let source = try recordings(Self.article, bench)
    _ = await run(["pack", "import", source, "--output", own, "--licence", "our own"])
    for command in ["inspect", "check"] {
      let (code, screen) = await run(["pack", command, own])
      #expect(code == (command == "check" ? .findings : .success))
      for part in ["licence: our own", "LUFS", "dBFS", "it lacks: 亿", "can say"] {
        #expect(screen.output.contains(part), "\(command): \(screen.output)")
      }
    }
    let (good, screen) = await run(["pack", "check", Self.pack("ja"), "--depth", "200"])
    #expect(good == .success && screen.output.contains("Apache-2.0"))
  }

  @Test func `build takes the engines by name`() async throws {
    let bench = try Workbench()
    let options = ["pack", "build", "--locale", "en-US", "--out", bench.path("en.voicepack")]
    for (more, part) in [
      (["--engine", "command"], "needs the program"), (["--engine", "magic"], "no engine “magic”"),
      (["--engine", "espeak-ng", "espeak-ng --stdout"], "takes no command line"),
    ] {
      let (code, screen) = await run(options + more)
      #expect(code == .usage && screen.errors.contains(part), "\(screen.errors)")
    }
    let (failed, screen) = await run(options + ["--engine", "command", "no-such-program-here --text {text}"])
    #expect(failed == .failure && screen.errors.contains("no-such-program-here"))
  }

  // MARK: convert

  @Test func `convert makes silence of any length and the three chimes`() async throws {
    let bench = try Workbench()
    for (name, seconds) in [("silence:2.5", 2.5), ("silence:0.01", 0.01), ("chime:bell", 0.55), ("chime:knock", 0.3)] {
      let (code, screen) = await run(["convert", name, bench.path("a.caf")])
      #expect(code == .success, "\(screen.errors)")
      let file = try SoundFile.decode(Files.read(bench.path("a.caf")))
      #expect(file.codec == .ima4 && abs(file.pcm.seconds - seconds) < 0.001)
      #expect((file.pcm.peak == 0) == name.hasPrefix("silence"))
    }
    for name in ["silence:40", "silence:-1", "silence:x", "chime:gong", "nothing:1"] {
      let (code, screen) = await run(["convert", name, bench.path("b.caf")])
      #expect(code != .success && !screen.errors.isEmpty)
    }
  }
}

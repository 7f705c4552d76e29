import Announcing
import AudioTools
import SpokenText
import Testing
import VoiceAudio

struct PackImporterTests {
  /// A folder of recordings with the given names, in the format that the extension says.
  private func recordings(_ names: [String], _ bench: Workbench) throws -> String {
    let folder = bench.path("recordings")
    try Files.makeFolder(folder)
    for (place, name) in names.enumerated() {
      let source = bench.path("source.wav")
      try Files.write(
        SoundFile.encode(TestTones.recording(seed: UInt64(place + 1)), container: .wav, codec: .lpcm), to: source)
      try bench.run("ffmpeg", "-v", "error", "-y", "-i", source, folder + "/" + name)
    }
    return folder
  }

  private static let article = [
    "ling", "yi", "er", "san", "si", "wu", "liu", "qi", "ba", "jiu", "shí", "bǎi", "qiān", "wàn", "yì", "diǎn", "yuán",
    "zhěng",
  ]

  @Test func `makes a voice of 18 MP3 clips in one go, and says 1234.56 元整`() throws {
    let bench = try Workbench()
    let source = try recordings(PackImporterTests.article.map { $0 + ".mp3" }, bench)
    let summary = try PackImporter(.init(locale: .zhCN)).make(from: source, in: bench.path("own.voicepack"))
    #expect(summary.taken.count == 18)
    #expect(summary.left.isEmpty)
    let words = try Reader(.zhCN).read("CNY 1234.56", as: .amount).words + ["整"]
    #expect(words.joined() == "一千二百三十四点五六元整")
    let joiner = Joiner(pack: summary.pack)
    let plan = try joiner.plan(Utterance(words: words, role: .amount))
    #expect(plan.clips.count == 12)
    let file = try SoundFile.decode(joiner.file(plan, container: .caf, codec: .ima4))
    // 12 clips of 0.3 s, trimmed and joined.
    #expect(file.pcm.seconds > 3.4 && file.pcm.seconds < 4.2)
    #expect(file.pcm.peak < 29_205)
    let loudness = try #require(try LoudnessMeter.integrated(Sound(file.pcm)))
    #expect(abs(loudness + 16) < 1)
  }

  @Test func `lists what a pack of 18 clips cannot say`() throws {
    let bench = try Workbench()
    let digits = (0...9).map { "tts_\($0)" }
    let names =
      digits + [
        "tts_ten", "tts_hundred", "tts_thousand", "tts_ten_thousand", "tts_dot", "tts_yuan", "tts_pre", "tts_default",
      ]
    let source = try recordings(names.map { $0 + ".mp3" }, bench)
    var options = PackImporter.Options(locale: .zhCN)
    options.prefix = ["微信收款"]
    let summary = try PackImporter(options).make(from: source, in: bench.path("demo.voicepack"))
    #expect(summary.taken.count == 17)
    #expect(summary.fallback == "tts_default.mp3")
    #expect(try SoundFile.decode(Files.read(bench.path("demo.voicepack/fallback.caf"))).codec == .ima4)
    #expect(summary.pack.missing(words: ["微信收款", "九", "万", "点", "五", "元"]) == [])
    // An amount that needs 亿 falls back whole.
    let large = try Reader(.zhCN).read("CNY 123456789", as: .amount).words
    let error = #expect(throws: JoinError.self) {
      try Joiner(pack: summary.pack).plan(Utterance(words: large))
    }
    #expect(error == .missingWords(["亿"]))
    // 两 was not recorded: 二 stands in for it, and the summary says so.
    #expect(summary.text.contains("两"))
    #expect(summary.coverage.rows[0].isComplete)
    #expect(summary.coverage.rows[1].missing.contains("亿"))
    #expect(summary.text.contains("亿"))
    #expect(!summary.coverage.isSufficient)
  }

  @Test func `takes words from a table, with contexts`() throws {
    let bench = try Workbench()
    let source = try recordings(["a.flac", "b.wav", "c.mp3", "d.m4a"], bench)
    let table = try bench.write(
      Array(
        "file,words,before,after,position,cost\n# digits\na.flac,五\nb.wav,五,点,,tail\n\"c.mp3\",\"二 十\",,,,-0.5\nd.m4a,点\n"
          .utf8),
      "table.csv")
    var options = PackImporter.Options(locale: .zhCN)
    options.table = table
    options.codec = .lpcm
    let pack = try PackImporter(options).make(from: source, in: bench.path("table.voicepack")).pack
    #expect(pack.codec == .lpcm)
    #expect(pack.manifest.clips.map(\.words) == [["五"], ["二", "十"], ["点"]])
    #expect(pack.manifest.clips[0].takes[1].before == ["点"])
    #expect(pack.manifest.clips[0].takes[1].position == .tail)
    #expect(pack.manifest.clips[1].takes[0].cost == -0.5)
  }

  @Test(arguments: [
    ("a.wav\n", "line 1"), ("a.wav,五,,,middle\n", "head or tail"), ("a.wav,五,,,,cheap\n", "cost"),
    ("\"a.wav,五\n", "quote"),
    ("# nothing\n", "names no recording"), ("x.wav,五\n", "x.wav"),
  ]) func `says what is wrong with a table`(text: String, part: String) throws {
    let bench = try Workbench()
    let source = try recordings(["a.wav"], bench)
    var options = PackImporter.Options(locale: .zhCN)
    options.table = try bench.write(Array(text.utf8), "table.csv")
    let error = #expect(throws: AudioToolsError.self) {
      try PackImporter(options).make(from: source, in: bench.path("out.voicepack"))
    }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test func `refuses silence, doubles and folders without recordings`() throws {
    let bench = try Workbench()
    let folder = bench.path("r")
    try Files.makeFolder(folder)
    func attempt() -> String? {
      do throws(AudioToolsError) {
        _ = try PackImporter(.init(locale: .zhCN)).make(from: folder, in: bench.path("o.voicepack"))
        return nil
      } catch {
        return error.description
      }
    }
    #expect(attempt()?.contains("No recording") == true)
    let silence = try SoundFile.encode(.silence(seconds: 0.5, sampleRate: 8_000), container: .wav, codec: .lpcm)
    try Files.write(silence, to: folder + "/一.wav")
    #expect(attempt()?.contains("silence") == true)
    let tone = try SoundFile.encode(TestTones.recording(seed: 1), container: .wav, codec: .lpcm)
    try Files.write(tone, to: folder + "/一.wav")
    try Files.write(tone, to: folder + "/yi.wav")
    #expect(attempt()?.contains("two recordings") == true)
    Files.remove(folder + "/yi.wav")
    try Files.write(Array("no sound".utf8), to: folder + "/二.mp3")
    #expect(attempt()?.contains("no sound file") == true)
  }
}

struct RecordingNamesTests {
  private func words(_ stem: String, _ locale: SpokenLocale = .zhCN) -> [String] {
    guard case .words(let words) = RecordingNames.meaning(stem, locale: locale, prefix: ["收款"]) else { return [] }
    return words
  }

  @Test func `understands the ways people name clips`() {
    #expect(words("yi") == ["一"])
    #expect(words("yì") == ["亿"])
    #expect(words("yi4") == ["亿"])
    #expect(words("shi") == ["十"])
    #expect(words("liǎng") == ["两"])
    #expect(words("yi1 bai3") == ["一", "百"])
    #expect(words("28") == ["二", "十", "八"])
    #expect(words("tts_ten_thousand") == ["万"])
    #expect(words("tts_dot") == ["点"])
    #expect(words("tts_pre") == ["收款"])
    #expect(words("微信收款") == ["微信收款"])
    #expect(words("wan", .zhTW) == ["萬"])
    #expect(words("twenty_eight", .enUS) == ["twenty", "eight"])
    #expect(words("tts_hundred", .enUS) == ["hundred"])
  }

  @Test func `does not guess`() {
    for stem in ["yi2", "hello", "", "tts_million", "shi1"] {
      guard case .unknown(let why) = RecordingNames.meaning(stem, locale: .zhCN, prefix: []) else {
        Issue.record("\(stem) was taken for \(words(stem))")
        continue
      }
      #expect(!why.isEmpty)
    }
    #expect(RecordingNames.meaning("tts_default", locale: .zhCN, prefix: []) == .fallback)
  }
}

import Announcing
import AudioTools
import SpokenText
import Testing
import VoiceAudio

struct PackBuilderTests {
  /// An engine that computes a sound from the text, and can fail at a word.
  struct Computed: SpeechEngine {
    var failsAt: String?
    var isTimed = false
    let signature = "computed"
    let voice = "computed"
    let licence = "CC0-1.0"

    func speak(_ text: String) throws(AudioToolsError) -> Speech {
      if text == failsAt { throw AudioToolsError(.programFailed, "cannot say \(text)") }
      let words = text.split(separator: " ").map(String.init)
      var samples: [Int16] = []
      var timings: [TimedWord] = []
      for word in words {
        let start = Double(samples.count) / 16_000
        let seed = word.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        samples += TestTones.voice(frames: 2_400, seed: seed)
        timings.append(TimedWord(text: word, start: start, end: Double(samples.count) / 16_000))
      }
      return Speech(
        sound: Sound(PCM(sampleRate: 16_000, samples: samples)), words: isTimed ? timings : [])
    }
  }

  private var options: PackBuilder.Options {
    var options = PackBuilder.Options(locale: .zhCN)
    options.sampleRate = 16_000
    return options
  }

  @Test func `goes on where it was broken off and gives the same bytes`() throws {
    let bench = try Workbench()
    let whole = try PackBuilder(options, engine: Computed()).build(in: bench.path("whole.voicepack"))
    #expect(whole.resumed == 0)
    let broken = bench.path("broken.voicepack")
    #expect(throws: AudioToolsError.self) {
      try PackBuilder(options, engine: Computed(failsAt: "yuan2")).build(in: broken)
    }
    #expect(!Files.exists(broken + "/pack.json"))
    let again = try PackBuilder(options, engine: Computed()).build(in: broken)
    #expect(again.resumed > 10)
    #expect(!Files.exists(broken + "/.parts"))
    for name in ["pack.json", "clips.caf"] {
      let isSame = try Files.read(broken + "/" + name) == Files.read(bench.path("whole.voicepack/" + name))
      #expect(isSame)
    }
  }

  @Test func `builds a pack that says everything the locale can read`() throws {
    let bench = try Workbench()
    var steps = 0
    let summary = try PackBuilder(options, engine: Computed()).build(in: bench.path("a.voicepack")) { _ in steps += 1 }
    #expect(steps == summary.pack.manifest.clips.count + 1)
    let report = try PackInspector.inspect(summary.pack, depth: 100)
    let isComplete = report.coverage.rows.allSatisfy(\.isComplete)
    #expect(isComplete, "\(report.coverage.text)")
    #expect(report.isClean, "\(report.findingsText)")
    #expect(report.neutral == report.takes)
    #expect(report.peakDecibels < -1)
    #expect(report.text.contains("16000 Hz"))
    #expect(summary.text.contains("CC0-1.0"))
  }

  @Test func `cuts words out of a carrier sentence by the engine's timings`() throws {
    let bench = try Workbench()
    var options = options
    options.carrier = "heard {} now"
    let alone = try Computed().speak("yi1").sound
    let summary = try PackBuilder(options, engine: Computed(isTimed: true)).build(in: bench.path("b.voicepack"))
    let clip = try #require(summary.pack.sample(of: "一", take: 0))
    // The clip is the word and not its neighbours: as long as the word alone, and of the same shape.
    #expect(abs(clip.pcm.seconds - alone.seconds) < 0.05)
    #expect(throws: AudioToolsError.self) {
      try PackBuilder(options, engine: Computed(isTimed: false)).build(in: bench.path("c.voicepack"))
    }
  }

  @Test func `builds with espeak-ng byte for byte the same`() throws {
    let bench = try Workbench()
    #expect(ChildProcess.find("espeak-ng") != nil, "espeak-ng is not installed; run Tools/setup test")
    let engine = EspeakEngine(locale: "zh-CN")
    let first = try engine.speak("yi4 bai3").sound
    #expect(try first == engine.speak("yi4 bai3").sound)
    #expect(first.sampleRate == 22_050)
    #expect(first.seconds > 0.3 && first.seconds < 2)
    let shaped = try ClipShaper(sampleRate: 22_050).shape(first, name: "一百")
    #expect(try abs(lufs(shaped) + 16) < 0.5)
    #expect(shaped.peak <= 0.8401)
    _ = bench
  }

  @Test func `builds the repository's espeak-ng pack byte for byte the same`() throws {
    // Made by Tools/voices/render zh-CN-espeak, which is to be run again when the vocabulary changes.
    let bench = try Workbench()
    let kept = Workbench.root + "/Voices/zh-CN-espeak.voicepack"
    var options = PackBuilder.Options(locale: .zhCN)
    options.id = "aloud-zh-CN-espeak"
    options.sampleRate = 8_000
    let engine = EspeakEngine(locale: "zh-CN", speed: 300)
    _ = try PackBuilder(options, engine: engine).build(in: bench.path("espeak.voicepack"))
    for name in ["pack.json", "clips.caf"] {
      let isSame = try Files.read(bench.path("espeak.voicepack/" + name)) == Files.read(kept + "/" + name)
      #expect(isSame, "\(name) differs; if the vocabulary has changed, run Tools/voices/render zh-CN-espeak")
    }
  }

  @Test(arguments: [0.7, 1.25]) func `changes the tempo and not the pitch`(tempo: Double) {
    let sound = Sound(PCM(sampleRate: 16_000, samples: TestTones.voice(frames: 16_000, seed: 3)))
    let changed = TimeStretch.apply(sound, tempo: tempo)
    #expect(abs(changed.seconds * tempo - sound.seconds) < 0.01)
    // The same number of times through zero a second: the same pitch.
    func crossings(_ sound: Sound) -> Double {
      let samples = sound.samples
      return Double(samples.indices.dropFirst().count { (samples[$0 - 1] < 0) != (samples[$0] < 0) }) / sound.seconds
    }
    #expect(abs(crossings(changed) / crossings(sound) - 1) < 0.08)
    #expect(changed.peak < sound.peak * 1.2 && changed.peak > sound.peak * 0.7)
    #expect(changed.pcm.largestStep <= sound.pcm.largestStep * 13 / 10)
    #expect(TimeStretch.apply(sound, tempo: 1) == sound)
  }

  @Test func `runs any program that writes a WAV`() throws {
    let engine = try CommandEngine(
      commandLine: "espeak-ng -v 'en-us' --stdout \"{text}\"", voice: "test", licence: "none")
    #expect(try engine.speak("twenty eight").sound.seconds > 0.4)
    let fed = try CommandEngine(commandLine: "espeak-ng -v en-us --stdin --stdout", voice: "test", licence: "none")
    #expect(try fed.speak("twenty eight").sound.seconds > 0.4)
    #expect(throws: AudioToolsError.self) { try CommandEngine(commandLine: " ", voice: "", licence: "") }
    #expect(throws: AudioToolsError.self) { try CommandEngine(commandLine: "say 'it", voice: "", licence: "") }
    let wrong = try CommandEngine(commandLine: "cat", voice: "", licence: "")
    let error = #expect(throws: AudioToolsError.self) { try wrong.speak("no sound") }
    #expect(error?.reason == .programFailed)
    let absent = try CommandEngine(commandLine: "no-such-program-here", voice: "", licence: "")
    #expect(throws: AudioToolsError.self) { try absent.speak("x") }
  }
}

import AudioTools
import Testing
import VoiceAudio

struct SoundConverterTests {
  private func source(_ bench: Workbench, _ name: String, seconds: Int = 2) throws -> String {
    var samples: [Int16] = []
    for second in 0..<seconds { samples += TestTones.voice(frames: 44_100, seed: UInt64(second + 1), level: 3_000) }
    let wav = try bench.write(
      SoundFile.encode(PCM(sampleRate: 44_100, samples: samples), container: .wav, codec: .lpcm), "in.wav")
    try bench.run("ffmpeg", "-v", "error", "-y", "-i", wav, bench.path(name))
    return bench.path(name)
  }

  @Test(arguments: ["a.mp3", "b.flac", "c.ogg", "d.m4a", "e.aiff", "f.caf", "g.wav"])
  func `makes a notification sound of`(
    name: String
  ) throws {
    let bench = try Workbench()
    let input = try source(bench, name)
    for output in ["out.caf", "out.aiff", "out.wav"] {
      let report = try SoundConverter.convert(input, to: bench.path(output))
      let file = try SoundFile.decode(Files.read(bench.path(output)))
      #expect(file.channels == 1)
      #expect(abs(file.pcm.seconds - 2) < 0.15)
      #expect(file.codec == (output == "out.wav" ? .lpcm : .ima4))
      #expect(try abs(lufs(Sound(file.pcm)) + 16) < 0.7)
      #expect(report.written?.contains("mono") == true)
      // What is said is said of the new file, so nothing of converting it.
      #expect(report.isPlayable && !report.text.contains("Convert it"))
      #expect(try SoundConverter.check(path: bench.path(output)).isPlayable)
    }
  }

  @Test func `says why iOS would not play a file`() throws {
    let bench = try Workbench()
    let mp3 = try SoundConverter.check(path: source(bench, "a.mp3"))
    #expect(!mp3.isPlayable)
    #expect(mp3.text.contains("Convert it"))
    let long = try source(bench, "long.wav", seconds: 30)
    let report = try SoundConverter.check(path: long)
    #expect(!report.isPlayable)
    #expect(report.text.contains("30"))
    let error = #expect(throws: AudioToolsError.self) { try SoundConverter.convert(long, to: bench.path("o.caf")) }
    #expect(error?.description.contains("cut it") == true)
    #expect(throws: AudioToolsError.self) { try SoundConverter.convert(long, to: bench.path("o.mp3")) }
  }

  @Test func `warns of names that do not fit and of silence`() throws {
    let bench = try Workbench()
    let wav = try Files.read(source(bench, "x.wav", seconds: 6))
    let misnamed = try SoundConverter.check(path: bench.write(wav, "y.caf"))
    #expect(misnamed.findings.contains { $0.severity == .warning && $0.message.contains("rename") })
    #expect(misnamed.findings.contains { $0.message.contains("after about 5 s") })
    #expect(try !SoundConverter.check(path: bench.write(wav, "noextension")).isPlayable)
    let silence = try SoundFile.encode(.silence(seconds: 1, sampleRate: 8_000), container: .caf, codec: .lpcm)
    #expect(try !SoundConverter.check(path: bench.write(silence, "s.caf")).isPlayable)
    #expect(throws: AudioToolsError.self) { try SoundConverter.check(path: bench.write(Array("hello".utf8), "h.wav")) }
    #expect(throws: AudioToolsError.self) { try SoundConverter.check(path: "/nowhere.wav") }
  }

  @Test func `changes the rate without changing the sound`() throws {
    let tone = Sound(PCM(sampleRate: 44_100, samples: TestTones.voice(frames: 44_100, seed: 1)))
    let down = try Resampler.resample(tone, to: 22_050)
    #expect(abs(down.samples.count - 22_050) <= 2)
    let loudness = try #require(try LoudnessMeter.integrated(tone))
    #expect(try abs(lufs(down) - loudness) < 0.5)
    #expect(try Resampler.resample(tone, to: 44_100) == tone)
  }

  @Test func `measures loudness as the standard's test tone says`() throws {
    // EBU Tech 3341, case 1: a stereo sine of 1000 Hz at -23 dBFS is -23 LUFS; one channel of it is 3 LU less.
    var samples: [Float] = []
    var (before, now) = (0.0, 0.0)
    let factor = 2 * 0.991_444_861_373_810_4
    for place in 0..<48_000 * 5 {
      let next = place == 0 ? 0 : place == 1 ? 0.130_526_192_220_051_6 : factor * now - before
      (before, now) = (now, next)
      samples.append(Float(next * 0.070_794_578))
    }
    let loudness = try #require(try LoudnessMeter.integrated(Sound(sampleRate: 48_000, samples: samples)))
    #expect(abs(loudness + 26) < 0.1)
    #expect(try LoudnessMeter.integrated(Sound(sampleRate: 48_000, samples: [])) == nil)
  }
}

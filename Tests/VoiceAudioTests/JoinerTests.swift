import Testing
import VoiceAudio

struct JoinerTests {
  private static let words = ["微信收款", "张三", "一", "二", "三", "百", "十", "点", "元"]
  private static let clips = TestPack.clips(words)
  private let sentence = Utterance(segments: [
    .init(words: ["微信收款"], role: .brand), .init(words: ["张三"], role: .sender),
    .init(words: ["一", "百", "二", "十", "点", "三", "元"], role: .amount),
  ])

  private func pack(
    _ codec: AudioCodec, isNeutral: Bool = true, level: Double = 9_000,
    change: (inout PackManifest) -> Void = { _ in }
  ) throws -> VoicePack {
    var clips = JoinerTests.clips
    if level != 9_000 {
      for place in clips.indices {
        clips[place].samples = clips[place].samples.map { Int16(max(-32_768, min(32_767, Double($0) * level / 9_000))) }
      }
    }
    return try TestPack.pack(clips, codec: codec, isNeutral: isNeutral, change: change)
  }

  @Test(arguments: [AudioCodec.lpcm, .ima4]) func `makes no step at a joint larger than within the clips`(
    codec: AudioCodec
  ) throws {
    let pack = try pack(codec)
    let plan = try Joiner(pack: pack).plan(sentence)
    let within =
      try JoinerTests.words.map {
        try Joiner(pack: pack).render(Joiner(pack: pack).plan(Utterance(words: [$0]))).largestStep
      }.max() ?? 0
    #expect(try Joiner(pack: pack).render(plan).largestStep <= within)
    let file = try SoundFile.decode(Joiner(pack: pack).file(plan, container: .caf, codec: .ima4))
    #expect(file.pcm.largestStep <= within + 600)
  }

  @Test func `puts the pack's pauses between segments`() throws {
    let pack = try pack(.lpcm) { $0.pauses = .init(between: 0.2, afterBrand: 0.1, beforeAmount: 0.4) }
    let joiner = Joiner(pack: pack)
    func seconds(_ change: (inout Utterance) -> Void) throws -> Double {
      var utterance = sentence
      change(&utterance)
      return try joiner.plan(utterance).estimatedSeconds
    }
    let normal = try seconds { _ in }
    let tolerance = 0.003
    #expect(abs(try seconds { $0.segments[0].pauseAfterSeconds = 0 } - (normal - 0.1)) < tolerance)
    #expect(abs(try seconds { $0.segments[1].pauseAfterSeconds = 0 } - (normal - 0.4)) < tolerance)
    #expect(abs(try seconds { $0.segments[2].role = .text } - (normal - 0.2)) < tolerance)
    // Real silence stands there.
    let pcm = try joiner.render(joiner.plan(sentence))
    #expect(longestSilence(pcm) >= 0.4)
  }

  private func longestSilence(_ pcm: PCM) -> Double {
    var longest = 0
    var run = 0
    for sample in pcm.samples {
      run = sample == 0 ? run + 1 : 0
      longest = max(longest, run)
    }
    return Double(longest) / Double(pcm.sampleRate)
  }

  @Test func `never reaches the ceiling`() throws {
    for codec in [AudioCodec.lpcm, .ima4] {
      let pack = try pack(codec, level: 60_000)
      let joiner = Joiner(pack: pack)
      let plan = try joiner.plan(sentence)
      #expect(try joiner.render(plan).peak <= 29_205)
      #expect(try joiner.render(plan).peak > 28_000)
      let file = try SoundFile.decode(joiner.file(plan, container: .caf, codec: .ima4))
      // The codec may add a little to a loud sample.
      #expect(file.pcm.peak <= 29_205 + 1_200)
    }
  }

  @Test(arguments: AudioContainer.allCases, AudioCodec.allCases) func `makes every kind of file`(
    container: AudioContainer, codec: AudioCodec
  ) throws {
    for source in [AudioCodec.lpcm, .ima4] {
      let joiner = Joiner(pack: try pack(source))
      let plan = try joiner.plan(sentence)
      let file = try SoundFile.decode(joiner.file(plan, container: container, codec: codec))
      #expect(file.codec == codec)
      #expect(file.container == container)
      let rendered = try joiner.render(plan)
      #expect(Double(file.frames) / 24_000 <= plan.estimatedSeconds + 0.003)
      #expect(Double(file.frames) / 24_000 > plan.estimatedSeconds - 0.08)
      let isSame = file.pcm == rendered
      if codec == .lpcm { #expect(isSame) }
    }
  }

  @Test func `copies packets of neutral clips and decodes the rest once`() throws {
    let neutral = Joiner(pack: try pack(.ima4))
    let copied = try neutral.file(neutral.plan(sentence), container: .caf, codec: .ima4)
    // Every decoder model gives the same sound; one that takes every rounded head is off by a little.
    let tolerant = DecoderModel.tolerant.decode(copied)
    let agrees = tolerant == DecoderModel.firstHead.decode(copied)
    #expect(agrees)
    let isOurs = try tolerant == SoundFile.decode(copied).pcm.samples
    #expect(isOurs)
    let offBy = zip(tolerant, DecoderModel.everyHead.decode(copied)).map { abs(Int($0) - Int($1)) }.max()
    #expect(offBy ?? .max <= 64)
    // The copy is what rendering without overlap gives, sample for sample.
    let apart = Joiner(pack: try pack(.ima4) { $0.overlapSeconds = 0 })
    let rendered = try apart.render(apart.plan(sentence)).samples
    #expect(TestSound.signalToNoise(rendered, tolerant) > 40)

    let cut = Joiner(pack: try pack(.ima4, isNeutral: false))
    let encoded = try cut.file(cut.plan(sentence), container: .caf, codec: .ima4)
    let expected = try cut.render(cut.plan(sentence)).samples
    for model in DecoderModel.allCases {
      #expect(TestSound.signalToNoise(expected, model.decode(encoded)) > 15, "\(model)")
    }
  }

  @Test func `says nothing rather than half`() throws {
    let joiner = Joiner(pack: try pack(.lpcm))
    let error = #expect(throws: JoinError.self) {
      try joiner.plan(Utterance(segments: [.init(words: ["李四"]), .init(words: ["一", "亿", "元", "亿"])]))
    }
    #expect(error == .missingWords(["李四", "亿"]))
    #expect(error?.description.contains("李四") == true)
    #expect(throws: JoinError.nothingToSay) { try joiner.plan(Utterance(segments: [])) }
    #expect(throws: JoinError.nothingToSay) { try joiner.plan(Utterance(words: [])) }
    #expect(throws: JoinError.nothingToSay) { try joiner.plan(Utterance(words: [" "])) }
  }

  @Test func `refuses what would take 29 seconds and warns above five`() throws {
    let joiner = Joiner(pack: try pack(.lpcm))
    let long = Utterance(
      segments: [.init(words: ["张三"], role: .sender)]
        + (0..<30).map { _ in .init(words: ["一", "二", "三"], role: .amount) })
    let error = #expect(throws: JoinError.self) { try joiner.plan(long) }
    guard case .tooLong(let seconds, let limit, let words)? = error else { return }
    #expect(seconds > 29 && limit == 29)
    #expect(words.count > 3 && words.count < 30 && words.last == "三")
    let longish = Utterance(
      segments: [.init(words: ["张三"], role: .sender)]
        + (0..<7).map { _ in .init(words: ["一", "二", "三"], role: .amount) })
    let warning = try joiner.plan(longish).warnings.first
    #expect(warning?.description.contains("sender") == true)
    // Where nothing would be left, nothing is named.
    let text = Utterance(segments: (0..<5).map { _ in .init(words: longish.segments[1].words + ["张三", "张三"]) })
    #expect(try joiner.plan(text).warnings.first?.description.contains("Say less") == true)
    #expect(try joiner.plan(sentence).warnings.isEmpty)
  }

  @Test(arguments: Chime.allCases, [AudioCodec.lpcm, .ima4]) func `begins with a chime and a silence if asked to`(
    chime: Chime, codec: AudioCodec
  ) throws {
    let plain = Joiner(pack: try pack(codec))
    let joiner = Joiner(pack: plain.pack, options: .init(leadInSeconds: 0.3, chime: chime))
    let plan = try joiner.plan(sentence)
    let file = try SoundFile.decode(joiner.file(plan, container: .caf, codec: .ima4))
    let extra = plan.estimatedSeconds - (try plain.plan(sentence).estimatedSeconds)
    #expect(abs(extra - 0.3 - chime.seconds - 0.15) < 0.01)
    #expect(file.pcm.samples.prefix(7_200).allSatisfy { $0 == 0 })
    #expect(file.pcm.samples[7_300..<10_000].contains { abs(Int($0)) > 3_000 })
    #expect(file.pcm.seconds <= plan.estimatedSeconds)
  }
}

struct ChimeTests {
  @Test(arguments: Chime.allCases, [8_000, 22_050, 48_000]) func `is short, soft and ends in silence`(
    chime: Chime, rate: Int
  ) {
    let pcm = chime.pcm(sampleRate: rate)
    #expect(abs(pcm.seconds - chime.seconds) < 0.001)
    #expect(pcm.seconds < 0.6)
    #expect(pcm.samples.first == 0)
    #expect(pcm.samples.last == 0)
    #expect(pcm.peak > 6_000 && pcm.peak < 16_384)
  }

  @Test func `sounds different from the others`() {
    let all = Chime.allCases.map { $0.pcm(sampleRate: 24_000).samples }
    #expect(Set(all).count == all.count)
  }

  @Test func `makes silence of any length`() {
    #expect(PCM.silence(seconds: 0.5, sampleRate: 8_000).samples == [Int16](repeating: 0, count: 4_000))
    #expect(PCM.silence(seconds: -1, sampleRate: 8_000).samples.isEmpty)
    #expect(PCM.silence(seconds: 1, sampleRate: 0).samples.isEmpty)
  }
}

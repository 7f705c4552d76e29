import Announcing
import AudioTools
import Glibc
import PushPayload
import SpokenText
import TestSupport
import Testing
import VoiceAudio

/// What the packs of the repository say is what was asked: read back from the sound, through every codec.
struct ReadBackTests {
  struct Voice: CustomTestStringConvertible, Sendable {
    let locale: SpokenLocale
    let currency: String
    let brand: String
    var testDescription: String { locale.tag }

    var pack: VoicePack {
      get throws { try VoicePack.open(path: Workbench.root + "/Voices/\(locale.tag).voicepack") }
    }

    /// Sentences for seeded amounts of all sizes.
    func phrases(_ count: Int, seed: UInt64) throws -> [Phrase] {
      var chance = SeededChance(seed: seed)
      let book = PhraseBook(locale)
      return try (0..<count).map { number in
        let size = [1_000, 100_000, 10_000_000, 1_000_000_000][number % 4]
        let minor = Int.random(in: 1..<size, using: &chance)
        let amount = currency == "JPY" ? "\(minor)" : "\(minor / 100).\(minor / 10 % 10)\(minor % 10)"
        return try book.phrase(
          for: SpokenEvent(
            id: "evt_\(number)", kind: "payment.received", amount: amount, currency: currency, brand: brand))
      }
    }
  }

  static let voices = [
    Voice(locale: .zhCN, currency: "CNY", brand: "微信"), Voice(locale: .enUS, currency: "USD", brand: ""),
    Voice(locale: .ja, currency: "JPY", brand: ""),
  ]

  @Test(arguments: voices, [AudioCodec.lpcm, .ima4, .ulaw, .alaw, .lpcm24])
  func `says every word in order and whole`(voice: Voice, codec: AudioCodec) throws {
    let pack = try voice.pack
    let reader = ClipReader(pack)
    let joiner = Joiner(pack: pack)
    for phrase in try voice.phrases(4, seed: 0xA10D) {
      let container: AudioContainer = codec == .lpcm24 ? .aiff : codec == .ulaw ? .wav : .caf
      let file = try SoundFile.decode(joiner.file(phrase.utterance, container: container, codec: codec))
      let heard = reader.read(file.pcm)
      let said = heard.map(\.text).joined(separator: " ").filter { $0 != " " }
      #expect(said.lowercased() == phrase.utterance.words.joined().filter { $0 != " " }.lowercased())
      let poorest = heard.map(\.fit).min() ?? 0
      #expect(poorest > 0.95, "\(phrase.text): \(heard)")
    }
  }

  @Test func `hears when a clip is missing, doubled or cut`() throws {
    let voice = ReadBackTests.voices[0]
    let pack = try voice.pack
    let reader = ClipReader(pack)
    let joiner = Joiner(pack: pack)
    let pcm = try joiner.render(joiner.plan(Utterance(words: ["三", "百", "零", "五", "元"])))
    func said(_ samples: [Int16]) -> String {
      reader.read(PCM(sampleRate: pcm.sampleRate, samples: samples)).map { $0.fit > 0.95 ? $0.text : "?" }.joined()
        .filter { $0 != " " }
    }
    #expect(said(pcm.samples) == "三百零五元")
    #expect(said(Array(pcm.samples.dropFirst(4_000))) != "三百零五元")
    #expect(said(pcm.samples + pcm.samples) != "三百零五元")
    #expect(said(pcm.samples.enumerated().filter { $0.offset % 12 != 0 }.map(\.element)) != "三百零五元")
  }

  @Test(arguments: voices) func `keeps 200 sentences free of clicks and within their levels`(voice: Voice) throws {
    let pack = try voice.pack
    let joiner = Joiner(pack: pack)
    let sounds = Dictionary(
      uniqueKeysWithValues: pack.manifest.clips.map { clip in
        (clip.name, clip.takes.indices.compactMap { pack.sample(of: clip.name, take: $0)?.pcm })
      })
    let steepest = sounds.values.joined().map(\.largestStep).max() ?? 0
    for phrase in try voice.phrases(200, seed: 0x5EED) {
      let plan = try joiner.plan(phrase.utterance)
      let pcm = try joiner.render(plan)
      expectEveryClip(plan.clips.compactMap { sounds[$0] }, in: pcm, phrase.text)
      // No joint makes a larger step than the clips themselves have.
      #expect(pcm.largestStep <= steepest, "\(phrase.text)")
      #expect(pcm.peak <= 29_205, "\(phrase.text)")
      #expect(pcm.seconds <= plan.estimatedSeconds && pcm.seconds > plan.estimatedSeconds - 0.2)
      let loudness = try lufs(Sound(pcm))
      #expect(abs(loudness - pack.loudness) <= 1, "\(phrase.text): \(loudness) LUFS")
    }
  }

  /// One take of each clip stands in the sound, in order and sample for sample but for its ends, which are faded or overlap.
  private func expectEveryClip(_ clips: [[PCM]], in pcm: PCM, _ text: String) {
    let edge = pcm.sampleRate * 6 / 1_000
    var place = 0
    for takes in clips {
      let found = takes.compactMap { find($0.samples.dropFirst(edge).dropLast(edge), in: pcm.samples, from: place) }
        .min()
      #expect(found != nil, "\(text): a clip is not there")
      place = found ?? place
    }
    #expect(!clips.isEmpty)
  }

  private func find(_ part: ArraySlice<Int16>, in samples: [Int16], from place: Int) -> Int? {
    part.withUnsafeBytes { part in
      samples.withUnsafeBytes { samples in
        guard let wanted = part.baseAddress, let given = samples.baseAddress else { return nil }
        return stride(from: place * 2, through: samples.count - part.count, by: 2)
          .first { samples[$0] == part[0] && memcmp(given + $0, wanted, part.count) == 0 }
          .map { $0 / 2 }
      }
    }
  }
}

import Announcing
import AudioTools
import SpokenText
import Testing
import VoiceAudio

/// The voice packs of this repository: what they can say, and whether it can be understood.
///
/// docs/voices.md has the figures.
struct RepositoryPacksTests {
  private static let root = String(#filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())

  private static func pack(_ name: String) throws -> VoicePack {
    try VoicePack.open(path: "\(root)/Voices/\(name).voicepack")
  }

  @Test(arguments: ["zh-CN", "en-US", "ja", "zh-CN-espeak"])
  func `says every amount, number and time of its language`(_ name: String) throws {
    let report = try PackInspector.inspect(try Self.pack(name), depth: 400)
    #expect(report.coverage.isSufficient, "\(report.coverage.text)")
    #expect(report.neutral == report.takes)
    #expect(report.coverage.rows.last?.isComplete == true, "\(report.coverage.text)")
  }

  @Test(arguments: ["zh-CN", "en-US", "ja"])
  func `keeps its peaks and its loudness`(_ name: String) throws {
    let report = try PackInspector.inspect(try Self.pack(name), depth: 1)
    #expect(report.peakDecibels < -1.5)
    #expect(report.manifest.licence == "Apache-2.0")
  }

  @Test func `all packs together stay within 6 MB`() throws {
    let folders = try Files.names(in: "\(Self.root)/Voices").map { "\(Self.root)/Voices/\($0)" }
    #expect(folders.count >= 4)
    var bytes = 0
    for folder in folders {
      for name in try Files.names(in: folder) { bytes += try Files.read("\(folder)/\(name)").count }
    }
    #expect(bytes < 6_000_000)
  }

  // MARK: Understood?

  private struct Sentence {
    let utterance: Utterance
    let amount: String
    let whole: Cepstra
  }

  private static func sentences(_ locale: String) throws -> [Sentence] {
    let text = String(decoding: try Files.read("\(root)/Tools/ears/whole/\(locale).tsv"), as: UTF8.self)
    return text.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t")
      let segments = parts[0].split(separator: "/").map { segment in
        Utterance.Segment(words: segment.split(separator: " ").map(String.init))
      }
      return Sentence(
        utterance: Utterance(segments: segments), amount: String(parts[1]), whole: Cepstra(hex: parts[2]))
    }
  }

  /// Joined sentences of a pack lie nearest to the same sentence spoken in one breath, among eleven; the limits are a little
  /// worse than what the packs reach, so that a clip that says something else, or a wrong join, is noticed.
  @Test(arguments: [("zh-CN", 11, 2.1), ("en-US", 11, 2.2), ("ja", 9, 2.25)] as [(String, Int, Float)])
  func `sounds like the sentence spoken whole`(_ locale: String, _ least: Int, _ limit: Float) throws {
    let sentences = try Self.sentences(locale)
    let joiner = Joiner(pack: try Self.pack(locale))
    var nearest = 0
    var sum: Float = 0
    for (place, sentence) in sentences.enumerated() {
      let file = try joiner.file(sentence.utterance, container: .wav, codec: .lpcm)
      let joined = Cepstra(try SoundFile.decode(file).pcm)
      let distances = sentences.map { joined.distance(to: $0.whole) }
      sum += distances[place]
      if distances.allSatisfy({ $0 >= distances[place] }) { nearest += 1 }
    }
    let mean = sum / Float(sentences.count)
    #expect(nearest >= least, "\(nearest) of \(sentences.count) nearest, mean distance \(mean)")
    #expect(mean <= limit, "mean distance \(mean)")
  }

  /// The fixture against whole sentences that espeak-ng speaks now: its words keep their sound within a sentence.
  @Test func `the fixture sounds like the sentence spoken whole`() throws {
    let engine = EspeakEngine(locale: "zh-CN", speed: 300)
    let spoken = Dictionary(PackScript(.zhCN).units.map { ($0.words, $0.spoken) }) { first, _ in first }
    let joiner = Joiner(pack: try Self.pack("zh-CN-espeak"))
    func cepstra(_ sound: Sound) throws -> Cepstra {
      // Through the rate of the pack, so that both lack the same highs.
      Cepstra(try Resampler.resample(Resampler.resample(sound, to: 8_000), to: Cepstra.rate).pcm)
    }
    var joined: [Cepstra] = []
    var whole: [Cepstra] = []
    for amount in Self.amounts.filter({ $0.count > 3 }) {
      let words = try Reader(.zhCN).read("CNY \(amount)", as: .amount).words
      joined.append(try cepstra(Sound(joiner.render(joiner.plan(Utterance(words: words))))))
      whole.append(try cepstra(engine.speak(words.map { spoken[[$0]] ?? $0 }.joined(separator: " ")).sound))
    }
    let nearest = joined.indices.count { place in
      let own = joined[place].distance(to: whole[place])
      return whole.allSatisfy { joined[place].distance(to: $0) >= own }
    }
    #expect(nearest * 10 >= joined.count * 9, "\(nearest) of \(joined.count)")
  }

  /// From 0.01 to 123 456.78, with teens and tens, inner zeros and round sums.
  private static let amounts = [
    "0.01", "0.50", "1", "2.5", "5.05", "9.99", "10", "12", "20.02", "28.50", "30", "66.66", "88", "100", "105.5",
    "110",
    "200", "222.22", "365.8", "520", "888.88", "999.99", "1000", "1001", "1234.56", "2050.05", "5432.1", "9876.54",
    "10000", "12345.67", "50005", "100000", "123456.78",
  ]

  @Test(arguments: ["USD", "CNY"])
  func `a recogniser hears English amounts exactly`(_ currency: String) throws {
    let bench = try Workbench()
    let joiner = Joiner(pack: try Self.pack("en-US"))
    let reader = Reader(.enUS)
    var list = ""
    for (place, amount) in Self.amounts.enumerated() {
      let words = try reader.read("\(currency) \(amount)", as: .amount).words
      let utterance = Utterance(segments: [
        .init(words: ["WeChat", "Pay", "received"]), .init(words: words, role: .amount),
      ])
      let file = try joiner.file(utterance, container: .wav, codec: .lpcm)
      _ = try bench.write(file, "\(place).wav")
      list += "\(place).wav\tWeChat Pay received \(words.joined(separator: " "))\n"
    }
    _ = try bench.write(Array(list.utf8), "said.tsv")
    let heard = try bench.run("python3", "\(Self.root)/Tools/ears/english.py", bench.folder, "--least", "26")
    #expect(String(decoding: heard, as: UTF8.self).contains("of 33 heard exactly"))
  }
}

import TestSupport
import Testing
import VoiceAudio

struct VoicePackTests {
  private let words = ["零", "一", "二", "三", "百", "十", "点", "元", "微信 收款"]

  @Test(arguments: [AudioCodec.lpcm, .ima4]) func `tells what it is and what it can say`(codec: AudioCodec) throws {
    let pack = try TestPack.pack(TestPack.clips(words), codec: codec)
    #expect(pack.id == "test")
    #expect(pack.locale == "zh-CN")
    #expect(pack.sampleRate == 24_000)
    #expect(pack.codec == codec)
    #expect(pack.licence == "Apache-2.0")
    #expect(pack.vocabulary == ["零", "一", "二", "三", "百", "十", "点", "元", "微信", "收款"])
    #expect(pack.missing(words: ["一", "百", "元"]) == [])
    #expect(pack.missing(words: ["一", "亿", "二", "万", "亿"]) == ["亿", "万"])
  }

  @Test func `writes a manifest that it reads back`() throws {
    let clips = TestPack.clips(["一", "五"])
    var third = clips[1]
    third.take.before = ["点"]
    third.take.position = .tail
    third.take.cost = -0.25
    let files = try TestPack.files(clips + [third], codec: .lpcm) {
      $0.pauses = .init(between: 0.25, afterBrand: 0.1, beforeAmount: 0.4, afterChime: 0.2)
      $0.attribution = "a \"name\"\n"
    }
    let manifest = try PackManifest(json: files.manifest)
    #expect(manifest.clips[1].takes[1].before == ["点"])
    #expect(manifest.clips[1].takes[1].cost == -0.25)
    #expect(manifest.pauses.beforeAmount == 0.4)
    #expect(manifest.attribution == "a \"name\"\n")
    #expect(try PackManifest(json: Array(manifest.json.utf8)) == manifest)
  }

  @Test(arguments: [
    ("{", "line 1"), ("[]", "must be an object"), (#"{"format":2}"#, "format 2"),
    (#"{"format":1,"codec":"lpcm","id":5}"#, "id is number"),
    (#"{"format":1,"id":"a","codec":"mp3"}"#, "mp3"),
    (VoicePackTests.head + #""clips":[]}"#, "clips"),
    (VoicePackTests.head + #""clips":{"一":{"length":64}}}"#, "clips.一.start is missing"),
    (VoicePackTests.head + #""clips":{"一":{"start":0,"length":0}}}"#, "0 frames"),
    (VoicePackTests.head + #""clips":{"一":{"start":-1,"length":1}}}"#, "outside"),
    (VoicePackTests.head + #""clips":{"一":{"start":9223372036854775807,"length":9223372036854775807}}}"#, "outside"),
    (VoicePackTests.head + #""clips":{"一":{"start":0,"length":64,"variants":[{"start":0}]}}}"#, "variants[0].length"),
    (VoicePackTests.head + #""clips":{"一":{"words":[],"start":0,"length":64}}}"#, "no words"),
    (VoicePackTests.head + #""pauses":{"between":99},"clips":{}}"#, "pauses.between"),
    (VoicePackTests.head.replacing("24000", with: "16000") + #""clips":{}}"#, "24000 Hz"),
    (VoicePackTests.head.replacing("24000", with: "24000.5") + #""clips":{}}"#, "sampleRate is number"),
    (VoicePackTests.head.replacing("lpcm", with: "ima4") + #""clips":{}}"#, "pack.json says ima4"),
  ]) func `says what is wrong with a manifest`(text: String, part: String) throws {
    let clips = try SoundFile.encode(
      .silence(seconds: 1, sampleRate: 24_000), container: .caf, codec: .lpcm)
    let error = #expect(throws: VoicePackError.self) {
      try VoicePack(manifest: Array(text.utf8), clips: clips)
    }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "no error")")
  }

  @Test(arguments: [4_000, 96_000, 768_000]) func `opens no pack of a rate that no phone has memory for`(
    rate: Int
  ) throws {
    let error = #expect(throws: VoicePackError.self) {
      try TestPack.pack(TestPack.clips(["一"], sampleRate: rate), codec: .lpcm, sampleRate: rate)
    }
    #expect(error?.reason == .formatMismatch)
    #expect(error?.description.contains("from 8000 to 48000") == true)
  }

  private static let head =
    #"{"format":1,"id":"a","version":"1","locale":"zh-CN","voice":"v","licence":"l","sampleRate":24000,"codec":"lpcm","#

  @Test func `opens no pack whose clips are cut off or whose folder is not there`() throws {
    let files = try TestPack.files(TestPack.clips(words), codec: .ima4)
    for length in stride(from: 0, to: files.clips.count, by: 977) {
      #expect(throws: VoicePackError.self) {
        try VoicePack(manifest: files.manifest, clips: Array(files.clips.prefix(length)))
      }
    }
    let error = #expect(throws: VoicePackError.self) { try VoicePack.open(path: "/nowhere/pack") }
    #expect(error?.reason == .cannotRead)
    #expect(error?.description.contains("/nowhere/pack/pack.json") == true)
  }

  @Test func `survives seeded damage to both files`() throws {
    let files = try TestPack.files(TestPack.clips(words), codec: .ima4)
    var chance = Damage.chance(4)
    for _ in 0..<Damage.rounds(300) {
      let manifest = Damage.text(files.manifest, &chance)
      var clips = files.clips
      if Bool.random(using: &chance) { clips = Damage.binary(clips, reach: 110, &chance) }
      for _ in 0..<8 where !clips.isEmpty {
        clips[Int.random(in: clips.indices, using: &chance)] ^= UInt8.random(in: 1...255, using: &chance)
      }
      guard let pack = try? VoicePack(manifest: manifest, clips: clips) else { continue }
      let joiner = Joiner(pack: pack)
      guard let plan = try? joiner.plan(Utterance(words: ["一", "百", "元"])) else { continue }
      // Damage may make a clip longer or a pause, but never a sentence longer than is allowed.
      #expect(try joiner.render(plan).seconds <= 29.1)
      #expect(try SoundFile.decode(joiner.file(plan, container: .caf, codec: .ima4)).frames > 0)
    }
  }

  @Test func `makes clips that leave every decoder as they found it`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let samples = TestSound.speech(frames: 1_000 + Int(seed) * 37, seed: seed, level: 20_000)
      let packets = IMA4.neutralPackets(samples)
      #expect(packets.withUnsafeBytes { IMA4.isNeutral($0) })
      // A cut in the middle of speech is not neutral.
      #expect(!packets.prefix(34 * 4).withUnsafeBytes { IMA4.isNeutral($0) })
      #expect(!packets.dropFirst(34 * 4).withUnsafeBytes { IMA4.isNeutral($0) })
    }
  }
}

import Testing
import VoiceAudio

/// Which clips are chosen for which words.
struct ClipCoverTests {
  private func plan(_ clips: [TestPack.Clip], _ words: [String]) throws -> [String] {
    let pack = try TestPack.pack(clips, codec: .lpcm)
    return try Joiner(pack: pack).plan(Utterance(words: words)).clips.map { String($0.drop { $0 != "-" }.dropFirst()) }
  }

  @Test func `takes the fewest clips`() throws {
    let clips = TestPack.clips(["一", "千", "二", "百", "二 百", "三", "十", "四", "三 十 四", "一 千", "元", "四 元"])
    #expect(try plan(clips, ["一", "千", "二", "百", "三", "十", "四"]) == ["一千", "二百", "三十四"])
    #expect(try plan(clips, ["一", "千", "二", "百", "三", "十", "四", "元"]) == ["一千", "二百", "三十四", "元"])
    #expect(try plan(clips, ["二", "元"]) == ["二", "元"])
  }

  @Test func `compares words as text, however they are cut`() throws {
    #expect(try plan(TestPack.clips(["微信 收款", "二 十 八"]), ["微信收款", "二十", "八"]) == ["微信收款", "二十八"])
    #expect(try plan(TestPack.clips(["微信", "收款"]), ["微信收款"]) == ["微信", "收款"])
    #expect(
      try plan(TestPack.clips(["twenty eight", "dollars"]), ["Twenty", "eight dollars"]) == ["twentyeight", "dollars"])
  }

  @Test func `never reads a word character by character`() throws {
    let pack = try TestPack.pack(TestPack.clips(["银", "行", "微信"]), codec: .lpcm)
    #expect(pack.missing(words: ["银行"]) == ["银行"])
    #expect(pack.missing(words: ["微信行"]) == ["微信行"])
    #expect(pack.missing(words: ["twenty"]) == ["twenty"])
  }

  @Test func `does not find a word inside another`() throws {
    let pack = try TestPack.pack(TestPack.clips(["six", "teen", "four"]), codec: .lpcm)
    #expect(pack.missing(words: ["sixteen"]) == ["sixteen"])
    #expect(pack.missing(words: ["six", "teen"]) == [])
    #expect(pack.missing(words: ["fourteen", "six"]) == ["fourteen"])
  }

  @Test func `prefers the take whose context fits`() throws {
    var clips = TestPack.clips(["五", "五", "五", "点", "元", "十"])
    clips[1].take.before = ["点"]
    clips[2].take.before = ["点"]
    clips[2].take.position = .tail
    let pack = try TestPack.pack(clips, codec: .lpcm)
    func sound(_ words: [String]) throws -> [Int16] {
      try Joiner(pack: pack).render(Joiner(pack: pack).plan(Utterance(words: words))).samples
    }
    // The takes of 五 differ in sound; look for a stretch of each in its place.
    func holds(_ samples: [Int16], _ take: Int) -> Bool {
      let needle = Array(clips[take].samples[500..<540])
      return (0..<samples.count - 40).contains { Array(samples[$0..<$0 + 40]) == needle }
    }
    #expect(holds(try sound(["五", "元"]), 0))
    #expect(holds(try sound(["十", "点", "五", "元"]), 1))
    #expect(holds(try sound(["十", "点", "五"]), 2))
  }

  @Test func `leaves out a clip that is only for other contexts`() throws {
    var clips = TestPack.clips(["五", "元"])
    clips[0].take.after = ["元"]
    let pack = try TestPack.pack(clips, codec: .lpcm)
    #expect(pack.missing(words: ["五", "元"]) == [])
    #expect(pack.missing(words: ["五"]) == ["五"])
  }

  @Test func `weighs the cost of a clip`() throws {
    var clips = TestPack.clips(["二", "十", "二 十"])
    clips[2].take.cost = 1.5
    #expect(try plan(clips, ["二", "十"]) == ["二", "十"])
    clips[2].take.cost = 0.5
    #expect(try plan(clips, ["二", "十"]) == ["二十"])
  }
}

import AVFAudio
import AloudKit
import Announcing
import Foundation
import SpokenText
import Testing
import UserNotifications
import VoiceAudio

/// One after the other: they share the shim's voice.
@MainActor @Suite(.serialized)
enum PhoneVoiceSuites {}

/// A phone's folder of voice packs, and a voice that says what the test wants.
@MainActor
final class VoicePhone {
  let folder: URL
  let waits = ManualWaits()
  private(set) var reports: [PhoneVoicePack.Progress] = []

  init() {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("voices-\(UUID().uuidString)")
    AVSpeechSynthesizer.shimVoicing = VoicePhone.voicing
    AVSpeechSynthesizer.shimWritten = []
    AVSpeechSynthesizer.shimRender = VoicePhone.render
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A low rate, so that some hundred units are levelled in little time.
  nonisolated static var voicing: AVSpeechSynthesizer.ShimVoicing {
    var voicing = AVSpeechSynthesizer.ShimVoicing()
    voicing.sampleRate = 8_000
    return voicing
  }

  /// 75 ms of tone for each letter, silence for commas and blanks, so that a word sounds as long as it is; called on any thread.
  nonisolated static func render(_ utterance: AVSpeechUtterance) -> (samples: [Int16], markers: [(Int, NSRange)]) {
    var samples: [Int16] = []
    var marks: [(Int, NSRange)] = []
    let frames = Int(AVSpeechSynthesizer.shimVoicing.sampleRate * 0.075)
    for word in words(utterance.speechString) {
      let text = (utterance.speechString as NSString).substring(with: word)
      if text.contains(where: \.isLetter) { marks.append((samples.count, word)) }
      for character in text {
        let level = character.isLetter ? 8_000.0 : 0
        samples += (0..<frames).map { Int16(level * sin(Double($0) * 0.3)) }
      }
    }
    return (samples, marks)
  }

  /// Letters of scripts without blanks one by one, others by blanks; commas apart.
  nonisolated static func words(_ text: String) -> [NSRange] {
    var ranges: [NSRange] = []
    var place = 0
    var isOpen = false
    for character in text {
      let length = character.utf16.count
      let isDense = character.unicodeScalars.first.map { $0.value >= 0x2E80 } ?? false
      let joins = isOpen && character.isLetter && !isDense
      if joins {
        ranges[ranges.count - 1].length += length
      } else {
        ranges.append(NSRange(location: place, length: length))
      }
      isOpen = character.isLetter && !isDense
      place += length
    }
    return ranges
  }

  func pack(_ locale: String = "zh-CN", at unix: Double = 1_796_000_000) throws -> PhoneVoicePack {
    try PhoneVoicePack(
      locale: locale, voices: folder, now: { Date(timeIntervalSince1970: unix) }, wait: waits.wait)
  }

  func make(_ pack: PhoneVoicePack) async throws -> VoicePack {
    let voice = try await pack.make { self.reports.append($0) }
    return try VoicePack.open(path: voice.folder.path)
  }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}

extension PhoneVoiceSuites {
  @MainActor
  struct PhoneVoicePackTests {
    private let phone = VoicePhone()

    @Test func `cuts every unit out of a sentence and makes a pack that can say all`() async throws {
      let pack = try await phone.make(phone.pack())
      #expect(pack.locale == "zh-CN" && pack.codec == .ima4 && pack.sampleRate == 8_000)
      #expect(pack.manifest.voice == "Tingting" && pack.licence.contains("this phone only"))
      #expect(Coverage(of: pack, locale: .zhCN, depth: 300).rows.allSatisfy { $0.isComplete })
      let written = AVSpeechSynthesizer.shimWritten
      #expect(written.allSatisfy { $0.hasPrefix("请听，") && $0.hasSuffix("，谢谢。") })
      // One character is 75 ms of tone, and a little is kept around it.
      let one = try #require(pack.sample(of: "三", take: 0)).pcm
      let two = try #require(pack.sample(of: "三百", take: 0)).pcm
      #expect((0.06...0.12).contains(one.seconds) && (0.13...0.19).contains(two.seconds))
      #expect(abs((Loudness.integrated(Sound(two)) ?? 0) + 16) < 1)
      #expect(phone.names.count == 1 && phone.names[0].hasPrefix("phone-zh-CN-1796000000-"))
      let last = try #require(phone.reports.last)
      #expect(last.done == last.total && last.total == phone.reports.count - 1 && last.total == written.count)
      #expect(InstalledVoices(folders: [phone.folder]).pack(for: .zhCN)?.id == pack.id)
    }

    @Test func `speaks units alone where the voice marks no words, and asks no longer`() async throws {
      AVSpeechSynthesizer.shimVoicing.marksWords = false
      let pack = try await phone.make(phone.pack())
      #expect(Coverage(of: pack, locale: .zhCN, depth: 100).rows.allSatisfy { $0.isComplete })
      let written = AVSpeechSynthesizer.shimWritten
      #expect(written.filter { $0.hasPrefix("请听") }.count == 3)
      #expect(written.contains("微信"))
    }

    @Test func `marks that begin anew with each buffer are not believed`() async throws {
      AVSpeechSynthesizer.shimVoicing.marksStartAnew = true
      let pack = try await phone.make(phone.pack())
      let one = try #require(pack.sample(of: "三", take: 0)).pcm
      #expect((0.06...0.12).contains(one.seconds))
    }

    private nonisolated static let formats: [(AVAudioCommonFormat, UInt32, Bool, Double)] = [
      (.pcmFormatFloat32, 1, false, 12_000), (.pcmFormatInt32, 1, false, 8_000), (.pcmFormatInt16, 2, true, 11_025),
      (.pcmFormatFloat32, 2, false, 8_000),
    ]

    @Test(arguments: formats)
    func `the first buffer decides the format`(
      format: AVAudioCommonFormat, channels: UInt32, isInterleaved: Bool, rate: Double
    ) async throws {
      AVSpeechSynthesizer.shimVoicing.format = format
      AVSpeechSynthesizer.shimVoicing.channels = channels
      AVSpeechSynthesizer.shimVoicing.isInterleaved = isInterleaved
      AVSpeechSynthesizer.shimVoicing.sampleRate = rate
      let pack = try await phone.make(phone.pack())
      let one = try #require(pack.sample(of: "三", take: 0)).pcm
      #expect(pack.sampleRate == Int(rate) && (0.07...0.13).contains(one.seconds))
      #expect(AVSpeechSynthesizer.shimWritten.allSatisfy { $0.hasPrefix("请听") }, "Marks are counted in these bytes")
    }

    @Test func `a format that no voice has, or that changes, is refused with a reason`() async throws {
      AVSpeechSynthesizer.shimVoicing.format = .pcmFormatFloat64
      let odd = await #expect(throws: PhoneVoicePackError.self) { _ = try await phone.make(phone.pack()) }
      #expect(odd?.code == .renderFailed)
      AVSpeechSynthesizer.shimVoicing = VoicePhone.voicing
      var count = 0
      let pack = try phone.pack()
      let changed = await #expect(throws: PhoneVoicePackError.self) {
        _ = try await pack.make { _ in
          count += 1
          if count == 5 { AVSpeechSynthesizer.shimVoicing.sampleRate = 16_000 }
        }
      }
      #expect(changed?.code == .renderFailed && changed?.message.contains("sample rate") == true)
    }

    @Test func `a voice that falls silent is given up after a while`() async throws {
      AVSpeechSynthesizer.shimVoicing.stalls = true
      let pack = try phone.pack()
      let making = Task { try await phone.make(pack) }
      while !making.isCancelled, AVSpeechSynthesizer.shimWritten.isEmpty { await Task.yield() }
      for _ in 0..<3 {
        for _ in 0..<100 { await Task.yield() }
        phone.waits.fire(atMost: PhoneVoicePack.patienceSeconds)
      }
      let failure = await #expect(throws: PhoneVoicePackError.self) { _ = try await making.value }
      #expect(failure?.code == .synthesizerSilent)
      #expect(phone.names.allSatisfy { $0.hasPrefix(".parts-") }, "Nothing half made is left as a pack")
    }

    @Test func `goes on where it was cancelled, and gives the same pack`() async throws {
      let whole = VoicePhone()
      let wanted = try await whole.make(whole.pack())
      AVSpeechSynthesizer.shimWritten = []
      let first = try phone.pack()
      let making = Task { @MainActor in
        try await first.make { progress in if progress.done == 40 { _ = withUnsafeCurrentTask { $0?.cancel() } } }
      }
      await #expect(throws: CancellationError.self) { _ = try await making.value }
      let done = AVSpeechSynthesizer.shimWritten.count
      let second = try phone.pack()
      #expect(second.progress.done == done && (40...42).contains(done))
      let pack = try await phone.make(second)
      #expect(AVSpeechSynthesizer.shimWritten.count == second.progress.total)
      #expect(pack.manifest.clips == wanted.manifest.clips)
      let clips = { (folder: URL, name: String) in
        try Data(contentsOf: folder.appendingPathComponent(name).appendingPathComponent("clips.caf"))
      }
      #expect(try clips(phone.folder, phone.names[0]) == clips(whole.folder, whole.names[0]))
    }

    @Test func `a pack made again takes the place of the older one under another name`() async throws {
      _ = try await phone.make(phone.pack())
      let old = phone.names
      try FileManager.default.createDirectory(
        at: phone.folder.appendingPathComponent("other.voicepack"), withIntermediateDirectories: true)
      let pack = try await phone.make(phone.pack(at: 1_796_000_500))
      #expect(pack.version == "1796000500" && phone.names.count == 2 && Set(phone.names).isDisjoint(with: old))
    }

    @Test func `without the language or a voice it says so`() throws {
      #expect(throws: PhoneVoicePackError.self) { try phone.pack("tlh") }
      let error = #expect(throws: PhoneVoicePackError.self) { try phone.pack("ja") }
      #expect(error?.code == .voiceMissing)
      #expect(PhoneVoicePack.choices(for: "zh-CN").map(\.isEnhanced) == [true, false])
    }
  }

  /// The experiment of whole sentences in the extension.
  @MainActor
  struct RenderedSentenceTests {
    private let phone = VoicePhone()

    private func joiner() throws -> Joiner {
      let pack = try #require(
        InstalledVoices(folders: [ClockPhone.repository.appendingPathComponent("Voices")]).pack(for: .zhCN))
      return Joiner(pack: pack)
    }

    private func sentence() throws -> Utterance { try PhraseBook(.zhCN).clock("15:00").utterance }

    private func away<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
      try await Task.detached { try body() }.value
    }

    @Test func `says a whole sentence in the system's voice, once`() async throws {
      let (utterance, clips) = (try sentence(), try joiner())
      let voice = RenderedSentenceVoice(locale: .zhCN, clips: clips, engine: .init())
      let (seconds, bytes) = try await away {
        (try voice.seconds(utterance), try voice.file(utterance, container: .caf, codec: .ima4))
      }
      let sound = try SoundFile.decode(bytes)
      #expect(abs(sound.pcm.seconds - seconds) < 0.01 && sound.codec == .ima4)
      #expect(AVSpeechSynthesizer.shimWritten.map { $0.filter { $0 != "，" } } == ["现在是下午三点整"])
    }

    @Test func `falls back to clips when the voice is silent or says too much`() async throws {
      let (utterance, clips) = (try sentence(), try joiner())
      let wanted = try clips.seconds(utterance)
      var bounds = RenderedSentenceVoice.Bounds()
      bounds.longestSeconds = 0.1
      let long = RenderedSentenceVoice(locale: .zhCN, clips: clips, bounds: bounds, engine: .init())
      #expect(try await away { try long.seconds(utterance) } == wanted)
      #expect(
        try await away { try long.file(utterance, container: .caf, codec: .ima4) }
          == clips.file(utterance, container: .caf, codec: .ima4))
      #expect(AVSpeechSynthesizer.shimWritten.count == 1, "After a failure the process speaks from clips")
      AVSpeechSynthesizer.shimVoicing.stalls = true
      (bounds.longestSeconds, bounds.waitingSeconds) = (12, 0.05)
      let silent = RenderedSentenceVoice(locale: .zhCN, clips: clips, bounds: bounds, engine: .init())
      #expect(try await away { try silent.seconds(utterance) } == wanted)
      let alone = RenderedSentenceVoice(locale: .ja, clips: nil, engine: .init())
      await #expect(throws: JoinError.self) { _ = try await away { try alone.seconds(utterance) } }
    }
  }
}

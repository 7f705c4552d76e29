import Announcing
import AudioTools
import ExactJSON
import Glibc
import PushPayload
import SpokenText
import VoiceAudio

// What the extension on the phone does: from the bytes of a payload to a sound file in its place.

extension BenchSound {
  mutating func phone() throws {
    guard let path = packPath else { return }
    let pack = try VoiceLibrary.open(path)
    add("open the zh-CN pack", note: "\(pack.manifest.clips.count) clips") {
      keep((try? VoicePack.open(path: path))?.manifest.clips.count ?? 0)
    }
    promise("less than 1 ms") { $0.median < 1_000 }
    var points: [(words: Double, time: Double)] = []
    for payload in BenchSound.payloads {
      let words = BenchSound.phrase(payload)?.utterance.words.count ?? 0
      let row = add("payload of \(payload.count) bytes → sound file on disk, \(words) words, pack opened anew") {
        [self] in
        announce(payload, path)
      }
      promise("at most 5 ms") { $0.median <= 5_000 }
      points.append((Double(words), row.least))
    }
    addGrowth(points)
    try addMemory(path)
  }

  /// Three payloads, of about 10, 20 and 50 words.
  private static let payloads = [
    payload(#""kind":"payment.received","amount":"1234.5","currency":"CNY","brand":"微信""#),
    payload(#""kind":"payment.received","amount":"12345678.9","currency":"CNY","brand":"微信""#),
    payload(#""kind":"text","text":"\#(fiveAmounts)""#),
  ]

  /// Fifty words, among them most of the digits.
  private static let fiveAmounts = ["三二八五", "四六一七", "九五三二", "七八四六", "六一九三"].map { digits in
    zip(["收到", "百", "十", "点"], digits).map { "\($0) \($1)" }.joined(separator: " ") + " 元 整"
  }.joined(separator: " ")

  private static func payload(_ members: String) -> [UInt8] {
    Array(
      """
      {"aps":{"alert":{"title":"微信收款","body":"收到付款"},"sound":"fallback.caf","mutable-content":1},"aloud":{"v":1,\
      "id":"evt_01","locale":"zh-CN",\(members)}}
      """.utf8)
  }

  private static func phrase(_ payload: [UInt8]) -> Phrase? {
    guard let json = try? JSON.parse(payload),
      let event = PayloadDecoder.decode(json, requestID: "bench").event
    else { return nil }
    return try? PhraseBook(.zhCN).phrase(for: event)
  }

  /// From the bytes of a payload to a file that has been put in place, with the pack opened anew, as in a new process.
  private func announce(_ payload: [UInt8], _ path: String) {
    guard let phrase = BenchSound.phrase(payload), let pack = try? VoicePack.open(path: path),
      let bytes = try? Joiner(pack: pack).file(phrase.utterance, container: .caf, codec: .ima4)
    else { return }
    try? Files.write(bytes, to: folder + "/aloud.caf")
  }

  /// Whether the time for each further word stays what it is.
  private mutating func addGrowth(_ points: [(words: Double, time: Double)]) {
    guard points.count == 3, points[0].words < points[1].words, points[1].words < points[2].words else { return }
    func slope(_ from: Int, _ to: Int) -> Double {
      (points[to].time - points[from].time) / (points[to].words - points[from].words)
    }
    let (first, second) = (slope(0, 1), slope(1, 2))
    rows.append(
      Row(
        name: "each further word costs", least: 0, median: 0, ratio: nil,
        note: "\(BenchSound.decimals(max(0, first))) us from \(Int(points[0].words)) to \(Int(points[1].words)) words, "
          + "\(BenchSound.decimals(max(0, second))) us from there to \(Int(points[2].words))",
        goal: nil))
    // A time that grew with the square of the words would have a slope twice as steep and more.
    promise("linear: no steeper towards 50 words") { _ in second <= max(first * 1.5, 20) }
  }

  // MARK: Memory

  private mutating func addMemory(_ path: String) throws {
    guard let program = VoiceLibrary.programPath() else { return }
    var figures: [Int] = []
    for _ in 0..<5 {
      let result = try ChildProcess.run([program, "bench", "sound", "--alone", path])
      if let figure = Int(String(decoding: result.output, as: UTF8.self).filter(\.isNumber)) { figures.append(figure) }
    }
    guard let most = figures.max() else { return }
    rows.append(
      Row(
        name: "memory for one announcement of 20 words in a process of its own, above that process while empty",
        least: 0,
        median: 0, ratio: nil, note: "\(most) KiB, the most of \(figures.count) processes", goal: nil))
    promise("at most 4 MiB") { _ in most <= 4_096 }
  }

  /// Announces once; how far the process's peak of resident memory lies above what it was before, in KiB.
  ///
  /// For a process that has done nothing else.
  static func memory(packPath: String) throws -> Int {
    let bench = BenchSound(voices: VoiceLibrary(folders: []), rounds: 1)
    try Files.makeFolder(bench.folder)
    defer { bench.cleanUp() }
    let before = BenchProcess.memoryKiB("VmHWM:", of: "self")
    bench.announce(payloads[1], packPath)
    guard Files.exists(bench.folder + "/aloud.caf") else {
      throw CommandFailure("\(packPath) could not say the sentence of the bench.")
    }
    return BenchProcess.memoryKiB("VmHWM:", of: "self") - before
  }

  private var packPath: String? {
    voices.folders.map { $0 + "/zh-CN.voicepack" }.first { Files.exists($0 + "/pack.json") }
  }
}

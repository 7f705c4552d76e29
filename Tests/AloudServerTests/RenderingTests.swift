import AloudServer
import Announcing
import AudioTools
import ExactJSON
import HTTPTransport
import PushPayload
import SpokenText
import TestSupport
import Testing
import VoiceAudio

/// Sounds that the server makes.
struct RenderingTests {
  private static func start(
    _ engine: ServerConfiguration.Engine, voices: String? = nil,
    _ change: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws -> (TestServer, TestFolder) {
    let folder = try TestFolder()
    let test = try await TestServer.start { configuration in
      configuration.engine = engine
      configuration.voicesFolder = voices
      configuration.dataFolder = folder.path
      change(&configuration)
    }
    return (test, folder)
  }

  /// The part of the first push that has a sound, fetched and looked at.
  private static func sound(_ test: TestServer) async throws -> (part: JSON, answer: PlainHTTP.Answer, file: SoundFile)
  {
    try await test.eventually { test.gateway.parts.contains { $0["sound"] != nil } }
    let part = try #require(test.gateway.parts.first { $0["sound"] != nil })
    let url = try #require(part["sound"]?["url"]?.stringValue)
    let name = try #require(url.split(separator: "/").last)
    #expect(url.hasPrefix("http://127.0.0.1:") && url.hasSuffix("/sounds/\(name)"))
    let path = "/sounds/\(name)"
    let answer = try await test.http.send("GET", path)
    #expect(answer.status == 200)
    return (part, answer, try SoundFile.decode(answer.body))
  }

  @Test(
    arguments: [
      ("zh-CN", "12345678.90", "CNY"), ("en-US", "28.50", "USD"), ("ja", "1980", "JPY"), ("de", "3.05", "EUR"),
    ])
  func `espeak-ng says an amount as a file that iOS takes`(locale: String, amount: String, currency: String)
    async throws
  {
    let (test, _) = try await Self.start(.espeak)
    _ = try await test.register()
    try await test.post(
      #"{"id":"e1","to":{"user":"shop"},"kind":"payment.received","amount":"\#(amount)","currency":"\#(currency)","locale":"\#(locale)"}"#
    )
    let (part, answer, file) = try await Self.sound(test)
    #expect(part["route"] == "download")
    #expect(part["sound"]?["bytes"]?.intValue == answer.body.count)
    #expect(part["sound"]?["sha256"]?.stringValue == Crypto.hex(Crypto.sha256(answer.body)))
    #expect(file.container == .caf && file.codec == .ima4 && file.channels == 1)
    #expect(file.layout.seconds > 0.5 && file.layout.seconds < 29)
    await test.stop()
  }

  @Test func `the same sentence is made once for many phones`() async throws {
    let (test, _) = try await Self.start(.espeak)
    for number in 10..<20 { _ = try await test.register("00aa11bb22\(number)") }
    try await test.post(TestServer.payment("e1"))
    try await test.eventually { test.gateway.pushes.count == 10 }
    let figures = try await test.http.send("GET", "/metrics")
    #expect(figures.text.contains("aloud_renders_total{result=\"made\"} 1\n"))
    #expect(Set(test.gateway.parts.map { $0["sound"]?["sha256"] }).count == 1)
    await test.stop()
  }

  @Test func `a sound never changes: entity tag, ranges, and no other names`() async throws {
    let (test, folder) = try await Self.start(.espeak)
    _ = try await test.register()
    try await test.post(TestServer.payment("e1"))
    let (part, whole, _) = try await Self.sound(test)
    let hash = try #require(part["sound"]?["sha256"]?.stringValue)
    let path = "/sounds/\(hash).caf"
    #expect(whole.headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(whole.headers["content-type"] == "audio/x-caf")
    let tag = try #require(whole.headers["etag"])
    #expect(try await test.http.send("GET", path, headers: [("If-None-Match", tag)]).status == 304)
    let piece = try await test.http.send("GET", path, headers: [("Range", "bytes=4-7")])
    #expect(piece.status == 206 && piece.body == Array(whole.body[4..<8]))
    #expect(piece.headers["content-range"] == "bytes 4-7/\(whole.body.count)")
    let beyond = try await test.http.send("GET", path, headers: [("Range", "bytes=999999999-")])
    #expect(beyond.status == 416)
    for other in ["/sounds/\(hash)", "/sounds/..%2f..%2faloud.db", "/sounds/\(hash.uppercased()).caf"] {
      #expect(try await test.http.send("GET", other).status == 404)
    }
    // A damaged file is not handed out.
    _ = try folder.write("damaged", "sounds/\(hash).caf")
    #expect(try await test.http.send("GET", path).status == 404)
    await test.stop()
  }

  @Test func `old sounds make room, young ones stay`() async throws {
    let (test, folder) = try await Self.start(.espeak) { configuration in
      configuration.soundCacheBytes = 60_000
      for eventClass in EventClass.allCases { configuration.rules[eventClass]?.speakWithinSeconds = 60 }
    }
    _ = try await test.register()
    func sounds() throws -> Int { try Files.names(in: folder.path + "/sounds").filter { $0.hasSuffix(".caf") }.count }
    for number in 1...4 { try await test.post(TestServer.payment("a\(number)", amount: "\(number).11")) }
    try await test.eventually { test.gateway.pushes.count == 4 }
    #expect(try sounds() == 4)
    for _ in 0..<120 { await test.time.advance(1) }
    for number in 5...8 { try await test.post(TestServer.payment("a\(number)", amount: "\(number).11")) }
    try await test.eventually { test.gateway.pushes.count == 8 }
    #expect(try (4...7).contains(sounds()))
    await test.stop()
  }

  @Test func `a command gets numbers as words, no shell, and its file is taken`() async throws {
    let folder = try TestFolder()
    let wave = try SoundFile.encode(.tone(seconds: 1), container: .wav, codec: .lpcm)
    try Files.write(wave, to: folder.path + "/voice.wav")
    let script = try folder.write(
      "#!/bin/sh\nprintf '%s|%s' \"$1\" \"$2\" > \(folder.path)/said\ncp \(folder.path)/voice.wav \"$3\"\n", "say.sh",
      mode: 0o700)
    let (test, _) = try await Self.start(.command(template: "\(script) {locale} {text} {output}"))
    _ = try await test.register()
    try await test.post(
      #"{"id":"e1","to":{"user":"shop"},"kind":"text","text":"12号桌 $(touch /tmp/x) `id` {output}","locale":"zh-CN"}"#)
    _ = try await Self.sound(test)
    let said = String(decoding: try Files.read(folder.path + "/said"), as: UTF8.self)
    #expect(said == "zh-CN|十二号桌 $(touch /tmp/x) `id` {output}")
    await test.stop()
  }

  @Test(arguments: [200, 500])
  func `an OpenAI-compatible server is asked with words; when it fails the tone is left`(status: Int) async throws {
    let folder = try TestFolder()
    let key = try folder.write("sk-test-key-1", "key")
    let wave = try SoundFile.encode(.tone(seconds: 1), container: .wav, codec: .lpcm)
    let peer = MockPeer { _ in HTTPResponse(status: status, headers: ["Content-Type": "audio/wav"], body: wave) }
    let url = try await peer.start()
    let (test, _) = try await Self.start(.openAI(url: url, keyPath: key, model: "m", voice: "v"))
    _ = try await test.register()
    try await test.post(TestServer.payment("e1"))
    try await test.eventually { !test.gateway.pushes.isEmpty }
    let request = try #require(peer.requests.first)
    #expect(request.path == "/v1/audio/speech" && request.headers["authorization"] == "Bearer sk-test-key-1")
    let body = try JSON.parse(request.body)
    #expect(body["input"]?.stringValue == "收款九万零二百一十点七七元")
    #expect(body["model"] == "m" && body["voice"] == "v")
    #expect(test.gateway.parts.first?["route"] == (status == 200 ? "download" : "chime"))
    #expect((test.gateway.parts.first?["sound"] != nil) == (status == 200))
    await test.stop()
    await peer.stop()
  }

  @Test func `a sentence that is too long falls back to the tone`() async throws {
    let (test, _) = try await Self.start(.espeak)
    _ = try await test.register()
    let text = String(repeating: "one two three four five six seven ", count: 25)
    try await test.post(#"{"id":"e1","to":{"user":"shop"},"kind":"text","text":"\#(text)","locale":"en-US"}"#)
    try await test.eventually { !test.gateway.pushes.isEmpty }
    #expect(test.gateway.parts.first?["route"] == "chime")
    await test.stop()
  }

  @Test func `the route follows what the phone registered`() async throws {
    let folder = try TestFolder()
    try TestVoice.write(to: folder.path + "/en.voicepack")
    let (test, _) = try await Self.start(.none, voices: folder.path)
    let pack = #","pack":{"id":"test-en","version":"1.0.0"}"#
    _ = try await test.register("00aa11bb22c1", user: "pack", pack)
    _ = try await test.register("00aa11bb22c2", user: "bare")
    _ = try await test.register("00aa11bb22c3", user: "files", #","sounds":["reminder.caf"]"#)
    func route(_ id: String, _ user: String, _ rest: String) async throws -> (String?, String?) {
      try await test.post(#"{"id":"\#(id)","to":{"user":"\#(user)"},\#(rest)}"#)
      try await test.eventually { test.gateway.parts.contains { $0["id"]?.stringValue == id } }
      let push = try #require(test.gateway.pushes.last { $0.notification.payload["aloud"]?["id"]?.stringValue == id })
      return (
        push.notification.payload["aloud"]?["route"]?.stringValue,
        push.notification.payload["aps"]?["sound"]?.stringValue
      )
    }
    let payment = #""kind":"payment.received","amount":"2","currency":"USD","locale":"en-US""#
    // The phone's clips suffice.
    #expect(try await route("p1", "pack", payment) == ("clips", "fallback.caf"))
    // No pack on the phone: the server joins the same clips.
    #expect(try await route("p2", "bare", payment) == ("download", "fallback.caf"))
    // A word that no pack has: the phone decides what is left.
    let text = #""kind":"text","text":"Zanzibar","locale":"en-US""#
    #expect(try await route("t1", "pack", text) == ("clips", "fallback.caf"))
    #expect(try await route("t2", "bare", text) == ("chime", "fallback.caf"))
    // A caller may choose.
    #expect(try await route("c1", "pack", payment + #","route":"chime""#) == ("chime", "fallback.caf"))
    #expect(
      try await route("c2", "bare", payment + #","route":"bundled","sound":"cash.caf""#) == ("bundled", "cash.caf"))
    await test.stop()
  }

  @Test(arguments: [
    ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
    ("bytes=-30", .part(0..<10)), ("bytes=8-30", .part(8..<10)), ("bytes=10-", .none), ("bytes=-0", .none),
    ("bytes=5-4", .whole), ("bytes=a-b", .whole), ("items=0-1", .whole), ("bytes=0-1,3-4", .whole), ("bytes=-", .whole),
    ("bytes=9999999999999999999-", .whole),
  ])
  func `a range is read as RFC 9110 says`(header: String, expected: ByteRange) {
    #expect(ByteRange(header, length: 10) == expected)
  }
}

extension PCM {
  /// A tone of 440 Hz.
  static func tone(seconds: Double) -> PCM {
    let rate = 22_050
    // A triangle wave needs no library of functions.
    let samples = (0..<Int(seconds * Double(rate))).map { frame -> Int16 in
      let phase = frame * 440 % rate
      return Int16((phase < rate / 2 ? phase : rate - phase) * 16_000 / rate - 4_000)
    }
    return PCM(sampleRate: rate, samples: samples)
  }
}

/// A voice pack of tones with exactly the words of one payment of two dollars.
enum TestVoice {
  static func write(to folder: String) throws {
    var event = SpokenEvent(id: "x", kind: "payment.received")
    (event.amount, event.currency) = ("2", "USD")
    let words = try Set(PhraseBook(.enUS).phrase(for: event).utterance.words)
    let clips = words.sorted().map { PreparedClip(name: $0, words: [$0], sound: Sound(PCM.tone(seconds: 0.3))) }
    let manifest = PackManifest(
      id: "test-en", version: "1.0.0", locale: "en-US", voice: "a tone", licence: "Apache-2.0", sampleRate: 22_050,
      codec: .lpcm, loudness: -16, clips: [])
    _ = try PackWriter.write(try PackWriter.files(manifest, clips), to: folder)
  }
}

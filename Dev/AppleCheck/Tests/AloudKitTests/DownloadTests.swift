import AloudKit
import Announcing
import CryptoKit
import ExactJSON
import Foundation
import PushPayload
import Testing
import UserNotifications
import VoiceAudio

/// The download route through the real extension.
struct DownloadTests {
  private func sound(seconds: Double = 1) throws -> [UInt8] {
    try SoundFile.encode(.silence(seconds: seconds, sampleRate: 8_000), container: .caf, codec: .lpcm)
  }

  private func hash(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private func push(_ phone: SimulatedPhone, url: String = "https://push.example.com/sounds/a.caf", _ sum: String) {
    // A sentence that no pack can say, so that nothing else is left.
    let part: [String: Any] = [
      "id": "e1", "kind": "text", "text": "☃ snow", "locale": "de-DE", "route": "download",
      "sound": ["url": url, "sha256": sum],
    ]
    phone.push(["aloud": part], id: "r1")
  }

  @Test func `a rendered sentence is fetched, checked and played`() async throws {
    let phone = try SimulatedPhone()
    let bytes = try sound()
    phone.network = { _ in PhoneHTTP.Answer(status: 200, body: bytes) }
    push(phone, hash(bytes))
    await phone.settle()
    #expect(phone.answers.map(\.code) == [.spoken])
    let name = try #require(phone.answers.first?.sound)
    #expect(Array(try Data(contentsOf: phone.folder.sounds.appendingPathComponent(name))) == bytes)
  }

  @Test func `a file that is not what was promised is not played`() async throws {
    let (good, long) = (try sound(), try sound(seconds: 30))
    let cases: [(url: String, sum: String, answer: PhoneHTTP.Answer, code: ReasonCode)] = [
      ("https://push.example.com/a.caf", hash(long), .init(status: 200, body: good), .downloadHashWrong),
      ("https://evil.example.com/a.caf", hash(good), .init(status: 200, body: good), .downloadRefused),
      ("http://push.example.com/a.caf", hash(good), .init(status: 200, body: good), .downloadRefused),
      ("https://push.example.com:444/a.caf", hash(good), .init(status: 200, body: good), .downloadRefused),
      ("https://push.example.com@evil.example.com/a.caf", hash(good), .init(status: 200, body: good), .downloadRefused),
      ("https://push.example.com/a.caf", hash([1]), .init(status: 200, body: [1]), .downloadNotSound),
      ("https://push.example.com/a.caf", hash(long), .init(status: 200, body: long), .sentenceTooLong),
      ("https://push.example.com/a.caf", hash(good), .init(status: 404), .downloadFailed),
      (
        "https://push.example.com/a.caf", hash(good),
        .init(status: 200, body: [UInt8](repeating: 0, count: 3_000_000)), .downloadTooLarge
      ),
    ]
    for (url, sum, answer, code) in cases {
      let phone = try SimulatedPhone()
      phone.network = { _ in answer }
      push(phone, url: url, sum)
      await phone.settle()
      #expect(phone.answers.map(\.code) == [code], "\(url)")
      #expect(phone.answers.map(\.sound) == ["fallback.caf"])
    }
  }

  @Test func `a network that is slow or away has its own reason`() async throws {
    for (failure, code) in [
      (PhoneHTTP.Failure.timedOut, ReasonCode.downloadTimedOut), (.offline, .noNetwork), (.failed, .downloadFailed),
    ] {
      let phone = try SimulatedPhone()
      phone.network = { _ in throw failure }
      push(phone, hash([]))
      await phone.settle()
      #expect(phone.answers.map(\.code) == [code])
    }
  }

  @Test func `time that runs out during a download gives back the best there is, once`() async throws {
    let phone = try SimulatedPhone()
    let gate = Gate()
    let bytes = try sound()
    phone.network = { _ in
      await gate.wait()
      return PhoneHTTP.Answer(status: 200, body: bytes)
    }
    let service = phone.service()
    let part: [String: Any] = [
      "id": "e1", "kind": "text", "text": "☃ snow", "locale": "de-DE", "route": "download",
      "sound": ["url": "https://push.example.com/a.caf", "sha256": hash(bytes)],
    ]
    phone.push(["aloud": part], id: "r1", on: service)
    await gate.arrival()
    service.serviceExtensionTimeWillExpire()
    #expect(phone.answers.map(\.code) == [.timeTakenBack] && phone.answers.map(\.sound) == ["fallback.caf"])
    gate.open()
    service.serviceExtensionTimeWillExpire()
    await phone.settle()
    #expect(phone.answers.count == 1)
    #expect(phone.letters.receipts.map(\.state) == [.kept])
  }

  /// The download's end, the system's word and the wait's end in every order that chance gives.
  @Test func `the handler is called once, whoever is first`() async throws {
    let bytes = try sound()
    for seed in 0..<60 {
      let phone = try SimulatedPhone()
      let gate = Gate()
      phone.network = { _ in
        await gate.wait()
        return PhoneHTTP.Answer(status: 200, body: bytes)
      }
      let service = phone.service()
      phone.push(
        [
          "aloud": [
            "id": "e1", "kind": "text", "text": "☃ snow", "locale": "de-DE", "route": "download",
            "sound": ["url": "https://push.example.com/a.caf", "sha256": hash(bytes)],
          ]
        ], id: "r1", on: service)
      if seed % 4 != 0 { await gate.arrival() }
      // As iOS does, from another thread than the one that began.
      nonisolated(unsafe) let other = service
      let first = Task.detached { gate.open() }
      let second = Task.detached {
        for _ in 0..<seed % 7 { await Task.yield() }
        other.serviceExtensionTimeWillExpire()
      }
      _ = await (first.value, second.value)
      service.serviceExtensionTimeWillExpire()
      while phone.answers.isEmpty { await Task.yield() }
      let code = phone.answers.first?.code
      while code == .spoken, phone.decided("e1") == nil { await Task.yield() }
      for _ in 0..<20 { await Task.yield() }
      #expect(phone.answers.count == 1)
      #expect(code == .spoken || code == .timeTakenBack, "\(seed): \(String(describing: code))")
      #expect(code == .spoken || phone.decided("e1") == nil, "\(seed)")
    }
  }
}

/// Holds back those who come until it is opened.
final class Gate: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var isOpen = false
  private var hasCome = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    await withCheckedContinuation { continuation in
      let passes = lock.withLock {
        hasCome = true
        if !isOpen { waiting.append(continuation) }
        return isOpen
      }
      if passes { continuation.resume() }
    }
  }

  func open() {
    let waiting = lock.withLock {
      isOpen = true
      defer { self.waiting = [] }
      return self.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until somebody has come.
  func arrival() async { while !lock.withLock({ hasCome }) { await Task.yield() } }
}

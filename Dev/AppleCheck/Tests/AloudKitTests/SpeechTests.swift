import AVFAudio
import AloudKit
import Foundation
import Testing
import UIKit

/// Waits that end when the test says so.
final class ManualWaits: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var waiting: [(seconds: Double, resume: CheckedContinuation<Void, Never>)] = []

  @Sendable func wait(_ seconds: Double) async {
    await withCheckedContinuation { continuation in lock.withLock { waiting.append((seconds, continuation)) } }
  }

  var count: Int { lock.withLock { waiting.count } }

  func fire(atMost seconds: Double) {
    let due = lock.withLock {
      let due = waiting.filter { $0.seconds <= seconds }
      waiting.removeAll { $0.seconds <= seconds }
      return due
    }
    for wait in due { wait.resume.resume() }
  }
}

@MainActor @Suite(.serialized)
struct SpeechTests {
  private let session = AVAudioSession.sharedInstance()
  private let waits = ManualWaits()

  private func announcer() throws -> (SpeechAnnouncer, AVSpeechSynthesizer) {
    session.shim { $0 = AVAudioSession.ShimState() }
    let announcer = SpeechAnnouncer(session: session, wait: waits.wait)
    return (announcer, try #require(AVSpeechSynthesizer.shimMade.last))
  }

  /// Lets tasks on the main actor run until `condition` holds.
  private func until(_ condition: @MainActor () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  @Test func `speaks one sentence after another within one active session`() async throws {
    let (announcer, synthesizer) = try announcer()
    async let first = announcer.speak("一", locale: "zh-CN")
    await until { synthesizer.shimQueue.count == 1 }
    async let second = announcer.speak("二", locale: "zh-CN")
    await until { announcer.pendingCount == 2 }
    synthesizer.shimStart()
    synthesizer.shimFinish()
    #expect(await first == .spoken)
    await until { synthesizer.shimQueue.first?.speechString == "二" }
    synthesizer.shimStart()
    synthesizer.shimFinish()
    #expect(await second == .spoken)
    let events = session.shim { $0.events }
    #expect(events.filter { $0 == .active(true, notifies: false) }.count == 1)
    #expect(events.last == .active(false, notifies: true))
    #expect(events.contains(.category(.playback, .voicePrompt, 0x13)))
    withExtendedLifetime(announcer) {}
  }

  @Test func `says that it did not start when the session is refused`() async throws {
    let (announcer, synthesizer) = try announcer()
    session.shim { $0.activationError = NSError(domain: NSOSStatusErrorDomain, code: 561_015_905) }
    #expect(await announcer.speak("一", locale: "zh-CN") == .notStarted)
    #expect(synthesizer.shimQueue.isEmpty)
  }

  @Test func `finds a synthesizer that never begins, and one that never ends`() async throws {
    let (announcer, synthesizer) = try announcer()
    async let silent = announcer.speak("一", locale: "zh-CN")
    await until { waits.count == 2 }
    waits.fire(atMost: SpeechAnnouncer.startSeconds)
    #expect(await silent == .notStarted)

    async let endless = announcer.speak("二", locale: "zh-CN")
    await until { synthesizer.shimQueue.first?.speechString == "二" }
    synthesizer.shimStart()
    await until { waits.count == 3 }
    waits.fire(atMost: SpeechAnnouncer.longestSeconds)
    #expect(await endless == .timedOut)
    #expect(!synthesizer.isSpeaking)
  }

  @Test func `ends every sentence when a call comes in`() async throws {
    let (announcer, _) = try announcer()
    async let first = announcer.speak("一", locale: "zh-CN")
    async let second = announcer.speak("二", locale: "zh-CN")
    await until { announcer.pendingCount == 2 }
    NotificationCenter.default.post(
      name: AVAudioSession.interruptionNotification, object: nil,
      userInfo: [AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.began.rawValue])
    #expect(await [first, second] == [.interrupted, .interrupted])
  }

  @Test func `chooses the best voice of the very locale, never Cantonese for Mandarin`() {
    #expect(VoiceChoice.voice(for: "zh-CN")?.identifier == "com.apple.voice.enhanced.zh-CN.Tingting")
    #expect(VoiceChoice.voice(for: "yue-HK")?.language == "zh-HK")
    #expect(VoiceChoice.voice(for: "zh-CN", identifier: "com.apple.voice.compact.zh-HK.Sinji")?.language == "zh-CN")
    #expect(VoiceChoice.voice(for: "ja") == nil)
  }
}

@MainActor @Suite(.serialized)
struct BackgroundWindowTests {
  @Test func `ends its task once, whether the work ends or the time`() async {
    let open = UIApplication.shared.shimOpenTasks
    var expirations = 0
    await BackgroundWindow.run("test", expired: { expirations += 1 }) {
      #expect(UIApplication.shared.shimOpenTasks == open + 1)
      UIApplication.shared.shimExpireTasks()
    }
    #expect(expirations == 1)
    #expect(UIApplication.shared.shimOpenTasks == open)
  }
}

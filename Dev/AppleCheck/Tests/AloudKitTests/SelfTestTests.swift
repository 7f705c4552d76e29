import AloudKit
import Announcing
import Foundation
import SpokenText
import SwiftUI
import Testing
import UserNotifications
import VoiceAudio

@MainActor @Suite(.serialized)
struct SelfTestTests {
  private let center = UNUserNotificationCenter.shimMake()
  private let group = Folder()

  /// An App Group with a folder of its own.
  private final class Folder {
    let name = "group.self-test.\(UUID().uuidString)"
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("group-\(UUID().uuidString)")
    init() { FileManager.shimGroups[name] = url }
    deinit { try? FileManager.default.removeItem(at: url) }
    var sounds: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: url.appendingPathComponent("Library/Sounds").path)) ?? []
    }
  }

  private func test(_ locale: String = "zh-CN", group: String? = nil, run: SelfTestFacts.Run? = nil) -> SelfTest {
    let voices = ClockPhone.repository.appendingPathComponent("Voices")
    return SelfTest(
      AloudConfiguration(appGroup: group ?? self.group.name, locale: locale), hasExtension: true, center: center,
      voices: { InstalledVoices(folders: [voices]) }, lastRun: { run })
  }

  private func allow(_ settings: UNNotificationSettings = .init(authorizationStatus: .authorized)) {
    center.shim { $0.settings = settings }
  }

  @Test func `a phone in order has only hints`() async throws {
    allow()
    let facts = await test(run: .init(secondsAgo: 60, reason: .spoken)).facts()
    #expect(facts.isReady)
    #expect(facts.findings.map(\.check) == SelfTestFinding.Check.allCases)
    #expect(facts.findings.filter { $0.verdict != .good }.map(\.check) == [.mute, .focus, .watch])
    let written = facts.sentence.flatMap { if case .written(let seconds) = $0 { seconds } else { nil } }
    #expect((0.5..<5).contains(written ?? 0) && group.sounds.isEmpty, "The trial leaves nothing behind")
  }

  @Test func `each fault has its reason and what to do, in the person's language`() async throws {
    allow(UNNotificationSettings(authorizationStatus: .denied, soundSetting: .disabled))
    let findings = await test("ja-JP", group: "group.nobody").run()
    let codes = findings.filter { $0.verdict == .bad }.map(\.code)
    #expect(codes == [.notificationsOff, .soundsOff, .appGroupMissing])
    for finding in findings where finding.verdict != .good {
      for language in ["zh-Hans-CN", "de-DE"] {
        #expect(![finding.title(language), finding.cause(language), finding.advice(language)].contains(""))
      }
      #expect(finding.title("zh") != finding.title("en"))
    }
    #expect(await test("en-GB").run().contains { $0.code == .voicePackMissing })
  }

  @Test func `a folder that cannot be written is found`() async throws {
    allow()
    try FileManager.default.createDirectory(at: group.url, withIntermediateDirectories: true)
    // A file where the folder must be: nothing can be written below it, whoever runs the test.
    try Data().write(to: group.url.appendingPathComponent("Library"))
    let facts = await test().facts()
    #expect(facts.storage == .notWritable && facts.sentence == nil && !facts.isReady)
  }

  @Test func `plays its sentence as a payment is heard, under a name of its own`() async throws {
    allow()
    let test = test()
    #expect(await test.playSentence(afterSeconds: 5) == nil)
    #expect(await test.playSentence() == nil)
    let pending = center.shim { $0.pending }
    #expect(pending.count == 2 && pending.allSatisfy { $0.identifier.hasPrefix(SelfTest.idPrefix) })
    #expect((pending[0].trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 5)
    let names = pending.compactMap { $0.content.sound?.shimName }
    #expect(Set(names).count == 2 && Set(names) == Set(group.sounds))
    #expect(pending[0].content.body.contains("十二元"))
    allow(UNNotificationSettings(authorizationStatus: .denied))
    #expect(await test.playSentence() == .notificationsOff)
  }

  @Test func `the view shows every finding`() {
    allow()
    _ = SelfTestView(test(), language: "en").body
  }
}

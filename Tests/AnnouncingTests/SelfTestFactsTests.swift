import Announcing
import Testing

struct SelfTestFactsTests {
  private var good: SelfTestFacts {
    var facts = SelfTestFacts()
    (facts.permission, facts.voice) = (.allowed, .complete(name: "Tingting"))
    (facts.sentence, facts.run) = (.written(seconds: 2.34), .init(secondsAgo: 30, reason: .spoken))
    return facts
  }

  private func finding(
    _ check: SelfTestFinding.Check, _ change: (inout SelfTestFacts) -> Void
  ) -> SelfTestFinding? {
    var facts = good
    change(&facts)
    return facts.findings.first { $0.check == check }
  }

  @Test func `a phone in order is ready and says so of each thing`() {
    #expect(good.isReady && good.findings.count == 9)
    #expect(good.findings.first { $0.check == .sentence }?.title("en") == "A sentence of 2.3 s was made and stored")
    #expect(good.findings.first { $0.check == .voice }?.title("zh-Hans") == "语音：Tingting")
  }

  @Test func `each fault names its reason`() {
    let faults: [(SelfTestFinding.Check, ReasonCode, (inout SelfTestFacts) -> Void)] = [
      (.permission, .notificationsOff, { $0.permission = .denied }),
      (.permission, .notificationsOff, { $0.permission = .notAsked }),
      (.permission, .notificationsOff, { $0.permission = .quiet }),
      (.permission, .notificationsOff, { $0.hasAlerts = false }), (.sounds, .soundsOff, { $0.hasSounds = false }),
      (.storage, .appGroupMissing, { $0.storage = .missing }),
      (.storage, .lockedSinceRestart, { $0.storage = .locked }),
      (.storage, .fileNotWritten, { $0.storage = .notWritable }), (.voice, .voicePackMissing, { $0.voice = .none }),
      (.voice, .wordsMissing, { $0.voice = .incomplete(name: "x", missing: ["亿"]) }),
      (.sentence, .wordsMissing, { $0.sentence = .failed(.wordsMissing) }),
    ]
    for (check, code, change) in faults {
      let found = finding(check, change)
      #expect(found?.verdict == .bad && found?.code == code, "\(check)")
    }
    #expect(finding(.voice) { $0.voice = .incomplete(name: "x", missing: ["亿"]) }?.title("en") == "x cannot say: 亿")
  }

  @Test func `the extension's last run is told, and a silence in it with its reason`() {
    #expect(finding(.extensionRun) { $0.run = nil }?.code == .extensionNotStarted)
    let late = finding(.extensionRun) { $0.run = .init(secondsAgo: 7_200, reason: .late) }
    #expect(late?.verdict == .hint && late?.code == .late && late?.title("en").contains("2 hours ago") == true)
    #expect(finding(.extensionRun) { $0.run = .init(secondsAgo: -5, reason: .mergedIntoSum) }?.verdict == .good)
    #expect(finding(.extensionRun) { $0.hasExtension = false } == nil)
  }
}

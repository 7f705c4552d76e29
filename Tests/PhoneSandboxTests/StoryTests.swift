import ExactJSON
import PhoneSandbox
import SpokenText
import Testing
import VoiceAudio

/// The voices of all stories: tones, so that a story comes out the same whatever recordings the repository has.
enum StoryVoices {
  private static let joiners: [String: Joiner] = {
    var made: [String: Joiner] = [:]
    for locale in SpokenLocale.all {
      made[locale.tag] = try? ToneVoice.joiner(locale, extra: locale == .zhCN ? ["请假申请", "张三", "提交了"] : [])
    }
    return made
  }()

  @Sendable static func voice(_ name: String) -> Joiner? {
    (try? SpokenLocale(name)).flatMap { joiners[$0.tag] }
  }
}

struct StoryTests {
  @Test func `one`() throws {
    let story = try Story(JSON.parse(#"{"phone":{"locale":"zh-CN"},"steps":[{"at":0,"event":{"id":"e1","kind":"payment.received","brand":"微信","amount":"28.50","currency":"CNY"}},{"at":0.2,"event":{"id":"e2","kind":"payment.received","brand":"微信","amount":"5","currency":"CNY"}},{"at":1,"event":{"id":"e1","kind":"payment.received","brand":"微信","amount":"28.50","currency":"CNY"}}]}"#))
    var run = try StoryRun(story, voice: StoryVoices.voice)
    let phone = try run.play()
    print(phone.outcome.timeline)
    print(phone.outcome.json.serialized())
  }
}

import Announcing
import ExactJSON
import SpokenText
import TestSupport
import Testing

struct ClockSettingsTests {
  @Test func `settings come back as they were stored`() {
    var settings = ClockSettings()
    (settings.isOn, settings.step, settings.fromMinute, settings.toMinute) = (false, .quarterHour, 1320, 135)
    (settings.style, settings.locale, settings.voiceID) = (.twentyFourHours, "en-GB", "v1")
    (settings.delivery, settings.keepsAlive) = (.alarms, true)
    #expect(ClockSettings(settings.json) == settings)
    #expect(ClockSettings(ClockSettings().json) == ClockSettings())
  }

  @Test func `a truth value means the same as Bool, number and text, and keys in any case`() {
    for on in [JSON.bool(false), 0, "0", "false", "NO"] { #expect(!ClockSettings(["On": on]).isOn, "\(on)") }
    for on in [JSON.bool(true), 1, "1", "true", "Yes"] { #expect(ClockSettings(["KEEPALIVE": on]).keepsAlive, "\(on)") }
    #expect(ClockSettings(["every": "30"]).step == .halfHour && ClockSettings(["every": 15]).step == .quarterHour)
  }

  @Test func `what cannot be read keeps its default`() {
    let odd: JSON = [
      "on": "perhaps", "every": 7, "from": "25:00", "to": [], "style": "roman", "locale": "", "voice": 1,
    ]
    #expect(ClockSettings(odd) == ClockSettings())
    #expect(ClockSettings("text") == ClockSettings())
    #expect(ClockSettings(["to": "24:00"]).toMinute == 0)
  }

  @Test func `quarter hours are offered only where iOS has room for them`() {
    var settings = ClockSettings()
    #expect(settings.steps() == [.hour, .halfHour, .quarterHour])
    #expect(settings.steps(otherRequests: 10) == [.hour, .halfHour])
    (settings.fromMinute, settings.toMinute) = (0, 1439)
    #expect(settings.steps() == [.hour, .halfHour] && settings.timesADay == 24)
    settings.isOn = false
    #expect(settings.timesADay == 0 && settings.steps(otherRequests: 40) == [.hour])
  }

  @Test func `a phone's languages find the nearest that can be spoken`() {
    #expect(SpokenLocale.first(of: ["zh-Hans-US"]) == .zhCN)
    #expect(SpokenLocale.first(of: ["sw-KE", "en-DE"]) == .enUS)
    #expect(SpokenLocale.first(of: ["zh-Hant-MO"]) == .zhTW)
    #expect(SpokenLocale.first(of: ["zh_HK"]) == .yueHK)
    #expect(SpokenLocale.first(of: ["sw", ""]) == nil)
  }

  @Test func `only files of the clock that have been idle for a day are removed`() {
    let now = 1_796_000_000.0
    func file(_ name: String, _ age: Double) -> StoredSound { StoredSound(name: name, modifiedUnixSeconds: now - age) }
    let files = [
      file("aloud-clock-a.caf", 90_000), file("aloud-clock-b.caf", 90_000), file("aloud-clock-c.caf", 80_000),
      file("aloud-1.caf", 90_000), file("bell.caf", 90_000), file("aloud-clock-d.caf", -90_000),
    ]
    let names = ClockSchedule.removableFiles(in: files, needed: ["aloud-clock-b.caf"], nowUnixSeconds: now)
    #expect(names == ["aloud-clock-a.caf"])
  }
}

struct ClockStrikesTests {
  /// 2026-11-30 15:59:00 in UTC+8.
  private let start = 1_796_025_540.0

  /// Runs a clock until `seconds` have passed and notes what it did, in seconds after the start.
  private func run(
    _ minutes: [Int], for seconds: Double, jump: (after: Double, by: Double)? = nil, offset: Int = 8 * 3600
  ) -> [String] {
    var strikes = ClockStrikes(minutes: minutes)
    var done: [String] = []
    var up = 0.0
    while up <= seconds {
      let jumped = jump.map { up >= $0.after ? $0.by : 0 } ?? 0
      let time = PhoneTime(unixSeconds: start + up + jumped, upSeconds: up, bootID: "b", utcOffsetSeconds: offset)
      switch strikes.next(at: time) {
      case .wait(let seconds):
        #expect(seconds > 0 && seconds <= 30)
        up += seconds
      case .prepare(let minute): done.append("\(Int(up.rounded())) ready \(minute)")
      case .strike(let minute): done.append("\(Int(up.rounded())) strike \(minute)")
      }
    }
    return done
  }

  @Test func `makes ready three seconds before a time and strikes on it, once`() {
    #expect(run([960], for: 7_200) == ["57 ready 960", "60 strike 960"])
    #expect(run([960, 975], for: 1_000) == ["57 ready 960", "60 strike 960", "957 ready 975", "960 strike 975"])
  }

  @Test func `midnight is a time like any other`() {
    let early = run([0, 1425], for: 86_400)
    #expect(
      early.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        == ["ready 1425", "strike 1425", "ready 0", "strike 0"])
  }

  @Test func `a clock that is set back does not say the same time again at once`() {
    #expect(run([960], for: 400, jump: (after: 70, by: -60)) == ["57 ready 960", "60 strike 960"])
  }

  @Test func `a clock that is set forward past a time does not say it late`() {
    #expect(run([960], for: 600, jump: (after: 30, by: 120)) == [])
  }

  @Test func `an empty day is waited through`() { #expect(run([], for: 3_600).isEmpty) }

  @Test func `the half hour that summer time skips is not said, and none is said twice`() {
    // Berlin, 2026-03-29: 01:59:59 is followed by 03:00:00. The offset changes while the clock waits.
    var strikes = ClockStrikes(minutes: [90, 120, 150, 180])
    var said: [Int] = []
    let before = 1_774_745_000.0
    var up = 0.0
    while up < 7_200 {
      let unix = before + up
      let offset = unix < 1_774_746_000 ? 3_600 : 7_200
      let time = PhoneTime(unixSeconds: unix, upSeconds: up, bootID: "b", utcOffsetSeconds: offset)
      switch strikes.next(at: time) {
      case .wait(let seconds): up += seconds
      case .strike(let minute): said.append(minute)
      case .prepare: continue
      }
    }
    #expect(said == [180])
  }
}

struct KeepAliveTests {
  @Test func `the loop begins before the app leaves the front and pauses while a time is spoken`() {
    var state = KeepAlive()
    #expect(state.handle(.switchedOn) == [])
    #expect(state.handle(.resignsActive) == [.activate, .startLoop])
    #expect(state.handle(.speechBegins) == [.stopLoop])
    #expect(state.isHolding && state.isSpeaking)
    #expect(state.handle(.speechEnded) == [.startLoop])
    #expect(state.handle(.becameActive) == [.stopLoop, .deactivate])
  }

  @Test func `a call ends the sentence, and the loop comes back after it`() {
    var state = KeepAlive()
    _ = state.handle(.switchedOn)
    _ = state.handle(.resignsActive)
    _ = state.handle(.speechBegins)
    #expect(state.handle(.interrupted) == [.stopSpeech])
    #expect(state.handle(.speechBegins) == [] && !state.isSpeaking)
    #expect(state.handle(.interruptionEnded) == [.activate, .startLoop])
  }

  @Test func `headphones pulled out end the sentence and the loop is begun again`() {
    var state = KeepAlive()
    _ = state.handle(.switchedOn)
    _ = state.handle(.resignsActive)
    #expect(state.handle(.outputLost) == [.startLoop])
    _ = state.handle(.speechBegins)
    #expect(state.handle(.outputLost) == [.stopSpeech, .startLoop])
  }

  @Test func `a refusal is not asked again before the app is in front`() {
    var state = KeepAlive()
    _ = state.handle(.switchedOn)
    _ = state.handle(.resignsActive)
    #expect(state.handle(.refused) == [])
    #expect(state.handle(.interruptionEnded) == [] && state.handle(.speechBegins) == [])
    #expect(state.handle(.becameActive) == [])
    #expect(state.handle(.resignsActive) == [.activate, .startLoop])
  }

  @Test func `after a restart of the audio server everything is made anew`() {
    var state = KeepAlive()
    _ = state.handle(.switchedOn)
    _ = state.handle(.resignsActive)
    _ = state.handle(.speechBegins)
    #expect(state.handle(.mediaServicesReset) == [.stopSpeech, .dropPlayers, .activate, .startLoop])
  }

  @Test(arguments: 0..<200)
  func `whatever happens, it loops only behind the scenes, never under a sentence, and is silent when off`(seed: Int) {
    var chance = SeededChance(seed: UInt64(seed))
    var state = KeepAlive()
    var (loops, holds) = (false, false)
    for _ in 0..<100 {
      let event = KeepAlive.Event.allCases[Int(chance.next() % UInt64(KeepAlive.Event.allCases.count))]
      if event == .interrupted || event == .mediaServicesReset || event == .refused { (loops, holds) = (false, false) }
      if event == .outputLost { loops = false }
      for action in state.handle(event) {
        switch action {
        case .startLoop:
          #expect(!loops && holds, "seed \(seed)")
          loops = true
        case .stopLoop:
          #expect(loops, "seed \(seed)")
          loops = false
        case .activate:
          #expect(!holds, "seed \(seed)")
          holds = true
        case .deactivate:
          #expect(holds && !loops, "seed \(seed)")
          holds = false
        case .stopSpeech, .dropPlayers: continue
        }
      }
      #expect(loops == state.isLooping && holds == state.isHolding, "seed \(seed)")
      #expect(!(loops && state.isSpeaking) && (holds == (loops || state.isSpeaking)), "seed \(seed)")
      if !state.isOn { #expect(!loops && !holds && !state.isSpeaking, "seed \(seed)") }
    }
  }
}

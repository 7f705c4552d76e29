import Announcing
import ExactJSON
import PhoneSandbox
import PushPayload
import SpokenText
import TestSupport
import Testing
import VoiceAudio

/// Rules of iOS that no story tells, and the rules of hearing in random stories on the whole phone.
struct PhoneRuleTests {
  private func push(_ payload: JSON, id: String) -> AcceptedPush {
    AcceptedPush(
      token: "t", headers: PushHeaders(topic: "com.example.till", collapseID: id), payload: payload, apnsID: id,
      acceptedAt: 0)
  }

  private func phone(_ conditions: JSON = [:]) -> VirtualIPhone {
    var state = PhoneConditions()
    #expect(state.apply(conditions).isEmpty)
    return VirtualIPhone(conditions: state, voice: StoryVoices.voice)
  }

  private func sound(_ seconds: Double) throws -> [UInt8] {
    try SoundFile.encode(ToneVoice.hum(seconds: seconds), container: .caf, codec: .lpcm)
  }

  @Test func `a reused file name plays the old sound until the phone restarts`() throws {
    var phone = phone(["extension": false])
    let alert: JSON = ["aps": ["alert": "x", "sound": "a.caf"]]
    phone.addBundled("a.caf", bytes: try sound(1), says: "旧")
    phone.receive(push(alert, id: "1"))
    phone.advance(to: 5)
    phone.addBundled("a.caf", bytes: try sound(2), says: "新")
    phone.receive(push(alert, id: "2"))
    phone.advance(to: 10)
    #expect(phone.change(["restart": true]).isEmpty)
    #expect(phone.change(["locked": false]).isEmpty)
    phone.receive(push(alert, id: "3"))
    phone.advance(to: 20)
    #expect(phone.outcome.heard.map(\.text) == ["旧", "旧", "新"])
    #expect(phone.outcome.silent.map(\.code) == ["A173"])
  }

  @Test func `the app's container comes before the group's and the bundle`() throws {
    // The clock's files lie in the app's container; a bundled file of the same name is not played.
    var phone = phone()
    let schedule = ClockSchedule(fromMinute: 15 * 60, toMinute: 15 * 60, locale: .zhCN, voiceID: "v")
    let name = try #require(try schedule.requests().first?.fileName)
    phone.addBundled(name, bytes: try sound(1), says: "bundle")
    try phone.schedule(schedule)
    phone.advance(to: 86_400)
    #expect(phone.outcome.heard.map(\.text) == ["现在是下午三点整"])
  }

  @Test func `unknown keys of a phone are named`() {
    var phone = phone()
    #expect(phone.change(["lockd": true]) == ["lockd"])
    #expect(phone.change(["app": "asleep"]) == ["app"])
    #expect(phone.change(["mute": "yes"]) == ["mute"])
  }

  @Test func `what is heard is in the track at its time`() throws {
    var phone = phone()
    let event = SpokenEvent(id: "e", kind: "payment.received", amount: "1", currency: "CNY")
    let payload = try PayloadBuilder.alert(event, alert: AlertText(title: "t", body: "b"))
    phone.advance(to: 2)
    phone.receive(push(payload, id: "e"))
    phone.advance(to: 10)
    let heard = try #require(phone.outcome.heard.first)
    let track = phone.track(until: 10)
    #expect(abs(track.seconds - 10) < 0.01)
    let first = try #require(track.samples.firstIndex { $0 != 0 })
    #expect(abs(Double(first) / Double(track.sampleRate) - heard.start) < 0.1)
    let last = try #require(track.samples.lastIndex { $0 != 0 })
    #expect(Double(last) / Double(track.sampleRate) <= heard.end + 0.01)
    #expect(phone.compactTrack().seconds < track.seconds)
  }

  @Test func `old sound files are swept away while new ones come`() throws {
    var phone = phone()
    for number in 0..<80 {
      let event = SpokenEvent(id: "e\(number)", kind: "payment.received", amount: "1", currency: "CNY")
      phone.receive(push(try PayloadBuilder.alert(event, alert: AlertText(title: "t", body: "b")), id: "e\(number)"))
      phone.advance(to: Double(number + 1) * 100)
    }
    #expect(phone.outcome.heard.count == 80)
    #expect(phone.groupSoundNames.count <= 65)
  }

  /// Bursts, resends, kills, lost networks and a jumping clock on a locked phone: no two sentences overlap, no event is heard
  /// twice, and after a quiet minute one more push with the server's list completes the rest.
  @Test func `random stories keep the rules of hearing`() throws {
    for seed in 0..<300 {
      var chance = SeededChance(seed: UInt64(seed))
      var phone = phone(["extension": ["concurrent": .int(Int.random(in: 1...5, using: &chance))]])
      var events: [SpokenEvent] = []
      var at = 0.0
      for number in 0..<Int.random(in: 3...12, using: &chance) {
        at += Double.random(in: 0...1.5, using: &chance)
        drive(&phone, to: at, answering: &chance)
        switch Int.random(in: 0..<12, using: &chance) {
        case 0: phone.killExtension()
        case 1: _ = phone.change(["network": "offline"])
        case 2: phone.jumpWallClock(bySeconds: Double.random(in: -4000...4000, using: &chance))
        default: _ = phone.change(["network": "online"])
        }
        let event = SpokenEvent(
          id: "e\(number)", kind: "payment.received", amount: "\(Int.random(in: 1...9999, using: &chance)).07",
          currency: "CNY")
        events.append(event)
        for _ in 0..<(Int.random(in: 0..<5, using: &chance) == 0 ? 2 : 1) { try send(event, to: &phone) }
      }
      _ = phone.change(["network": "online"])
      drive(&phone, to: at + 90, answering: &chance)
      var last = SpokenEvent(id: "last", kind: "payment.received", amount: "0.01", currency: "CNY")
      last.pending = events.map(PendingEntry.init)
      try send(last, to: &phone)
      drive(&phone, to: at + 200, answering: &chance)
      try check(phone, events + [last], "story \(seed)")
    }
  }

  private func send(_ event: SpokenEvent, to phone: inout VirtualIPhone) throws {
    let payload = try PayloadBuilder.alert(
      event, alert: AlertText(title: "t", body: "b", fallbackSound: "fallback.caf"))
    phone.receive(push(payload, id: event.id))
  }

  /// Lets time pass; the network takes receipts now and then.
  private func drive(_ phone: inout VirtualIPhone, to time: Double, answering chance: inout SeededChance) {
    while let next = phone.nextTime, next <= time {
      phone.advance(to: next)
      for order in phone.takeOrders() {
        phone.reply(order.id, Int.random(in: 0..<4, using: &chance) == 0 ? .failed : .taken)
      }
    }
    phone.advance(to: time)
  }

  private func check(_ phone: VirtualIPhone, _ events: [SpokenEvent], _ name: String) throws {
    let sentences = phone.outcome.heard.filter { !$0.text.isEmpty }
    for (first, second) in zip(sentences, sentences.dropFirst()) {
      #expect(second.start >= first.end, "\(name): “\(second.text)” begins while “\(first.text)” is heard")
    }
    let told = sentences.flatMap(\.events)
    #expect(Set(told).count == told.count, "\(name): heard twice in \(told)")
    #expect(Set(told) == Set(events.map(\.id)), "\(name): \(phone.outcome.timeline)")
    for sentence in sentences where sentence.events.count > 1 {
      let entries = sentence.events.compactMap { id in events.first { $0.id == id } }.map(PendingEntry.init)
      let book = PhraseBook(.zhCN)
      let sums = [try book.sum(of: entries).text, try book.sum(of: entries, missed: true).text]
      #expect(sums.contains(sentence.text), "\(name): \(sentence.text)")
    }
  }
}

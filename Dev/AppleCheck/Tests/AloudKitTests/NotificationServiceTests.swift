import AloudKit
import Announcing
import ExactJSON
import Foundation
import PushPayload
import SpokenText
import Testing
import UserNotifications
import VoiceAudio

/// A notification through the real extension.
struct NotificationServiceTests {
  private let book = PhraseBook(.zhCN)

  @Test func `a payment becomes a sound file, an entry in the ledger and a receipt`() async throws {
    let phone = try SimulatedPhone()
    phone.push(SimulatedPhone.payment("e1", "28.50"), id: "r1")
    await phone.settle()
    let answer = try #require(phone.answers.first)
    #expect(phone.answers.count == 1 && answer.code == .spoken)
    #expect(answer.said == (try book.phrase(for: SimulatedPhone.event("e1", "28.50")).text))
    let sentence = try #require(try phone.sentences().first)
    #expect(sentence.end - sentence.start > 1 && sentence.end - sentence.start < 6)
    #expect(phone.decided("e1") == .spoken)
    #expect(phone.letters.receipts.map(\.state) == [.played] && phone.letters.receipts.map(\.eventID) == ["e1"])
    let letter = try #require(phone.letters.all.first)
    #expect(letter.upload.url.absoluteString == "https://push.example.com/v1/receipts")
    #expect(letter.upload.headers["Authorization"] == "Device hush" && letter.body["token"] == "ab12")
    #expect(!letter.body.serialized().contains("28.5"), "A receipt carries no amount")
    let record = try #require(ExtensionRecord(folder: phone.folder))
    #expect(record.reason == .spoken && record.eventID == "e1" && record.at == Int(phone.time.now.unixSeconds))
  }

  @Test func `a duplicate is silent, two payments of one amount are both spoken`() async throws {
    let phone = try SimulatedPhone()
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r1")
    await phone.run(to: 1_010)
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r2")
    await phone.run(to: 1_020)
    phone.push(SimulatedPhone.payment("e2", "5"), id: "r3")
    await phone.run(to: 1_030)
    #expect(phone.answers.map(\.code) == [.spoken, .duplicate, .spoken])
    #expect(phone.answers.map { $0.sound == nil } == [false, true, false])
    #expect(phone.letters.receipts.map(\.state) == [.played, .duplicate, .played])
  }

  @Test(arguments: [1, 2, 3, 4])
  func `ten payments in three seconds do not overlap, and their sums are right to the cent`(seed: UInt64) async throws {
    let phone = try SimulatedPhone()
    // Some share an instance, as a process that is used again may do.
    let shared = phone.service()
    var amounts: [String: String] = [:]
    for place in 0..<10 {
      let cents = (Int(seed) * 7_919 + place * 1_237) % 20_000 + 1
      let amount = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      amounts["e\(place)"] = amount
      phone.push(SimulatedPhone.payment("e\(place)", amount), id: "r\(place)", on: place % 3 == 0 ? shared : nil)
      await phone.run(to: 1_000 + Double(place + 1) * 0.3)
    }
    await phone.run(to: 1_040)
    #expect(phone.answers.count == 10)
    #expect(phone.answers.allSatisfy { $0.up < 1_030 }, "All within the extension's time")
    let sentences = try phone.sentences()
    for (first, second) in zip(sentences, sentences.dropFirst()) { #expect(first.end < second.start) }
    #expect(sentences.count >= 2 && sentences.count < 10)
    try check(phone, sentences.map(\.answer), amounts)
  }

  /// Each event is in exactly one sentence, and each sentence says exactly the sum of its events.
  private func check(_ phone: SimulatedPhone, _ answers: [Answer], _ amounts: [String: String]) throws {
    var told: [String] = []
    for letter in phone.letters.all {
      let receipts = (letter.body["receipts"]?.arrayValue ?? []).compactMap { Receipt($0) }
      guard let own = receipts.first(where: { $0.state == .played }) else { continue }
      let events = receipts.filter { $0.state == .played || $0.state == .merged }.map(\.eventID)
      told += events
      let entries = events.compactMap { id in amounts[id].map { SimulatedPhone.event(id, $0) } }
      let answer = try #require(answers.first { $0.requestID == "r" + own.eventID.dropFirst() })
      let wanted =
        entries.count == 1
        ? try book.phrase(for: entries[0]).text
        : try book.sum(of: entries.map { PendingEntry($0) }, missed: false, privacy: false).text
      #expect(answer.said == wanted)
    }
    #expect(told.sorted() == amounts.keys.sorted())
  }

  @Test func `a killed instance loses nothing from the next sum`() async throws {
    let phone = try SimulatedPhone()
    phone.push(SimulatedPhone.payment("e0", "1.10"), id: "r0")
    await phone.run(to: 1_010)
    // It has the turn and is ended while it makes its file: driven by hand, so that it stops there.
    try takeTurn(phone, "e1", "2.20")
    #expect(try phone.hearing.update { $0.turn?.ownKey } == "e1")
    await phone.run(to: 1_041)
    phone.push(SimulatedPhone.payment("e2", "3.30"), id: "r2")
    await phone.run(to: 1_050)
    let said = phone.answers.first { $0.requestID == "r2" }?.said
    let entries = [("e2", "3.30"), ("e1", "2.20")].map { PendingEntry(SimulatedPhone.event($0, $1)) }
    #expect(said == (try book.sum(of: entries, missed: false, privacy: false).text))
    #expect(phone.decided("e1") == .mergedIntoSum)
  }

  private func takeTurn(_ phone: SimulatedPhone, _ id: String, _ amount: String) throws {
    let userInfo = UserInfo.json(from: SimulatedPhone.payment(id, amount))
    var session = AnnouncementSession(
      payload: PayloadDecoder.decode(userInfo, requestID: id), requestID: id, owner: "killed",
      environment: SessionEnvironment(phoneLocale: "zh-CN", voice: { SimulatedPhone.voices.voice($0) }))
    var action = session.begin(at: phone.time.now)
    while action == .update {
      action = try phone.hearing.update { session.update(&$0, at: phone.time.now) }
    }
  }

  @Test func `what was ended in the hand-over is settled by its notification`() async throws {
    for wasHanded in [true, false] {
      let phone = try SimulatedPhone()
      let hearing = phone.hearing
      let turn = try hearing.update { state -> Int in
        let now = phone.time.now
        let entry = PendingEntry(SimulatedPhone.event("e1", "2.20"))
        _ = state.admit(.init(key: "e1", entry: entry, owner: "dead", seconds: 2, isSummable: true), at: now)
        guard case .speak(let turn, _) = state.requestTurn(.init(key: "e1", owner: "dead", canMerge: true), at: now),
          state.commit(turn: turn.number, owner: "dead", seconds: 2, at: now)
        else { return 0 }
        return turn.number
      }
      var userInfo = UserInfo.json(from: SimulatedPhone.payment("e1", "2.20")).objectValue ?? [:]
      if wasHanded { userInfo[Delivery.turnKey] = .int(turn) }
      phone.show(ShownNotification(requestID: "r1", userInfo: .object(userInfo), at: 0))
      await phone.run(to: 1_005)
      phone.push(SimulatedPhone.payment("e2", "3.30"), id: "r2")
      await phone.run(to: 1_020)
      #expect(phone.answers.map(\.code) == [wasHanded ? .spoken : .mergedIntoSum])
      #expect(phone.decided("e1") == (wasHanded ? .spoken : .mergedIntoSum))
    }
  }

  @Test func `takes values as truth, number and text`() async throws {
    let phone = try SimulatedPhone()
    let whole = SimulatedPhone.payment("e1", "", ["amount": NSNumber(value: 28), "replay": NSNumber(value: false)])
    phone.push(whole, id: "r1")
    await phone.run(to: 1_010)
    phone.push(
      ["aloud": #"{"id":"e2","kind":"payment.received","amount":"28.50","currency":"cny","replay":"1"}"#], id: "r2")
    await phone.run(to: 1_020)
    let inexact = SimulatedPhone.payment("e3", "", ["amount": NSNumber(value: 28.1)])
    phone.push(inexact, id: "r3")
    await phone.run(to: 1_030)
    #expect(phone.answers.map(\.code) == [.spoken, .replayed, .amountMissing])
    #expect(phone.answers.last?.sound == "fallback.caf")
  }

  @Test func `what is none of ours comes back as it was`() async throws {
    let phone = try SimulatedPhone()
    phone.push(["aps": [:]], id: "r1")
    while phone.answers.isEmpty { await Task.yield() }
    #expect(phone.answers.map(\.sound) == ["fallback.caf"] && phone.answers.map(\.code) == [.nothingToSay])
  }

  @Test func `without an App Group the notification comes with its own sound`() async throws {
    let phone = try SimulatedPhone()
    phone.hasGroup = false
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r1")
    while phone.answers.isEmpty { await Task.yield() }
    #expect(phone.answers.map(\.code) == [.appGroupMissing] && phone.answers.map(\.sound) == ["fallback.caf"])
  }

  @Test func `settings of the App Group are followed`() async throws {
    let phone = try SimulatedPhone()
    var settings = AnnouncementSettings()
    settings.privacy = true
    try phone.folder.write(
      Array(settings.json.serialized().utf8), to: phone.folder.state.appendingPathComponent("settings.json"))
    phone.push(SimulatedPhone.payment("e1", "28.50"), id: "r1")
    await phone.run(to: 1_010)
    let answer = try #require(phone.answers.first)
    #expect(answer.sound?.hasPrefix("aloud-") == true)
    #expect(answer.said?.contains("二十八") == false && !answer.body.isEmpty)
  }
}

import AloudKit
import Announcing
import Foundation
import PushPayload
import SwiftUI
import Testing

@testable import Till

@MainActor
private final class PaperPayments: PaymentSource {
  var events: [ReceivedEvent] = []
  func received() async -> [ReceivedEvent] { events }
}

@MainActor
private final class PaperSettings: SettingsStore {
  struct Full: Error {}
  var settings = AnnouncementSettings()
  var isFull = false
  func save(_ settings: AnnouncementSettings) throws {
    if isFull { throw Full() }
    self.settings = settings
  }
}

@MainActor
struct TillTests {
  private let payments = PaperPayments()
  private let store = PaperSettings()
  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Asia/Shanghai") ?? .current
    return calendar
  }

  private func event(_ id: String, _ amount: String?, _ decision: ReasonCode?, text: String? = nil) -> ReceivedEvent {
    var event = SpokenEvent(id: id, kind: "payment.received")
    (event.amount, event.currency, event.from, event.text) = (amount, "CNY", "张三", text)
    // 30 November 2026, 07:05 UTC.
    return ReceivedEvent(event: event, decision: decision, at: 1_796_022_300)
  }

  private func list(_ language: String) -> PaymentList {
    PaymentList(source: payments, locale: Locale(identifier: language), timeZone: calendar.timeZone)
  }

  @Test func `lists payments to the cent, each with whether it was heard or why not`() async throws {
    payments.events = [
      event("3", "12000.01", .spoken), event("2", "0.10", .quietHours), event("1", nil, nil, text: "新订单"),
    ]
    let list = list("zh_CN")
    await list.refresh()
    #expect(list.rows.map(\.amount) == ["¥12,000.01", "¥0.10", "新订单"])
    #expect(list.rows.map(\.isSpoken) == [true, false, false])
    #expect(list.rows.map(\.mark) == ["已播报", ReasonCode.quietHours.entry.title.chinese, "…"])
    #expect(list.rows[0].detail.hasPrefix("张三 · ") && list.rows[0].detail.contains("05"))
    let texts = shimStrings(in: PaymentsView(list: list))
    #expect(texts.contains("¥12,000.01") && texts.contains("已播报"))
    #expect(!texts.contains("No payments yet"))
  }

  @Test func `keeps each choice, and shows none that was not kept`() {
    let settings = TillSettings(store: store, calendar: calendar)
    settings.isPrivate = true
    settings.minimum = "10"
    settings.speaksRefunds = false
    settings.hasQuietHours = true
    settings.quietFrom = settings.quietFrom.addingTimeInterval(1_800)
    #expect(store.settings.privacy && store.settings.limits == [AmountLimit(currency: "CNY", minimum: "10")])
    #expect(store.settings.mutedGroups == ["payment.refunded"])
    #expect(store.settings.quietHours == DayWindow(from: "22:30", to: "07:00"))
    settings.minimum = ""
    settings.speaksRefunds = true
    settings.hasQuietHours = false
    #expect(store.settings.limits == [] && store.settings.mutedGroups == [] && store.settings.quietHours == nil)
    store.isFull = true
    settings.isSpeaking = false
    #expect(settings.isSpeaking && settings.failure != nil)
    store.isFull = false
    settings.isSpeaking = false
    #expect(!settings.isSpeaking && settings.failure == nil && !store.settings.isSpeaking)
  }

  @Test func `tells how far the phone's voice is, and why it failed`() async {
    let voice = PhoneVoice { report in report(3, 200) }
    await voice.make()
    #expect(voice.state == .ready)
    let failing = PhoneVoice { _ in throw PaperSettings.Full() }
    await failing.make()
    guard case .failed = failing.state else { return #expect(failing.state == .failed("")) }
    #expect(!failing.isWorking)
  }
}

/// The text catalogs against the views, and the projects' parts against each other.
@MainActor
struct ExampleTextTests {
  private struct Catalog: Decodable {
    struct Entry: Decodable { var localizations: [String: Translation]? }
    struct Translation: Decodable { var stringUnit: Unit }
    struct Unit: Decodable { var state: String, value: String }
    var sourceLanguage: String
    var strings: [String: Entry]
  }

  private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples")

  private func catalog(_ path: String) throws -> Catalog {
    let data = try Data(contentsOf: Self.examples.appendingPathComponent(path + "/Localizable.xcstrings"))
    return try JSONDecoder().decode(Catalog.self, from: data)
  }

  @Test func `every text of the views is in the catalogs, in English and Chinese, and no other`() throws {
    let settings = TillSettings(store: PaperSettings())
    settings.hasQuietHours = true
    let voice = PhoneVoice { _ in }
    let list = PaymentList(source: PaperPayments())
    _ = shimStrings(in: TillView(payments: list, settings: settings, voice: voice, selfTest: SelfTest(.till)))
    for state in [PhoneVoice.State.working(done: 1, total: 2), .ready] {
      _ = shimStrings(in: VoiceStateText(state: state))
    }
    ClockTexts.show()
    let known = try [catalog("Till/Till"), catalog("TalkingClock/TalkingClock")]
    let keys = Set(known.flatMap(\.strings.keys))
    #expect(ShimCatalog.shimKeys.subtracting(keys) == [])
    #expect(keys.subtracting(ShimCatalog.shimKeys) == [])
    for (key, entry) in known.flatMap(\.strings) {
      let chinese = entry.localizations?["zh-Hans"]?.stringUnit
      #expect(chinese?.state == "translated" && chinese?.value.isEmpty == false, "\(key)")
      let holes = { (text: String) in text.components(separatedBy: "%").count }
      #expect(holes(key) == holes(chinese?.value ?? ""), "\(key)")
    }
  }
}

import Announcing
import ExactJSON
import PushPayload
import SpokenText
import TestSupport
import Testing

struct SmallValueTests {
  // MARK: Once only, names, sweeping

  @Test func `lets the first caller through and nobody after it`() {
    var once = OnceOnly()
    let answers = [once.take(), once.take(), once.take()]
    #expect(answers == [true, false, false])
  }

  @Test func `no two sentences share a file name`() {
    var names: Set<String> = []
    for key in ["e1", "e2"] {
      for text in ["一元", "两元"] {
        for nonce in ["a", "b"] { names.insert(SoundFileName.make(eventKey: key, text: text, nonce: nonce)) }
      }
    }
    #expect(names.count == 8)
    #expect(names.allSatisfy { $0.hasPrefix("aloud-") && $0.hasSuffix(".caf") && !$0.contains("/") })
    // Where one part ends and the next begins matters.
    #expect(
      SoundFileName.make(eventKey: "ab", text: "c", nonce: "n")
        != SoundFileName.make(eventKey: "a", text: "bc", nonce: "n"))
  }

  @Test func `sweeps by age and count, and never what is young`() {
    func file(_ name: String, age: Double) -> StoredSound { StoredSound(name: name, modifiedUnixSeconds: 10_000 - age) }
    let sweeper = Sweeper(youngestSeconds: 60, oldestSeconds: 3600, maximumCount: 2, unfinishedSeconds: 600)
    let files = [
      file("aloud-a.caf", age: 4000), file("aloud-b.caf", age: 500), file("aloud-c.caf", age: 400),
      file("aloud-d.caf", age: 30), file("aloud-e.caf", age: 10), file("aloud-f.caf", age: -5000),
      file(".aloud-g.caf.part", age: 700), file(".aloud-h.caf.part", age: 20), file("aloud-clock-1.caf", age: 90_000),
      file("ringtone.caf", age: 90_000),
    ]
    let gone = sweeper.removals(in: files, nowUnixSeconds: 10_000)
    #expect(gone == ["aloud-a.caf", ".aloud-g.caf.part", "aloud-b.caf", "aloud-c.caf"])
    #expect(
      sweeper.removals(in: files, nowUnixSeconds: 10_000, keeping: ["aloud-b.caf"]).contains("aloud-b.caf") == false)
  }

  @Test func `a thousand young files are kept, whatever the count`() {
    let files = (0..<1000).map { StoredSound(name: "aloud-\($0).caf", modifiedUnixSeconds: 9_950) }
    #expect(Sweeper().removals(in: files, nowUnixSeconds: 10_000).isEmpty)
  }

  // MARK: Windows of the day

  @Test func `a window across midnight has both its ends right`() throws {
    let night = try #require(DayWindow(from: "22:00", to: "07:00"))
    #expect(
      night.contains(minuteOfDay: 22 * 60) && night.contains(minuteOfDay: 0) && night.contains(minuteOfDay: 6 * 60 + 59)
    )
    #expect(!night.contains(minuteOfDay: 7 * 60) && !night.contains(minuteOfDay: 21 * 60 + 59))
    let day = try #require(DayWindow(from: "9:05", to: "17:00"))
    #expect(day.contains(minuteOfDay: 9 * 60 + 5) && !day.contains(minuteOfDay: 17 * 60))
    #expect(try #require(DayWindow(from: "08:00", to: "08:00")).contains(minuteOfDay: 3))
    #expect(DayWindow(from: "25:00", to: "07:00") == nil && DayWindow(from: "7", to: "8:00") == nil)
  }

  @Test func `the minute of the day follows the time zone, also before 1970`() {
    func minute(_ unix: Double, _ offset: Int) -> Int {
      PhoneTime(unixSeconds: unix, upSeconds: 0, bootID: "", utcOffsetSeconds: offset).minuteOfDay
    }
    #expect(minute(0, 8 * 3600) == 480)
    #expect(minute(-60, 0) == 1439)
    #expect(minute(1_796_000_000, 0) == (1_796_000_000 % 86_400) / 60)
    #expect(minute(3600, -2 * 3600) == 23 * 60)
  }

  // MARK: Settings and receipts

  @Test func `settings are read back as they were written`() throws {
    var settings = AnnouncementSettings()
    (settings.isSpeaking, settings.privacy, settings.locale) = (false, true, "ja")
    settings.quietHours = DayWindow(from: "22:00", to: "07:00")
    settings.mutedGroups = ["a", "b"]
    settings.limits = [AmountLimit(currency: "CNY", minimum: "1", maximum: "5.5")]
    (settings.saysSender, settings.summarisesMissed) = (true, false)
    #expect(AnnouncementSettings(try JSON.parse(settings.json.serialized())) == settings)
    #expect(AnnouncementSettings(.null) == AnnouncementSettings())
    #expect(AnnouncementSettings(["privacy": "perhaps", "limits": 7]) == AnnouncementSettings())
  }

  @Test func `limits compare exactly, per currency`() throws {
    var settings = AnnouncementSettings()
    settings.limits = [AmountLimit(currency: "cny", minimum: "1.00", maximum: "1000")]
    func broken(_ text: String) throws -> ReasonCode? { settings.limitBroken(by: try Amount(text)) }
    #expect(try broken("CNY 0.99") == .belowMinimum)
    #expect(try broken("CNY 1") == nil)
    #expect(try broken("CNY 1000.00") == nil)
    #expect(try broken("CNY 1000.01") == .aboveMaximum)
    #expect(try broken("USD 5000") == nil)
  }

  @Test func `a receipt is read back as it was written, and carries no amount`() throws {
    for state in Receipt.State.allCases {
      let receipt = Receipt(eventID: "e1", state: state, code: .spoken, at: 1_796_000_000, route: .clips)
      #expect(Receipt(try JSON.parse(receipt.json.serialized())) == receipt)
    }
    #expect(Receipt(["event": "e"]) == nil)
  }
}

import Announcing
import SpokenText
import Testing

struct ClockScheduleTests {
  private func clock(
    _ step: ClockSchedule.Step, _ from: Int, _ to: Int, _ style: ClockSchedule.Style = .automatic, voice: String = "v"
  )
    -> ClockSchedule
  {
    ClockSchedule(step: step, fromMinute: from, toMinute: to, style: style, locale: .zhCN, voiceID: voice)
  }

  @Test func `both ends of the active hours are spoken`() {
    #expect(clock(.hour, 7 * 60, 22 * 60).minutes == (7...22).map { $0 * 60 })
    #expect(clock(.halfHour, 7 * 60 + 15, 8 * 60 + 45).minutes == [450, 480, 510])
    #expect(clock(.halfHour, 0, 1439).minutes.count == 48)
  }

  @Test func `hours across midnight are spoken on both sides`() {
    #expect(clock(.hour, 22 * 60, 2 * 60).minutes == [0, 60, 120, 22 * 60, 23 * 60])
  }

  @Test func `quarter hours are offered as far as iOS keeps them`() throws {
    #expect(try clock(.quarterHour, 7 * 60, 22 * 60 + 45).requests().count == 64)
    let error = #expect(throws: PhraseError.self) { try clock(.quarterHour, 0, 1439).requests() }
    #expect(error?.code == .tooManyClockTimes)
  }

  @Test func `doing it twice changes nothing, and a change replaces only what differs`() throws {
    let first = clock(.hour, 7 * 60, 9 * 60)
    let added = try first.change(pending: ["other"])
    #expect(added.removing.isEmpty && added.adding.map(\.hour) == [7, 8, 9])
    let pending = ["other"] + added.adding.map(\.id)
    let again = try first.change(pending: pending)
    #expect(again.removing.isEmpty && again.adding.isEmpty && again.files == added.files)
    let longer = try clock(.hour, 7 * 60, 10 * 60).change(pending: pending)
    #expect(longer.removing.isEmpty && longer.adding.map(\.hour) == [10])
    let otherVoice = try clock(.hour, 7 * 60, 9 * 60, voice: "w").change(pending: pending)
    #expect(otherVoice.removing.count == 3 && otherVoice.adding.count == 3)
    #expect(Set(otherVoice.adding.map(\.fileName)).isDisjoint(with: added.files))
    #expect(!otherVoice.removing.contains("other"))
  }

  @Test func `the app's other reminders count against the sixty-four`() throws {
    let others = (0..<20).map { "reminder-\($0)" }
    #expect(try clock(.hour, 0, 1439).change(pending: others).adding.count == 24)
    let error = #expect(throws: PhraseError.self) { try clock(.halfHour, 0, 1439).change(pending: others) }
    #expect(error?.code == .pendingLimitReached)
  }

  @Test func `the style decides how the hour is said`() throws {
    func said(_ style: ClockSchedule.Style) throws -> String? {
      try clock(.hour, 15 * 60, 15 * 60, style).requests().first?.body
    }
    #expect(try said(.automatic) == "现在是下午三点整")
    #expect(try said(.twentyFourHours) == "现在是十五点整")
    let files = Set(
      try ClockSchedule.Style.allCases.map { try clock(.hour, 15 * 60, 15 * 60, $0).requests()[0].fileName })
    #expect(files.count == 2, "The same sentence shares one file")
  }

  @Test func `every language says every half hour of the day`() throws {
    for locale in SpokenLocale.all {
      let requests = try ClockSchedule(step: .halfHour, locale: locale, voiceID: "v").requests()
      #expect(Set(requests.map(\.id)).count == 48 && requests.allSatisfy { !$0.body.isEmpty && !$0.title.isEmpty })
    }
  }
}

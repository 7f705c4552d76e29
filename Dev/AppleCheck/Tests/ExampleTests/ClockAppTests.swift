import AloudKit
import Announcing
import Foundation
import SwiftUI
import Testing

@testable import ClockApp

/// A clock that remembers what it was told.
@MainActor
private final class PaperClock: ClockKeeping {
  var settings = ClockSettings()
  var applied: [ClockSettings] = []
  var said: [Int?] = []
  var code: ReasonCode?
  var isStarted = false

  func start() { isStarted = true }
  func requestPermission() async -> Bool { true }
  func apply(_ settings: ClockSettings) async -> ClockReport {
    self.settings = settings
    applied.append(settings)
    var report = ClockReport()
    (report.timesADay, report.code) = (settings.timesADay, code)
    return report
  }
  func possibleSteps() async -> [ClockSchedule.Step] { settings.steps() }
  func say(minute: Int?) async -> ReasonCode? {
    said.append(minute)
    return code
  }
}

@MainActor
struct ClockAppTests {
  private let clock = PaperClock()
  private let shanghai = TimeZone(identifier: "Asia/Shanghai") ?? .current
  private func model(_ language: String) -> ClockModel {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = shanghai
    return ClockModel(clock: clock, locale: Locale(identifier: language), calendar: calendar)
  }

  @Test func `shows the minute, and gives VoiceOver the sentence that the clock says`() {
    // 30 November 2026, 07:05 UTC is five past three in Shanghai.
    let date = Date(timeIntervalSince1970: 1_796_022_300)
    let face = model("zh_CN").face(at: date)
    #expect(face.time.hasSuffix("3:05") || face.time == "15:05")
    #expect(face.day.contains("11") && face.day.contains("30"))
    #expect(face.spoken.contains("三点") && face.spoken.contains("五分"))
    let texts = shimStrings(in: FaceView(face: face))
    #expect(texts.contains(face.spoken) && texts.contains(face.time))
    #expect(model("en_US").face(at: date).spoken.lowercased().contains("three"))
  }

  @Test func `stores and schedules each change at once`() async {
    let model = model("en_US")
    await model.start()
    #expect(clock.isStarted && model.timesADay == 16)
    model.step = .halfHour
    model.from = model.from.addingTimeInterval(3_600)
    model.style = .twentyFourHours
    model.language = "zh-CN"
    await model.settled()
    #expect(clock.settings.step == .halfHour && clock.settings.fromMinute == 8 * 60)
    #expect(clock.settings.style == .twentyFourHours && clock.settings.locale == "zh-CN")
    #expect(model.timesADay == 29 && model.steps == [.hour, .halfHour, .quarterHour])
    model.to = model.to.addingTimeInterval(9 * 3_600)
    await model.settled()
    #expect(clock.settings.toMinute == 7 * 60 && !model.steps.contains(.quarterHour))
    model.isOn = false
    await model.settled()
    #expect(!clock.settings.isOn && model.timesADay == 0)
  }

  @Test func `says why it is silent, and what to do, on both screens`() async {
    clock.code = .notificationsOff
    let model = model("zh_CN")
    await model.start()
    let title = ReasonCode.notificationsOff.entry.title.chinese
    #expect(shimStrings(in: ClockView(model: model, selfTest: ClockTexts.selfTest)).contains { $0.hasPrefix(title) })
    #expect(shimStrings(in: SettingsView(model: model, selfTest: ClockTexts.selfTest)).contains { $0.hasPrefix(title) })
    clock.code = nil
    await model.sayNow()
    #expect(clock.said == [nil] && model.problem == nil)
    #expect(shimStrings(in: SettingsView(model: model, selfTest: ClockTexts.selfTest)).contains("16 times a day"))
  }
}

/// Shows every view of the clock once, so that its texts are known.
@MainActor
enum ClockTexts {
  static let selfTest = SelfTest(AloudConfiguration(appGroup: "group.example"), hasExtension: false)

  static func show() {
    let model = ClockModel(clock: PaperClock())
    _ = shimStrings(in: ClockView(model: model, selfTest: selfTest))
  }
}

import AloudKit
import Announcing
import Combine
import Foundation

/// What the model needs of the clock: AloudKit's own on a phone, another one in a test.
@MainActor
protocol ClockKeeping: AnyObject {
  var settings: ClockSettings { get }
  func start()
  func requestPermission() async -> Bool
  func apply(_ settings: ClockSettings) async -> ClockReport
  func possibleSteps() async -> [ClockSchedule.Step]
  func say(minute: Int?) async -> ReasonCode?
}

extension TalkingClock: ClockKeeping {}

/// What the two screens show and change.
@MainActor
final class ClockModel: ObservableObject {
  /// What the person chose; each change is stored and scheduled at once.
  @Published private(set) var settings: ClockSettings
  /// Why the clock is not heard, in the person's language; `nil` if it is.
  @Published private(set) var problem: String?
  /// How often a day it speaks now.
  @Published private(set) var timesADay = 0
  /// The steps that the active hours leave room for.
  @Published private(set) var steps = ClockSchedule.Step.allCases

  private let clock: any ClockKeeping
  private let locale: Locale
  private let calendar: Calendar
  private var work: Task<Void, Never>?

  init(clock: any ClockKeeping, locale: Locale = .current, calendar: Calendar = .current) {
    (self.clock, self.locale, self.calendar) = (clock, locale, calendar)
    settings = clock.settings
  }

  /// Asks for permission and schedules; call it when the first screen appears.
  func start() async {
    clock.start()
    _ = await clock.requestPermission()
    await apply()
  }

  /// What the clock shows at a moment.
  func face(at date: Date) -> ClockFace {
    ClockFace(
      date: date, language: settings.locale, style: settings.style, locale: locale, timeZone: calendar.timeZone)
  }

  /// Says the time now.
  func sayNow() async { problem = text(await clock.say(minute: nil)) }

  /// Waits until the last change has been scheduled.
  func settled() async { await work?.value }

  private func change(_ edit: (inout ClockSettings) -> Void) {
    edit(&settings)
    let before = work
    work = Task {
      await before?.value
      await apply()
    }
  }

  private func apply() async {
    let report = await clock.apply(settings)
    timesADay = report.timesADay
    problem = text(report.code)
    steps = await clock.possibleSteps()
  }

  private func text(_ code: ReasonCode?) -> String? {
    guard let entry = code?.entry else { return nil }
    return [entry.title, entry.advice].map { $0.text(locale.identifier) }.joined(separator: "\n")
  }
}

// MARK: What the controls are bound to

extension ClockModel {
  var isOn: Bool {
    get { settings.isOn }
    set { change { $0.isOn = newValue } }
  }
  var step: ClockSchedule.Step {
    get { settings.step }
    set { change { $0.step = newValue } }
  }
  var style: ClockSchedule.Style {
    get { settings.style }
    set { change { $0.style = newValue } }
  }
  /// A language tag; empty for the phone's own.
  var language: String {
    get { settings.locale ?? "" }
    set { change { $0.locale = newValue.isEmpty ? nil : newValue } }
  }
  var from: Date {
    get { date(settings.fromMinute) }
    set { change { $0.fromMinute = minute(newValue) } }
  }
  var to: Date {
    get { date(settings.toMinute) }
    set { change { $0.toMinute = minute(newValue) } }
  }

  // A picker of times wants a date; only its hour and minute count.
  private func date(_ minute: Int) -> Date {
    calendar.date(from: DateComponents(year: 2001, month: 1, day: 1, hour: minute / 60, minute: minute % 60)) ?? Date()
  }
  private func minute(_ date: Date) -> Int {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
  }
}

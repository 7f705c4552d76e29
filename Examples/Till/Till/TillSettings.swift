import AloudKit
import Announcing
import Combine
import Foundation

/// Where settings are kept: the App Group on a phone, memory in a test.
@MainActor
protocol SettingsStore: AnyObject {
  var settings: AnnouncementSettings { get }
  func save(_ settings: AnnouncementSettings) throws
}

extension Aloud: SettingsStore {}

/// What the settings screen shows and changes; the extension reads it for the next payment.
@MainActor
final class TillSettings: ObservableObject {
  @Published private(set) var settings: AnnouncementSettings
  /// Why a change was not kept; `nil` if it was.
  @Published private(set) var failure: String?

  private let store: any SettingsStore
  private let calendar: Calendar

  /// The least amounts that can be chosen; empty: every amount is spoken.
  static let minimums = ["", "1", "10", "100"]
  /// The kind of event that a person may want to be silent while payments are spoken.
  static let refunds = "payment.refunded"

  init(store: any SettingsStore, calendar: Calendar = .current) {
    (self.store, self.calendar) = (store, calendar)
    settings = store.settings
  }

  // What could not be stored is not shown as if it had been.
  private func change(_ edit: (inout AnnouncementSettings) -> Void) {
    var wanted = settings
    edit(&wanted)
    do {
      try store.save(wanted)
      (settings, failure) = (wanted, nil)
    } catch {
      (settings, failure) = (store.settings, "\(error)")
    }
  }
}

// MARK: What the controls are bound to

extension TillSettings {
  var isSpeaking: Bool {
    get { settings.isSpeaking }
    set { change { $0.isSpeaking = newValue } }
  }
  var speaksRefunds: Bool {
    get { !settings.mutedGroups.contains(TillSettings.refunds) }
    set {
      change {
        if newValue { $0.mutedGroups.remove(TillSettings.refunds) } else { $0.mutedGroups.insert(TillSettings.refunds) }
      }
    }
  }
  /// Leaves figures out of what is said.
  var isPrivate: Bool {
    get { settings.privacy }
    set { change { $0.privacy = newValue } }
  }
  /// The least amount that is spoken, in yuan; empty for every amount.
  var minimum: String {
    get { settings.limits.first { $0.currency == "CNY" }?.minimum ?? "" }
    set {
      change {
        $0.limits.removeAll { $0.currency == "CNY" }
        if !newValue.isEmpty { $0.limits.append(AmountLimit(currency: "CNY", minimum: newValue)) }
      }
    }
  }
  var hasQuietHours: Bool {
    get { settings.quietHours != nil }
    set { change { $0.quietHours = newValue ? DayWindow(startMinute: 22 * 60, endMinute: 7 * 60) : nil } }
  }
  var quietFrom: Date {
    get { date(settings.quietHours?.startMinute ?? 0) }
    set { change { $0.quietHours?.startMinute = minute(newValue) } }
  }
  var quietUntil: Date {
    get { date(settings.quietHours?.endMinute ?? 0) }
    set { change { $0.quietHours?.endMinute = minute(newValue) } }
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

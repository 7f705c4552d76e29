#if canImport(UserNotifications) && canImport(UIKit)
  import Announcing
  import Foundation

  #if canImport(AlarmKit)
    import ActivityKit
    import AlarmKit
    import SwiftUI
  #endif

  /// The clock's times as alarms (iOS 26 and later): heard through the mute switch and every Focus.
  ///
  /// Each alarm fills the screen and must be stopped by hand; Apple says that alarms replace no notifications
  /// (https://developer.apple.com/videos/play/wwdc2025/230). So it is an option for a few important times, not the default. The
  /// app needs a non-empty `NSAlarmKitUsageDescription`.
  enum ClockAlarms {
    /// What was changed.
    struct Change: Hashable { var added = 0, removed = 0 }

    /// What every alarm of ours begins with, so that the app's others are left alone.
    private static let prefix = "A10C10C0"

    /// The alarm's identifier: it changes with everything that is heard or shown.
    static func identifier(_ request: ClockSchedule.Request) -> UUID? {
      let digits = Array(SoundFileName.hash(request.id).uppercased())
      let parts = [digits[0..<4], digits[4..<8], digits[8..<12], digits[12..<24]].map { String($0) }
      return UUID(uuidString: ([prefix] + parts).joined(separator: "-"))
    }

    /// Brings the alarms up to date.
    ///
    /// - Throws: `PhraseError` if the person or the system does not allow it.
    static func bring(_ requests: [ClockSchedule.Request]) async throws(PhraseError) -> Change {
      #if canImport(AlarmKit)
        if #available(iOS 26.0, *) { return try await schedule(requests) }
      #endif
      throw PhraseError(.noRouteLeft, "Alarms need iOS 26 or later; choose notifications.")
    }

    /// Removes every alarm of the clock.
    ///
    /// - Returns: How many there were.
    static func removeAll() -> Int {
      #if canImport(AlarmKit)
        if #available(iOS 26.0, *) {
          let ours = (try? pending()) ?? []
          for id in ours { try? AlarmManager.shared.cancel(id: id) }
          return ours.count
        }
      #endif
      return 0
    }

    #if canImport(AlarmKit)
      @available(iOS 26.0, *)
      private struct Nothing: AlarmMetadata {}

      @available(iOS 26.0, *)
      private static func pending() throws -> [UUID] {
        try AlarmManager.shared.alarms.map(\.id).filter { $0.uuidString.hasPrefix(prefix) }
      }

      @available(iOS 26.0, *)
      private static func schedule(_ requests: [ClockSchedule.Request]) async throws(PhraseError) -> Change {
        do {
          guard try await AlarmManager.shared.requestAuthorization() == .authorized else {
            throw PhraseError(.notificationsOff, "The person has not allowed alarms for this app.")
          }
          let wanted = requests.compactMap { request in identifier(request).map { ($0, request) } }
          let there = Set(try pending())
          let old = there.subtracting(wanted.map(\.0))
          for id in old { try AlarmManager.shared.cancel(id: id) }
          let new = wanted.filter { !there.contains($0.0) }
          for (id, request) in new { _ = try await AlarmManager.shared.schedule(id: id, configuration: alarm(request)) }
          return Change(added: new.count, removed: old.count)
        } catch let error as PhraseError {
          throw error
        } catch {
          throw PhraseError(.pendingLimitReached, "iOS did not take the alarms: \(error.localizedDescription)")
        }
      }

      @available(iOS 26.0, *)
      private static func alarm(_ request: ClockSchedule.Request) -> AlarmManager.AlarmConfiguration<Nothing> {
        let everyDay: [Locale.Weekday] = [
          .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
        ]
        let time = Alarm.Schedule.Relative.Time(hour: request.hour, minute: request.minute)
        return .alarm(
          schedule: .relative(.init(time: time, repeats: .weekly(everyDay))),
          attributes: AlarmAttributes(
            presentation: AlarmPresentation(alert: alert(request)), metadata: Nothing(), tintColor: .accentColor),
          sound: .named(request.fileName))
      }

      @available(iOS 26.0, *)
      private static func alert(_ request: ClockSchedule.Request) -> AlarmPresentation.Alert {
        let title = LocalizedStringResource(stringLiteral: request.body)
        if #available(iOS 26.1, *) { return AlarmPresentation.Alert(title: title) }
        let stop = AlarmButton(text: "Stop", textColor: .white, systemImageName: "stop.circle")
        return AlarmPresentation.Alert(title: title, stopButton: stop)
      }
    #endif
  }
#endif

// Room: our own declarations of AlarmKit (iOS 26), for tests on Linux. Each names Apple's page.
@_exported import ActivityKit
import SwiftUI

// https://developer.apple.com/documentation/alarmkit/alarmmetadata
@available(iOS 26, *)
public protocol AlarmMetadata: Decodable, Encodable, Hashable, Sendable {}

// https://developer.apple.com/documentation/appintents/liveactivityintent
@available(iOS 17, *)
public protocol LiveActivityIntent {}

// https://developer.apple.com/documentation/alarmkit/alarm
@available(iOS 26, *)
public struct Alarm: Identifiable, Sendable {
  public typealias ID = UUID
  public let id: UUID
  public let schedule: Schedule?

  // https://developer.apple.com/documentation/alarmkit/alarm/schedule-swift.enum
  public enum Schedule: Sendable, Hashable {
    case fixed(Date)
    case relative(Relative)

    public struct Relative: Sendable, Hashable {
      public let time: Time
      public let repeats: Recurrence
      public init(time: Time, repeats: Recurrence = .never) { (self.time, self.repeats) = (time, repeats) }

      public struct Time: Sendable, Hashable {
        public let hour: Int
        public let minute: Int
        public init(hour: Int, minute: Int) { (self.hour, self.minute) = (hour, minute) }
      }
      public enum Recurrence: Sendable, Hashable {
        case never
        case weekly([Locale.Weekday])
      }
    }
  }
}

// https://developer.apple.com/documentation/alarmkit/alarmbutton
@available(iOS 26, *)
public struct AlarmButton: Sendable {
  public init(text: LocalizedStringResource, textColor: Color, systemImageName: String) {}
}

// https://developer.apple.com/documentation/alarmkit/alarmpresentation
@available(iOS 26, *)
public struct AlarmPresentation: Sendable {
  public struct Alert: Sendable {
    public let title: LocalizedStringResource
    @available(iOS 26.1, *)
    public init(
      title: LocalizedStringResource, secondaryButton: AlarmButton? = nil,
      secondaryButtonBehavior: SecondaryButtonBehavior? = nil
    ) { self.title = title }
    @available(iOS, introduced: 26.0, deprecated: 26.1)
    public init(
      title: LocalizedStringResource, stopButton: AlarmButton, secondaryButton: AlarmButton? = nil,
      secondaryButtonBehavior: SecondaryButtonBehavior? = nil
    ) { self.title = title }

    public enum SecondaryButtonBehavior: Sendable {
      case countdown
      case custom
    }
  }
  public struct Countdown: Sendable {
    public init(title: LocalizedStringResource, pauseButton: AlarmButton?) {}
  }
  public struct Paused: Sendable {
    public init(title: LocalizedStringResource, resumeButton: AlarmButton) {}
  }
  public let alert: Alert
  public init(alert: Alert, countdown: Countdown? = nil, paused: Paused? = nil) { self.alert = alert }
}

// https://developer.apple.com/documentation/alarmkit/alarmattributes
@available(iOS 26, *)
public struct AlarmAttributes<Metadata: AlarmMetadata> {
  public let presentation: AlarmPresentation
  public init(presentation: AlarmPresentation, metadata: Metadata? = nil, tintColor: Color) {
    self.presentation = presentation
  }
}

// https://developer.apple.com/documentation/alarmkit/alarmmanager
@available(iOS 26, *)
// Sendable: `state` is only touched while `lock` is held.
open class AlarmManager: @unchecked Sendable {
  // https://developer.apple.com/documentation/alarmkit/alarmmanager/authorizationstate-swift.enum
  public enum AuthorizationState: Sendable, Hashable {
    case notDetermined
    case denied
    case authorized
  }

  // https://developer.apple.com/documentation/alarmkit/alarmmanager/alarmconfiguration
  public struct AlarmConfiguration<Metadata: AlarmMetadata> {
    public let schedule: Alarm.Schedule?
    public let attributes: AlarmAttributes<Metadata>
    public let sound: AlertConfiguration.AlertSound
    public static func alarm(
      schedule: Alarm.Schedule? = nil, attributes: AlarmAttributes<Metadata>,
      stopIntent: (any LiveActivityIntent)? = nil, secondaryIntent: (any LiveActivityIntent)? = nil,
      sound: AlertConfiguration.AlertSound = .default
    ) -> AlarmConfiguration<Metadata> {
      AlarmConfiguration(schedule: schedule, attributes: attributes, sound: sound)
    }
  }

  /// For tests: what the system would know.
  public struct ShimState {
    public struct Entry {
      public let alarm: Alarm
      public let title: String
      public let sound: String?
    }
    public var authorization = AuthorizationState.authorized
    public var entries: [Entry] = []
    public var limit = 100
    public init() {}
  }
  public struct ShimError: Error {}

  public static let shared = AlarmManager()
  private let lock = NSLock()
  private var state = ShimState()

  /// For tests: reads or changes what the system would know.
  @discardableResult
  public func shim<T>(_ change: (inout ShimState) -> T) -> T { lock.withLock { change(&state) } }

  open func requestAuthorization() async throws -> AuthorizationState { shim { $0.authorization } }
  open var authorizationState: AuthorizationState { shim { $0.authorization } }
  open var alarms: [Alarm] {
    get throws { shim { $0.entries.map(\.alarm) } }
  }

  open func schedule<Metadata: AlarmMetadata>(
    id: Alarm.ID, configuration: AlarmConfiguration<Metadata>
  ) async throws -> Alarm {
    let alarm = Alarm(id: id, schedule: configuration.schedule)
    let title = configuration.attributes.presentation.alert.title.key
    let isFull = shim { state in
      guard state.entries.count < state.limit else { return true }
      state.entries.append(.init(alarm: alarm, title: title, sound: configuration.sound.shimName))
      return false
    }
    if isFull { throw ShimError() }
    return alarm
  }

  open func cancel(id: Alarm.ID) throws {
    let isThere = shim { state in
      let count = state.entries.count
      state.entries.removeAll { $0.alarm.id == id }
      return state.entries.count < count
    }
    if !isThere { throw ShimError() }
  }
}

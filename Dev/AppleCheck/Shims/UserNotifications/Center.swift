import Foundation

// https://developer.apple.com/documentation/usernotifications/unauthorizationoptions
@available(iOS 10, *)
public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static var badge: Self { Self(rawValue: 1 << 0) }
  public static var sound: Self { Self(rawValue: 1 << 1) }
  public static var alert: Self { Self(rawValue: 1 << 2) }
  public static var carPlay: Self { Self(rawValue: 1 << 3) }
  @available(iOS 12, *)
  public static var criticalAlert: Self { Self(rawValue: 1 << 4) }
  @available(iOS 12, *)
  public static var providesAppNotificationSettings: Self { Self(rawValue: 1 << 5) }
  @available(iOS 12, *)
  public static var provisional: Self { Self(rawValue: 1 << 6) }
}

// https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions
@available(iOS 10, *)
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static var badge: Self { Self(rawValue: 1) }
  public static var sound: Self { Self(rawValue: 2) }
  @available(iOS 14, *)
  public static var list: Self { Self(rawValue: 8) }
  @available(iOS 14, *)
  public static var banner: Self { Self(rawValue: 16) }
}

// https://developer.apple.com/documentation/usernotifications/unauthorizationstatus
@available(iOS 10, *)
public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case denied = 1
  case authorized = 2
  case provisional = 3
  case ephemeral = 4
}

// https://developer.apple.com/documentation/usernotifications/unnotificationsetting
@available(iOS 10, *)
public enum UNNotificationSetting: Int, Sendable {
  case notSupported = 0
  case disabled = 1
  case enabled = 2
}

// https://developer.apple.com/documentation/usernotifications/unalertstyle
@available(iOS 10, *)
public enum UNAlertStyle: Int, Sendable {
  case none = 0
  case banner = 1
  case alert = 2
}

// https://developer.apple.com/documentation/usernotifications/unnotificationsettings
@available(iOS 10, *)
open class UNNotificationSettings: NSObject {
  public let authorizationStatus: UNAuthorizationStatus
  public let soundSetting: UNNotificationSetting
  public let alertSetting: UNNotificationSetting
  public let lockScreenSetting: UNNotificationSetting
  @available(iOS 15, *)
  public var timeSensitiveSetting: UNNotificationSetting { shimTimeSensitive }
  @available(iOS 15, *)
  public var scheduledDeliverySetting: UNNotificationSetting { shimScheduledDelivery }
  public let alertStyle: UNAlertStyle
  private let shimTimeSensitive: UNNotificationSetting
  private let shimScheduledDelivery: UNNotificationSetting

  /// For tests: the real class cannot be made by an app.
  public init(
    authorizationStatus: UNAuthorizationStatus, soundSetting: UNNotificationSetting = .enabled,
    alertSetting: UNNotificationSetting = .enabled, lockScreenSetting: UNNotificationSetting = .enabled,
    timeSensitiveSetting: UNNotificationSetting = .notSupported,
    scheduledDeliverySetting: UNNotificationSetting = .disabled, alertStyle: UNAlertStyle = .banner
  ) {
    self.authorizationStatus = authorizationStatus
    self.soundSetting = soundSetting
    self.alertSetting = alertSetting
    self.lockScreenSetting = lockScreenSetting
    self.alertStyle = alertStyle
    shimTimeSensitive = timeSensitiveSetting
    shimScheduledDelivery = scheduledDeliverySetting
    super.init()
  }
}

// https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate
// Optional requirements of Objective-C, modelled by default implementations; neither @MainActor nor Sendable.
@available(iOS 10, *)
@preconcurrency
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

@available(iOS 10, *)
extension UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([]) }
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) { completionHandler() }
  public func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
  {}
}

// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter
@available(iOS 10, *)
open class UNUserNotificationCenter: NSObject {
  /// For tests: what the system would know.
  public struct ShimState {
    public var settings = UNNotificationSettings(authorizationStatus: .notDetermined)
    public var grants = true
    public var requestedOptions: UNAuthorizationOptions?
    public var pending: [UNNotificationRequest] = []
    public var delivered: [UNNotification] = []
    public var badge = 0
    public var addError: (any Error)?
    public init() {}
  }

  private static let shared = UNUserNotificationCenter()
  private let lock = NSLock()
  private var state = ShimState()
  open weak var delegate: (any UNUserNotificationCenterDelegate)?

  private override init() { super.init() }

  open class func current() -> UNUserNotificationCenter { shared }

  /// For tests: a centre of its own, so that tests do not see one another's requests.
  public static func shimMake() -> UNUserNotificationCenter { UNUserNotificationCenter() }

  /// For tests: reads or changes what the system would know.
  @discardableResult
  public func shim<T>(_ change: (inout ShimState) -> T) -> T {
    lock.lock()
    defer { lock.unlock() }
    return change(&state)
  }

  // Callbacks come on a background thread, as they may on a phone.
  private func answer(_ body: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: body) }

  @preconcurrency
  open func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let granted = shim { state in
      state.requestedOptions = options
      state.settings = UNNotificationSettings(authorizationStatus: state.grants ? .authorized : .denied)
      return state.grants
    }
    answer { completionHandler(granted, nil) }
  }

  @discardableResult
  open nonisolated(nonsending) func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    await withCheckedContinuation { continuation in
      requestAuthorization(options: options) { granted, _ in continuation.resume(returning: granted) }
    }
  }

  @preconcurrency
  open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
    answer { completionHandler(self.shim { $0.settings }) }
  }

  open nonisolated(nonsending) func notificationSettings() async -> UNNotificationSettings { shim { $0.settings } }

  @preconcurrency
  open func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let error = shim { state in
      guard state.addError == nil else { return state.addError }
      state.pending.removeAll { $0.identifier == request.identifier }
      state.pending.append(request)
      // The soonest 64 are kept; the rest vanish without an error.
      if state.pending.count > 64 { state.pending.removeLast(state.pending.count - 64) }
      return nil
    }
    answer { completionHandler?(error) }
  }

  open nonisolated(nonsending) func add(_ request: UNNotificationRequest) async throws {
    let error = await withCheckedContinuation { continuation in
      add(request) { continuation.resume(returning: $0) }
    }
    if let error { throw error }
  }

  @preconcurrency
  open func getPendingNotificationRequests(completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
    answer { completionHandler(self.shim { $0.pending }) }
  }

  open nonisolated(nonsending) func pendingNotificationRequests() async -> [UNNotificationRequest] {
    shim { $0.pending }
  }

  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    shim { $0.pending.removeAll { identifiers.contains($0.identifier) } }
  }

  open func removeAllPendingNotificationRequests() { shim { $0.pending = [] } }

  open nonisolated(nonsending) func deliveredNotifications() async -> [UNNotification] { shim { $0.delivered } }

  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    shim { $0.delivered.removeAll { identifiers.contains($0.request.identifier) } }
  }

  open func removeAllDeliveredNotifications() { shim { $0.delivered = [] } }
}

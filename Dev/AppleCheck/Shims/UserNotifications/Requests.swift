import Foundation

// https://developer.apple.com/documentation/usernotifications/unnotificationtrigger
@available(iOS 10, *)
open class UNNotificationTrigger: NSObject, NSCopying {
  public let repeats: Bool
  init(repeats: Bool) {
    self.repeats = repeats
    super.init()
  }
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

// https://developer.apple.com/documentation/usernotifications/unpushnotificationtrigger
@available(iOS 10, *)
open class UNPushNotificationTrigger: UNNotificationTrigger {
  /// For tests: the real class cannot be made by an app.
  public init() { super.init(repeats: false) }
}

// https://developer.apple.com/documentation/usernotifications/uncalendarnotificationtrigger
@available(iOS 10, *)
open class UNCalendarNotificationTrigger: UNNotificationTrigger {
  public let dateComponents: DateComponents
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }
  open func nextTriggerDate() -> Date? {
    Calendar.current.nextDate(after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
  }
}

// https://developer.apple.com/documentation/usernotifications/untimeintervalnotificationtrigger
@available(iOS 10, *)
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  public let timeInterval: TimeInterval
  public init(timeInterval: TimeInterval, repeats: Bool) {
    precondition(timeInterval > 0, "time interval must be greater than 0")
    precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
  open func nextTriggerDate() -> Date? { Date().addingTimeInterval(timeInterval) }
}

// https://developer.apple.com/documentation/usernotifications/unnotificationrequest
@available(iOS 10, *)
open class UNNotificationRequest: NSObject, NSCopying {
  public let identifier: String
  public let content: UNNotificationContent
  public let trigger: UNNotificationTrigger?

  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = content.copy() as? UNNotificationContent ?? content
    self.trigger = trigger
    super.init()
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

// https://developer.apple.com/documentation/usernotifications/unnotification
@available(iOS 10, *)
open class UNNotification: NSObject {
  public let date: Date
  public let request: UNNotificationRequest
  /// For tests: the real class cannot be made by an app.
  public init(date: Date, request: UNNotificationRequest) {
    self.date = date
    self.request = request
    super.init()
  }
}

// https://developer.apple.com/documentation/usernotifications/unnotificationresponse
@available(iOS 10, *)
open class UNNotificationResponse: NSObject {
  public let notification: UNNotification
  public let actionIdentifier: String
  /// For tests: the real class cannot be made by an app.
  public init(notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
    super.init()
  }
}

@available(iOS 10, *)
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
@available(iOS 10, *)
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

// https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension
// Nonisolated; the handler is neither @Sendable nor asynchronous.
@available(iOS 10, *)
open class UNNotificationServiceExtension: NSObject {
  public override init() { super.init() }

  open func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  open func serviceExtensionTimeWillExpire() {}
}

// Room: our own declarations of UserNotifications, for tests on Linux. Each names Apple's page.
@_exported import Foundation

// https://developer.apple.com/documentation/usernotifications/unnotificationcontent
@available(iOS 10, *)
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
  fileprivate var fields = ContentFields()

  public override init() { super.init() }

  open var title: String { fields.title }
  open var subtitle: String { fields.subtitle }
  open var body: String { fields.body }
  open var categoryIdentifier: String { fields.categoryIdentifier }
  open var threadIdentifier: String { fields.threadIdentifier }
  open var badge: NSNumber? { fields.badge }
  open var sound: UNNotificationSound? { fields.sound }
  open var userInfo: [AnyHashable: Any] { fields.userInfo }
  @available(iOS 15, *)
  open var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
  @available(iOS 15, *)
  open var relevanceScore: Double { fields.relevanceScore }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = UNNotificationContent()
    copy.fields = fields
    return copy
  }

  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = UNMutableNotificationContent()
    copy.fields = fields
    return copy
  }
}

struct ContentFields {
  var title = ""
  var subtitle = ""
  var body = ""
  var categoryIdentifier = ""
  var threadIdentifier = ""
  var badge: NSNumber?
  var sound: UNNotificationSound?
  var userInfo: [AnyHashable: Any] = [:]
  var interruptionLevel = UNNotificationInterruptionLevel.active
  var relevanceScore = 0.0
}

// https://developer.apple.com/documentation/usernotifications/unmutablenotificationcontent
@available(iOS 10, *)
open class UNMutableNotificationContent: UNNotificationContent {
  open override var title: String {
    get { fields.title }
    set { fields.title = newValue }
  }
  open override var subtitle: String {
    get { fields.subtitle }
    set { fields.subtitle = newValue }
  }
  open override var body: String {
    get { fields.body }
    set { fields.body = newValue }
  }
  open override var categoryIdentifier: String {
    get { fields.categoryIdentifier }
    set { fields.categoryIdentifier = newValue }
  }
  open override var threadIdentifier: String {
    get { fields.threadIdentifier }
    set { fields.threadIdentifier = newValue }
  }
  open override var badge: NSNumber? {
    get { fields.badge }
    set { fields.badge = newValue }
  }
  open override var sound: UNNotificationSound? {
    get { fields.sound }
    set { fields.sound = newValue }
  }
  open override var userInfo: [AnyHashable: Any] {
    get { fields.userInfo }
    set { fields.userInfo = newValue }
  }
  @available(iOS 15, *)
  open override var interruptionLevel: UNNotificationInterruptionLevel {
    get { fields.interruptionLevel }
    set { fields.interruptionLevel = newValue }
  }
  @available(iOS 15, *)
  open override var relevanceScore: Double {
    get { fields.relevanceScore }
    set { fields.relevanceScore = newValue }
  }
}

// https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel
@available(iOS 15, *)
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  case passive = 0
  case active = 1
  case timeSensitive = 2
  case critical = 3
}

// https://developer.apple.com/documentation/usernotifications/unnotificationsoundname
@available(iOS 10, *)
public struct UNNotificationSoundName: Hashable, RawRepresentable, Sendable {
  public let rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(rawValue: String) { self.rawValue = rawValue }
}

// https://developer.apple.com/documentation/usernotifications/unnotificationsound
@available(iOS 10, *)
open class UNNotificationSound: NSObject, NSCopying {
  /// For tests: the file's name, or `nil` for the default sound. The real class keeps it to itself.
  public let shimName: String?
  /// For tests: whether it was made as a critical sound.
  public let shimIsCritical: Bool

  public convenience init(named name: UNNotificationSoundName) { self.init(name.rawValue, critical: false) }

  public required init(_ name: String?, critical: Bool) {
    shimName = name
    shimIsCritical = critical
    super.init()
  }

  open class var `default`: UNNotificationSound { UNNotificationSound(nil, critical: false) }
  @available(iOS 12, *)
  open class var defaultCritical: UNNotificationSound { UNNotificationSound(nil, critical: true) }
  @available(iOS 12, *)
  open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> Self { Self(name.rawValue, critical: true) }
  @available(iOS 12, *)
  open class func criticalSoundNamed(_ name: UNNotificationSoundName, withAudioVolume volume: Float) -> Self {
    Self(name.rawValue, critical: true)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationSound else { return false }
    return shimName == other.shimName && shimIsCritical == other.shimIsCritical
  }
}

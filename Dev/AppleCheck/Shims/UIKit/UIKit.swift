// Room: our own declarations of UIKit, for tests on Linux. Each names Apple's page.
@_exported import Foundation

// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
@available(iOS 4, *)
public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = Self(rawValue: 0)
}

// https://developer.apple.com/documentation/uikit/uibackgroundfetchresult
@available(iOS 7, *)
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData = 0
  case noData = 1
  case failed = 2
}

// https://developer.apple.com/documentation/uikit/uiapplication
@available(iOS 2, *)
@MainActor
open class UIApplication: NSObject {
  @available(iOS 4, *)
  public enum State: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
  }

  @available(iOS 3, *)
  public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public nonisolated init(rawValue: String) { self.rawValue = rawValue }
  }

  public static let shared = UIApplication()

  /// For tests.
  public var shimState = State.active
  /// For tests: how often the app asked for a device token.
  public var shimRegistrations = 0
  private let lock = NSLock()
  // Both are guarded by the lock: background tasks begin and end on any thread.
  private nonisolated(unsafe) var lastTask = 0
  private nonisolated(unsafe) var tasks: [Int: (@MainActor @Sendable () -> Void)?] = [:]

  @available(iOS 4, *)
  public var applicationState: State { shimState }
  @available(iOS 8, *)
  public func registerForRemoteNotifications() { shimRegistrations += 1 }

  @available(iOS 7, *)
  @discardableResult
  public nonisolated func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    lock.lock()
    defer { lock.unlock() }
    lastTask += 1
    tasks[lastTask] = handler
    return UIBackgroundTaskIdentifier(rawValue: lastTask)
  }

  @available(iOS 4, *)
  public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    lock.lock()
    defer { lock.unlock() }
    tasks[identifier.rawValue] = nil
  }

  /// For tests: how many background tasks are open.
  public nonisolated var shimOpenTasks: Int {
    lock.lock()
    defer { lock.unlock() }
    return tasks.count
  }

  /// For tests: the system says that time is up.
  public func shimExpireTasks() {
    lock.lock()
    let handlers = tasks.values.compactMap { $0 }
    lock.unlock()
    for handler in handlers { handler() }
  }

  @available(iOS 4, *)
  public nonisolated var isProtectedDataAvailable: Bool { true }

  @available(iOS 4, *)
  public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
    .init("UIApplicationDidEnterBackgroundNotification")
  }
  @available(iOS 4, *)
  public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
    .init("UIApplicationWillEnterForegroundNotification")
  }
  public nonisolated class var didBecomeActiveNotification: NSNotification.Name {
    .init("UIApplicationDidBecomeActiveNotification")
  }
  public nonisolated class var willResignActiveNotification: NSNotification.Name {
    .init("UIApplicationWillResignActiveNotification")
  }
  public nonisolated class var significantTimeChangeNotification: NSNotification.Name {
    .init("UIApplicationSignificantTimeChangeNotification")
  }
}

// https://developer.apple.com/documentation/uikit/uiapplicationdelegate (main-actor; all optional)
@available(iOS 2, *)
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
  @available(iOS 3, *)
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  @available(iOS 3, *)
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  @available(iOS 3, *)
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  @available(iOS 7, *)
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
}

@available(iOS 2, *)
extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {}
  public func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {}
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { completionHandler(.noData) }
}

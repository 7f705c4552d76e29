// What Foundation has on Apple's systems and not on Linux. Here because every file that needs it imports UserNotifications.
import Foundation
import FoundationNetworking

extension FileManager {
  /// For tests: where App Groups lie; an identifier without a folder has no entitlement.
  public static var shimGroups: [String: URL] {
    get { ShimGroups.lock.withLock { ShimGroups.folders } }
    set { ShimGroups.lock.withLock { ShimGroups.folders = newValue } }
  }

  // https://developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
  @available(iOS 7, *)
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    Self.shimGroups[groupIdentifier]
  }
}

enum ShimGroups {
  static let lock = NSLock()
  // Guarded by the lock.
  nonisolated(unsafe) static var folders: [String: URL] = [:]
}

extension URLSessionConfiguration {
  // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
  @available(iOS 8, *)
  public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    return .ephemeral
  }

  // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sharedcontaineridentifier
  @available(iOS 8, *)
  public var sharedContainerIdentifier: String? {
    get { nil }
    set {}
  }
  // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/isdiscretionary
  @available(iOS 7, *)
  public var isDiscretionary: Bool {
    get { false }
    set {}
  }
}

// https://developer.apple.com/documentation/corefoundation/cfnotificationcentergetdarwinnotifycenter()
@available(iOS 2, *)
// Sendable: `observers` is only touched while `lock` is held.
public final class CFNotificationCenter: @unchecked Sendable {
  static let darwin = CFNotificationCenter()
  let lock = NSLock()
  var observers: [(observer: UnsafeRawPointer?, name: String, call: CFNotificationCallback)] = []
}

// The real type has C convention and may capture nothing; that needs Objective-C types and is not checked here.
@available(iOS 2, *)
public typealias CFNotificationCallback =
  (CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?) -> Void

@available(iOS 2, *)
public final class CFDictionary {}
@available(iOS 2, *)
public typealias CFString = NSString

@available(iOS 10, *)
// Sendable: its text never changes.
public struct CFNotificationName: Hashable, RawRepresentable, @unchecked Sendable {
  public let rawValue: CFString
  public init(_ rawValue: CFString) { self.rawValue = rawValue }
  public init(rawValue: CFString) { self.rawValue = rawValue }
}

@available(iOS 2, *)
public enum CFNotificationSuspensionBehavior: Int, Sendable {
  case drop = 1
  case coalesce = 2
  case hold = 3
  case deliverImmediately = 4
}

@available(iOS 2, *)
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwin }

@available(iOS 2, *)
public func CFNotificationCenterAddObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ callBack: CFNotificationCallback!,
  _ name: CFString!,
  _ object: UnsafeRawPointer!, _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
  center.lock.lock()
  defer { center.lock.unlock() }
  center.observers.append((observer, String(describing: name!), callBack))
}

@available(iOS 2, *)
public func CFNotificationCenterRemoveEveryObserver(_ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!) {
  center.lock.lock()
  defer { center.lock.unlock() }
  center.observers.removeAll { $0.observer == observer }
}

// Object, user info and immediacy are ignored, as Apple's page says.
@available(iOS 2, *)
public func CFNotificationCenterPostNotification(
  _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!, _ userInfo: CFDictionary!,
  _ deliverImmediately: Bool
) {
  center.lock.lock()
  let called = center.observers.filter { $0.name == String(describing: name.rawValue) }
  center.lock.unlock()
  for entry in called { entry.call(center, UnsafeMutableRawPointer(mutating: entry.observer), name, nil, nil) }
}

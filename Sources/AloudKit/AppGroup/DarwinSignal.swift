#if canImport(UserNotifications)
  import Foundation
  import UserNotifications

  /// Tells the other process of the App Group that something happened.
  ///
  /// A Darwin notification carries no data and reaches a suspended app only when it resumes
  /// (https://developer.apple.com/documentation/corefoundation/cfnotificationcentergetdarwinnotifycenter()): the receiver reads
  /// the shared state, the signal only says when.
  public final class DarwinSignal: Sendable {
    private let name: String
    private let received: @Sendable () -> Void

    /// Listens until the value is released.
    ///
    /// - Parameters:
    ///   - appGroup: The App Group; names are system-wide, so it is part of the name.
    ///   - received: Called on an unspecified thread.
    public init(appGroup: String, received: @escaping @Sendable () -> Void) {
      name = DarwinSignal.name(appGroup)
      self.received = received
      CFNotificationCenterAddObserver(
        CFNotificationCenterGetDarwinNotifyCenter(), Unmanaged.passUnretained(self).toOpaque(),
        { _, observer, _, _, _ in
          guard let observer else { return }
          Unmanaged<DarwinSignal>.fromOpaque(observer).takeUnretainedValue().received()
        }, DarwinSignal.name(appGroup) as CFString, nil, .deliverImmediately)
    }

    deinit {
      CFNotificationCenterRemoveEveryObserver(
        CFNotificationCenterGetDarwinNotifyCenter(), Unmanaged.passUnretained(self).toOpaque())
    }

    /// Signals the other processes of the App Group.
    public static func post(appGroup: String) {
      CFNotificationCenterPostNotification(
        CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName(name(appGroup) as CFString), nil, nil, true)
    }

    private static func name(_ appGroup: String) -> String { appGroup + ".aloud.spoken" }
  }
#endif

#if canImport(UIKit)
  import Foundation
  import UIKit
  import os

  /// Holds the app awake for a piece of work and measures how long the wake-up lasted.
  ///
  /// A background push gives 30 s of wall-clock time
  /// (https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
  /// The work is told when the system wants its time back, and the task is ended exactly once on every way out.
  @available(iOSApplicationExtension, unavailable)
  @MainActor
  public enum BackgroundWindow {
    /// Runs `work` inside a background task.
    ///
    /// - Parameters:
    ///   - name: What the task is called in Instruments.
    ///   - expired: Called on the main actor when the system takes the time back; end what you do.
    ///   - work: What to do.
    public static func run<T: Sendable>(
      _ name: String, expired: @escaping @MainActor @Sendable () -> Void, work: @MainActor () async -> T
    ) async -> T {
      let signposter = OSSignposter(subsystem: "aloud", category: "window")
      let log = Logger(subsystem: "aloud", category: "window")
      let interval = signposter.beginInterval("wake-up")
      let started = ProcessInfo.processInfo.systemUptime
      let task = Task(name: name, expired: expired)
      let result = await work()
      task.end()
      signposter.endInterval("wake-up", interval)
      let milliseconds = Int((ProcessInfo.processInfo.systemUptime - started) * 1_000)
      log.info("\(name, privacy: .public) was awake for \(milliseconds, privacy: .public) ms")
      return result
    }

    @MainActor
    private final class Task {
      private var identifier = UIBackgroundTaskIdentifier.invalid

      init(name: String, expired: @escaping @MainActor @Sendable () -> Void) {
        identifier = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in
          expired()
          self?.end()
        }
      }

      func end() {
        guard identifier != .invalid else { return }
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
      }
    }
  }
#endif

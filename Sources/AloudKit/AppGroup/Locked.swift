#if canImport(UserNotifications)
  import Foundation

  /// A value behind a lock, for what several threads of the system touch.
  ///
  /// `Mutex` needs iOS 18, `OSAllocatedUnfairLock` iOS 16.
  final class Locked<Value>: @unchecked Sendable {
    // Sendable: `value` is only touched while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return body(&value)
    }
  }
#endif

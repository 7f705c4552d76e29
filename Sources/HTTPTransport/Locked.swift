internal import CLinux
internal import Glibc

/// A value that several threads share: every access goes through one pthread mutex.
///
/// `Synchronization.Mutex` would need iOS 18 where code is shared, and the thread sanitizer does not see its futex; a pthread mutex
/// has neither problem.
package final class Locked<Value>: @unchecked Sendable {
  // Sendable because `value` is only ever touched between lock and unlock of `mutex`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// Takes the first value into custody.
  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  ///
  /// Keep it short and never wait inside.
  @discardableResult
  package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

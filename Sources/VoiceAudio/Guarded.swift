#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A value behind a mutex, for all that the phone links.
///
/// `Synchronization.Mutex` would need iOS 18, `OSAllocatedUnfairLock` iOS 16. The server's side has `HTTPTransport`'s `Locked`.
package final class Guarded<Value>: @unchecked Sendable {
  // Sendable: `value` is only touched while `mutex` is held.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}

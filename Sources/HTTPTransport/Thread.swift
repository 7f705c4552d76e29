internal import CLinux
internal import Glibc

/// Starts one detached POSIX thread that masks every signal, so that signals reach the program's main thread and a closed socket
/// gives EPIPE instead of SIGPIPE.
package enum Thread {
  private final class Body {
    let name: String
    let run: @Sendable () -> Void
    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Runs a call that blocks (a C library, a look-up) on a thread of its own, so that no thread of Swift's small pool is held up.
  package static func run<Result: Sendable>(
    _ name: String = "aloud-blocking", _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let started = start(name) { continuation.resume(returning: body()) }
      // Without a thread the call is still made, only in the wrong place.
      if !started { continuation.resume(returning: body()) }
    }
  }

  /// Runs `body` on a thread of its own; false when the system has no thread left.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let raw = Unmanaged.passRetained(Body(name: name, run: body)).toOpaque()
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        // The pointer comes from passRetained above and is never nil.
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        linux_name_thread(body.name)
        body.run()
        return nil
      }, raw)
    guard result == 0 else {
      Unmanaged<Body>.fromOpaque(raw).release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

internal import CLinux
internal import Glibc

/// Starts one detached POSIX thread that masks every signal, so that signals reach the program's main thread and a closed socket
/// gives EPIPE instead of SIGPIPE.
enum Thread {
  private final class Body {
    let name: String
    let run: @Sendable () -> Void
    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
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

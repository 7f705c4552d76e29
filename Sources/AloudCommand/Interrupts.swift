import Dispatch
import Glibc

/// Waits for the person or the system to end the program: the first signal asks it to finish, the second ends it at once.
enum Interrupts {
  /// Returns after the first SIGINT or SIGTERM.
  static func first() async {
    let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue(label: "aloud.interrupts")
    let count = Counter()
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The queue is serial, so the counter needs no lock.
        count.value += 1
        if count.value > 1 { exit(128 + number) }
        continuation.yield()
      }
      source.activate()
      return source
    }
    kept.set(sources)
    for await _ in signals { return }
  }

  private static let kept = Kept()

  /// Keeps the sources alive to the end of the program, so that a second signal is seen.
  private final class Kept: @unchecked Sendable {
    // Set once by `first()`; nothing reads it.
    private var sources: [any DispatchSourceSignal] = []
    func set(_ sources: [any DispatchSourceSignal]) { self.sources = sources }
  }

  private final class Counter: @unchecked Sendable {
    // Touched on the serial queue only.
    var value = 0
  }
}

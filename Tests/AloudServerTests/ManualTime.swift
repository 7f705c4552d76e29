import AloudServer
import HTTPTransport

/// A clock that stands until a test moves it.
final class ManualTime: Sendable {
  private struct Sleeper {
    var id: Int
    var until: Double
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Double
    var next = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
  }

  private let state: Locked<State>

  /// Starts at a moment, in seconds since 1970.
  init(_ start: Double = 1_796_000_000) { state = Locked(State(now: start)) }

  var source: TimeSource {
    TimeSource(
      now: { [self] in state.withLock { $0.now } },
      sleep: { [self] seconds in try await sleep(seconds) })
  }

  var seconds: Int { Int(state.withLock { $0.now }) }

  /// Moves the clock second by second, so that what is due in between runs in its turn.
  func advance(_ seconds: Int) async {
    for _ in 0..<seconds {
      let due = state.withLock { state in
        state.now += 1
        let due = state.sleepers.filter { $0.until <= state.now }
        state.sleepers.removeAll { $0.until <= state.now }
        return due
      }
      for sleeper in due { sleeper.continuation.resume() }
      await settle()
    }
  }

  /// Lets everything run that can.
  func settle() async { for _ in 0..<50 { await Task.yield() } }

  private func sleep(_ seconds: Double) async throws {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(id) != nil { return true }
          state.sleepers.append(Sleeper(id: id, until: state.now + seconds, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}

import Glibc
import HTTPTransport
import PhoneSandbox
import PushPayload
import ServerTestSupport

/// What APNs sees: every push with its time, and the trap that the present kill has set.
final class Wire: Sendable {
  /// Streams that a connection may have at once: few, so that a batch is always longer.
  static let streams = 8
  /// How long answers are held back while a trap wants it.
  static let heldSeconds = 0.4

  /// A push that was taken.
  struct Push: Sendable {
    var push: AcceptedPush
    var at: Int64
    var event: String { push.headers.collapseID ?? "" }
  }

  private struct Trap {
    var plan: KillPlan
    var seen = 0
    var spring: @Sendable () -> Void
  }

  private struct State {
    var pushes: [Push] = []
    var trap: Trap?
  }

  private let state = Locked(State())

  /// Sets the trap of a kill; `spring` is called once, on a thread of its own.
  func arm(_ plan: KillPlan, spring: @escaping @Sendable () -> Void) {
    state.withLock { $0.trap = Trap(plan: plan, spring: spring) }
    if plan.point == .duringAccept { happened(.duringAccept) }
  }

  /// Springs the trap now, if it has not sprung.
  func springNow() { spring(state.withLock { takeTrap(&$0) }, pause: 0) }

  /// A caller has an answer, or requests are on their way.
  func happened(_ point: KillPoint) {
    let trap = state.withLock { state -> Trap? in
      guard state.trap?.plan.point == point else { return nil }
      return count(&state)
    }
    spring(trap, pause: trap?.plan.pauseMicroseconds ?? 0)
  }

  /// Called by the sandbox before each push.
  func fault(_ request: APNsDeskRequest) -> APNsFault? {
    let (isHeld, trap) = state.withLock { state -> (Bool, Trap?) in
      guard let plan = state.trap?.plan, plan.point != .duringAccept, plan.point != .afterCommit else {
        return (false, nil)
      }
      return (plan.point.holdsAnswers, count(&state))
    }
    spring(trap, pause: trap?.plan.pauseMicroseconds ?? 0)
    return isHeld ? .delay(seconds: Wire.heldSeconds) : nil
  }

  /// Called by the sandbox with each push that it took.
  func took(_ push: AcceptedPush) {
    state.withLock { $0.pushes.append(Push(push: push, at: Monotonic.milliseconds())) }
  }

  /// Everything that was taken, in order.
  var pushes: [Push] { state.withLock { $0.pushes } }

  /// How many pushes were taken, repeats included.
  var count: Int { state.withLock { $0.pushes.count } }

  private func count(_ state: inout State) -> Trap? {
    state.trap?.seen += 1
    guard let trap = state.trap, trap.seen >= trap.plan.count else { return nil }
    return takeTrap(&state)
  }

  private func takeTrap(_ state: inout State) -> Trap? {
    defer { state.trap = nil }
    return state.trap
  }

  private func spring(_ trap: Trap?, pause: UInt32) {
    guard let trap else { return }
    if pause == 0 { return trap.spring() }
    Task {
      await Thread.run("torture-pause") { _ = usleep(pause) }
      trap.spring()
    }
  }
}

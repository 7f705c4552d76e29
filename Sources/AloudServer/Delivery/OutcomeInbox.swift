internal import HTTPTransport
internal import Store

/// Gathers outcomes from the gateways' threads, so that many of them cost one step of the worker.
final class OutcomeInbox: Sendable {
  private struct State {
    var waiting: [(ClaimedDelivery, GatewayOutcome)] = []
    var notify: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Calls `notify` whenever something comes into the empty inbox.
  func onFilled(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

  func add(_ delivery: ClaimedDelivery, _ outcome: GatewayOutcome) {
    let notify = state.withLock { state in
      state.waiting.append((delivery, outcome))
      return state.waiting.count == 1 ? state.notify : nil
    }
    notify?()
  }

  func take() -> [(ClaimedDelivery, GatewayOutcome)] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}

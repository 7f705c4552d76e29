internal import HTTPTransport
internal import Store

/// Gathers outcomes from the gateways' threads, so that many of them cost one step of the worker.
final class OutcomeInbox: Sendable {
  /// What became of a delivery.
  struct Entry: Sendable {
    /// The deliveries that went to the gateway together: lent, because to copy one counts dozens of references.
    let group: [ClaimedDelivery]
    let index: Int
    let outcome: GatewayOutcome
  }

  private struct State {
    var waiting: [Entry] = []
    var notify: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Calls `notify` whenever something comes into the empty inbox.
  func onFilled(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

  func add(_ entry: Entry) {
    let notify = state.withLock { state in
      state.waiting.append(entry)
      return state.waiting.count == 1 ? state.notify : nil
    }
    notify?()
  }

  func take() -> [Entry] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}

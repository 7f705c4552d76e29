internal import Store

/// Outcomes and their times on the way to the metrics, gathered because most of a round have the same labels.
struct DeliveryMeasures {
  private struct Run {
    let gateway: String
    let outcome: String
    var seconds: [Double]
  }

  private var runs: [Run] = []

  /// Notes one delivery.
  ///
  /// - Parameter seconds: From its acceptance to the gateway's answer.
  mutating func add(gateway: String, outcome: SendOutcome, seconds: Double) {
    let outcome = outcome.name
    let last = runs.count - 1
    if last >= 0, runs[last].outcome == outcome, runs[last].gateway == gateway {
      runs[last].seconds.append(seconds)
    } else {
      runs.append(Run(gateway: gateway, outcome: outcome, seconds: [seconds]))
    }
  }

  /// Hands over what was noted.
  mutating func report(to metrics: Metrics) {
    for run in runs {
      metrics.count(.deliveries, [run.gateway, run.outcome], by: run.seconds.count)
      metrics.observe(.deliverySeconds, [run.gateway], run.seconds)
    }
    runs.removeAll(keepingCapacity: true)
  }
}

extension SendOutcome {
  /// The label in the metrics.
  fileprivate var name: String {
    switch self {
    case .sent: "sent"
    case .retry: "retry"
    case .failed: "failed"
    case .dead: "dead"
    case .expired: "expired"
    case .ambiguous: "ambiguous"
    case .released: "released"
    }
  }
}

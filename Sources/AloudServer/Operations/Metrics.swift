internal import HTTPTransport

/// Counters, gauges and histograms, printed in Prometheus' text format (version 0.0.4).
package final class Metrics: Sendable {
  /// The name, kind and help of one family; declared once in ``Metrics/Family``'s statics.
  package struct Family: Sendable, Hashable {
    enum Kind: String { case counter, gauge, histogram }
    let name: String
    let kind: Kind
    let help: String
    let labels: [String]
    var bounds: [Double] = []

    // The name says it all: hashing the help of every family at every request would cost more than the counting.
    package static func == (left: Family, right: Family) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private struct Series {
    var value = 0.0
    var buckets: [Int] = []
    var sum = 0.0
    var count = 0

    mutating func observe(_ values: [Double], _ bounds: [Double]) {
      if buckets.isEmpty { buckets = Array(repeating: 0, count: bounds.count) }
      for value in values {
        for index in bounds.indices where value <= bounds[index] { buckets[index] += 1 }
        sum += value
      }
      count += values.count
    }
  }

  private let state = Locked<[Family: [[String]: Series]]>([:])

  package init() {}

  /// Adds to a counter.
  package func count(_ family: Family, _ labels: [String] = [], by amount: Int = 1) {
    state.withLock { $0[family, default: [:]][labels, default: Series()].value += Double(amount) }
  }

  /// Sets a gauge.
  package func set(_ family: Family, _ labels: [String] = [], to value: Double) {
    state.withLock { $0[family, default: [:]][labels, default: Series()].value = value }
  }

  /// Puts one observation into a histogram.
  package func observe(_ family: Family, _ labels: [String] = [], _ value: Double) { observe(family, labels, [value]) }

  /// Puts several observations into a histogram.
  package func observe(_ family: Family, _ labels: [String] = [], _ values: [Double]) {
    state.withLock { state in
      // In place, because a series that is taken out and put back is copied with its buckets.
      state[family, default: [:]][labels, default: Series()].observe(values, family.bounds)
    }
  }

  /// The present value of a counter or gauge; zero when it was never touched.
  package func value(_ family: Family, _ labels: [String] = []) -> Double {
    state.withLock { $0[family]?[labels]?.value ?? 0 }
  }

  /// All families as Prometheus text, families by name and series by labels, so that two scrapes compare well.
  package func prometheusText() -> String {
    let families = state.withLock { $0 }
    var text = ""
    for (family, series) in families.sorted(by: { $0.key.name < $1.key.name }) {
      text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
      for (labels, one) in series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        text += Self.lines(family, labels, one)
      }
    }
    return text
  }

  private static func lines(_ family: Family, _ values: [String], _ series: Series) -> String {
    let pairs = zip(family.labels, values).map { name, value in "\(name)=\"\(escaped(value))\"" }
    guard family.kind == .histogram else { return "\(family.name)\(braced(pairs)) \(number(series.value))\n" }
    var text = ""
    for (bound, count) in zip(family.bounds, series.buckets) {
      text += "\(family.name)_bucket\(braced(pairs + ["le=\"\(number(bound))\""])) \(count)\n"
    }
    text += "\(family.name)_bucket\(braced(pairs + ["le=\"+Inf\""])) \(series.count)\n"
    text += "\(family.name)_sum\(braced(pairs)) \(number(series.sum))\n"
    return text + "\(family.name)_count\(braced(pairs)) \(series.count)\n"
  }

  private static func braced(_ pairs: [String]) -> String {
    pairs.isEmpty ? "" : "{" + pairs.joined(separator: ",") + "}"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension Metrics.Family {
  private static let latency = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

  /// Answers by route and status.
  package static let requests = Self(
    name: "aloud_http_requests_total", kind: .counter, help: "HTTP requests by route and status.",
    labels: ["route", "status"])
  /// Time from the whole request to its answer.
  package static let requestSeconds = Self(
    name: "aloud_http_request_seconds", kind: .histogram, help: "Seconds from request to answer, by route.",
    labels: ["route"], bounds: latency)
  /// Events accepted, by kind of target.
  package static let accepted = Self(
    name: "aloud_events_accepted_total", kind: .counter, help: "Events stored and answered with 202.", labels: [])
  /// Events that an earlier request had brought already.
  package static let repeated = Self(
    name: "aloud_events_repeated_total", kind: .counter, help: "Events answered from an earlier acceptance.", labels: []
  )
  /// Finished deliveries.
  package static let deliveries = Self(
    name: "aloud_deliveries_total", kind: .counter, help: "Results of sending, by gateway and outcome.",
    labels: ["gateway", "outcome"])
  /// Time from acceptance to the gateway's answer.
  package static let deliverySeconds = Self(
    name: "aloud_delivery_seconds", kind: .histogram, help: "Seconds from acceptance to the gateway's answer.",
    labels: ["gateway"], bounds: latency)
  /// Receipts by state.
  package static let receipts = Self(
    name: "aloud_receipts_total", kind: .counter, help: "Receipts from phones, by state.", labels: ["state"])
  /// Steps of the fallback ladder.
  package static let fallbacks = Self(
    name: "aloud_fallbacks_total", kind: .counter, help: "Fallback steps taken, by step.", labels: ["step"])
  /// Rows that wait.
  package static let queued = Self(
    name: "aloud_queue_rows", kind: .gauge, help: "Deliveries that wait to be sent, by lane.", labels: ["lane"])
  /// Sends of unknown fate that wait for a receipt or their end.
  package static let held = Self(
    name: "aloud_held_rows", kind: .gauge, help: "Deliveries of unknown fate, held for a receipt, by lane.",
    labels: ["lane"])
  /// How long the oldest has waited.
  package static let oldestSeconds = Self(
    name: "aloud_queue_oldest_seconds", kind: .gauge, help: "Seconds since the oldest delivery became due, by lane.",
    labels: ["lane"])
  /// Registered phones.
  package static let devices = Self(
    name: "aloud_devices", kind: .gauge, help: "Registered devices, all and those never reached.", labels: ["which"])
  /// Outgoing webhooks.
  package static let webhooks = Self(
    name: "aloud_webhooks", kind: .gauge, help: "Outgoing webhooks that wait or were given up.", labels: ["state"])
  /// Workers with a lease.
  package static let workers = Self(
    name: "aloud_workers", kind: .gauge, help: "Workers whose lease has not run out.", labels: [])
  /// Ladders under way.
  package static let ladders = Self(
    name: "aloud_ladders", kind: .gauge, help: "Events whose fallback ladder is under way.", labels: [])
  /// The database's size.
  package static let storeBytes = Self(
    name: "aloud_store_bytes", kind: .gauge, help: "Size of the database in bytes.", labels: [])
  /// Rendered sounds.
  package static let renders = Self(
    name: "aloud_renders_total", kind: .counter, help: "Sounds asked for, by result.", labels: ["result"])
  /// Refused calls.
  package static let refused = Self(
    name: "aloud_refused_total", kind: .counter, help: "Calls refused before any work, by reason.", labels: ["reason"])
}

internal import ExactJSON
internal import HTTPTransport
internal import Store

/// Whether the server lives and can work, and its figures.
struct HealthRoutes: Sendable {
  let store: any Store
  let time: TimeSource
  let metrics: Metrics
  let isStopping: @Sendable () -> Bool

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/healthz", .open) { _ in .json(["status": "alive"]) },
      Endpoint("GET", "/readyz", .open) { _ in try await ready() },
      Endpoint("GET", "/metrics", .key(.read)) { _ in await figures() },
    ]
  }

  private var now: Timestamp { Timestamp(milliseconds: time.unixMilliseconds) }

  private func ready() async throws -> HTTPResponse {
    if isStopping() { throw Problem.stopping }
    do { _ = try await store.nextDue() } catch { throw Problem.storeUnavailable }
    return .json(["status": "ready"])
  }

  /// The counters, and the store's state at this moment; without the store the counters alone.
  private func figures() async -> HTTPResponse {
    if let stats = try? await store.stats(now: now) {
      for lane in Lane.allCases {
        let states = stats.deliveries[lane] ?? [:]
        let waiting = states.reduce(0) { $0 + ($1.key.isOpen ? $1.value : 0) }
        metrics.set(.queued, [lane.name], to: Double(waiting))
        metrics.set(.held, [lane.name], to: Double(states[.ambiguous] ?? 0))
        let oldest = stats.oldestDue[lane].map { now.milliseconds - $0.milliseconds } ?? 0
        metrics.set(.oldestSeconds, [lane.name], to: Double(max(0, oldest)) / 1_000)
      }
      metrics.set(.devices, ["all"], to: Double(stats.devices))
      metrics.set(.devices, ["unproven"], to: Double(stats.unprovenDevices))
      metrics.set(.webhooks, ["waiting"], to: Double(stats.waitingWebhooks))
      metrics.set(.webhooks, ["dead"], to: Double(stats.deadWebhooks))
      metrics.set(.workers, to: Double(stats.liveWorkers))
      metrics.set(.ladders, to: Double(stats.activeLadders))
      metrics.set(.storeBytes, to: Double(stats.bytes))
    }
    return .text(metrics.prometheusText(), type: "text/plain; version=0.0.4; charset=utf-8")
  }
}

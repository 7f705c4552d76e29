internal import ExactJSON
internal import HTTPTransport
internal import Store

/// Whether the server lives and can work, and its figures.
struct HealthRoutes: Sendable {
  let store: any Store
  let time: TimeSource
  let metrics: Metrics

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/healthz", .open) { _ in .json(["status": "alive"]) },
      Endpoint("GET", "/readyz", .open) { _ in
        do {
          _ = try await store.stats(now: Timestamp(milliseconds: time.unixMilliseconds))
          return .json(["status": "ready"])
        } catch { throw Problem.storeUnavailable }
      },
      Endpoint("GET", "/metrics", .key(.read)) { _ in .text(metrics.prometheusText(), type: "text/plain; version=0.0.4")
      },
    ]
  }
}

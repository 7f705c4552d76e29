internal import ExactJSON
internal import HTTPTransport
internal import Store

/// Who did what: keys, devices, replays, payment providers.
struct AuditRoutes: Sendable {
  let store: any Store

  var endpoints: [Endpoint] {
    [Endpoint("GET", "/v1/audit", .key(.admin)) { call in try await list(call) }]
  }

  private func list(_ call: Call) async throws -> HTTPResponse {
    let limit = min(200, max(1, call.request.query("limit").flatMap { Int($0) } ?? 50))
    do {
      let entries = try await store.auditLog(
        before: call.request.query("before").flatMap { Int64($0) }, limit: limit)
      var page: JSONObject = [
        "entries": .array(
          entries.map { stored in
            [
              "at": .string(EventRoutes.text(stored.entry.at)), "actor": .string(stored.entry.actor),
              "action": .string(stored.entry.action), "target": .string(stored.entry.target),
            ]
          })
      ]
      if entries.count == limit, let last = entries.last { page["next"] = .string(String(last.key)) }
      return .json(.object(page))
    } catch { throw Problem(error) }
  }
}

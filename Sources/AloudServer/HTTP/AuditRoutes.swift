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
    let limit = try call.integer("limit", in: 1...200) ?? 50
    let before = try call.place("before")
    do {
      let entries = try await store.auditLog(before: before, limit: limit)
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

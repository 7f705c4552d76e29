import Announcing
package import ExactJSON
package import HTTPTransport
import PushPayload

/// A virtual phone's way to an Aloud server: it registers, fetches sounds and the ledger, and posts receipts, as the app does.
package struct ServerLink: Sendable {
  /// The server's address without a path, `http://127.0.0.1:8080`.
  package var base: String
  /// The device token.
  package var token: String
  /// What the server gave the device when it registered.
  package var secret: String
  private let http: any HTTPSending

  /// Makes a link for a device that is registered.
  package init(base: String, token: String, secret: String, http: any HTTPSending) {
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    (self.token, self.secret, self.http) = (token, secret, http)
  }

  /// Registers a device.
  ///
  /// - Parameters:
  ///   - base: The server's address.
  ///   - token: The device token.
  ///   - key: An API key with the scope `device`.
  ///   - profile: What else the server is told: `topic`, `user`, `locale`, `environment` and so on.
  ///   - http: A client.
  /// - Throws: ``StoryError`` with the server's answer.
  package static func register(
    base: String, token: String, key: String, profile: JSONObject, http: any HTTPSending
  ) async throws(StoryError) -> ServerLink {
    var body = profile
    body["token"] = .string(token)
    let request = HTTPClientRequest(
      method: "POST", url: base + "/v1/devices",
      headers: ["content-type": "application/json", "authorization": "Bearer \(key)"],
      body: Array(JSON.object(body).serialized().utf8))
    let response: HTTPClientResponse
    do { response = try await http.send(request) } catch { throw StoryError("The server did not answer: \(error)") }
    guard (200...201).contains(response.status), let secret = (try? JSON.parse(response.body))?["secret"]?.stringValue
    else { throw StoryError("The server refused the device with status \(response.status).") }
    return ServerLink(base: base, token: token, secret: secret, http: http)
  }

  /// The network of a live phone that talks to this server.
  package var network: PhoneNetwork {
    PhoneNetwork(
      sound: { url in await get(url)?.body },
      pending: {
        guard let response = await get("\(base)/v1/devices/\(token)/pending") else { return nil }
        return (try? JSON.parse(response.body))?["pending"]?.arrayValue?.compactMap(PendingEntry.init)
      },
      receipts: { await post($0) })
  }

  private var headers: HTTPHeaders { ["content-type": "application/json", "authorization": "Device \(secret)"] }

  private func get(_ url: String) async -> HTTPClientResponse? {
    let request = HTTPClientRequest(url: url, headers: headers, responseBytes: 4_000_000)
    guard let response = try? await http.send(request), response.status == 200 else { return nil }
    return response
  }

  private func post(_ receipts: [Receipt]) async -> Bool {
    let body: JSON = ["token": .string(token), "receipts": .array(receipts.map(\.json))]
    let request = HTTPClientRequest(
      method: "POST", url: base + "/v1/receipts", headers: headers, body: Array(body.serialized().utf8))
    let response = try? await http.send(request)
    return response.map { (200...299).contains($0.status) } ?? false
  }
}

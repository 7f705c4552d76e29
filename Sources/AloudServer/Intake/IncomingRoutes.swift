internal import ExactJSON
internal import HTTPTransport
internal import Store

/// Events straight from a payment provider: signed requests instead of a key.
struct IncomingRoutes: Sendable {
  /// A provider that is known.
  struct Source: Sendable {
    let name: String
    let signature: IncomingSignature
  }

  let sources: [Source]
  let store: any Store
  let intake: EventIntake
  let time: TimeSource
  let metrics: Metrics

  var endpoints: [Endpoint] {
    [Endpoint("POST", "/v1/incoming/{source}", .signature) { call in try await receive(call) }]
  }

  private var now: Timestamp { Timestamp(milliseconds: time.unixMilliseconds) }

  private func receive(_ call: Call) async throws -> HTTPResponse {
    guard let source = sources.first(where: { $0.name == call.parameter("source") }) else {
      throw Problem.notFound("No payment provider of this name is configured; see “incoming” in the configuration.")
    }
    let signature: String
    do throws(IncomingSignature.Refusal) {
      signature = try source.signature.check(
        header: { call.request.headers[$0] }, body: call.request.body, now: time.unixSeconds)
    } catch {
      metrics.count(.refused, ["signature"])
      try? await store.audit([
        AuditEntry(at: now, actor: "incoming:\(source.name)", action: "incoming.refused", target: error.rawValue)
      ])
      throw Problem.badSignature(error)
    }
    let object = try call.jsonObject()
    let made: JSONObject?
    switch source.signature.scheme {
    case .generic: made = object
    case .stripe: made = try StripeEvent.event(object, group: source.name)
    }
    guard let made else { return .json(["status": "ignored"]) }
    return try await accept(made, source, signature)
  }

  // The guard against replays: the same signed bytes have the same id, by the provider's own or by the signature, and the store
  // takes an id once. A retry of the provider gets the first answer; a recorded request that is played back later is too old.
  private func accept(_ object: JSONObject, _ source: Source, _ signature: String) async throws -> HTTPResponse {
    var object = object
    if object["id"] == nil { object["id"] = .string("in_" + signature.prefix(32)) }
    let request = try intake.request(object, now: time.unixSeconds)
    let event = intake.newEvent(request, source: object, key: nil)
    do {
      let outcome = try await store.accept(event, now: now)
      try await store.audit([
        AuditEntry(at: now, actor: "incoming:\(source.name)", action: "incoming.accepted", target: event.id)
      ])
      return .json(try EventRoutes.answer(outcome, metrics), status: 202)
    } catch let error as StoreError { throw Problem(error) }
  }
}

extension Problem {
  static func badSignature(_ refusal: IncomingSignature.Refusal) -> Problem {
    let detail =
      switch refusal {
      case .missing: "The signature header is missing."
      case .malformed: "The signature header cannot be read."
      case .wrong: "The signature does not fit the body and the shared secret."
      case .tooOld: "The timestamp is older than the window allows; check both clocks."
      case .fromTheFuture: "The timestamp lies in the future; check both clocks."
      }
    return Problem(401, "signature", "The request is not signed as it must be", detail: detail)
  }
}

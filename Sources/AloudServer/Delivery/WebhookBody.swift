internal import Announcing
internal import ExactJSON
internal import PushPayload
internal import Store

/// What an outgoing webhook says.
enum WebhookBody {
  /// An event without proof of hearing: with its sentence, so that an SMS can say the same.
  static func unheard(_ due: DueLadderStep, at now: Timestamp) -> JSON {
    let stored = StoredEvent(due.event.body)
    var object: JSONObject = [
      "type": "event.unheard", "id": .string(due.event.id), "step": .int(due.index + 1),
      "at": .string(EventRoutes.text(now)), "kind": .string(due.event.kind),
      "users": .array(Set(due.deliveries.compactMap(\.user)).sorted().map { .string($0) }),
    ]
    if let event = stored?.event {
      object["event"] = event.json
      let book = try? PhraseBook(tag: event.locale ?? "zh-CN")
      if let phrase = try? book?.phrase(for: event) { object["text"] = .string(phrase.body) }
    }
    return .object(object)
  }

  /// A delivery that failed for good; no amount is in it.
  static func failed(_ delivery: ClaimedDelivery, reason: String, at now: Timestamp) -> JSON {
    var object: JSONObject = [
      "type": "delivery.failed", "id": .string(delivery.event.id), "at": .string(EventRoutes.text(now)),
      "kind": .string(delivery.event.kind), "device": .string(DeviceRoutes.id(delivery.device.token)),
      "reason": .string(reason),
    ]
    if let user = delivery.device.user { object["user"] = .string(user) }
    return .object(object)
  }
}

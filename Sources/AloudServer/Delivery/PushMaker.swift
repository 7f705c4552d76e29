internal import Announcing
internal import PushPayload
internal import SpokenText
internal import Store

/// Makes the push of a delivery: the phone's sentence, the banner, the route, the headers.
struct PushMaker: Sendable {
  let fallbackSound: String
  let defaultTopic: String?
  /// How long APNs may keep it, in seconds from the event; after `until` it is shown and not spoken.
  let showAfterSeconds: Int

  /// Why there is no push.
  struct Refusal: Error, Hashable { let reason: String }

  /// Makes the push.
  ///
  /// - Throws: ``Refusal`` in words without amounts.
  func push(_ delivery: ClaimedDelivery) throws(Refusal) -> GatewayPush {
    guard let stored = StoredEvent(delivery.event.body) else { throw Refusal(reason: "the stored event is damaged") }
    var event = stored.event
    let device = delivery.device
    event.locale = event.locale ?? device.profile.locale ?? "zh-CN"
    if delivery.isReplay {
      event.replay = true
      event.replayToken = "r\(delivery.attempts)"
    }
    let alert = alert(stored, event, device)
    if event.route == nil || event.route == .auto { event.route = route(event, device) }
    do {
      let payload = try PayloadBuilder.alert(event, alert: alert)
      let topic = device.profile.topic.isEmpty ? defaultTopic ?? "" : device.profile.topic
      let headers = PushHeaders.alert(topic: topic, event: event, expiration: (event.at ?? 0) + showAfterSeconds)
      return GatewayPush(
        token: device.token, environment: device.profile.environment, isProven: device.isProven,
        notification: PushNotification(payload: payload, headers: headers))
    } catch {
      throw Refusal(reason: "\(error)")
    }
  }

  private func alert(_ stored: StoredEvent, _ event: SpokenEvent, _ device: Device) -> AlertText {
    let phrase = try? PhraseBook(tag: event.locale ?? "zh-CN").phrase(for: event)
    let body = stored.body ?? phrase?.body ?? event.text ?? event.kind
    let title = stored.title ?? phrase?.title ?? event.brand ?? ""
    return AlertText(
      title: title, body: body, fallbackSound: stored.bundledSound ?? fallbackSound,
      threadID: event.group ?? event.kind)
  }

  /// What the phone can do by what it registered: its own clips, a bundled file, else the tone.
  private func route(_ event: SpokenEvent, _ device: Device) -> Route {
    if event.sound != nil { return .download }
    if device.profile.packID != nil { return .clips }
    return .chime
  }
}

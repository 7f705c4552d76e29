internal import Announcing
internal import ExactJSON
internal import PushPayload
internal import SpokenText
internal import Store

/// Makes the push of a delivery: the phone's sentence, the banner, the route, the headers.
struct PushMaker: Sendable {
  let fallbackSound: String
  let defaultTopic: String?
  /// How long after `until` APNs may keep it, in seconds; it is shown then and not spoken.
  let showAfterSeconds: Int
  /// Where sounds come from.
  var chooser = RouteChooser()
  /// What this process accepted a moment ago.
  var memory: EventMemory?

  /// Why there is no push.
  struct Refusal: Error, Hashable { let reason: String }

  /// A delivery on its way to a push: everything but the sound that the server may have to make.
  struct Draft: Sendable {
    let delivery: ClaimedDelivery
    /// The event with what this phone's push adds to it.
    let stored: StoredEvent
    let phrase: Phrase?
    let locale: String
    let choice: RouteChooser.Choice

    /// Whether ``PushMaker/finish(_:sound:)`` waits for a sound.
    var needsSound: Bool { if case .render = choice { true } else { false } }
  }

  /// The first part: sentence, language and route.
  ///
  /// - Parameter missed: Earlier events of the phone without proof, for one summary.
  /// - Throws: ``Refusal`` in words without amounts.
  func draft(_ delivery: ClaimedDelivery, missed: [PushPayload.PendingEntry] = []) throws(Refusal) -> Draft {
    let known = memory?.event(delivery.event.id, as: delivery.event.body) ?? StoredEvent(delivery.event.body)
    guard var stored = known else { throw Refusal(reason: "the stored event is damaged") }
    let locale = stored.event.locale ?? delivery.device.profile.locale ?? "zh-CN"
    stored.event.locale = locale
    stored.event.pending = missed
    if let until = delivery.event.until { stored.event.until = Int(until.milliseconds / 1_000) }
    if delivery.isReplay {
      stored.event.replay = true
      stored.event.replayToken = "r\(delivery.attempts)"
    }
    let phrase = try? PhraseBook(tag: locale).phrase(for: stored.event)
    let choice = chooser.choice(stored, phrase, locale, delivery.device.profile)
    switch choice {
    case .route(let route): stored.event.route = route
    case .bundled: stored.event.route = .bundled
    case .render: break
    }
    return Draft(delivery: delivery, stored: stored, phrase: phrase, locale: locale, choice: choice)
  }

  /// The second part: payload and headers.
  ///
  /// - Parameter sound: What the server made, if the draft asked for it; without it the draft's other way is gone.
  /// - Throws: ``Refusal`` in words without amounts.
  func finish(_ draft: Draft, sound: SoundReference? = nil) throws(Refusal) -> GatewayPush {
    switch draft.choice {
    case .route: return try push(draft, draft.stored.event, fallbackSound)
    case .bundled(let name): return try push(draft, draft.stored.event, name)
    case .render(let otherwise):
      var event = draft.stored.event
      (event.route, event.sound) = sound == nil ? (otherwise, nil) : (.download, sound)
      return try push(draft, event, fallbackSound)
    }
  }

  private func push(_ draft: Draft, _ event: SpokenEvent, _ fallback: String) throws(Refusal) -> GatewayPush {
    let device = draft.delivery.device
    let alert = AlertText(
      title: draft.stored.title ?? draft.phrase?.title ?? event.brand ?? "",
      body: draft.stored.body ?? draft.phrase?.body ?? event.text ?? event.kind, fallbackSound: fallback,
      threadID: event.group ?? event.kind)
    do {
      var payload = try PayloadBuilder.alert(event, alert: alert)
      if draft.delivery.isResend { payload = PushMaker.markedAsResend(payload) }
      let topic = device.profile.topic.isEmpty ? defaultTopic ?? "" : device.profile.topic
      let headers = PushHeaders.alert(
        topic: topic, event: event, expiration: (event.until ?? event.at ?? 0) + showAfterSeconds)
      return GatewayPush(
        token: device.token, environment: device.profile.environment, isProven: device.isProven,
        notification: PushNotification(payload: payload, headers: headers))
    } catch {
      throw Refusal(reason: "\(error)")
    }
  }

  /// Tells the phone that an earlier send may have reached it; its ledger decides whether it speaks.
  private static func markedAsResend(_ payload: JSON) -> JSON {
    guard var object = payload.objectValue, var part = object["aloud"]?.objectValue else { return payload }
    part["resend"] = true
    object["aloud"] = .object(part)
    let marked = JSON.object(object)
    // The mark is a hint; a payload at the very limit goes without it.
    return marked.fits(PushType.alert.maximumPayloadBytes) ? marked : payload
  }
}

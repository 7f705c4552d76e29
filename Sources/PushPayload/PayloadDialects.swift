import ExactJSON

/// One reader for each form of payload that is in use; each returns `nil` if the payload is not of its form.
enum PayloadDialects {
  /// `voice {text, amount, unit, suffix}`, `metadata {event_id, timestamp}`: a text wins over an amount.
  @Sendable static func voice(_ root: TolerantObject, _ aps: APSPart, _ requestID: String) -> SpokenEvent? {
    guard let voice = root.object("voice") else { return nil }
    let metadata = root.object("metadata")
    var event = SpokenEvent(id: metadata?.text("event_id") ?? requestID, kind: EventKind.paymentReceived.rawValue)
    event.at = metadata?.int("timestamp")
    if let text = voice.text("text") {
      event.kind = EventKind.text.rawValue
      event.text = text
      return event
    }
    guard let amount = voice.text("amount") else { return nil }
    event.amount = amount
    event.currency = currency(unit: voice.text("unit") ?? "元")
    event.suffix = voice.text("suffix")
    event.locale = "zh-CN"
    return event
  }

  /// `event`, `amount`, `currency`, `from`, `timestamp`.
  @Sendable static func flatEvent(_ root: TolerantObject, _ aps: APSPart, _ requestID: String) -> SpokenEvent? {
    guard let name = root.text("event"), root.has("amount") || root.has("currency") || root.has("timestamp") else {
      return nil
    }
    var event = SpokenEvent(id: root.text("event_id") ?? root.text("id") ?? requestID, kind: name)
    event.kind = event.knownKind?.rawValue ?? name
    event.amount = root.text("amount")
    event.currency = root.text("currency")?.uppercased()
    event.from = root.text("from")
    event.text = root.text("text")
    event.at = root.int("timestamp")
    return event
  }

  /// `amount`, `type`, `action`, `order_id`: the order names the event, so a resend is not a second payment.
  @Sendable static func flatOrder(_ root: TolerantObject, _ aps: APSPart, _ requestID: String) -> SpokenEvent? {
    guard let amount = root.text("amount"), let what = root.text("action") ?? root.text("type") else { return nil }
    guard let kind = EventKind(named: what) ?? root.text("type").flatMap(EventKind.init(named:)) else { return nil }
    var event = SpokenEvent(id: root.text("order_id") ?? requestID, kind: kind.rawValue)
    event.amount = amount
    event.currency = root.text("currency")?.uppercased() ?? "CNY"
    event.locale = "zh-CN"
    return event
  }

  /// `msg_id`, `text`, `voice_type`.
  @Sendable static func messageText(_ root: TolerantObject, _ aps: APSPart, _ requestID: String) -> SpokenEvent? {
    guard let text = root.text("text"), root.has("voice_type") || root.has("msg_id") else { return nil }
    var event = SpokenEvent(id: root.text("msg_id") ?? requestID, kind: EventKind.text.rawValue)
    event.text = text
    event.locale = root.text("voice_type")
    return event
  }

  /// `sound_url`: what is shown is also what the file says.
  @Sendable static func soundURL(_ root: TolerantObject, _ aps: APSPart, _ requestID: String) -> SpokenEvent? {
    guard let url = root.text("sound_url") else { return nil }
    var event = SpokenEvent(id: root.text("event_id") ?? requestID, kind: EventKind.text.rawValue)
    event.text = aps.body ?? aps.title
    event.route = .download
    event.sound = SoundReference(url: url, sha256: root.text("sound_sha256")?.lowercased())
    return event
  }

  /// `useVoice`: whether what is shown is also spoken.
  @Sendable static func useVoice(_ root: TolerantObject, _ aps: APSPart, _ requestID: String) -> SpokenEvent? {
    guard let speaks = root.truth("usevoice") else { return nil }
    var event = SpokenEvent(id: root.text("id") ?? requestID, kind: EventKind.text.rawValue)
    event.text = aps.body ?? aps.title
    if !speaks { event.route = .chime }
    return event
  }

  /// The currency of a unit as it is written after an amount; an unknown one stays as it is and is refused later.
  private static func currency(unit: String) -> String {
    switch unit.lowercased() {
    case "元", "块", "人民币", "圆", "rmb", "¥", "￥", "yuan": "CNY"
    case "美元", "dollar", "dollars", "$": "USD"
    case "港元", "港币", "蚊": "HKD"
    case "欧元", "euro", "euros", "€": "EUR"
    case "日元", "円": "JPY"
    default: unit.uppercased()
    }
  }
}

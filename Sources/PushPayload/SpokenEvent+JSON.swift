public import ExactJSON

extension SpokenEvent {
  /// The `aloud` part of a payload, without what is absent.
  public var json: JSON {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(16)
    func put(_ key: String, _ value: JSON) { members.append(.init(key, value)) }
    func put(_ key: String, _ text: String?) { if let text { put(key, .string(text)) } }
    func put(_ key: String, _ number: Int?) { if let number { put(key, .int(number)) } }
    put("v", 1)
    put("id", id)
    put("kind", kind)
    put("locale", locale)
    put("amount", amount)
    put("currency", currency)
    put("brand", brand)
    put("from", from)
    put("text", text)
    put("suffix", suffix)
    put("group", group)
    put("at", at)
    put("until", until)
    put("route", route?.rawValue)
    if let sound { put("sound", sound.json) }
    if replay { put("replay", .bool(true)) }
    put("replayToken", replayToken)
    if !pending.isEmpty { put("pending", .array(pending.map(\.json))) }
    put("pendingCount", pendingCount)
    return .object(JSONObject(distinct: members))
  }

  /// Reads the `aloud` part of a payload or a REST event, tolerant of types and of the keys' case.
  ///
  /// - Parameters:
  ///   - json: An object, or its JSON text.
  ///   - fallbackID: What names the event if the part carries no `id`.
  /// - Returns: `nil` if it is no object, or has no id, or has neither a kind nor a text.
  public init?(_ json: JSON?, fallbackID: String? = nil) {
    guard let part = TolerantObject(json) else { return nil }
    self.init(part, fallbackID: fallbackID)
  }

  init?(_ part: TolerantObject, fallbackID: String?) {
    guard let id = part.text("id") ?? fallbackID else { return nil }
    guard let kind = part.text("kind") ?? part.text("text").map({ _ in EventKind.text.rawValue }) else { return nil }
    self.init(id: id, kind: kind)
    locale = part.text("locale")
    amount = part.text("amount")
    currency = part.text("currency")?.uppercased()
    from = part.text("from")
    text = part.text("text")
    brand = part.text("brand")
    suffix = part.text("suffix")
    group = part.text("group")
    at = part.int("at")
    until = part.int("until")
    route = part.text("route").flatMap { Route(rawValue: $0.lowercased()) }
    sound = SoundReference(part["sound"])
    replay = part.truth("replay") ?? false
    replayToken = part.text("replaytoken")
    pending = part["pending"]?.arrayValue?.compactMap(PendingEntry.init) ?? []
    pendingCount = part.int("pendingcount")
  }
}

extension SoundReference {
  /// The reference as it stands in a payload.
  public var json: JSON {
    var object = JSONObject([("url", .string(url))])
    if let sha256 { object["sha256"] = .string(sha256) }
    if let bytes { object["bytes"] = .int(bytes) }
    return .object(object)
  }

  /// Reads a reference, or `nil` if there is no address in it.
  public init?(_ json: JSON?) {
    guard let part = TolerantObject(json), let url = part.text("url") else { return nil }
    self.init(url: url, sha256: part.text("sha256")?.lowercased(), bytes: part.int("bytes"))
  }
}

extension PendingEntry {
  /// The entry as it stands in a payload and in the answer of `GET /v1/devices/{token}/pending`.
  public var json: JSON {
    var object = JSONObject([("id", .string(id)), ("kind", .string(kind))])
    if let amount { object["amount"] = .string(amount) }
    if let currency { object["currency"] = .string(currency) }
    if let at { object["at"] = .int(at) }
    return .object(object)
  }

  /// Reads an entry, or `nil` if it has no id or kind.
  public init?(_ json: JSON) {
    guard let part = TolerantObject(json), let id = part.text("id"), let kind = part.text("kind") else { return nil }
    self.init(
      id: id, kind: kind, amount: part.text("amount"), currency: part.text("currency")?.uppercased(),
      at: part.int("at"))
  }
}

public import ExactJSON
import PushPayload

extension HearingState {
  /// The state as the App Group's file holds it.
  public var json: JSON {
    var object: JSONObject = ["v": 1, "next": .int(nextTurn), "busyBoot": .string(busyBootID)]
    object["busyUntil"] = HearingState.json(busyUntilUpSeconds)
    object["ledger"] = .array(ledger.entries.map { [.string($0.key), .string($0.code.rawValue)] })
    object["pool"] = .array(pool.map(\.json))
    if let turn { object["turn"] = turn.json }
    return .object(object)
  }

  /// Reads a state, or `nil` if it is none of ours; a part that cannot be read is left out.
  public init?(_ json: JSON) {
    guard json["v"]?.intValue == 1 else { return nil }
    self.init()
    nextTurn = max(1, json["next"]?.intValue ?? 1)
    busyBootID = json["busyBoot"]?.stringValue ?? ""
    busyUntilUpSeconds = HearingState.seconds(json["busyUntil"])
    ledger = Ledger(
      (json["ledger"]?.arrayValue ?? []).compactMap { pair in
        guard let key = pair[0]?.stringValue, let code = pair[1]?.stringValue.flatMap(ReasonCode.init(rawValue:)) else {
          return nil
        }
        return Ledger.Entry(key: key, code: code)
      })
    pool = (json["pool"]?.arrayValue ?? []).compactMap(PooledEvent.init)
    turn = json["turn"].flatMap(Turn.init)
  }

  /// Milliseconds as a whole number: a clock needs no more, and JSON keeps them exactly.
  static func json(_ seconds: Double) -> JSON { .int(Int((min(max(seconds, 0), 1e12) * 1000).rounded())) }

  static func seconds(_ json: JSON?) -> Double { Double(json?.intValue ?? 0) / 1000 }
}

extension PooledEvent {
  var json: JSON {
    var object: JSONObject = ["key": .string(key), "entry": entry.json, "boot": .string(bootID)]
    if let owner { object["owner"] = .string(owner) }
    if let turn { object["turn"] = .int(turn) }
    object["lease"] = HearingState.json(leaseUpSeconds)
    object["arrived"] = HearingState.json(arrivedUpSeconds)
    object["seconds"] = HearingState.json(seconds)
    object["summable"] = .bool(isSummable)
    object["missed"] = .bool(isMissed)
    return .object(object)
  }

  init?(_ json: JSON) {
    guard let key = json["key"]?.stringValue, let entry = json["entry"].flatMap(PendingEntry.init) else { return nil }
    self.init(
      key: key, entry: entry, owner: json["owner"]?.stringValue, leaseUpSeconds: HearingState.seconds(json["lease"]),
      bootID: json["boot"]?.stringValue ?? "", arrivedUpSeconds: HearingState.seconds(json["arrived"]),
      seconds: HearingState.seconds(json["seconds"]), turn: json["turn"]?.intValue,
      isSummable: json["summable"]?.boolValue ?? false, isMissed: json["missed"]?.boolValue ?? false)
  }
}

extension Turn {
  var json: JSON {
    [
      "number": .int(number), "owner": .string(owner), "own": .string(ownKey),
      "keys": .array(keys.map { .string($0) }), "phase": .string(phase.rawValue), "boot": .string(bootID),
      "lease": HearingState.json(leaseUpSeconds), "code": .string(code.rawValue),
    ]
  }

  init?(_ json: JSON) {
    guard let number = json["number"]?.intValue, let owner = json["owner"]?.stringValue,
      let own = json["own"]?.stringValue, let phase = json["phase"]?.stringValue.flatMap(Phase.init(rawValue:))
    else { return nil }
    self.init(
      number: number, owner: owner, ownKey: own, keys: (json["keys"]?.arrayValue ?? []).compactMap(\.stringValue),
      phase: phase, leaseUpSeconds: HearingState.seconds(json["lease"]), bootID: json["boot"]?.stringValue ?? "",
      code: json["code"]?.stringValue.flatMap(ReasonCode.init(rawValue:)) ?? .spoken)
  }
}

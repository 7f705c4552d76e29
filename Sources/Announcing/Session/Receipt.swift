public import ExactJSON
public import PushPayload

/// What became of an event on the phone, for the server.
public struct Receipt: Hashable, Sendable {
  /// What became of it, in one word; stable.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// A sound file that says it was handed to iOS.
    case played
    /// It was said as part of a sum.
    case merged
    /// It had been decided before.
    case duplicate
    /// It came too late to be said.
    case expired
    /// It was shown without a sound.
    case silent
    /// It was shown with the fallback sound.
    case chimed
    /// It waits for the next sum.
    case kept
    /// The running app said it.
    case spoken
  }

  /// The event's id, as the server knows it.
  public var eventID: String
  /// What became of it.
  public var state: State
  /// Why.
  public var code: ReasonCode
  /// When, UNIX seconds.
  public var at: Int
  /// Where the sound came from, if there was one.
  public var route: Route?

  /// Makes a receipt.
  public init(eventID: String, state: State, code: ReasonCode, at: Int, route: Route? = nil) {
    (self.eventID, self.state, self.code, self.at, self.route) = (eventID, state, code, at, route)
  }

  /// The body for `POST /v1/receipts`.
  ///
  /// `{"event","state","code","at","route"}`. It never carries an amount.
  public var json: JSON {
    var object: JSONObject = [
      "event": .string(eventID), "state": .string(state.rawValue), "code": .string(code.rawValue), "at": .int(at),
    ]
    if let route { object["route"] = .string(route.rawValue) }
    return .object(object)
  }

  /// Reads a receipt, or `nil` if a part is missing or unknown.
  public init?(_ json: JSON) {
    guard let id = json["event"]?.stringValue, let state = json["state"]?.stringValue.flatMap(State.init(rawValue:)),
      let code = json["code"]?.stringValue.flatMap(ReasonCode.init(rawValue:)), let at = json["at"]?.intValue
    else { return nil }
    self.init(
      eventID: id, state: state, code: code, at: at,
      route: json["route"]?.stringValue.flatMap(Route.init(rawValue:)))
  }
}

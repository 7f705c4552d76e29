public import ExactJSON
public import SpokenText

/// The least and the most that a phone speaks, for one currency.
public struct AmountLimit: Hashable, Sendable {
  /// The ISO 4217 code.
  public var currency: String
  /// Exact decimal text; smaller amounts are not spoken.
  public var minimum: String?
  /// Exact decimal text; larger amounts are not spoken.
  public var maximum: String?

  /// Makes a limit.
  public init(currency: String, minimum: String? = nil, maximum: String? = nil) {
    (self.currency, self.minimum, self.maximum) = (currency, minimum, maximum)
  }
}

/// What a person has chosen on this phone.
///
/// It wins over what a payload asks for.
public struct AnnouncementSettings: Hashable, Sendable {
  /// Whether anything is spoken.
  ///
  /// Default: yes.
  public var isSpeaking = true
  /// The language to speak, whatever the payload says.
  ///
  /// Default: the payload's, else the phone's.
  public var locale: String?
  /// Leaves figures out of sentences and banners.
  ///
  /// Default: no.
  public var privacy = false
  /// When nothing is spoken.
  ///
  /// Default: never.
  public var quietHours: DayWindow?
  /// Groups (`aps.thread-id`) and kinds that are not spoken.
  ///
  /// Default: none.
  public var mutedGroups: Set<String> = []
  /// The least and the most that is spoken.
  ///
  /// Default: everything.
  public var limits: [AmountLimit] = []
  /// Says who paid.
  ///
  /// Default: no, since a name is in no voice pack.
  public var saysSender = false
  /// Speaks one summary of what was missed while the phone was offline.
  ///
  /// Default: yes.
  public var summarisesMissed = true

  /// The defaults.
  public init() {}

  /// Reads settings; what is absent or unreadable keeps its default.
  public init(_ json: JSON) {
    self.init()
    if let value = json["speaking"]?.boolValue { isSpeaking = value }
    locale = json["locale"]?.stringValue
    if let value = json["privacy"]?.boolValue { privacy = value }
    if let from = json["quietHours"]?["from"]?.stringValue, let to = json["quietHours"]?["to"]?.stringValue {
      quietHours = DayWindow(from: from, to: to)
    }
    mutedGroups = Set(json["muted"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    limits = (json["limits"]?.arrayValue ?? []).compactMap { entry in
      guard let currency = entry["currency"]?.stringValue else { return nil }
      func text(_ key: String) -> String? { entry[key]?.stringValue ?? entry[key]?.numberValue?.text }
      return AmountLimit(currency: currency, minimum: text("min"), maximum: text("max"))
    }
    if let value = json["saysSender"]?.boolValue { saysSender = value }
    if let value = json["summary"]?.boolValue { summarisesMissed = value }
  }

  /// The settings as JSON, for the App Group and for scenarios.
  public var json: JSON {
    var object: JSONObject = ["speaking": .bool(isSpeaking), "privacy": .bool(privacy)]
    if let locale { object["locale"] = .string(locale) }
    if let quietHours {
      object["quietHours"] = [
        "from": .string(DayWindow.text(quietHours.startMinute)), "to": .string(DayWindow.text(quietHours.endMinute)),
      ]
    }
    object["muted"] = .array(mutedGroups.sorted().map { .string($0) })
    object["limits"] = .array(
      limits.map { limit in
        var entry: JSONObject = ["currency": .string(limit.currency)]
        if let minimum = limit.minimum { entry["min"] = .string(minimum) }
        if let maximum = limit.maximum { entry["max"] = .string(maximum) }
        return .object(entry)
      })
    object["saysSender"] = .bool(saysSender)
    object["summary"] = .bool(summarisesMissed)
    return .object(object)
  }

  /// Why an amount is outside the limits, or `nil` if it may be spoken.
  ///
  /// A limit that cannot be read limits nothing.
  public func limitBroken(by amount: Amount) -> ReasonCode? {
    for limit in limits where limit.currency.uppercased() == amount.currency.code {
      if let text = limit.minimum, let least = try? Amount(decimal: text, currency: amount.currency.code),
        amount.minorUnits < least.minorUnits
      {
        return .belowMinimum
      }
      if let text = limit.maximum, let most = try? Amount(decimal: text, currency: amount.currency.code),
        amount.minorUnits > most.minorUnits
      {
        return .aboveMaximum
      }
    }
    return nil
  }
}

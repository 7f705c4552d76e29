public import ExactJSON
import PushPayload
public import SpokenText

/// What a person chose for a talking clock, as it is stored.
///
/// It is read tolerantly: what was written as a truth value may come back as a number or as text, by way of a property
/// list, a notification's user info or a gateway. What cannot be read keeps its default.
public struct ClockSettings: Hashable, Sendable {
  /// By what iOS makes the sound.
  public enum Delivery: String, CaseIterable, Hashable, Sendable {
    /// Repeating notifications with a sound file each: iOS 15 and later, silent while the phone is muted or a Focus is on.
    case notifications
    /// AlarmKit, iOS 26 and later: through mute and Focus, but each one fills the screen and must be stopped by hand.
    case alarms
  }

  /// Whether it speaks at all.
  public var isOn = true
  /// How often it speaks.
  public var step = ClockSchedule.Step.hour
  /// The first minute of the day at which it may speak.
  ///
  /// Default: seven in the morning.
  public var fromMinute = 7 * 60
  /// The last minute of the day at which it may speak; before ``fromMinute``, the hours go across midnight.
  ///
  /// Default: ten in the evening.
  public var toMinute = 22 * 60
  /// How it says the hour.
  public var style = ClockSchedule.Style.automatic
  /// The language, as a BCP 47 tag; `nil` for the phone's own.
  public var locale: String?
  /// The identifier of the voice pack; `nil` for the best one of the language.
  public var voiceID: String?
  /// By what iOS makes the sound.
  public var delivery = Delivery.notifications
  /// Whether the app stays awake in the background, with a silent loop, to speak by itself: also while the phone is muted.
  ///
  /// **Risk in App Review.** Off unless a person asks for it, and better left out of an app for the App Store. Guideline 2.5.4
  /// allows the background mode `audio` for its intended purpose, which is sound that the person hears; apps that play silence
  /// to stay awake have been refused under it, some of them after they had been accepted once
  /// (https://developer.apple.com/app-store/review/guidelines/, github.com/gdelataillade/alarm issue 96,
  /// github.com/katzer/cordova-plugin-background-mode issue 205). It needs `audio` in `UIBackgroundModes`, costs battery, ends
  /// with the process (a force quit, a crash, lack of memory), and after a call iOS may not let it begin again until the app is
  /// opened. The notifications stay scheduled beneath it, so that the clock speaks when it has ended.
  public var keepsAlive = false

  /// The defaults: each hour from seven to twenty-two.
  public init() {}

  /// The schedule of these settings.
  ///
  /// - Parameters:
  ///   - locale: The language that was found for ``locale``.
  ///   - voiceID: Names the voice and everything that its sound depends on.
  public func schedule(locale: SpokenLocale, voiceID: String) -> ClockSchedule {
    ClockSchedule(
      step: step, fromMinute: fromMinute, toMinute: toMinute, style: style, locale: locale, voiceID: voiceID)
  }

  /// How often a day it speaks.
  public var timesADay: Int { isOn ? schedule(locale: .zhCN, voiceID: "").minutes.count : 0 }

  /// The steps that these active hours leave room for, beside the app's other requests.
  public func steps(otherRequests: Int = 0) -> [ClockSchedule.Step] {
    ClockSchedule.Step.allCases.filter { step in
      var settings = self
      (settings.isOn, settings.step) = (true, step)
      return settings.timesADay + otherRequests <= ClockSchedule.requestLimit
    }
  }
}

// MARK: JSON

extension ClockSettings {
  /// Reads settings from JSON, with keys in any case; what is absent or unreadable keeps its default.
  public init(_ json: JSON) {
    self.init()
    let members = Dictionary(
      (json.objectValue?.members ?? []).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
    )
    func truth(_ key: String) -> Bool? { members[key].flatMap(TolerantValue.truth) }
    func text(_ key: String) -> String? { members[key]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
    func number(_ key: String) -> Int? {
      members[key]?.intValue ?? members[key]?.stringValue.flatMap { JSONNumber(literal: $0)?.int }
    }
    if let value = truth("on") { isOn = value }
    if let value = number("every").flatMap(ClockSchedule.Step.init(rawValue:)) { step = value }
    if let value = text("from").flatMap(DayWindow.minute) { fromMinute = value % 1440 }
    if let value = text("to").flatMap(DayWindow.minute) { toMinute = value % 1440 }
    if let value = text("style").flatMap(ClockSchedule.Style.init(rawValue:)) { style = value }
    locale = text("locale")
    voiceID = text("voice")
    if let value = text("delivery").flatMap(Delivery.init(rawValue:)) { delivery = value }
    if let value = truth("keepalive") { keepsAlive = value }
  }

  /// The settings as JSON.
  public var json: JSON {
    var object: JSONObject = [
      "on": .bool(isOn), "every": .int(step.rawValue), "from": .string(DayWindow.text(fromMinute)),
      "to": .string(DayWindow.text(toMinute)), "style": .string(style.rawValue),
    ]
    object["locale"] = locale.map { .string($0) }
    object["voice"] = voiceID.map { .string($0) }
    object["delivery"] = .string(delivery.rawValue)
    object["keepAlive"] = .bool(keepsAlive)
    return .object(object)
  }
}

// MARK: Codable

extension ClockSettings: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    var object = JSONObject()
    for key in container.allKeys { object[key.stringValue] = try? container.decode(Scalar.self, forKey: key).json }
    self.init(.object(object))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    for member in json.objectValue?.members ?? [] {
      let key = member.key
      switch member.value {
      case .bool(let truth): try container.encode(truth, forKey: AnyKey(key))
      case .number(let number): try container.encode(number.int, forKey: AnyKey(key))
      case .string(let text): try container.encode(text, forKey: AnyKey(key))
      default: continue
      }
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// A value of whatever type it became on the way.
  private struct Scalar: Decodable {
    let json: JSON

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let truth = try? container.decode(Bool.self) {
        json = .bool(truth)
      } else if let number = try? container.decode(Int.self) {
        json = .int(number)
      } else {
        json = .string(try container.decode(String.self))
      }
    }
  }
}

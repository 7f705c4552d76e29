package import ExactJSON

/// The state of a phone and its surroundings, as far as it decides what is heard.
package struct PhoneConditions: Hashable, Sendable {
  /// What the app is doing.
  package enum AppState: String, CaseIterable, Hashable, Sendable {
    case foreground, background, suspended
    /// Ended by iOS, or not started since the restart.
    case notRunning = "not-running"
    /// Swiped away by the user.
    case forceQuit = "force-quit"
  }

  /// How long banners stay.
  package enum BannerStyle: String, Hashable, Sendable { case temporary, persistent }

  /// The phone's language.
  package var locale = "zh-CN"
  /// The language tag or name of the voice pack, or `none`.
  package var pack: String?
  /// Whether the screen is locked and off.
  package var isLocked = true
  /// Whether the phone was unlocked since its last start; before that, files are sealed.
  package var wasUnlocked = true
  package var app = AppState.suspended
  /// Whether a watch is worn and unlocked.
  package var watchWorn = false
  /// Whether the watch mirrors this app.
  package var watchMirrors = true
  /// Whether the mute switch is on.
  package var isMuted = false
  /// Whether a Focus is on that does not allow this app.
  package var hasFocus = false
  package var banner = BannerStyle.temporary
  package var alertsAllowed = true
  package var soundsAllowed = true
  /// Whether the app may send time-sensitive notifications.
  package var timeSensitiveAllowed = true
  package var backgroundRefresh = true
  package var lowPower = false
  /// Whether there is room to write files.
  package var diskFull = false
  /// Whether app and extension share an App Group.
  package var hasAppGroup = true
  package var isOnline = true
  /// The time zone, seconds from UTC.
  package var utcOffsetSeconds = 8 * 3600
  package var host = ExtensionHostConditions()
  /// How many other notifications of the app wait to be shown.
  package var otherPending = 0

  /// A locked phone with everything allowed.
  package init() {}

  /// Changes what `json` names; `network` is `online` or `offline`.
  ///
  /// - Returns: The keys that are not known, so that a misspelt story is not silently another one.
  package mutating func apply(_ json: JSON) -> [String] {
    guard let object = json.objectValue else { return [] }
    var unknown: [String] = []
    for (key, value) in object where !set(key, value) { unknown.append(key) }
    return unknown
  }

  private mutating func set(_ key: String, _ value: JSON) -> Bool {
    if let path = PhoneConditions.switches[key] {
      guard let truth = value.boolValue else { return false }
      self[keyPath: path] = truth
      return true
    }
    switch key {
    case "locale": locale = value.stringValue ?? locale
    case "pack": pack = value.stringValue
    case "app":
      guard let state = value.stringValue.flatMap(AppState.init(rawValue:)) else { return false }
      app = state
    case "watch": watchWorn = value.boolValue ?? (value.stringValue == "worn")
    case "focus": hasFocus = value.boolValue ?? (value.stringValue != nil)
    case "banner":
      guard let style = value.stringValue.flatMap(BannerStyle.init(rawValue:)) else { return false }
      banner = style
    case "network": isOnline = value.stringValue != "offline"
    case "utcOffset": utcOffsetSeconds = (value.intValue ?? 8) * 3600
    case "otherPending": otherPending = value.intValue ?? 0
    case "extension": return host.apply(value)
    default: return false
    }
    return true
  }

  private static let switches: [String: any WritableKeyPath<PhoneConditions, Bool> & Sendable] = [
    "locked": \.isLocked, "unlockedSinceBoot": \.wasUnlocked, "mute": \.isMuted, "alerts": \.alertsAllowed,
    "sounds": \.soundsAllowed, "timeSensitive": \.timeSensitiveAllowed, "backgroundRefresh": \.backgroundRefresh,
    "lowPower": \.lowPower, "diskFull": \.diskFull, "appGroup": \.hasAppGroup, "watchMirrors": \.watchMirrors,
  ]
}

/// How the system runs the service extension.
package struct ExtensionHostConditions: Hashable, Sendable {
  /// Whether the app has an extension that this phone can load.
  package var isInstalled = true
  /// How many notifications are handled at once.
  ///
  /// Field: several reports of parallel calls in one process; Apple documents no number.
  package var concurrent = 4
  /// How long a new process takes to start, in seconds.
  package var startSeconds = 0.15
  /// How long joining and writing a sentence takes, in seconds.
  package var renderSeconds = 0.03
  /// What the process uses, in MB.
  ///
  /// Above 24 it is ended (developer.apple.com/forums/thread/759816).
  package var memoryMB = 9
  /// The memory that the system allows, in MB.
  package static let memoryLimitMB = 24

  mutating func apply(_ json: JSON) -> Bool {
    guard let object = json.objectValue else {
      guard let truth = json.boolValue else { return false }
      isInstalled = truth
      return true
    }
    for (key, value) in object {
      switch key {
      case "installed": isInstalled = value.boolValue ?? isInstalled
      case "concurrent": concurrent = max(1, value.intValue ?? concurrent)
      case "startSeconds": startSeconds = value.seconds ?? startSeconds
      case "renderSeconds": renderSeconds = value.seconds ?? renderSeconds
      case "memoryMB": memoryMB = value.intValue ?? memoryMB
      default: return false
      }
    }
    return true
  }
}

extension JSON {
  /// A number of seconds.
  ///
  /// Story times are no amounts, so a binary float does.
  var seconds: Double? { numberValue.flatMap { Double($0.text) } }
}

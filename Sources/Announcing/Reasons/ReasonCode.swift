/// Why a notification was spoken as it was, or was silent.
///
/// The raw value is what a person looks up.
///
/// The texts are in one table, ``entry``; `docs/reasons.md` is made from it.
public enum ReasonCode: String, CaseIterable, Hashable, Sendable, Comparable {
  // Spoken
  case spoken = "A100"
  case mergedIntoSum = "A101"
  case spokenByApp = "A102"
  case spokenFromBundle = "A103"
  case replayed = "A104"
  case mergedIntoSummary = "A105"
  // Silent on purpose
  case duplicate = "A110"
  case late = "A111"
  case quietHours = "A112"
  case groupMuted = "A113"
  case belowMinimum = "A114"
  case aboveMaximum = "A115"
  case speakingOff = "A116"
  case keptForNextSum = "A117"
  case chimeAsked = "A118"
  case nothingToSay = "A119"
  // The payload cannot be said
  case amountUnreadable = "A120"
  case currencyUnknown = "A121"
  case amountTooPrecise = "A122"
  case amountTooLarge = "A123"
  case amountMissing = "A124"
  case localeUnknown = "A125"
  case kindUnknown = "A126"
  case textMissing = "A127"
  case timeUnreadable = "A128"
  case sumTooLarge = "A129"
  // The sound could not be made
  case voicePackMissing = "A130"
  case wordsMissing = "A131"
  case sentenceTooLong = "A132"
  case downloadFailed = "A133"
  case downloadTimedOut = "A134"
  case downloadRefused = "A135"
  case downloadTooLarge = "A136"
  case downloadHashWrong = "A137"
  case downloadNotSound = "A138"
  case noNetwork = "A139"
  case renderFailed = "A140"
  case fileNotWritten = "A141"
  case lockedSinceRestart = "A142"
  case appGroupMissing = "A143"
  case sharedStateBusy = "A144"
  case sharedStateDamaged = "A145"
  case noRouteLeft = "A146"
  // Time and life of the extension
  case timeTakenBack = "A150"
  case extensionKilled = "A151"
  case memoryExceeded = "A152"
  case turnNotProven = "A153"
  // The phone and iOS
  case notificationsOff = "A160"
  case soundsOff = "A161"
  case muteSwitch = "A162"
  case focus = "A163"
  case playedOnWatch = "A164"
  case appForceQuit = "A165"
  case backgroundThrottled = "A166"
  case alertTextRemoved = "A167"
  case cutByBanner = "A168"
  case cutByNewer = "A169"
  case fileNotPlayable = "A170"
  case fileTooLong = "A171"
  case fileNotFound = "A172"
  case nameReused = "A173"
  case replacedOffline = "A174"
  case expiredAtAPNs = "A175"
  case extensionNotStarted = "A176"
  case passiveLevel = "A177"
  case collapsed = "A178"
  case backgroundRefreshOff = "A179"
  // Speech in the running app
  case appNotForeground = "A180"
  case audioSessionRefused = "A181"
  case speechInterrupted = "A182"
  case callActive = "A183"
  case voiceMissing = "A184"
  case synthesizerSilent = "A185"
  // The talking clock
  case tooManyClockTimes = "A190"
  case clockTimeOutsideWindow = "A191"
  case pendingLimitReached = "A192"

  public static func < (lhs: ReasonCode, rhs: ReasonCode) -> Bool { lhs.rawValue < rhs.rawValue }

  /// Finds a code as a person types it: `a117`, ` A117 `, `117`.
  public init?(typed text: String) {
    let plain = text.uppercased().filter { !$0.isWhitespace }
    guard let code = ReasonCode(rawValue: plain) ?? ReasonCode(rawValue: "A" + plain) else { return nil }
    self = code
  }
}

/// A text in the two languages of the table.
public struct ReasonText: Hashable, Sendable {
  public var english: String
  public var chinese: String

  /// Makes a text.
  public init(_ english: String, _ chinese: String) { (self.english, self.chinese) = (english, chinese) }

  /// The text for a language tag: Chinese for `zh…` and `yue…`, else English.
  public func text(_ locale: String) -> String {
    let tag = locale.lowercased()
    return tag.hasPrefix("zh") || tag.hasPrefix("yue") ? chinese : english
  }
}

/// What the table says about one code.
public struct ReasonEntry: Hashable, Sendable {
  /// What happened, in a few words.
  public var title: ReasonText
  /// Why it happens.
  public var cause: ReasonText
  /// What to do.
  public var advice: ReasonText
}

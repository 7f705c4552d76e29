public import PushPayload
import SpokenText

/// What the phone's own settings and the clock say about an event, before any sound is thought of.
enum Verdict: Hashable, Sendable {
  /// It may be spoken.
  case speak
  /// It is shown without a sound, for this reason.
  case silent(ReasonCode)
  /// It is shown with the payload's own sound, for this reason.
  case chime(ReasonCode)

  init(_ event: SpokenEvent, settings: AnnouncementSettings, at time: PhoneTime) {
    self = Verdict.personal(event, settings, time)
  }

  private static func personal(_ event: SpokenEvent, _ settings: AnnouncementSettings, _ time: PhoneTime) -> Verdict {
    guard settings.isSpeaking else { return .chime(.speakingOff) }
    if settings.quietHours?.contains(minuteOfDay: time.minuteOfDay) == true { return .silent(.quietHours) }
    let names = [event.group, event.kind, event.knownKind?.rawValue].compactMap { $0 }
    if names.contains(where: settings.mutedGroups.contains) { return .silent(.groupMuted) }
    if event.knownKind?.isPayment == true, let text = event.amount, let currency = event.currency,
      let amount = try? Amount(decimal: text, currency: currency), let code = settings.limitBroken(by: amount)
    {
      return .chime(code)
    }
    return .speak
  }

  /// Whether it is past the time until which it may be said.
  ///
  /// A replay that a person asked for is never late.
  static func isLate(_ event: SpokenEvent, at time: PhoneTime) -> Bool {
    guard let until = event.until, !event.replay else { return false }
    return time.unixSeconds > Double(until)
  }
}

extension SpokenEvent {
  /// The key under which the ledger remembers the event on the phone; each asked-for replay has its own.
  ///
  /// - Parameter requestID: The notification request's identifier, which tells replays apart that carry no token.
  public func ledgerKey(requestID: String) -> String {
    guard replay else { return id }
    return id + "#" + (replayToken ?? at.map(String.init) ?? requestID)
  }
}

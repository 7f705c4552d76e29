import Announcing
import PushPayload
import VoiceAudio

/// From the arrival of a push to the start of the extension, and the showing of what came out of it.
extension VirtualIPhone {
  mutating func arrive(_ push: PhonePush) {
    if push.push.headers.pushType == .background { return arriveInBackground(push) }
    let aps = APSPart(push.push.payload)
    // Without permission nothing is shown and the extension is not started.
    // Source: Apple, "Modifying content in newly delivered notifications".
    guard conditions.alertsAllowed else { return silence(push, .notificationsOff) }
    // The extension runs for alerts with text and mutable-content 1, whatever the app's state, also after a force quit.
    // Sources: the same page; that a force quit does not matter is known from the field only.
    guard aps.startsExtension, conditions.host.isInstalled else {
      let speaks = PayloadDecoder.decode(push.push.payload, requestID: push.requestID).event != nil
      return present(push, nil, speaks ? .extensionNotStarted : .nothingToSay)
    }
    waiting.append(push)
    startWaiting()
  }

  /// Shows the original of a notification whose handling died or was not called in time.
  ///
  /// Source: Apple, `didReceive(_:withContentHandler:)`: the system then shows the original content.
  mutating func showOriginal(_ push: PhonePush, _ code: ReasonCode) { present(push, nil, code) }

  // MARK: Showing

  /// Shows a notification and plays its sound.
  ///
  /// - Parameters:
  ///   - push: The notification.
  ///   - delivery: What the extension gave back, or `nil` for the original content.
  ///   - code: Why it is the original.
  mutating func present(_ push: PhonePush, _ delivery: Delivery?, _ code: ReasonCode = .spoken) {
    let aps = APSPart(push.push.payload)
    let decoded = PayloadDecoder.decode(push.push.payload, requestID: push.requestID)
    let event = decoded.event?.id ?? push.requestID
    var (title, body) = (aps.title ?? "", aps.body ?? "")
    if let delivery, delivery.title != nil || delivery.body != nil {
      (title, body) = (delivery.title ?? title, delivery.body ?? body)
    }
    // A notification with a known identifier takes the place of the one before (apns-collapse-id).
    let key = decoded.event?.ledgerKey(requestID: push.requestID) ?? push.requestID
    centre[push.requestID] = CentreRecord(key: key, turn: delivery?.turn)
    // In the foreground the app decides; ours shows banner and sound of what the extension has handled, and speaks itself
    // what it has not. Source: Apple, `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    if conditions.app == .foreground, delivery == nil, decoded.event != nil {
      report.shown.append(.init(at: clock, event: event, title: title, body: body, sound: nil))
      note("banner “\(title)” for \(event), the app itself takes care of the sound")
      return begin(push, decoded, host: .foregroundApp)
    }
    let name: String? =
      switch delivery?.sound {
      case .file(let file): file
      case .some(.none), .speech: nil
      case .original, nil: aps.sound
      }
    let events = delivery.map { $0.keys.map(VirtualIPhone.eventID) } ?? []
    showBanner(event: event, title: title, body: body, sound: name)
    let reason = delivery?.code ?? code
    let level = aps.interruptionLevel ?? "active"
    let isSpeech = delivery.map { !$0.keys.isEmpty } ?? false
    if !isSpeech, reason != .nothingToSay, reason != .mergedIntoSum, reason != .mergedIntoSummary {
      silence([event], reason)
    }
    guard let name else { return }
    sound(name, text: delivery?.text, events: events, subject: event, level: level, isCritical: aps.isCritical)
  }

  mutating func showBanner(event: String, title: String, body: String, sound: String?) {
    report.shown.append(.init(at: clock, event: event, title: title, body: body, sound: sound))
    note("banner “\(title)” for \(event)" + (sound.map { ", sound \($0)" } ?? ", silent"))
  }

  /// Shows a local notification.
  ///
  /// Local ones never reach the service extension.
  ///
  /// Source: Apple, `UNNotificationServiceExtension`.
  mutating func showLocal(_ request: LocalRequest) {
    guard conditions.alertsAllowed else { return silence([request.id], .notificationsOff) }
    showBanner(event: request.id, title: request.title, body: request.body, sound: request.sound)
    if let name = request.sound {
      sound(name, text: nil, events: [], subject: request.id, level: "active", isCritical: false)
    }
  }

  /// The event's id of a ledger key: a replay's key has its token after a `#`.
  static func eventID(_ key: String) -> String { String(key.prefix { $0 != "#" }) }

  // MARK: Sound

  /// Plays a notification's sound, or says why it is not heard: for its events, or for the subject if it tells of none.
  private mutating func sound(
    _ name: String, text: String?, events: [String], subject: String, level: String, isCritical: Bool
  ) {
    let told = events.isEmpty ? [subject] : events
    if let code = muffled(level: level, isCritical: isCritical) { return silence(told, code) }
    let (file, code) = playable(name)
    if let code { silence(told, code) }
    guard let (pcm, says) = file else { return }
    let isTone = code != nil && code != .nameReused
    let start = clock + PhoneSpeaker.latencySeconds
    let heard = PlayedSound(
      start: start, end: start + pcm.seconds, fullEnd: start + pcm.seconds,
      text: isTone ? "" : (says ?? text ?? ""), events: isTone ? [] : events,
      file: isTone || name == "default" ? "default" : name, pcm: pcm)
    play(heard)
  }

  mutating func play(_ sound: PlayedSound) {
    note(sound.text.isEmpty ? "♪ \(sound.file)" : "♪ “\(sound.text)”")
    cut(
      speaker.play(
        sound, isScreenOn: !conditions.isLocked, hasTemporaryBanner: conditions.banner == .temporary))
  }

  /// Why no sound comes out of the phone, or `nil` if one does.
  private func muffled(level: String, isCritical: Bool) -> ReasonCode? {
    if !conditions.soundsAllowed { return .soundsOff }
    // Levels. Source: Apple, `UNNotificationInterruptionLevel`: passive makes no sound; time-sensitive breaks through a
    // Focus, not through the mute switch; critical needs an entitlement, which ours has not.
    if level == "passive" { return .passiveLevel }
    // The phone's screen on: the phone. Else a worn, unlocked watch. Else the phone.
    // Source: Apple, "Taking advantage of notification forwarding".
    if conditions.isLocked, conditions.watchWorn, conditions.watchMirrors { return .playedOnWatch }
    if conditions.isMuted { return .muteSwitch }
    let breaksThrough = level == "time-sensitive" && conditions.timeSensitiveAllowed
    if conditions.hasFocus, !breaksThrough { return .focus }
    return nil
  }

  /// Finds and judges a sound file; a bad one gives the default tone and the reason.
  private mutating func playable(_ name: String) -> (file: (PCM, says: String?)?, code: ReasonCode?) {
    let tone = (Chime.rise.pcm(sampleRate: 24_000), says: nil as String?)
    if name == "default" { return (tone, nil) }
    guard var file = files.sound(named: name, isSealed: !conditions.wasUnlocked) else { return (tone, .fileNotFound) }
    var code: ReasonCode?
    // What was once played under a name is played again, even if the file was overwritten.
    // Source: github.com/patricks/PushNotificationSoundSwitch (Field), github.com/dedene/zentty/pull/19.
    if let old = remembered[name], old.bytes != file.bytes {
      (file, code) = (old, .nameReused)
    }
    remembered[name] = file
    switch SoundJudgement(file.bytes) {
    case .plays(let pcm): return ((pcm, file.says), code)
    case .tooLong: return (tone, .fileTooLong)
    case .notPlayable: return (tone, .fileNotPlayable)
    case .mute: return (nil, .fileNotPlayable)
    }
  }
}

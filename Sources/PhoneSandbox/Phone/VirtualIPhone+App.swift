package import Announcing
import ExactJSON
import PushPayload
import SpokenText
import VoiceAudio

/// What the app itself does: woken by a background push, in the foreground, and as a talking clock.
extension VirtualIPhone {
  /// A background push.
  ///
  /// Sources: Apple, `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)` (none after a force quit, none
  /// without background refresh) and "Pushing background updates to your app" (throttled, newest wins).
  mutating func arriveInBackground(_ push: PhonePush) {
    if conditions.app == .forceQuit { return silence(push, .appForceQuit) }
    if conditions.app == .foreground { return moments.add(.wakesApp(push), at: clock + 0.05) }
    if !conditions.backgroundRefresh || conditions.lowPower { return silence(push, .backgroundRefreshOff) }
    guard budget.spend(at: clock) else {
      if let held = heldBackground { silence(held, .backgroundThrottled) }
      heldBackground = push
      note("a background push is held back")
      return moments.add(.wakesApp(push), at: budget.nextFree(after: clock) + 1)
    }
    // Low priority: the system takes its time. A second is the best case.
    moments.add(.wakesApp(push), at: clock + 1)
  }

  mutating func wakeApp(_ push: PhonePush) {
    if heldBackground != nil {
      guard heldBackground == push else { return }
      heldBackground = nil
      guard conditions.app != .forceQuit, budget.spend(at: clock) else { return silence(push, .appForceQuit) }
    }
    let decoded = PayloadDecoder.decode(push.push.payload, requestID: push.requestID)
    guard decoded.event != nil else { return note("the app is woken by \(push.requestID)") }
    note("the app is woken for \(push.requestID)")
    begin(push, decoded, host: conditions.app == .foreground ? .foregroundApp : .wokenApp)
  }

  /// What the app does with its own session's result: it speaks in the foreground, else it posts a local notification.
  ///
  /// No app may begin to play in the background (developer.apple.com/forums/thread/803547).
  mutating func present(inApp delivery: Delivery, _ run: ExtensionRun) {
    let events = delivery.keys.map(VirtualIPhone.eventID)
    switch delivery.sound {
    case .speech(let text, let locale): speak(text, locale.tag, events)
    case .file(let name) where run.host == .foregroundApp:
      let says = delivery.text ?? ""
      if let file = files.groupSounds[name], case .plays(let pcm) = SoundJudgement(file.bytes) {
        let start = clock + PhoneSpeaker.latencySeconds
        play(
          PlayedSound(
            start: start, end: start + pcm.seconds, fullEnd: start + pcm.seconds, text: says, events: events,
            file: name,
            pcm: pcm))
      }
    case .file, .original:
      postLocal(run, delivery)
    case .none: silence([run.eventID], delivery.code)
    }
  }

  /// A local notification in place of speech, with the joined sentence or the bundled fallback as its sound.
  private mutating func postLocal(_ run: ExtensionRun, _ delivery: Delivery) {
    let book = run.decoded.event.flatMap { event -> Phrase? in
      let tag = settings.locale ?? event.locale ?? conditions.locale
      return try? PhraseBook(tag: tag).phrase(for: event, options: PhraseOptions(privacy: settings.privacy))
    }
    let name: String = if case .file(let file) = delivery.sound { file } else { "fallback.caf" }
    var payload: JSONObject = run.push.push.payload.objectValue ?? [:]
    payload["aps"] = [
      "alert": ["title": .string(book?.title ?? ""), "body": .string(book?.body ?? "…")], "sound": .string(name),
    ]
    var local = run.push
    local.push.payload = .object(payload)
    var shown = delivery
    shown.sound = .file(name)
    if conditions.alertsAllowed { present(local, shown) } else { silence([run.eventID], .notificationsOff) }
  }

  /// The app's own voice.
  ///
  /// It is no notification: the mute switch does not silence it, and no banner cuts it.
  private mutating func speak(_ text: String, _ tag: String, _ events: [String]) {
    let start = clock + PhoneSpeaker.latencySeconds
    let seconds = max(1.5, Double(text.unicodeScalars.count) * 0.2)
    let pcm = PCM.silence(seconds: seconds, sampleRate: 24_000)
    note("♪ “\(text)” (the app's voice)")
    _ = speaker.play(
      PlayedSound(
        start: start, end: start + seconds, fullEnd: start + seconds, text: text, events: events, file: "speech",
        pcm: pcm), isScreenOn: false, hasTemporaryBanner: false)
  }

  // MARK: Talking clock

  /// Lets the app schedule a talking clock: files into its own `Library/Sounds`, repeating requests into the centre.
  ///
  /// - Throws: `PhraseError` if the schedule cannot be kept.
  package mutating func schedule(_ clockSchedule: ClockSchedule) throws {
    let change = try clockSchedule.change(pending: locals.ids)
    locals.remove(change.removing)
    guard let voice = voice(clockSchedule.locale.tag) else { throw PhraseError(.voicePackMissing, "No voice pack.") }
    var requests: [LocalRequest] = []
    for request in change.adding {
      if files.appSounds[request.fileName] == nil {
        let bytes = try voice.file(request.utterance, container: .caf, codec: voice.pack.codec)
        files.appSounds[request.fileName] = PhoneFile(bytes: bytes, says: request.body, writtenAt: clock)
      }
      requests.append(
        LocalRequest(
          id: request.id, title: request.title, body: request.body, sound: request.fileName, hour: request.hour,
          minute: request.minute))
    }
    let dropped = locals.add(
      requests, unix: now.unixSeconds, utcOffsetSeconds: conditions.utcOffsetSeconds)
    note("the clock has \(locals.pending.count) times a day, \(change.removing.count) removed, \(requests.count) added")
    silence(dropped, .pendingLimitReached)
  }
}

extension VirtualIPhone {
  /// Notes that the app could not schedule its clock.
  mutating func refuse(clock code: ReasonCode) { silence(["clock"], code) }
}

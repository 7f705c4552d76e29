package import Announcing
import HTTPTransport
import PushPayload
import SpokenText
import VoiceAudio

/// How iOS runs the service extension, and what the extension's driver does with the phone.
extension VirtualIPhone {
  /// Starts handlings of waiting pushes, as many as the system runs at once.
  mutating func startWaiting() {
    let inExtension = runs.filter { $0.host == .serviceExtension }.count
    guard !waiting.isEmpty, inExtension < conditions.host.concurrent else { return }
    let push = waiting.removeFirst()
    let decoded = PayloadDecoder.decode(push.push.payload, requestID: push.requestID)
    begin(push, decoded, host: .serviceExtension)
    startWaiting()
  }

  /// Begins a handling.
  mutating func begin(_ push: PhonePush, _ decoded: DecodedPayload, host: RunHost) {
    let id = number()
    let voice = voice
    let isSealed = !conditions.wasUnlocked
    let environment = SessionEnvironment(
      settings: settings, phoneLocale: conditions.locale,
      voice: { locale in isSealed ? nil : voice(locale.tag) }, hasNetwork: nil, canSpeak: host == .foregroundApp)
    let session = AnnouncementSession(
      payload: decoded, requestID: push.requestID, owner: "run-\(boots)-\(id)", environment: environment)
    let run = ExtensionRun(
      id: id, host: host, push: push, decoded: decoded, session: session, startedAt: clock)
    runs.append(run)
    // A process is kept for a while after its last work and used again (Field); how long is not documented.
    if host == .serviceExtension {
      if processUntil < clock { processReadyAt = clock + conditions.host.startSeconds }
      processUntil = clock + 60
      if conditions.host.memoryMB > ExtensionHostConditions.memoryLimitMB {
        // Above the limit the process is ended without any call, and the original is shown.
        // Source: developer.apple.com/forums/thread/759816 (24 MB).
        note("the extension uses \(conditions.host.memoryMB) MB and is ended")
        return die(id, .memoryExceeded, after: 0.5)
      }
      // No more than 30 s, then `serviceExtensionTimeWillExpire`. Source: Apple, `UNNotificationServiceExtension`.
      moments.add(.timeEnds(run: id), at: clock + 29.5)
    }
    let isStarting = host == .serviceExtension && processReadyAt > clock
    moments.add(.step(run: id), at: (isStarting ? processReadyAt : clock) + 0.01)
  }

  /// Ends handlings in the middle, as iOS does when it needs memory; what they had not handed over is shown as it came.
  package mutating func killExtension(_ code: ReasonCode = .extensionKilled) {
    let dying = runs.filter { $0.host == .serviceExtension }
    guard !dying.isEmpty else { return }
    note("the extension is killed")
    processUntil = -1
    for run in dying { die(run.id, code, after: 0) }
  }

  private mutating func die(_ id: Int, _ code: ReasonCode, after seconds: Double) {
    guard let place = runs.firstIndex(where: { $0.id == id }) else { return }
    let run = runs.remove(at: place)
    moments.remove { moment in
      switch moment {
      case .step(let other), .timeEnds(let other), .orderTimesOut(let other, _): other == id
      default: false
      }
    }
    if !run.isDelivered { moments.add(.showsOriginal(run.push, code), at: clock + seconds) }
    startWaiting()
  }

  mutating func timeEnds(_ id: Int) {
    guard let place = runs.firstIndex(where: { $0.id == id }), !runs[place].isDelivered else { return }
    note("iOS takes the extension's time back")
    runs[place].order = nil
    runs[place].action = runs[place].session.expire(at: now)
    moments.remove { $0 == .step(run: id) }
    step(id)
  }

  // MARK: Steps

  /// Does what the session asks for, until it must wait.
  mutating func step(_ id: Int) {
    guard let place = runs.firstIndex(where: { $0.id == id }) else { return }
    var run = runs[place]
    if case .finish = run.action, !run.isDelivered, run.order == nil { run.action = run.session.begin(at: now) }
    let pause = perform(&run)
    if case .finish = run.action {
      runs.removeAll { $0.id == id }
      moments.remove { $0 == .timeEnds(run: id) }
      startWaiting()
      return
    }
    if let place = runs.firstIndex(where: { $0.id == id }) { runs[place] = run }
    if let pause { moments.add(.step(run: id), at: clock + pause) }
  }

  /// Does one action; answers how long it takes, or `nil` if the network must answer first.
  private mutating func perform(_ run: inout ExtensionRun) -> Double? {
    switch run.action {
    case .update:
      run.action = update(&run)
      return isInstant(run.action) ? 0 : 0.003
    case .sleep(let until):
      let left = until - now.upSeconds
      if left > 0 { return left }
      run.action = run.session.woke(at: now)
      return 0
    case .fetchPending(let seconds): return order(.pending, &run, timeout: seconds)
    case .download(let reference, let name, let seconds):
      if let code = refusal(of: reference) {
        run.action = run.session.downloaded(.failure(SoundFailure(code)), at: now)
        return 0
      }
      return order(.sound(url: reference.url), &run, fileName: name, timeout: seconds)
    case .render(let utterance, let locale, let name):
      // The time passes before the work, so that a kill in between leaves no file.
      if run.order == nil {
        run.order = (0, name)
        return conditions.host.renderSeconds
      }
      run.order = nil
      run.action = run.session.rendered(render(utterance, voice(locale.tag), name), at: now)
      return 0
    case .prove(let turn):
      run.action = run.session.proved(evidence(turn), at: now)
      return 0.01
    case .deliver(let delivery):
      run.isDelivered = true
      handOver(delivery, run)
      run.action = run.session.delivered(at: now)
      return 0.002
    case .report(let receipts):
      outbox += receipts
      sendReceipts()
      run.action = run.session.reported()
      return 0
    case .finish: return nil
    }
  }

  private func isInstant(_ action: SessionAction) -> Bool { if case .sleep = action { true } else { false } }

  private mutating func update(_ run: inout ExtensionRun) -> SessionAction {
    // Sealed until the first unlock after a start. Source: github.com/element-hq/element-x-ios/pull/848 (Field).
    if !conditions.wasUnlocked { return run.session.sharedStateFailed(.locked, at: now) }
    if !conditions.hasAppGroup { return run.session.sharedStateFailed(.noAppGroup, at: now) }
    return run.session.update(&hearing, at: now)
  }

  private mutating func render(_ utterance: Utterance, _ voice: Joiner?, _ name: String) -> Result<
    ReadySound, SoundFailure
  > {
    guard let voice else { return .failure(SoundFailure(.voicePackMissing)) }
    guard !conditions.diskFull else { return .failure(SoundFailure(.fileNotWritten)) }
    do {
      let bytes = try voice.file(utterance, container: .caf, codec: voice.pack.codec)
      files.groupSounds[name] = PhoneFile(bytes: bytes, says: nil, writtenAt: clock)
      sweep()
      return .success(ReadySound(fileName: name, seconds: try SoundLayout(bytes).seconds))
    } catch let error as JoinError {
      return .failure(SoundFailure(ReasonCode(error)))
    } catch {
      return .failure(SoundFailure(.renderFailed))
    }
  }

  private mutating func sweep() {
    let stored = files.groupSounds.map { name, file in
      StoredSound(name: name, modifiedUnixSeconds: startUnix + file.writtenAt)
    }
    for name in Sweeper().removals(in: stored, nowUnixSeconds: startUnix + clock) { files.groupSounds[name] = nil }
  }

  /// Whether the notification of a turn carries its mark: the notification centre shows the changed user info.
  private func evidence(_ turn: Turn) -> HearingState.Evidence {
    guard let record = centre.values.first(where: { $0.key == turn.ownKey }) else { return .notHanded }
    return record.turn == turn.number ? .handed : .notHanded
  }

  /// What the call of the content handler comes to.
  private mutating func handOver(_ delivery: Delivery, _ run: ExtensionRun) {
    switch run.host {
    case .serviceExtension: present(run.push, delivery)
    case .foregroundApp, .wokenApp: present(inApp: delivery, run)
    }
  }
}

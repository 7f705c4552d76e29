import Announcing
import ExactJSON
import PushPayload
import SpokenText
import Testing
import VoiceAudio

/// A voice that lacks some words.
struct ForgetfulVoice: SentenceVoice {
  var lacks: Set<String> = []
  var seconds = 2.0

  func seconds(_ utterance: Utterance) throws(JoinError) -> Double {
    let missing = utterance.words.filter(lacks.contains)
    guard missing.isEmpty else { throw .missingWords(missing) }
    return seconds
  }
}

/// One handling, step by step, alone on a phone.
struct AnnouncementSessionTests {
  private func time(_ up: Double, unix: Double = 1_796_000_000) -> PhoneTime {
    PhoneTime(unixSeconds: unix + up, upSeconds: up, bootID: "b")
  }

  private func event(_ change: (inout SpokenEvent) -> Void = { _ in }) -> SpokenEvent {
    var event = SpokenEvent(id: "e1", kind: "payment.received", amount: "28.50", currency: "CNY", brand: "微信")
    change(&event)
    return event
  }

  private func session(
    _ event: SpokenEvent?, voice: ForgetfulVoice? = ForgetfulVoice(), canSpeak: Bool = false, hasNetwork: Bool? = nil,
    _ settings: AnnouncementSettings = .init()
  ) -> AnnouncementSession {
    let payload = DecodedPayload(dialect: .aloud, event: event, aps: APSPart(.null))
    return AnnouncementSession(
      payload: payload, requestID: "r1", owner: "o1",
      environment: SessionEnvironment(
        settings: settings, phoneLocale: "zh-CN", voice: { _ in voice }, hasNetwork: hasNetwork, canSpeak: canSpeak))
  }

  /// Runs a session to its delivery with a network and a disk that answer as told.
  private func deliver(
    _ start: AnnouncementSession, state: inout HearingState, download: SoundFailure? = nil, render: SoundFailure? = nil
  ) throws -> Delivery {
    var session = start
    var action = session.begin(at: time(1))
    for _ in 0..<40 {
      switch action {
      case .update: action = session.update(&state, at: time(1.1))
      case .fetchPending: action = session.fetched(nil, at: time(1.2))
      case .download(_, let name, let seconds):
        #expect(seconds == 10)
        let result = download.map { Result.failure($0) } ?? .success(ReadySound(fileName: name, seconds: 3))
        action = session.downloaded(result, at: time(1.3))
      case .render(_, _, let name):
        let result = render.map { Result.failure($0) } ?? .success(ReadySound(fileName: name, seconds: 2))
        action = session.rendered(result, at: time(1.4))
      case .deliver(let delivery):
        #expect(session.isDelivered)
        action = session.delivered(at: time(1.5))
        while case .update = action { action = session.update(&state, at: time(1.6)) }
        return delivery
      default: throw Stuck(action: action)
      }
    }
    throw Stuck(action: action)
  }

  private struct Stuck: Error { let action: SessionAction }

  private func deliver(_ start: AnnouncementSession, download: SoundFailure? = nil, render: SoundFailure? = nil) throws
    -> Delivery
  {
    var state = HearingState()
    return try deliver(start, state: &state, download: download, render: render)
  }

  // MARK: Routes

  @Test func `clips come first, with a name of their own`() throws {
    let delivery = try deliver(session(event()))
    guard case .file(let name) = delivery.sound else {
      Issue.record("\(delivery)")
      return
    }
    #expect(
      name.hasPrefix("aloud-") && delivery.route == .clips && delivery.text == "微信收款二十八点五元" && delivery.keys == ["e1"])
  }

  @Test func `a route that cannot say it all falls to the next`() throws {
    let sound = SoundReference(url: "https://push.example/a.wav")
    // The brand is missing, the server has rendered it.
    let download = try deliver(session(event { $0.sound = sound }, voice: ForgetfulVoice(lacks: ["微信"])))
    #expect(download.route == .download && download.code == .spoken)
    if case .file(let name) = download.sound { #expect(name.hasSuffix(".wav")) }
    // No file either: the plain sentence.
    let plain = try deliver(
      session(event { $0.sound = sound }, voice: ForgetfulVoice(lacks: ["微信"])), download: SoundFailure(.downloadFailed)
    )
    #expect(plain.route == .clips && plain.text == "收款二十八点五元")
    // Not even the figure: the fallback sound, and the first reason.
    let chime = try deliver(
      session(event { $0.sound = sound }, voice: ForgetfulVoice(lacks: ["点"])),
      download: SoundFailure(.downloadTimedOut))
    #expect(chime.sound == .original && chime.code == .wordsMissing && chime.keys.isEmpty)
  }

  @Test func `the download route fetches first and falls back to clips`() throws {
    let asked = event { ($0.route, $0.sound) = (.download, SoundReference(url: "https://push.example/a.caf")) }
    #expect(try deliver(session(asked)).route == .download)
    #expect(try deliver(session(asked), download: SoundFailure(.downloadHashWrong)).route == .clips)
    #expect(try deliver(session(asked, hasNetwork: false)).route == .clips)
  }

  @Test func `in privacy mode the server's file, which says the figure, is not fetched`() throws {
    var settings = AnnouncementSettings()
    settings.privacy = true
    let asked = event { ($0.route, $0.sound) = (.download, SoundReference(url: "https://push.example/a.caf")) }
    let delivery = try deliver(session(asked, settings))
    #expect(delivery.route == .clips && delivery.text == "收到一笔付款")
    #expect(delivery.title == "微信收款" && delivery.body == "收到一笔付款")
  }

  @Test func `the bundled route plays the payload's own sound, the chime route chimes`() throws {
    let bundled = try deliver(session(event { $0.route = .bundled }))
    #expect(bundled.sound == .original && bundled.code == .spokenFromBundle && bundled.keys == ["e1"])
    let chime = try deliver(session(event { $0.route = .chime }))
    #expect(chime.sound == .original && chime.code == .chimeAsked && chime.keys.isEmpty)
  }

  @Test func `the app in front speaks what no clip can say`() throws {
    let text = SpokenEvent(id: "t", kind: "text", text: "后门开了")
    let spoken = try deliver(session(text, voice: ForgetfulVoice(lacks: ["后门开了"]), canSpeak: true))
    #expect(spoken.sound == .speech("后门开了", .zhCN) && spoken.code == .spokenByApp)
    let inExtension = try deliver(session(text, voice: ForgetfulVoice(lacks: ["后门开了"])))
    #expect(inExtension.text == "一条新消息")
  }

  // MARK: Verdicts of the settings and the clock

  @Test func `settings and lateness decide before any sound is made`() throws {
    func verdict(_ event: SpokenEvent, _ change: (inout AnnouncementSettings) -> Void) throws -> Delivery {
      var settings = AnnouncementSettings()
      change(&settings)
      return try deliver(session(event, settings))
    }
    #expect(try verdict(event()) { $0.isSpeaking = false }.code == .speakingOff)
    let quiet = try verdict(event()) { $0.quietHours = DayWindow(startMinute: 0, endMinute: 0) }
    #expect(quiet.code == .quietHours && quiet.sound == .none)
    #expect(try verdict(event { $0.group = "till" }) { $0.mutedGroups = ["till"] }.code == .groupMuted)
    #expect(try verdict(event()) { $0.mutedGroups = ["payment.received"] }.sound == .none)
    let small = try verdict(event()) { $0.limits = [AmountLimit(currency: "CNY", minimum: "30")] }
    #expect(small.code == .belowMinimum && small.sound == .original)
    let late = try verdict(event { $0.until = 1_795_999_999 }) { _ in }
    #expect(late.code == .late && late.sound == .none)
    #expect(try verdict(event { ($0.until, $0.replay) = (1_795_999_999, true) }) { _ in }.code == .replayed)
  }

  @Test func `what cannot be exact chimes with its reason`() throws {
    for (amount, code) in [("28.505", ReasonCode.amountTooPrecise), ("x", .amountUnreadable)] {
      let delivery = try deliver(session(event { $0.amount = amount }))
      #expect(delivery.sound == .original && delivery.code == code)
    }
    #expect(try deliver(session(event { $0.locale = "tlh" })).code == .localeUnknown)
  }

  @Test func `a notification without an event passes as it is`() throws {
    let delivery = try deliver(session(nil))
    #expect(delivery.sound == .original && delivery.code == .nothingToSay)
  }

  // MARK: Once

  @Test func `the second handling of one event is silent`() throws {
    var state = HearingState()
    _ = try deliver(session(event()), state: &state)
    let second = try deliver(session(event()), state: &state)
    #expect(second.sound == .none && second.code == .duplicate)
  }

  @Test func `a failed sound chimes, and the amount waits for the next sum`() throws {
    var state = HearingState()
    let chime = try deliver(session(event()), state: &state, render: SoundFailure(.fileNotWritten))
    #expect(chime.sound == .original && chime.code == .fileNotWritten)
    #expect(state.pool.map(\.key) == ["e1"] && state.ledger["e1"] == nil)
  }

  // MARK: Time and faults

  @Test func `when iOS takes the time back, the best so far goes out once, and late answers change nothing`() {
    var state = HearingState()
    var session = session(
      event { ($0.route, $0.sound) = (.download, SoundReference(url: "https://push.example/a.caf")) })
    var action = session.begin(at: time(0))
    while case .update = action { action = session.update(&state, at: time(0)) }
    guard case .download = action else {
      Issue.record("\(action)")
      return
    }
    guard case .deliver(let delivery) = session.expire(at: time(29)) else {
      Issue.record("Nothing is delivered at the end of the time")
      return
    }
    #expect(delivery.code == .timeTakenBack && delivery.sound == .original)
    let tooLate = session.downloaded(.success(ReadySound(fileName: "x", seconds: 1)), at: time(29.1))
    let again = session.expire(at: time(29.2))
    let next = session.delivered(at: time(29.3))
    #expect([tooLate, again, next] == [.finish, .finish, .update])
    guard case .report(let receipts) = session.update(&state, at: time(29.4)) else {
      Issue.record("No receipt")
      return
    }
    #expect(receipts.map(\.state) == [.kept])
    #expect(state.pool.map(\.owner) == [nil], "The event waits for the next sum")
    #expect(session.reported() == .finish)
  }

  @Test func `without the shared state nothing is spoken, since nobody knows what was`() {
    for error in [SharedStateError.busy, .locked, .noAppGroup, .notWritten, .damaged] {
      var session = session(event())
      #expect(session.begin(at: time(0)) == .update)
      guard case .deliver(let delivery) = session.sharedStateFailed(error, at: time(1)) else {
        Issue.record("Nothing is delivered")
        continue
      }
      #expect(delivery.sound == .original && delivery.code == error.code && !error.description.isEmpty)
    }
  }

  @Test func `a wait is bounded by twenty seconds, and the event then waits for the next sum`() {
    var state = HearingState()
    _ = state.admit(
      HearingState.Arrival(
        key: "other", entry: PendingEntry(id: "other", kind: "text"), owner: "x", seconds: 25, isSummable: true),
      at: time(0))
    guard case .speak(let turn, _) = state.requestTurn(.init(key: "other", owner: "x", canMerge: false), at: time(0))
    else {
      Issue.record("No turn")
      return
    }
    let isCommitted7 = state.commit(turn: turn.number, owner: "x", seconds: 28, at: time(0))
    #expect(isCommitted7)
    state.confirm(turn: turn.number)
    var session = session(event())
    var action = session.begin(at: time(1))
    var up = 1.0
    for _ in 0..<400 {
      switch action {
      case .update: action = session.update(&state, at: time(up))
      case .sleep(let until):
        #expect(until <= 21)
        up = max(until, up)
        action = session.woke(at: time(up))
      case .deliver(let delivery):
        #expect(delivery.code == .keptForNextSum && delivery.sound == .none)
        #expect(up <= 21.5)
        return
      default:
        Issue.record("\(action)")
        return
      }
    }
    Issue.record("It waits for ever")
  }

  @Test func `the list of missed events is fetched when the payload says that there are more`() {
    var session = session(event { $0.pendingCount = 3 })
    #expect(session.begin(at: time(0)) == .fetchPending(timeoutSeconds: 4))
    var offline = self.session(event { $0.pendingCount = 3 }, hasNetwork: false)
    #expect(offline.begin(at: time(0)) == .update)
    var settings = AnnouncementSettings()
    settings.summarisesMissed = false
    var unasked = self.session(event { $0.pendingCount = 3 }, settings)
    #expect(unasked.begin(at: time(0)) == .update)
  }
}

import Announcing
import ExactJSON
import PushPayload
import SpokenText
import TestSupport
import VoiceAudio

/// A voice that can say everything, 0.3 s a word.
struct TalkativeVoice: SentenceVoice {
  func seconds(_ utterance: Utterance) throws(JoinError) -> Double { 0.3 * Double(utterance.words.count) }
}

/// A simulated phone for random runs: several handlings of notifications that take turns in random order, are killed after
/// any step, see their clock jump and their sound files fail.
struct HearingWorld {
  /// What may go wrong in a run.
  struct Mischief {
    var killsPerMille = 0
    var failuresPerMille = 0
    var clockJumps = false
    var restarts = false
    var evidenceIsLost = false
  }

  /// One call of the extension.
  struct Handling {
    var session: AnnouncementSession
    var action: SessionAction
    let requestID: String
    let startedUp: Double
    var deliveries = 0
    var wakeUp = 0.0
  }

  /// A sentence that was heard.
  struct Sentence {
    let start: Double
    let end: Double
    let boot: String
    let keys: [String]
    let text: String
    let isChime: Bool
  }

  var chance: SeededChance
  let mischief: Mischief
  var up = 100.0
  var wallOffset = 1_796_000_000.0
  var boot = "boot-0"
  var state = HearingState()
  var running: [Handling] = []
  var heard: [Sentence] = []
  var marks: [String: Int] = [:]
  var receipts: [Receipt] = []
  var ended: [Handling] = []
  var killed: [String] = []
  private var names = 0

  init(seed: UInt64, mischief: Mischief) {
    chance = SeededChance(seed: seed)
    self.mischief = mischief
  }

  var now: PhoneTime {
    PhoneTime(unixSeconds: wallOffset + up, upSeconds: up, bootID: boot, utcOffsetSeconds: 8 * 3600)
  }

  mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }
  mutating func happens(perMille: Int) -> Bool { perMille > 0 && random(0..<1000) < perMille }

  // MARK: Running

  mutating func arrive(_ event: SpokenEvent, requestID: String? = nil) {
    names += 1
    let request = requestID ?? event.id
    let payload = DecodedPayload(dialect: .aloud, event: event, aps: APSPart(.null))
    let environment = SessionEnvironment(phoneLocale: "zh-CN", voice: { _ in TalkativeVoice() })
    var session = AnnouncementSession(
      payload: payload, requestID: request, owner: "h\(names)", environment: environment)
    let action = session.begin(at: now)
    running.append(Handling(session: session, action: action, requestID: request, startedUp: up))
  }

  /// Lets one handling do one step, or lets time pass if all sleep.
  mutating func step() {
    let awake = running.indices.filter { running[$0].wakeUp <= up }
    guard !awake.isEmpty else {
      up = (running.map(\.wakeUp).min() ?? up) + 0.001
      return
    }
    up += Double(random(0..<80)) / 1000
    if mischief.clockJumps, happens(perMille: 20) { wallOffset += Double(random(-7200..<7200)) }
    if mischief.restarts, happens(perMille: 2) { return restart() }
    let place = awake[random(0..<awake.count)]
    if happens(perMille: mischief.killsPerMille) { return kill(place) }
    perform(place)
  }

  mutating func runAll() {
    while !running.isEmpty { step() }
  }

  private mutating func kill(_ place: Int) {
    killed.append(running.remove(at: place).requestID)
  }

  private mutating func restart() {
    killed += running.map(\.requestID)
    running = []
    names += 1
    boot = "boot-\(names)"
    up = 5
    wallOffset += 100
  }

  private mutating func perform(_ place: Int) {
    var handling = running[place]
    defer {
      if handling.action == .finish {
        running.remove(at: place)
        ended.append(handling)
      } else {
        running[place] = handling
      }
    }
    if up - handling.startedUp > 28, !handling.session.isDelivered {
      handling.action = handling.session.expire(at: now)
      return
    }
    switch handling.action {
    case .update: handling.action = handling.session.update(&state, at: now)
    case .sleep(let until):
      if up < until {
        handling.wakeUp = until
      } else {
        handling.action = handling.session.woke(at: now)
      }
    case .fetchPending: handling.action = handling.session.fetched(nil, at: now)
    case .download: handling.action = handling.session.downloaded(.failure(SoundFailure(.downloadFailed)), at: now)
    case .render(let utterance, _, let name):
      let seconds = 0.3 * Double(utterance.words.count)
      let isBroken = happens(perMille: mischief.failuresPerMille)
      // Now and then a phone is slow, also slower than a speaker may be.
      up += happens(perMille: 30) ? Double(random(0..<7)) : Double(random(0..<60)) / 1000
      handling.action = handling.session.rendered(
        isBroken ? .failure(SoundFailure(.fileNotWritten)) : .success(ReadySound(fileName: name, seconds: seconds)),
        at: now)
    case .prove(let turn): handling.action = handling.session.proved(evidence(turn), at: now)
    case .deliver(let delivery):
      hear(delivery, by: &handling)
      handling.action =
        happens(perMille: mischief.killsPerMille) ? .deliver(delivery) : handling.session.delivered(at: now)
      // A kill between the call of the handler and the next step.
      if case .deliver = handling.action {
        killed.append(handling.requestID)
        handling.action = .finish
      }
    case .report(let new):
      receipts += new
      handling.action = handling.session.reported()
    case .finish: break
    }
  }

  private mutating func evidence(_ turn: Turn) -> HearingState.Evidence {
    if mischief.evidenceIsLost { return .unknown }
    return marks[turn.ownKey] == turn.number ? .handed : .notHanded
  }

  private mutating func hear(_ delivery: Delivery, by handling: inout Handling) {
    handling.deliveries += 1
    if let turn = delivery.turn { marks[handling.requestID] = turn }
    let latency = Double(random(50..<500)) / 1000
    switch delivery.sound {
    case .none: return
    case .original:
      heard.append(
        Sentence(start: up + latency, end: up + latency + 1, boot: boot, keys: [], text: "", isChime: true))
    case .file, .speech:
      heard.append(
        Sentence(
          start: up + latency, end: up + latency + delivery.seconds, boot: boot, keys: delivery.keys,
          text: delivery.text ?? "", isChime: false))
    }
  }
}

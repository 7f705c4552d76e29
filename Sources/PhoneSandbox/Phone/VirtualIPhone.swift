package import Announcing
package import ExactJSON
import PushPayload
package import VoiceAudio

/// A phone with our app on it, under iOS's rules and on a simulated clock.
///
/// It is a value: ``receive(_:)`` and ``change(_:)`` say what happens to it, ``advance(to:)`` lets time pass, ``orders`` is what
/// it wants of the network. The extension on it is ``AnnouncementSession``, the same that runs on a real phone; the shared
/// state, the sound files and the notification centre are the phone's. Each rule of iOS names its source where it stands.
package struct VirtualIPhone: Sendable {
  /// The state of the phone.
  package internal(set) var conditions: PhoneConditions
  /// What the person chose.
  package internal(set) var settings: AnnouncementSettings
  /// What all handlings share.
  package internal(set) var hearing = HearingState()
  /// What the phone wants of the network; take it with ``takeOrders()``.
  package internal(set) var orders: [PhoneOrder] = []
  /// What has been heard, shown and logged so far.
  package internal(set) var report = PhoneReport()

  /// The story's clock, in seconds.
  package internal(set) var clock = 0.0
  let startUnix: Double
  /// How far a person has set the wall clock wrong.
  var wallSkew = 0.0
  /// When the phone was last started, on the story's clock.
  var bootedAt = -1000.0
  var boots = 0

  let voice: @Sendable (String) -> Joiner?
  var files = PhoneFiles()
  var remembered: [String: PhoneFile] = [:]
  var speaker = PhoneSpeaker()
  var moments = MomentQueue()
  var runs: [ExtensionRun] = []
  var waiting: [PhonePush] = []
  var processUntil = -1.0
  var processReadyAt = 0.0
  var centre: [String: CentreRecord] = [:]
  var mailbox = Mailbox()
  var budget = BackgroundBudget()
  var heldBackground: PhonePush?
  var locals = LocalNotifications()
  var outbox: [Receipt] = []
  var sendingReceipts: [Int: [Receipt]] = [:]
  var nextNumber = 1
  /// The server that sounds may come from, as `https://host`.
  var soundOrigin = "https://push.example"

  /// Makes a phone.
  ///
  /// - Parameters:
  ///   - conditions: Its state at the beginning.
  ///   - settings: What the person chose.
  ///   - voice: Finds the voice pack of a language by its tag, or answers `nil`; asked again for every sentence.
  ///   - startUnix: The wall clock at the beginning, UNIX seconds.
  package init(
    conditions: PhoneConditions, settings: AnnouncementSettings = .init(),
    voice: @escaping @Sendable (String) -> Joiner?, startUnix: Double = 1_796_000_000
  ) {
    (self.conditions, self.settings, self.voice, self.startUnix) = (conditions, settings, voice, startUnix)
    locals.others = conditions.otherPending
    files.bundle["fallback.caf"] = VirtualIPhone.tone(.bell)
  }

  /// The phone's clocks now.
  package var now: PhoneTime {
    PhoneTime(
      unixSeconds: startUnix + clock + wallSkew, upSeconds: clock - bootedAt, bootID: "boot-\(boots)",
      utcOffsetSeconds: conditions.utcOffsetSeconds)
  }

  // MARK: Time

  /// When something happens next by itself, on the story's clock.
  package var nextTime: Double? {
    let local = locals.next(after: now.unixSeconds, utcOffsetSeconds: conditions.utcOffsetSeconds)
      .map { $0.at - startUnix - wallSkew }
    return [moments.next, local].compactMap { $0 }.min()
  }

  /// Whether anything is still going on, apart from what is scheduled for later days.
  package var isBusy: Bool { moments.next != nil || !runs.isEmpty }

  /// Lets time pass, and everything happen that is due.
  package mutating func advance(to time: Double) {
    while let next = nextTime, next <= time {
      let local = locals.next(after: now.unixSeconds, utcOffsetSeconds: conditions.utcOffsetSeconds)
      if let local, local.at - startUnix - wallSkew <= next, moments.next.map({ $0 > next }) ?? true {
        clock = max(clock, next)
        for request in local.requests { showLocal(request) }
        continue
      }
      clock = max(clock, next)
      if let moment = moments.pop() { happen(moment) }
    }
    clock = max(clock, time)
  }

  private mutating func happen(_ moment: PhoneMoment) {
    switch moment {
    case .arrives(let push): arrive(push)
    case .wakesApp(let push): wakeApp(push)
    case .step(let run): step(run)
    case .timeEnds(let run): timeEnds(run)
    case .orderTimesOut(let run, let order): timedOut(run, order)
    case .showsOriginal(let push, let code): showOriginal(push, code)
    }
  }

  // MARK: What happens to the phone

  /// A push that APNs has taken for this phone.
  package mutating func receive(_ push: AcceptedPush) {
    let push = PhonePush(push: push)
    guard conditions.isOnline else {
      for (lost, code) in mailbox.put(push) { silence(lost, code) }
      return
    }
    // A tenth of a second on the air.
    moments.add(.arrives(push), at: clock + 0.1)
  }

  /// Changes the phone's state: keys of ``PhoneConditions``, and `press` (`side-button`, `volume`) and `restart`.
  ///
  /// - Returns: The keys that are not known.
  package mutating func change(_ json: JSON) -> [String] {
    var object = json.objectValue ?? [:]
    if object["press"] != nil {
      object["press"] = nil
      note("a button is pressed")
      cut(speaker.stop(at: clock, .speechInterrupted))
    }
    if object["restart"]?.boolValue == true { restart() }
    object["restart"] = nil
    let before = conditions
    let unknown = conditions.apply(.object(object))
    locals.others = conditions.otherPending
    if !object.isEmpty { note("phone: " + JSON.object(object).serialized()) }
    if !before.isOnline, conditions.isOnline { cameOnline() }
    if conditions.app == .forceQuit, before.app != .forceQuit { heldBackground = nil }
    if conditions.app == .foreground || conditions.isLocked == false { conditions.wasUnlocked = true }
    return unknown
  }

  /// Changes what the person chose.
  package mutating func change(settings: AnnouncementSettings) { self.settings = settings }

  /// Sets the wall clock by so many seconds, as a person or the network may.
  package mutating func jumpWallClock(bySeconds seconds: Double) {
    wallSkew += seconds
    note("the wall clock jumps by \(Int(seconds)) s")
  }

  private mutating func cameOnline() {
    let (push, expired) = mailbox.take(atUnixSeconds: now.unixSeconds)
    if let expired { silence(expired, .expiredAtAPNs) }
    if let push { moments.add(.arrives(push), at: clock + 0.3) }
    sendReceipts()
  }

  /// A start of the phone: processes and the memory of sound names are gone, files stay sealed until the first unlock.
  private mutating func restart() {
    note("the phone restarts")
    killExtension(.extensionKilled)
    cut(speaker.stop(at: clock, .speechInterrupted))
    (boots, bootedAt, remembered, processUntil) = (boots + 1, clock, [:], -1)
    (conditions.wasUnlocked, conditions.isLocked, conditions.app) = (false, true, .notRunning)
  }

  // MARK: Small helpers

  mutating func number() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  mutating func note(_ text: String) { report.log.append((clock, text)) }

  mutating func silence(_ push: PhonePush, _ code: ReasonCode) {
    let event = PayloadDecoder.decode(push.push.payload, requestID: push.requestID).event?.id ?? push.requestID
    silence([event], code)
  }

  mutating func silence(_ events: [String], _ code: ReasonCode) {
    for event in events {
      report.silent.append(.init(event: event, code: code.rawValue))
      note("\(event) is not spoken, \(code.rawValue): \(code.entry.title.english)")
    }
  }

  mutating func cut(_ cuts: [PhoneSpeaker.Cut]) {
    for cut in cuts { silence(cut.events, cut.code) }
  }

  /// Takes what the phone wants of the network.
  package mutating func takeOrders() -> [PhoneOrder] {
    defer { orders = [] }
    return orders
  }

  /// Puts a file into the app's bundle.
  package mutating func addBundled(_ name: String, bytes: [UInt8], says: String? = nil) {
    files.bundle[name] = PhoneFile(bytes: bytes, says: says, writtenAt: clock)
  }

  /// Everything that was heard, mixed into one track.
  package func track(until end: Double? = nil) -> PCM { speaker.track(until: end) }

  /// The names of the sound files in the App Group, for tests.
  package var groupSoundNames: [String] { files.groupSounds.keys.sorted() }

  /// The result so far: sounds with the ends that they turned out to have.
  package var outcome: PhoneReport {
    var report = self.report
    report.heard = speaker.sounds.sorted { $0.start < $1.start }.map { sound in
      PhoneReport.Heard(
        start: sound.start, end: sound.end, text: sound.text, events: sound.events, file: sound.file)
    }
    return report
  }

  static func tone(_ chime: Chime) -> PhoneFile {
    let pcm = chime.pcm(sampleRate: 24_000)
    // The encoder takes every tone that is longer than nothing; an empty file would be judged as unplayable.
    let bytes = (try? SoundFile.encode(pcm, container: .caf, codec: .lpcm)) ?? []
    return PhoneFile(bytes: bytes, says: nil, writtenAt: 0)
  }
}

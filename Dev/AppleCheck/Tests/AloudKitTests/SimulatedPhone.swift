import AloudKit
import Announcing
import ExactJSON
import Foundation
import PushPayload
import SpokenText
import UserNotifications
import VoiceAudio

/// A time that moves when the test says so; who waits is woken in order.
final class SimulatedTime: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var up = 1_000.0
  // The wall clock begins at the real one, which dates the files.
  private let offset = Date().timeIntervalSince1970.rounded(.down) - 1_000
  private var sleepers: [(number: Int, until: Double, resume: CheckedContinuation<Void, Never>)] = []
  private var count = 0

  var clock: AloudKit.PhoneClock { .init(now: { self.now }, sleep: { await self.sleep($0) }) }

  var now: PhoneTime {
    let up = lock.withLock { self.up }
    return PhoneTime(unixSeconds: offset + up, upSeconds: up, bootID: "boot", utcOffsetSeconds: 8 * 3600)
  }

  var sleeping: Int { lock.withLock { sleepers.count } }

  func sleep(_ until: Double) async {
    let number = lock.withLock {
      count += 1
      return count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = lock.withLock {
          guard until > up, !Task.isCancelled else { return true }
          sleepers.append((number, until, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      take { $0 == number }.forEach { $0.resume() }
    }
  }

  private func take(_ isTaken: (Int) -> Bool) -> [CheckedContinuation<Void, Never>] {
    lock.withLock {
      let taken = sleepers.filter { isTaken($0.number) }
      sleepers.removeAll { isTaken($0.number) }
      return taken.map(\.resume)
    }
  }

  /// Moves to the next moment at which somebody wakes, at most to `limit`; answers whether somebody woke.
  @discardableResult
  func advance(to limit: Double) -> Bool {
    let woken = lock.withLock { () -> CheckedContinuation<Void, Never>? in
      guard let next = sleepers.min(by: { ($0.until, $0.number) < ($1.until, $1.number) }), next.until <= limit else {
        up = max(up, limit)
        return nil
      }
      up = max(up, next.until)
      sleepers.removeAll { $0.number == next.number }
      return next.resume
    }
    woken?.resume()
    return woken != nil
  }
}

/// Letters that a test takes to the server, or loses.
final class KeptLetters: ReceiptCarrier, @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var kept: [(upload: ReceiptUpload, body: JSON)] = []

  func send(_ upload: ReceiptUpload) {
    let body = FileManager.default.contents(atPath: upload.body.path).flatMap { try? JSON.parse(Array($0)) } ?? .null
    lock.withLock { kept.append((upload, body)) }
  }

  var all: [(upload: ReceiptUpload, body: JSON)] { lock.withLock { kept } }
  var receipts: [Receipt] { all.flatMap { ($0.body["receipts"]?.arrayValue ?? []).compactMap { Receipt($0) } } }
}

/// What the test's extension gave back for one notification.
struct Answer: Sendable {
  let requestID: String
  let up: Double
  let title: String
  let body: String
  /// A file's name, `nil` for silence, `default` for the system's own.
  let sound: String?
  let code: ReasonCode?
  let said: String?
}

/// A network of a test: it answers at once, later, or never.
typealias Network = @Sendable (PhoneHTTP.Request) async throws -> PhoneHTTP.Answer

/// A ten-line extension, as a user writes it.
final class TillService: AloudNotificationService {
  override var configuration: AloudConfiguration { .till }
}

extension AloudConfiguration {
  static let till = AloudConfiguration(
    appGroup: "group.com.example.till", server: "https://push.example.com", fallbackSound: "fallback.caf",
    deviceKey: "aloud_1_key")
}

/// A phone on which the real extension runs: folders, time, network and notification centre are the test's own.
final class SimulatedPhone: @unchecked Sendable {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID().uuidString)")
  let folder: AppGroupFolder
  let time = SimulatedTime()
  let letters = KeptLetters()
  // Guarded by the lock.
  private let lock = NSLock()
  private var given: [Answer] = []
  private var centre: [ShownNotification] = []
  private var begun = 0
  private var lost = 0
  /// Changed before the first push only.
  var network: Network = { _ in throw PhoneHTTP.Failure.offline }
  var configuration = AloudConfiguration.till
  var hasGroup = true
  static let voices = VoiceShelf(places: [ClockPhone.repository.appendingPathComponent("Voices")])

  init() throws {
    folder = AppGroupFolder(container: root)
    try DeviceRecord(token: "ab12", secret: "hush", profile: "").save(in: folder)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  var answers: [Answer] { lock.withLock { given } }
  var shown: [ShownNotification] { lock.withLock { centre } }
  func show(_ notification: ShownNotification) { lock.withLock { centre.append(notification) } }

  var phone: AnnouncementPhone {
    let network = network
    return AnnouncementPhone(
      configuration, folder: hasGroup ? folder : nil, clock: time.clock, voices: SimulatedPhone.voices,
      http: PhoneHTTP { try await network($0) }, carrier: letters, shown: { self.shown })
  }

  func service() -> TillService {
    let service = TillService()
    service.phone = phone
    return service
  }

  var hearing: HearingFile { HearingFile(folder: folder) }
  func decided(_ key: String) -> ReasonCode? { try? hearing.update { $0.ledger[key] } }

  /// A notification arrives.
  func push(
    _ userInfo: [AnyHashable: Any], id: String = UUID().uuidString, on service: AloudNotificationService? = nil
  ) {
    let content = UNMutableNotificationContent()
    content.title = "收款"
    content.body = "收到一笔付款"
    content.sound = UNNotificationSound(named: UNNotificationSoundName("fallback.caf"))
    content.userInfo = userInfo
    lock.withLock { begun += 1 }
    let request = UNNotificationRequest(identifier: id, content: content, trigger: nil)
    (service ?? self.service()).didReceive(request) { self.take($0, id) }
  }

  private func take(_ content: UNNotificationContent, _ id: String) {
    let json = UserInfo.json(from: content.userInfo)
    let answer = Answer(
      requestID: id, up: time.now.upSeconds, title: content.title, body: content.body,
      sound: content.sound.map { $0.shimName ?? "default" },
      code: json[ShownNotification.codeKey]?.stringValue.flatMap(ReasonCode.init(rawValue:)),
      said: json[ShownNotification.saidKey]?.stringValue)
    lock.withLock {
      given.append(answer)
      centre.removeAll { $0.requestID == id }
      centre.append(ShownNotification(requestID: id, userInfo: json, at: Int(time.now.unixSeconds)))
    }
  }

  /// The process of one handling that waits is ended: it will never go on.
  func lose() { lock.withLock { lost += 1 } }

  /// Lets everything run until nobody does anything but wait.
  func settle() async {
    while true {
      let (begun, lost) = lock.withLock { (self.begun, self.lost) }
      if time.sleeping + letters.all.count + lost >= begun { return }
      await Task.yield()
    }
  }

  /// Lets time pass to `up`, everybody doing in between what is due.
  func run(to up: Double) async {
    repeat { await settle() } while time.advance(to: up)
  }

  /// The sound files that were handed over, with the time from start to end.
  func sentences() throws -> [(start: Double, end: Double, answer: Answer)] {
    try answers.filter { $0.sound?.hasPrefix("aloud-") == true }.map { answer in
      let file = folder.sounds.appendingPathComponent(answer.sound ?? "")
      let sound = try SoundFile.decode(Array(Data(contentsOf: file)))
      return (answer.up, answer.up + sound.pcm.seconds, answer)
    }.sorted { $0.0 < $1.0 }
  }

  static func payment(_ id: String, _ amount: String, _ more: [String: Any] = [:]) -> [AnyHashable: Any] {
    var part: [String: Any] = ["v": 1, "id": id, "kind": "payment.received", "amount": amount, "currency": "CNY"]
    part.merge(more) { $1 }
    return ["aps": ["mutable-content": 1], "aloud": part]
  }

  static func event(_ id: String, _ amount: String) -> SpokenEvent {
    SpokenEvent(id: id, kind: "payment.received", amount: amount, currency: "CNY")
  }
}

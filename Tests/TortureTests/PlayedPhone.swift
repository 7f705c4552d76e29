import Announcing
import ExactJSON
import HTTPTransport
import PhoneSandbox
import PushPayload
import SpokenText
import TestSupport
import Testing
import VoiceAudio

/// A virtual iPhone that is played afterwards: each push in the order in which it came, far enough apart that none has to wait for
/// another, and in the end the app reads the server's ledger.
struct PlayedPhone {
  var token: String
  var pushes: [AcceptedPush]
  /// What the server's ledger holds for this phone.
  var ledger: [PendingEntry]

  private static let secondsBetween = 60.0

  /// The voice of all phones: tones for every word of Chinese.
  private static let voice = Result { try ToneVoice.joiner(.zhCN) }

  /// The report of the phone after everything.
  func play() throws -> PhoneReport {
    let joiner = try PlayedPhone.voice.get()
    var phone = VirtualIPhone(conditions: .init(), voice: { _ in joiner }, startUnix: pushes.first?.acceptedAt ?? 0)
    for push in pushes { hear(push, &phone) }
    if !ledger.isEmpty { hear(try wake(phone), &phone) }
    return phone.outcome
  }

  private func hear(_ push: AcceptedPush, _ phone: inout VirtualIPhone) {
    phone.receive(push)
    let end = phone.clock + PlayedPhone.secondsBetween
    while let next = phone.nextTime, next <= end {
      phone.advance(to: next)
      for order in phone.takeOrders() { phone.reply(order.id, answer(order)) }
    }
    phone.advance(to: end)
  }

  private func answer(_ order: PhoneOrder) -> PhoneReply {
    switch order.kind {
    case .sound: .failed
    case .pending: .pending(ledger)
    case .receipts: .taken
    }
  }

  /// The next payment after everything: it says that the server holds more than it carries, so the phone asks.
  private func wake(_ phone: VirtualIPhone) throws -> AcceptedPush {
    var event = SpokenEvent(id: "wake-\(token.suffix(12))", kind: "payment.received", amount: "0.01", currency: "CNY")
    event.pendingCount = ledger.count
    let payload = try PayloadBuilder.alert(event, alert: AlertText(title: "收款", body: "0.01"))
    return AcceptedPush(
      token: token, headers: PushHeaders(topic: TortureWorld.topic), payload: payload,
      apnsID: "00000000-0000-4000-8000-000000000000", acceptedAt: phone.now.unixSeconds)
  }
}

/// What all phones together heard.
struct HeardCounts {
  private(set) var spoken: [String: Int] = [:]
  private(set) var silent: [String: [String]] = [:]

  mutating func add(_ report: PhoneReport) {
    for sound in report.heard {
      for event in sound.events where !event.hasPrefix("wake-") { spoken[event, default: 0] += 1 }
    }
    for one in report.silent { silent[one.event, default: []].append(one.code) }
  }

  mutating func add(said event: String) { spoken[event, default: 0] += 1 }

  /// Accepted events that no phone said.
  func lost(of events: some Sequence<String>) -> [String] { events.filter { spoken[$0] == nil } }

  /// Events that were said more than once.
  var twice: [String] { spoken.filter { $0.value > 1 }.keys.sorted() }
}

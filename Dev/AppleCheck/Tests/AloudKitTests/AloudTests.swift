import AVFAudio
import AloudKit
import Announcing
import ExactJSON
import Foundation
import PushPayload
import SpokenText
import Testing
import UIKit
import UserNotifications

/// The app's side, over the same shared state as the extension.
@MainActor @Suite(.serialized)
final class AloudTests {
  private let phone: SimulatedPhone
  private let session = AVAudioSession()
  private let waits = ManualWaits()
  private let book = PhraseBook(.zhCN)
  private let center = UNUserNotificationCenter.current()
  private let calls = Shared<[PhoneHTTP.Request]>([])
  private let missed = Shared<[JSON]>([])

  init() throws {
    phone = try SimulatedPhone()
    center.shim { $0 = UNUserNotificationCenter.ShimState() }
    UIApplication.shared.shimState = .active
    let (calls, missed) = (calls, missed)
    phone.network = { request in
      calls.change { $0.append(request) }
      if request.url.path.hasSuffix("/pending") {
        let body: JSON = ["pending": .array(missed.value)]
        return PhoneHTTP.Answer(status: 200, body: Array(body.serialized().utf8))
      }
      if request.url.path == "/v1/devices" {
        return PhoneHTTP.Answer(status: 201, body: Array(#"{"id":"dev_1","secret":"fresh"}"#.utf8))
      }
      return PhoneHTTP.Answer(status: 404)
    }
  }

  private func start(_ options: Aloud.Options = .init()) -> (Aloud, AVSpeechSynthesizer?) {
    let announcer = SpeechAnnouncer(session: session, wait: waits.wait)
    let aloud = Aloud.start(phone.phone, options: options, announcer: announcer)
    return (aloud, AVSpeechSynthesizer.shimMade.last)
  }

  private func until(_ condition: @MainActor () -> Bool) async { while !condition() { await Task.yield() } }

  private func notification(_ userInfo: [AnyHashable: Any], _ id: String) -> UNNotification {
    let content = UNMutableNotificationContent()
    content.title = "收款"
    content.sound = UNNotificationSound(named: UNNotificationSoundName("fallback.caf"))
    content.userInfo = userInfo
    return UNNotification(
      date: Date(), request: UNNotificationRequest(identifier: id, content: content, trigger: nil))
  }

  private func present(_ aloud: Aloud, _ userInfo: [AnyHashable: Any], _ id: String) async
    -> UNNotificationPresentationOptions
  {
    let notification = notification(userInfo, id)
    return await withCheckedContinuation { continuation in
      aloud.userNotificationCenter(center, willPresent: notification) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Foreground

  @Test func `speaks what the extension has not handled, and leaves the sound out`() async throws {
    let (aloud, synthesizer) = start()
    let options = await present(aloud, SimulatedPhone.payment("e1", "28.50"), "r1")
    #expect(options.contains(.banner) && !options.contains(.sound))
    let voice = try #require(synthesizer)
    await until { voice.shimQueue.count == 1 }
    #expect(voice.shimQueue.first?.speechString == (try book.phrase(for: SimulatedPhone.event("e1", "28.50")).text))
    voice.shimStart()
    voice.shimFinish()
    await until { phone.letters.receipts.count == 1 }
    #expect(phone.letters.receipts.map(\.state) == [.spoken] && phone.letters.receipts.map(\.code) == [.spokenByApp])
    // The system gives it a second time (iOS 18.0), and then the extension gets a resend.
    _ = await present(aloud, SimulatedPhone.payment("e1", "28.50"), "r1")
    await phone.run(to: 1_010)
    phone.push(SimulatedPhone.payment("e1", "28.50"), id: "r2")
    await until { !phone.answers.isEmpty }
    #expect(phone.answers.map(\.code) == [.duplicate] && voice.shimQueue.isEmpty)
  }

  @Test func `what the extension has handed over is played by iOS and not spoken again`() async throws {
    let (aloud, synthesizer) = start()
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r1")
    await until { !phone.answers.isEmpty }
    let mark: [AnyHashable: Any] = [ShownNotification.codeKey: "A100", Delivery.turnKey: 1]
    let options = await present(aloud, SimulatedPhone.payment("e1", "5").merging(mark) { $1 }, "r1")
    #expect(options.contains(.sound) && options.contains(.banner))
    #expect(try #require(synthesizer).shimQueue.isEmpty)
  }

  @Test func `speech that the system refuses is told to the server as silent`() async throws {
    session.shim { $0.activationError = NSError(domain: NSOSStatusErrorDomain, code: 561_015_905) }
    let (aloud, _) = start()
    _ = await present(aloud, SimulatedPhone.payment("e1", "5"), "r1")
    await until { phone.letters.receipts.count == 1 }
    #expect(phone.letters.receipts.map(\.state) == [.silent])
    #expect(phone.letters.receipts.map(\.code) == [.audioSessionRefused])
  }

  @Test func `a person's answer is told to the app`() async {
    let (aloud, _) = start()
    var answers: [EventResponse] = []
    aloud.onResponse = { answers.append($0) }
    let response = UNNotificationResponse(
      notification: notification(SimulatedPhone.payment("e1", "5"), "r1"),
      actionIdentifier: UNNotificationDefaultActionIdentifier)
    await withCheckedContinuation { continuation in
      aloud.userNotificationCenter(center, didReceive: response) { continuation.resume() }
    }
    #expect(answers.map(\.event?.id) == ["e1"] && answers.map(\.action) == [nil])
  }

  // MARK: Registration

  @Test func `registers once, and again when something has changed`() async throws {
    let (aloud, _) = start()
    aloud.didRegister(deviceToken: Data([0xAB, 0x01]))
    await until { aloud.registration != nil }
    let requests = { self.calls.value.filter { $0.url.path == "/v1/devices" } }
    let body = try JSON.parse(try #require(requests().first?.body))
    #expect(body["token"] == "ab01" && body["environment"] == "production" && body["pack"]?["id"] != nil)
    #expect(requests().first?.headers["Authorization"] == "Bearer aloud_1_key")
    #expect(DeviceRecord(folder: phone.folder)?.secret == "fresh")
    aloud.didRegister(deviceToken: Data([0xAB, 0x01]))
    aloud.didRegister(deviceToken: Data([0xAB, 0x02]))
    await until { DeviceRecord(folder: phone.folder)?.token == "ab02" }
    var settings = aloud.settings
    settings.locale = "en-US"
    try aloud.save(settings)
    await until { DeviceRecord(folder: phone.folder)?.profile.contains("en-US") == true }
    #expect(requests().count == 3)
  }

  @Test func `finds the environment in a provisioning profile`() {
    let text =
      "0\u{1}xx<plist version=\"1.0\"><dict><key>Entitlements</key><dict><key>aps-environment</key><string>%</string></dict></dict></plist>yy"
    func environment(_ word: String) -> PushEnvironment {
      PushEnvironment(provisioningProfile: Data(text.split(separator: "%").joined(separator: word).utf8))
    }
    #expect(environment("development") == .sandbox && environment("production") == .production)
    #expect(PushEnvironment(provisioningProfile: nil) == .production)
    #expect(PushEnvironment(provisioningProfile: Data("no list".utf8)) == .production)
  }

  @Test func `asks for permission, and for a token`() async {
    let before = UIApplication.shared.shimRegistrations
    let (aloud, _) = start()
    await until { center.shim { $0.requestedOptions } != nil }
    #expect(center.shim { $0.requestedOptions }?.contains([.alert, .sound]) == true)
    #expect(UIApplication.shared.shimRegistrations == before + 1 && center.delegate === aloud)
  }

  // MARK: What was missed

  @Test func `says what was missed in one sentence at the start`() async throws {
    missed.change {
      $0 = [("e1", "1.10"), ("e2", "2.20")].map { SimulatedPhone.event($0, $1).json }
    }
    let (aloud, synthesizer) = start()
    let voice = try #require(synthesizer)
    await until { voice.shimQueue.count == 1 }
    let entries = [("e2", "2.20"), ("e1", "1.10")].map { PendingEntry(SimulatedPhone.event($0, $1)) }
    #expect(voice.shimQueue.first?.speechString == (try book.sum(of: entries, missed: true, privacy: false).text))
    #expect(phone.decided("e1") == .mergedIntoSummary && phone.decided("e2") == .mergedIntoSummary)
    voice.shimStart()
    voice.shimFinish()
    await until { phone.letters.receipts.count == 2 }
    // Asked again before the receipts have reached the server, it stays silent.
    await aloud.catchUp()
    #expect(voice.shimQueue.isEmpty)
  }

  // MARK: Background

  private func push(_ aloud: Aloud, _ userInfo: [AnyHashable: Any]) -> Shared<[UIBackgroundFetchResult]> {
    let results = Shared<[UIBackgroundFetchResult]>([])
    aloud.handleBackgroundPush(userInfo) { result in results.change { $0.append(result) } }
    return results
  }

  @Test func `a background push posts the joined sentence as a local notification`() async throws {
    UIApplication.shared.shimState = .background
    let (aloud, _) = start()
    let results = push(aloud, SimulatedPhone.payment("e1", "28.50"))
    await until { !results.value.isEmpty }
    #expect(results.value == [.newData])
    let request = try #require(center.shim { $0.pending }.first)
    #expect(request.content.sound?.shimName?.hasPrefix("aloud-") == true && !request.content.body.isEmpty)
    #expect(request.trigger == nil && UIApplication.shared.shimOpenTasks == 0)
    let again = push(aloud, SimulatedPhone.payment("e1", "28.50"))
    await until { !again.value.isEmpty }
    #expect(again.value == [.noData] && center.shim { $0.pending }.count == 1)
  }

  @Test func `the system's word ends a background push, once`() async throws {
    UIApplication.shared.shimState = .background
    let gate = Gate()
    phone.network = { _ in
      await gate.wait()
      throw PhoneHTTP.Failure.offline
    }
    let (aloud, _) = start()
    let part: [String: Any] = [
      "id": "e9", "kind": "text", "text": "☃ snow", "locale": "de-DE", "route": "download", "pendingcount": 3,
      "sound": ["url": "https://push.example.com/a.caf"],
    ]
    let results = push(aloud, ["aloud": part])
    await gate.arrival()
    await until { UIApplication.shared.shimOpenTasks == 1 }
    UIApplication.shared.shimExpireTasks()
    await until { !results.value.isEmpty }
    #expect(UIApplication.shared.shimOpenTasks == 0)
    gate.open()
    await until { phone.letters.receipts.contains { $0.eventID == "e9" } || !results.value.isEmpty }
    #expect(results.value.count == 1)
  }

  @Test func `a background push ends within its time`() async throws {
    UIApplication.shared.shimState = .background
    let gate = Gate()
    phone.network = { _ in
      await gate.wait()
      throw PhoneHTTP.Failure.offline
    }
    let (aloud, _) = start()
    await gate.arrival()
    let results = push(aloud, SimulatedPhone.payment("e9", "5", ["pendingcount": 3]))
    await until { phone.time.sleeping == 1 }
    while results.value.isEmpty {
      phone.time.advance(to: 1_000 + Aloud.backgroundSeconds)
      await Task.yield()
    }
    #expect(results.value.count == 1)
    gate.open()
  }

  @Test func `when the app may not speak in the background a notification with sound is posted`() async throws {
    UIApplication.shared.shimState = .background
    session.shim { $0.activationError = NSError(domain: NSOSStatusErrorDomain, code: 561_015_905) }
    var options = Aloud.Options()
    options.speaksInBackground = true
    let (aloud, _) = start(options)
    let results = push(aloud, SimulatedPhone.payment("e1", "5"))
    await until { !results.value.isEmpty }
    #expect(center.shim { $0.pending }.map(\.content.sound?.shimName) == ["fallback.caf"])
    #expect(results.value == [.newData])
  }

  @Test func `settings are kept for the extension`() throws {
    let (aloud, _) = start()
    aloud.setMuted(true, group: "payments")
    aloud.setQuietHours(DayWindow(from: "22:00", to: "07:00"))
    #expect(SettingsFile(folder: phone.folder).settings.mutedGroups == ["payments"])
    #expect(SettingsFile(folder: phone.folder).settings.quietHours == DayWindow(from: "22:00", to: "07:00"))
    aloud.setMuted(false, group: "payments")
    #expect(aloud.settings.mutedGroups.isEmpty)
  }
}

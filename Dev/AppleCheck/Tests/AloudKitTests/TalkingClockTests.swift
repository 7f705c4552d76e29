import AVFAudio
import AlarmKit
import AloudKit
import Announcing
import Foundation
import SpokenText
import SwiftUI
import Testing
import UIKit
import UserNotifications
import VoiceAudio

/// A phone for one clock: folders, a notification centre and a time of its own.
@MainActor
final class ClockPhone {
  let folder: URL
  let center = UNUserNotificationCenter.shimMake()
  let session = AVAudioSession()
  let events = NotificationCenter()
  let waits = ManualWaits()
  let time: PhoneClock
  var languages = Shared(["zh-Hans-CN"])
  var voices: Shared<[URL]>

  init() {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("clock-\(UUID().uuidString)")
    time = PhoneClock()
    voices = Shared([ClockPhone.repository.appendingPathComponent("Voices")])
    center.shim { $0.settings = UNNotificationSettings(authorizationStatus: .authorized) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The folder with the package, found from this file.
  nonisolated static var repository: URL {
    (0..<5).reduce(URL(fileURLWithPath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
  }

  var sounds: URL { folder.appendingPathComponent("Sounds") }
  var settingsFile: URL { folder.appendingPathComponent("clock.json") }
  var pending: [UNNotificationRequest] { center.shim { $0.pending } }
  var files: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: sounds.path)) ?? []) }

  func clock() -> TalkingClock {
    let (languages, voices, time, waits) = (languages, voices, time, waits)
    let world = ClockWorld(
      sounds: sounds, settings: settingsFile, voices: { InstalledVoices(folders: voices.value) },
      languages: { languages.value }, now: { time.now }, wait: waits.wait)
    return TalkingClock(world: world, center: center, session: session, events: events)
  }

  static func settings(_ step: ClockSchedule.Step, _ from: Int, _ to: Int) -> ClockSettings {
    var settings = ClockSettings()
    (settings.step, settings.fromMinute, settings.toMinute) = (step, from, to)
    return settings
  }
}

/// A value that a test changes while others read it.
final class Shared<Value: Sendable>: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var held: Value
  init(_ value: Value) { held = value }
  var value: Value {
    get { lock.withLock { held } }
    set { lock.withLock { held = newValue } }
  }
  func change(_ body: (inout Value) -> Void) { lock.withLock { body(&held) } }
}

/// The clocks of a phone, moved by the test.
final class PhoneClock: Sendable {
  /// 2026-11-30 15:59:00 in UTC+8.
  private let up = Shared(0.0)
  let offset = Shared(8 * 3600)
  var now: PhoneTime {
    PhoneTime(unixSeconds: 1_796_025_540 + up.value, upSeconds: up.value, bootID: "", utcOffsetSeconds: offset.value)
  }
  func advance(_ seconds: Double) { up.value += seconds }
}

/// One after the other: they share the system's one alarm manager and the list of players that were made.
@MainActor @Suite(.serialized)
enum ClockSuites {}

extension ClockSuites {
  @MainActor
  struct TalkingClockTests {
    private let phone = ClockPhone()

    @Test func `forty-eight half hours across midnight each have a repeating trigger and a file of their own`()
      async throws
    {
      let report = await phone.clock().apply(ClockPhone.settings(.halfHour, 22 * 60, 21 * 60 + 30))
      #expect(report.code == nil && report.timesADay == 48 && report.added == 48 && report.rendered == 48)
      var times: Set<Int> = []
      var phrases: [String: String] = [:]
      for request in phone.pending {
        let trigger = try #require(request.trigger as? UNCalendarNotificationTrigger)
        let parts = trigger.dateComponents
        #expect(trigger.repeats && parts.timeZone == nil && parts.calendar == nil && parts.second == nil)
        times.insert(try #require(parts.hour) * 60 + (try #require(parts.minute)))
        let name = try #require(request.content.sound?.shimName)
        #expect(phrases.updateValue(request.content.body, forKey: name) == nil, "a file says one phrase only")
        let sound = try SoundFile.decode(Array(Data(contentsOf: phone.sounds.appendingPathComponent(name))))
        #expect((0.3..<29).contains(sound.pcm.seconds) && sound.channels == 1)
      }
      #expect(times == Set(stride(from: 0, to: 1440, by: 30)))
      #expect(Set(phrases.values).count == 48 && phone.files == Set(phrases.keys))
    }

    @Test func `a second run changes nothing, nor does a new start of the app`() async throws {
      let settings = ClockPhone.settings(.hour, 7 * 60, 22 * 60)
      _ = await phone.clock().apply(settings)
      let before = phone.pending.map(\.identifier)
      let dates = try phone.files.sorted().map { try phone.date(of: $0) }
      let clock = phone.clock()
      #expect(clock.settings == settings)
      let report = await clock.refresh()
      #expect(!report.isChanged && report.timesADay == 16 && report.code == nil)
      #expect(phone.pending.map(\.identifier) == before)
      #expect(try phone.files.sorted().map { try phone.date(of: $0) } == dates)
    }

    @Test func `another zone and summer time change nothing and every time still strikes at its local hour`()
      async throws
    {
      let clock = phone.clock()
      _ = await clock.apply(ClockPhone.settings(.halfHour, 0, 1439))
      phone.time.offset.value = -5 * 3600
      #expect(await !clock.refresh().isChanged)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
      // The day before, of and after the change to summer time (2026-03-29) and from it (2026-10-25).
      for (month, day) in [(3, 28), (3, 30), (10, 24), (10, 26)] {
        let midnight = try #require(calendar.date(from: DateComponents(year: 2026, month: month, day: day)))
        let end = try #require(calendar.date(byAdding: .day, value: 1, to: midnight))
        for request in phone.pending {
          let trigger = try #require(request.trigger as? UNCalendarNotificationTrigger)
          let next = try #require(
            calendar.nextDate(
              after: midnight.addingTimeInterval(-1), matching: trigger.dateComponents, matchingPolicy: .nextTime))
          let parts = calendar.dateComponents([.hour, .minute], from: next)
          #expect(
            next < end && parts.hour == trigger.dateComponents.hour && parts.minute == trigger.dateComponents.minute)
        }
      }
    }

    @Test func `only what differs is replaced`() async throws {
      let clock = phone.clock()
      _ = await clock.apply(ClockPhone.settings(.hour, 7 * 60, 9 * 60))
      let longer = await clock.apply(ClockPhone.settings(.hour, 7 * 60, 10 * 60))
      #expect((longer.added, longer.removed, longer.rendered) == (1, 0, 1))
      var settings = ClockPhone.settings(.hour, 7 * 60, 10 * 60)
      settings.style = .twentyFourHours
      let styled = await clock.apply(settings)
      #expect(styled.added == 4 && styled.removed == 4 && phone.pending.count == 4)
      phone.languages.value = ["en-GB", "zh-Hans"]
      #expect(await clock.refresh().code == .voicePackMissing, "There is no British pack, and no other is taken for it")
      #expect(phone.pending.count == 4)
      phone.languages.value = ["en-US"]
      let english = await clock.refresh()
      #expect(english.locale == "en-US" && english.added == 4 && english.removed == 4 && english.code == nil)
      #expect(phone.pending.allSatisfy { $0.content.body.contains(" ") })
    }

    @Test func `a voice that sounds otherwise gets other files, under the same identifier too`() async throws {
      let clock = phone.clock()
      _ = await clock.apply(ClockPhone.settings(.hour, 7 * 60, 8 * 60))
      let old = phone.files
      let voices = phone.folder.appendingPathComponent("Voices")
      let copy = voices.appendingPathComponent("mine.voicepack")
      try FileManager.default.createDirectory(at: voices, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: ClockPhone.repository.appendingPathComponent("Voices/zh-CN.voicepack"), to: copy)
      let manifest = copy.appendingPathComponent("pack.json")
      let text = try String(contentsOf: manifest, encoding: .utf8)
      try text.replacingOccurrences(of: "\"between\":0.25", with: "\"between\":0.2").write(
        to: manifest, atomically: true, encoding: .utf8)
      #expect(try String(contentsOf: manifest, encoding: .utf8) != text)
      phone.voices.value = [voices]
      let report = await clock.refresh()
      #expect((report.added, report.removed, report.rendered) == (2, 2, 2))
      #expect(phone.files.isSuperset(of: old) && phone.files.count == 4, "A file that was needed today stays a day")
    }

    @Test func `the app's other notifications count against the sixty-four`() async throws {
      for number in 0..<20 {
        try await phone.center.add(UNNotificationRequest(identifier: "other-\(number)", content: .init(), trigger: nil))
      }
      let clock = phone.clock()
      #expect(await clock.apply(ClockPhone.settings(.hour, 0, 1439)).timesADay == 24)
      #expect(await clock.possibleSteps() == [.hour])
      let refused = await clock.apply(ClockPhone.settings(.halfHour, 0, 1439))
      #expect(refused.code == .pendingLimitReached && refused.added == 0)
      #expect(phone.pending.count == 44, "What was there stays")
      #expect(await clock.apply(ClockPhone.settings(.quarterHour, 0, 1439)).code == .tooManyClockTimes)
    }

    @Test func `a file that was lost is made again under its name, and no request is touched`() async throws {
      let clock = phone.clock()
      _ = await clock.apply(ClockPhone.settings(.hour, 7 * 60, 9 * 60))
      let lost = try #require(phone.files.min())
      let file = phone.sounds.appendingPathComponent(lost)
      let bytes = try Data(contentsOf: file)
      try FileManager.default.removeItem(at: file)
      let report = await clock.refresh()
      #expect((report.added, report.removed, report.rendered) == (0, 0, 1))
      #expect(try Data(contentsOf: file) == bytes)
    }

    @Test func `files of an old voice go after a day, those of others never`() async throws {
      let clock = phone.clock()
      _ = await clock.apply(ClockPhone.settings(.hour, 7 * 60, 9 * 60))
      for name in ["aloud-clock-old.caf", "bell.caf"] {
        let file = phone.sounds.appendingPathComponent(name)
        try Data([1]).write(to: file)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: phone.time.now.unixSeconds - 90_000)], ofItemAtPath: file.path
        )
      }
      _ = await clock.refresh()
      #expect(phone.files.count == 4 && phone.files.contains("bell.caf"))
    }

    @Test func `without permission or voice it says so and touches nothing`() async {
      let clock = phone.clock()
      _ = await clock.apply(ClockPhone.settings(.hour, 7 * 60, 9 * 60))
      phone.center.shim { $0.settings = UNNotificationSettings(authorizationStatus: .denied) }
      #expect(await clock.apply(ClockPhone.settings(.hour, 7 * 60, 12 * 60)).code == .notificationsOff)
      phone.center.shim {
        $0.settings = UNNotificationSettings(authorizationStatus: .authorized, soundSetting: .disabled)
      }
      let muted = await clock.refresh()
      #expect(muted.code == .soundsOff && muted.timesADay == 6)
      phone.voices.value = []
      #expect(await clock.refresh().code == .voicePackMissing)
      #expect(phone.pending.count == 6)
    }

    @Test func `switched off, nothing of the clock is left pending and others stay`() async throws {
      let clock = phone.clock()
      try await phone.center.add(UNNotificationRequest(identifier: "other", content: .init(), trigger: nil))
      var settings = ClockPhone.settings(.hour, 7 * 60, 9 * 60)
      _ = await clock.apply(settings)
      settings.isOn = false
      let report = await clock.apply(settings)
      #expect(report.removed == 3 && report.timesADay == 0 && report.code == nil)
      #expect(phone.pending.map(\.identifier) == ["other"])
    }

    @Test func `many changes at once end in the last one`() async {
      let clock = phone.clock()
      async let first = clock.apply(ClockPhone.settings(.hour, 7 * 60, 9 * 60))
      async let second = clock.refresh()
      async let third = clock.apply(ClockPhone.settings(.halfHour, 7 * 60, 9 * 60))
      _ = await (first, second, third)
      #expect(await clock.refresh().timesADay == clock.settings.timesADay)
      #expect(phone.pending.count == clock.settings.timesADay)
    }

    @Test func `settings that became numbers and text in storage mean the same`() throws {
      try FileManager.default.createDirectory(at: phone.folder, withIntermediateDirectories: true)
      try Data(#"{"On": 0, "every": "30", "from": "22:00", "to": "06:00", "keepAlive": "false", "new": [1]}"#.utf8)
        .write(
          to: phone.settingsFile)
      let settings = phone.clock().settings
      #expect(!settings.isOn && settings.step == .halfHour && settings.fromMinute == 1320 && !settings.keepsAlive)
      let stored = UserInfo.json(from: ["on": NSNumber(value: true), "every": NSNumber(value: 15), "keepAlive": "1"])
      #expect(
        ClockSettings(stored).isOn && ClockSettings(stored).step == .quarterHour && ClockSettings(stored).keepsAlive)
      let list = try PropertyListEncoder().encode(settings)
      #expect(try PropertyListDecoder().decode(ClockSettings.self, from: list) == settings)
    }

    @Test func `in front, the clock lets iOS show and sound the time`() async {
      let clock = phone.clock()
      clock.start()
      let delegate = phone.center.delegate
      let request = UNNotificationRequest(identifier: "aloud-clock-x", content: .init(), trigger: nil)
      let shown = await withCheckedContinuation { continuation in
        delegate?.userNotificationCenter(
          phone.center, willPresent: UNNotification(date: Date(), request: request)
        ) { continuation.resume(returning: $0) }
      }
      #expect(shown == [.banner, .list, .sound])
      withExtendedLifetime(clock) {}
    }
  }

}

extension ClockPhone {
  func date(of name: String) throws -> Date {
    let attributes = try FileManager.default.attributesOfItem(atPath: sounds.appendingPathComponent(name).path)
    return try #require(attributes[.modificationDate] as? Date)
  }
}

extension ClockSuites {
  @MainActor
  struct ClockAlarmTests {
    private let phone = ClockPhone()

    @Test func `alarms replace the notifications, once, and give way to them again`() async throws {
      let manager = AlarmManager.shared
      manager.shim { $0 = AlarmManager.ShimState() }
      let own = try await manager.schedule(
        id: UUID(),
        configuration: .alarm(
          attributes: AlarmAttributes<Own>(
            presentation: AlarmPresentation(alert: .init(title: "own")), tintColor: .accentColor)))
      let clock = phone.clock()
      var settings = ClockPhone.settings(.hour, 7 * 60, 9 * 60)
      _ = await clock.apply(settings)
      settings.delivery = .alarms
      let report = await clock.apply(settings)
      #expect((report.added, report.removed, report.timesADay) == (3, 3, 3) && report.code == nil)
      #expect(phone.pending.isEmpty)
      let entries = manager.shim { $0.entries }.filter { $0.alarm.id != own.id }
      #expect(entries.map(\.title).contains("现在是早上七点整"))
      #expect(entries.allSatisfy { phone.files.contains($0.sound ?? "") })
      #expect(await !clock.refresh().isChanged)
      settings.delivery = .notifications
      _ = await clock.apply(settings)
      #expect(phone.pending.count == 3 && manager.shim { $0.entries.map(\.alarm.id) } == [own.id])
      manager.shim { $0.authorization = .denied }
      settings.delivery = .alarms
      #expect(await clock.apply(settings).code == .notificationsOff)
      #expect(phone.pending.count == 3, "The notifications stay where alarms are refused")
    }

    private struct Own: AlarmMetadata {}
  }

}

extension ClockSuites {
  @MainActor
  struct ClockKeeperTests {
    private let phone = ClockPhone()

    private func until(_ condition: @MainActor () -> Bool) async { while !condition() { await Task.yield() } }

    private func started() async -> (TalkingClock, Int) {
      let made = AVAudioPlayer.shimMade.count
      let clock = phone.clock()
      var settings = ClockPhone.settings(.hour, 0, 1439)
      settings.keepsAlive = true
      _ = await clock.apply(settings)
      phone.events.post(name: UIApplication.willResignActiveNotification, object: nil)
      await until { AVAudioPlayer.shimMade.count == made + 1 }
      await until { phone.waits.count == 1 }
      return (clock, made)
    }

    @Test func `it loops silence, makes way for the time, speaks it itself once, and loops on`() async throws {
      let (clock, made) = await started()
      let loop = AVAudioPlayer.shimMade[made]
      #expect(loop.isPlaying && loop.numberOfLoops == -1)
      let silence = try SoundFile.decode(Array(try #require(loop.data)))
      #expect(silence.pcm.peak == 0)
      for _ in 0..<2 {
        phone.time.advance(28.5)
        phone.waits.fire(atMost: 30)
        await until { phone.waits.count == 1 }
      }
      await until { phone.pending.count == 23 }
      phone.time.advance(3)
      phone.waits.fire(atMost: 30)
      await until { AVAudioPlayer.shimMade.count == made + 2 }
      let voice = AVAudioPlayer.shimMade[made + 1]
      await until { phone.pending.count == 24 }
      #expect(voice.isPlaying && !loop.isPlaying)
      voice.shimFinish()
      await until { loop.isPlaying }
      let events = phone.session.shim { $0.events }
      #expect(events.contains(.category(.playback, .voicePrompt, 0x2)))
      #expect(events.last == .active(true, notifies: false))
      withExtendedLifetime(clock) {}
    }

    @Test func `a call stops it and its end starts it again; switched off it is silent`() async {
      let (clock, made) = await started()
      let loop = AVAudioPlayer.shimMade[made]
      func interruption(_ type: AVAudioSession.InterruptionType) {
        phone.events.post(
          name: AVAudioSession.interruptionNotification, object: nil,
          userInfo: [AVAudioSessionInterruptionTypeKey: type.rawValue])
      }
      let activations = { phone.session.shim { $0.events.filter { $0 == .active(true, notifies: false) }.count } }
      let before = activations()
      interruption(.began)
      interruption(.ended)
      await until { activations() == before + 1 }
      #expect(loop.isPlaying)
      var settings = clock.settings
      settings.keepsAlive = false
      _ = await clock.apply(settings)
      #expect(!loop.isPlaying)
      #expect(phone.session.shim { $0.events.last } == .active(false, notifies: true))
    }
  }
}

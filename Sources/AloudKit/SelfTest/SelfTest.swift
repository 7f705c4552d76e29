#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import AVFAudio
  public import Announcing
  import Foundation
  import PushPayload
  import SpokenText
  import UIKit
  package import UserNotifications
  import VoiceAudio

  /// Finds out why a phone is silent: permission, sounds, shared folder, voice, sound file, the extension's last run, and what a
  /// person must look at.
  ///
  /// Each finding has a reason code with a text in the person's language and what to do. ``SelfTestView`` shows them.
  @available(iOSApplicationExtension, unavailable)
  @MainActor
  public final class SelfTest {
    /// What the identifiers of its notifications begin with.
    public static let idPrefix = "aloud-self-test-"

    private let configuration: AloudConfiguration
    private let hasExtension: Bool
    private let center: UNUserNotificationCenter
    private let voices: @Sendable () -> InstalledVoices
    private let lastRun: @Sendable () -> SelfTestFacts.Run?
    private let player = SoundPlayer()

    /// Makes a self-test of the app with this configuration.
    ///
    /// - Parameter hasExtension: Whether the app has a notification service extension; a talking clock needs none.
    public convenience init(_ configuration: AloudConfiguration, hasExtension: Bool = true) {
      self.init(
        configuration, hasExtension: hasExtension, center: .current(),
        voices: { InstalledVoices(appGroup: configuration.appGroup) },
        lastRun: { SelfTest.lastRun(appGroup: configuration.appGroup) })
    }

    /// Makes a self-test of given parts, for tests.
    package init(
      _ configuration: AloudConfiguration, hasExtension: Bool, center: UNUserNotificationCenter,
      voices: @escaping @Sendable () -> InstalledVoices, lastRun: @escaping @Sendable () -> SelfTestFacts.Run?
    ) {
      (self.configuration, self.hasExtension, self.center) = (configuration, hasExtension, center)
      (self.voices, self.lastRun) = (voices, lastRun)
    }

    /// The findings, in the order in which they are to be put right.
    public func run() async -> [SelfTestFinding] { await facts().findings }

    /// What the phone shows of itself.
    public func facts() async -> SelfTestFacts {
      var facts = SelfTestFacts()
      let settings = await center.notificationSettings()
      facts.permission = SelfTest.permission(settings.authorizationStatus)
      facts.hasSounds = settings.soundSetting != .disabled
      facts.hasAlerts = settings.alertSetting != .disabled
      facts.hasExtension = hasExtension
      facts.run = lastRun()
      let isUnlocked = UIApplication.shared.isProtectedDataAvailable
      let (configuration, voices) = (configuration, voices)
      let found = await SelfTest.look(configuration, voices, isUnlocked: isUnlocked)
      (facts.storage, facts.voice, facts.sentence) = (found.storage, found.voice, found.sentence)
      return facts
    }

    /// Lets a test sentence be heard the way payments are: a notification with a sound file, after a few seconds, so that the
    /// phone can be locked meanwhile.
    ///
    /// - Parameter seconds: How long to wait; at least one.
    /// - Returns: Why it will not be heard, or `nil`.
    @discardableResult
    public func playSentence(afterSeconds seconds: Double = 3) async -> ReasonCode? {
      let made = await SelfTest.makeSentence(configuration, voices)
      guard case .success(let sentence) = made else {
        if case .failure(let failure) = made { return failure.code }
        return .renderFailed
      }
      let settings = await center.notificationSettings()
      guard SelfTest.permission(settings.authorizationStatus) == .allowed else { return .notificationsOff }
      let content = UNMutableNotificationContent()
      content.title = sentence.title
      content.body = sentence.text
      content.sound = UNNotificationSound(named: UNNotificationSoundName(sentence.fileName))
      let request = UNNotificationRequest(
        identifier: SelfTest.idPrefix + UUID().uuidString, content: content,
        trigger: UNTimeIntervalNotificationTrigger(timeInterval: max(1, seconds), repeats: false))
      do { try await center.add(request) } catch { return .notificationsOff }
      // Without a delegate iOS shows nothing while the app is in front.
      if center.delegate == nil, UIApplication.shared.applicationState == .active {
        let player = player
        Task { _ = await player.play(sentence.bytes) }
      }
      return settings.soundSetting == .disabled ? .soundsOff : nil
    }

    private static func permission(_ status: UNAuthorizationStatus) -> SelfTestFacts.Permission {
      switch status {
      case .notDetermined: .notAsked
      case .denied: .denied
      case .provisional: .quiet
      case .authorized, .ephemeral: .allowed
      @unknown default: .allowed
      }
    }
  }

  // MARK: Files and voice

  @available(iOSApplicationExtension, unavailable)
  extension SelfTest {
    private struct Look: Sendable {
      var storage = SelfTestFacts.Storage.missing
      var voice = SelfTestFacts.Voice.none
      var sentence: SelfTestFacts.Sentence?
    }

    /// A test sentence that lies where iOS finds it.
    private struct Sentence: Sendable {
      let title: String
      let text: String
      let fileName: String
      let bytes: [UInt8]
      let seconds: Double
    }

    private struct Failure: Error { let code: ReasonCode }

    private nonisolated static func look(
      _ configuration: AloudConfiguration, _ voices: @Sendable () -> InstalledVoices, isUnlocked: Bool
    ) async -> Look {
      var look = Look()
      if let folder = AppGroupFolder(appGroup: configuration.appGroup) {
        look.storage = canWrite(folder) ? .writable : isUnlocked ? .notWritable : .locked
      }
      guard let locale = SpokenLocale.first(of: [configuration.locale]), let pack = voices().pack(for: locale) else {
        return look
      }
      let coverage = Coverage(of: pack, locale: locale, depth: 200)
      let missing = coverage.rows.flatMap(\.missing)
      look.voice =
        coverage.isSufficient
        ? .complete(name: pack.manifest.voice) : .incomplete(name: pack.manifest.voice, missing: missing)
      guard look.storage == .writable else { return look }
      switch await makeSentence(configuration, voices) {
      case .success(let sentence):
        look.sentence = .written(seconds: sentence.seconds)
        remove(sentence, configuration)
      case .failure(let failure): look.sentence = .failed(failure.code)
      }
      return look
    }

    private nonisolated static func canWrite(_ folder: AppGroupFolder) -> Bool {
      let probe = folder.sounds.appendingPathComponent(".\(UUID().uuidString).probe", isDirectory: false)
      defer { try? FileManager.default.removeItem(at: probe) }
      return (try? AtomicFile.write([0], to: probe)) != nil
    }

    private nonisolated static func remove(_ sentence: Sentence, _ configuration: AloudConfiguration) {
      guard let folder = AppGroupFolder(appGroup: configuration.appGroup) else { return }
      try? FileManager.default.removeItem(at: folder.sounds.appendingPathComponent(sentence.fileName))
    }

    /// Makes the test sentence as the extension would make that of a payment.
    private nonisolated static func makeSentence(
      _ configuration: AloudConfiguration, _ voices: @Sendable () -> InstalledVoices
    ) async -> Result<Sentence, Failure> {
      guard let folder = AppGroupFolder(appGroup: configuration.appGroup) else {
        return .failure(Failure(code: .appGroupMissing))
      }
      guard let locale = SpokenLocale.first(of: [configuration.locale]), let pack = voices().pack(for: locale) else {
        return .failure(Failure(code: .voicePackMissing))
      }
      do {
        var event = SpokenEvent(id: "self-test", kind: EventKind.paymentReceived.rawValue)
        (event.amount, event.currency) = ("12", Coverage.currency(of: locale))
        let phrase = try PhraseBook(locale).phrase(for: event)
        let joiner = Joiner(pack: pack)
        let plan = try joiner.plan(phrase.utterance)
        let bytes = try joiner.file(plan, container: .caf, codec: pack.codec)
        // A name of its own each time: iOS plays what it remembers under a name.
        let name = SoundFileName.make(eventKey: event.id, text: phrase.text, nonce: UUID().uuidString)
        try AtomicFile.write(bytes, to: folder.sounds.appendingPathComponent(name, isDirectory: false))
        return .success(
          Sentence(
            title: phrase.title, text: phrase.text, fileName: name, bytes: bytes, seconds: plan.estimatedSeconds))
      } catch let error as PhraseError {
        return .failure(Failure(code: error.code))
      } catch let error as JoinError {
        return .failure(Failure(code: ReasonCode(error)))
      } catch {
        return .failure(Failure(code: .fileNotWritten))
      }
    }

    /// What the extension did last.
    private nonisolated static func lastRun(appGroup: String) -> SelfTestFacts.Run? {
      ExtensionRecord.last(appGroup: appGroup).map { record in
        SelfTestFacts.Run(
          secondsAgo: max(0, Date().timeIntervalSince1970 - Double(record.at)), reason: record.reason)
      }
    }
  }
#endif

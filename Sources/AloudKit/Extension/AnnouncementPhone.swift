#if canImport(UserNotifications)
  package import Announcing
  package import ExactJSON
  import Foundation
  package import PushPayload
  import SpokenText
  import UserNotifications
  import VoiceAudio

  /// Who handles a notification.
  package enum PhoneProcess: String, Sendable { case app, `extension` }

  /// What a handling needs of the phone: folders, clock, voices, network, notification centre.
  ///
  /// A test gives its own parts.
  package struct AnnouncementPhone: Sendable {
    /// What app and extension agreed on.
    package var configuration: AloudConfiguration
    /// The App Group's folders; `nil` where there is none.
    package var folder: AppGroupFolder?
    package var clock: PhoneClock
    package var voices: VoiceShelf
    package var http: PhoneHTTP
    package var carrier: (any ReceiptCarrier)?
    /// The notifications that are shown now.
    package var shown: @Sendable () async -> [ShownNotification]

    /// A phone with the real parts.
    package init(_ configuration: AloudConfiguration, process: PhoneProcess) {
      let folder = AppGroupFolder(appGroup: configuration.appGroup)
      self.configuration = configuration
      self.folder = folder
      (clock, http, shown) = (.live, .live, ShownNotification.all)
      voices = VoiceShelf.shared(InstalledVoices(appGroup: configuration.appGroup))
      carrier = folder.map { _ in
        AnnouncementPhone.carrier(configuration, BackgroundCarrier.identifier(configuration.appGroup, process))
      }
    }

    /// A phone of given parts.
    package init(
      _ configuration: AloudConfiguration, folder: AppGroupFolder?, clock: PhoneClock, voices: VoiceShelf,
      http: PhoneHTTP, carrier: (any ReceiptCarrier)?, shown: @escaping @Sendable () async -> [ShownNotification]
    ) {
      (self.configuration, self.folder, self.clock, self.voices) = (configuration, folder, clock, voices)
      (self.http, self.carrier, self.shown) = (http, carrier, shown)
    }

    /// The system's transfer under an identifier, which reports to the outbox of the App Group.
    static func carrier(_ configuration: AloudConfiguration, _ identifier: String) -> BackgroundCarrier {
      BackgroundCarrier.shared(identifier, appGroup: configuration.appGroup) { name, status in
        AnnouncementPhone.answered(configuration, name, status)
      }
    }

    private static func answered(_ configuration: AloudConfiguration, _ name: String, _ status: Int?) {
      guard let folder = AppGroupFolder(appGroup: configuration.appGroup) else { return }
      ReceiptOutbox(
        folder: folder, server: PhoneServer(configuration.server, http: .live), carrier: NoCarrier(),
        now: { Date().timeIntervalSince1970 }
      ).answered(name, status: status)
    }

    // MARK: Parts made of the parts

    /// The shared state.
    package var hearing: HearingFile { HearingFile(folder: folder) }

    /// The person's settings.
    var settings: AnnouncementSettings { SettingsFile(folder: folder).settings }

    var server: PhoneServer { PhoneServer(configuration.server, http: http) }

    /// The receipts that wait, or `nil` without an App Group.
    package var outbox: ReceiptOutbox? {
      folder.map { folder in
        let clock = clock
        return ReceiptOutbox(
          folder: folder, server: server, carrier: carrier ?? NoCarrier(), now: { clock.now().unixSeconds })
      }
    }

    /// Sends what was not sent, settles drafts and removes old sounds.
    package func tidy() async {
      guard let outbox else { return }
      let marked = outbox.hasOldDrafts ? Set(await shown().filter { $0.code != nil }.map(\.requestID)) : []
      outbox.flush { marked.contains($0) }
      sweep()
    }

    // MARK: Sounds

    /// Joins a sentence and writes it where iOS finds it.
    func render(_ utterance: Utterance, _ locale: SpokenLocale, _ name: String) -> Result<ReadySound, SoundFailure> {
      guard let voice = voices.voice(locale) else { return .failure(SoundFailure(.voicePackMissing)) }
      do {
        let bytes = try voice.file(utterance, container: .caf, codec: voice.pack.codec)
        return keep(bytes, name)
      } catch {
        return .failure(SoundFailure(ReasonCode(error)))
      }
    }

    /// Fetches a sound, checks it and writes it where iOS finds it.
    func download(_ reference: SoundReference, _ name: String) async -> Result<ReadySound, SoundFailure> {
      do {
        let sound = try await SoundDownload(server: configuration.server, http: http).file(for: reference)
        return keep(sound.bytes, name, sound.seconds)
      } catch {
        return .failure(error)
      }
    }

    /// Writes a made sound where iOS finds it.
    func keep(_ bytes: [UInt8], _ name: String) -> Result<ReadySound, SoundFailure> {
      guard let sound = try? SoundLayout(bytes) else { return .failure(SoundFailure(.renderFailed)) }
      return keep(bytes, name, sound.seconds)
    }

    private func keep(_ bytes: [UInt8], _ name: String, _ seconds: Double) -> Result<ReadySound, SoundFailure> {
      guard let folder else { return .failure(SoundFailure(.appGroupMissing)) }
      do {
        let target = folder.sounds.appendingPathComponent(name, isDirectory: false)
        try folder.write(bytes, to: target, temporaryName: SoundFileName.temporary(for: name))
        return .success(ReadySound(fileName: name, seconds: seconds))
      } catch {
        return .failure(SoundFailure(.fileNotWritten))
      }
    }

    private func sweep() {
      guard let folder else { return }
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder.sounds, includingPropertiesForKeys: [.contentModificationDateKey])
      let stored = (files ?? []).compactMap { file -> StoredSound? in
        guard let date = (try? file.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
        else { return nil }
        return StoredSound(name: file.lastPathComponent, modifiedUnixSeconds: date.timeIntervalSince1970)
      }
      for name in Sweeper().removals(in: stored, nowUnixSeconds: clock.now().unixSeconds) {
        try? FileManager.default.removeItem(at: folder.sounds.appendingPathComponent(name, isDirectory: false))
      }
    }
  }

  /// A notification that is shown, as far as a handling cares.
  package struct ShownNotification: Hashable, Sendable {
    /// The request's identifier.
    package var requestID: String
    /// Its event, if it tells of one.
    package var event: SpokenEvent?
    /// What we decided on it; `nil` if it is as it came.
    package var code: ReasonCode?
    /// The turn that it carries.
    package var turn: Int?
    /// When it came, UNIX seconds.
    package var at: Int

    /// Where the decision stands in the user info.
    package static let codeKey = "aloudCode"
    /// Where the sentence that is heard with it stands in the user info.
    package static let saidKey = "aloudSaid"

    package init(requestID: String, userInfo: JSON, at: Int) {
      self.requestID = requestID
      self.at = at
      event = PayloadDecoder.decode(userInfo, requestID: requestID).event
      code = userInfo[ShownNotification.codeKey]?.stringValue.flatMap(ReasonCode.init(rawValue:))
      turn = userInfo[Delivery.turnKey]?.intValue
    }

    /// The key of its event in the ledger.
    package var key: String? { event?.ledgerKey(requestID: requestID) }

    /// What the notification centre shows.
    @Sendable package static func all() async -> [ShownNotification] {
      await UNUserNotificationCenter.current().deliveredNotifications().map(ShownNotification.init)
    }

    init(_ notification: UNNotification) {
      let request = notification.request
      self.init(
        requestID: request.identifier, userInfo: UserInfo.json(from: request.content.userInfo),
        at: Int(notification.date.timeIntervalSince1970))
    }
  }

  /// Keeps letters where they lie.
  private struct NoCarrier: ReceiptCarrier {
    func send(_ upload: ReceiptUpload) {}
  }
#endif

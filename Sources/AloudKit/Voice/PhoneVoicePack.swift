#if canImport(AVFAudio) && canImport(UserNotifications) && canImport(UIKit)
  import AVFAudio
  public import Announcing
  package import Foundation
  import SpokenText
  import UserNotifications
  import VoiceAudio

  /// Why no voice pack could be made.
  public struct PhoneVoicePackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason that a person can look up.
    public let code: ReasonCode
    /// What is wrong and what to do.
    public let message: String

    init(_ code: ReasonCode, _ message: String) { (self.code, self.message) = (code, message) }

    public var description: String { "\(code.rawValue): \(message)" }
  }

  /// Makes a voice pack from a voice that is installed on the phone, so that the extension speaks in the phone's own best voice,
  /// without a network and without the app.
  ///
  /// ```swift
  /// let pack = try PhoneVoicePack(locale: "zh-CN", appGroup: "group.com.example.till")
  /// let voice = try await pack.make { progress in print(progress.done, progress.total) }
  /// ```
  ///
  /// Some hundred units are spoken one by one; where the system tells where words lie (iOS 16 and later, if the voice does),
  /// each is cut out of a sentence, else it is spoken alone. What has been made is kept: a task that is cancelled, an app that
  /// is suspended or killed goes on where it stopped. The pack is checked as any other, then appears under a new name and the
  /// older one of this voice goes.
  ///
  /// The sound is for this phone alone: Apple licenses its system voices for personal use. Ship no pack that was made so.
  @MainActor
  public final class PhoneVoicePack {
    /// How far the work has come.
    public struct Progress: Hashable, Sendable {
      /// Units that are done.
      public let done: Int
      /// Units there are.
      public let total: Int
      /// What is being spoken; empty at the end.
      public let current: String
    }

    /// A voice to choose from.
    public struct Choice: Hashable, Identifiable, Sendable {
      /// What the system calls it.
      public let id: String
      /// What people call it.
      public let name: String
      /// Its language.
      public let language: String
      /// Whether it is one of the better, larger ones that a person loads in Settings.
      public let isEnhanced: Bool
    }

    /// How long the voice may say nothing before a unit is given up, in seconds.
    public static let patienceSeconds = 10.0

    private let locale: SpokenLocale
    private let voice: AVSpeechSynthesisVoice
    private let units: [PackScript.Unit]
    private let workshop: PackWorkshop
    private let synthesizer = AVSpeechSynthesizer()
    private let now: @Sendable () -> Date
    private let wait: @Sendable (Double) async -> Void
    private var failedCarriers = 0
    private var isMaking = false

    /// The installed voices of a language, the best first.
    public static func choices(for locale: String) -> [Choice] {
      let best = VoiceChoice.voice(for: locale)
      return AVSpeechSynthesisVoice.speechVoices().filter { $0.language == best?.language }
        .sorted { ($0.quality.rawValue, $1.name) > ($1.quality.rawValue, $0.name) }
        .map { Choice(id: $0.identifier, name: $0.name, language: $0.language, isEnhanced: $0.quality != .default) }
    }

    /// Prepares the work.
    ///
    /// - Parameters:
    ///   - locale: The language, as a BCP 47 tag.
    ///   - voiceIdentifier: The voice; `nil` for the best one of the language.
    ///   - appGroup: The App Group in which the pack is to lie.
    ///   - phrases: What else is to be said in one piece, such as the shop's name.
    /// - Throws: ``PhoneVoicePackError`` if there is no such language, voice or App Group.
    public convenience init(
      locale: String, voiceIdentifier: String? = nil, appGroup: String, phrases: [String] = []
    ) throws {
      guard let folder = AppGroupFolder(appGroup: appGroup) else {
        throw PhoneVoicePackError(.appGroupMissing, ReasonCode.appGroupMissing.entry.advice.english)
      }
      try self.init(locale: locale, voiceIdentifier: voiceIdentifier, voices: folder.voices, phrases: phrases)
    }

    /// Prepares the work in a folder of packs, for tests.
    package init(
      locale: String, voiceIdentifier: String? = nil, voices: URL, phrases: [String] = [],
      now: @escaping @Sendable () -> Date = { Date() },
      wait: @escaping @Sendable (Double) async -> Void = { try? await Task.sleep(nanoseconds: UInt64($0 * 1e9)) }
    ) throws {
      guard let spoken = SpokenLocale.first(of: [locale]) else {
        throw PhoneVoicePackError(.localeUnknown, "There are no sentences in “\(locale)”.")
      }
      guard let voice = VoiceChoice.voice(for: spoken.tag, identifier: voiceIdentifier) else {
        throw PhoneVoicePackError(.voiceMissing, ReasonCode.voiceMissing.entry.advice.english)
      }
      (self.locale, self.voice, self.now, self.wait) = (spoken, voice, now, wait)
      units = PackScript(spoken, phrases: phrases).units
      workshop = try PackWorkshop(locale: spoken, voice: (voice.identifier, voice.name), in: voices)
    }

    /// How many units are to be spoken, and how many of them have been.
    public var progress: Progress {
      Progress(done: units.filter { workshop.kept($0) != nil }.count, total: units.count, current: "")
    }

    /// Makes the pack, or goes on with it.
    ///
    /// - Parameter report: Told of each unit before it is spoken, and of the end.
    /// - Returns: The pack, in its place.
    /// - Throws: ``PhoneVoicePackError``, or `CancellationError` if the task was cancelled; what is done is kept.
    @discardableResult
    public func make(report: @MainActor (Progress) -> Void = { _ in }) async throws -> InstalledVoices.Voice {
      guard !isMaking else { throw PhoneVoicePackError(.sharedStateBusy, "This pack is being made already.") }
      isMaking = true
      defer { isMaking = false }
      for (place, unit) in units.enumerated() {
        try Task.checkCancellation()
        report(Progress(done: place, total: units.count, current: unit.name))
        if workshop.kept(unit) == nil { try workshop.keep(try await clip(unit), unit) }
      }
      let voice = try await PhoneVoicePack.finish(workshop, units, Int(now().timeIntervalSince1970))
      report(Progress(done: units.count, total: units.count, current: ""))
      return voice
    }

    private nonisolated static func finish(
      _ workshop: PackWorkshop, _ units: [PackScript.Unit], _ unixSeconds: Int
    ) async throws -> InstalledVoices.Voice { try workshop.finish(units, unixSeconds: unixSeconds) }
  }

  // MARK: Speaking

  extension PhoneVoicePack {
    /// Speaks a unit in its carrier, or alone where that cannot be cut.
    private func clip(_ unit: PackScript.Unit) async throws -> Sound {
      let shaper = UnitShaper()
      if failedCarriers < 3, let carrier = CarrierPhrase(locale) {
        let speech = try await speech(carrier.text(with: unit.name), unit)
        if let clip = shaper.clip(unit.name, in: speech, carrier: carrier) {
          failedCarriers = 0
          return clip
        }
        // A voice that tells nothing of its words the first times will not later.
        failedCarriers += 1
        try Task.checkCancellation()
      }
      guard let clip = shaper.clip(unit.name, in: try await speech(unit.name, unit), carrier: nil) else {
        throw PhoneVoicePackError(
          .synthesizerSilent, "The voice \(voice.name) said nothing for “\(unit.name)”. Choose another voice.")
      }
      return clip
    }

    private func speech(_ text: String, _ unit: PackScript.Unit) async throws -> Speech {
      let synthesizer = synthesizer
      let result = await withCheckedContinuation { continuation in
        let collector = SpeechCollector(longestSeconds: 20) { continuation.resume(returning: $0) }
        watch(collector)
        collector.start(text, voice: voice, on: synthesizer)
      }
      do { return try result.get() } catch {
        synthesizer.stopSpeaking(at: .immediate)
        throw PhoneVoicePackError(
          error.code, "The voice \(voice.name) gave no sound for “\(unit.name)”. Try again, or choose another voice.")
      }
    }

    /// There is no error callback: a voice that falls silent is found by the clock.
    private func watch(_ collector: SpeechCollector) {
      let wait = wait
      // It holds the collector: the system might drop its callbacks without a word.
      Task {
        var seen = -1
        while !collector.isDone, collector.progress != seen {
          seen = collector.progress
          await wait(PhoneVoicePack.patienceSeconds)
        }
        collector.fail(.silent)
      }
    }
  }
#endif

#if canImport(AVFAudio) && canImport(UIKit) && canImport(UserNotifications)
  import AVFAudio
  import Announcing
  import Foundation
  import UIKit
  import VoiceAudio
  import os

  /// Keeps the app awake with a silent loop and speaks the times itself: the rim of ``Announcing/KeepAlive``.
  ///
  /// The notifications stay scheduled. Three seconds before a time the app takes its notification away and puts it back as soon
  /// as it begins to speak; so a time is never said twice, and a killed app leaves a clock that still speaks.
  @available(iOSApplicationExtension, unavailable)
  @MainActor
  final class ClockKeeper {
    private weak var clock: TalkingClock?
    private let world: ClockWorld
    private let session: AVAudioSession
    private let events: NotificationCenter
    private let log = Logger(subsystem: "aloud", category: "clock")
    private(set) var state = KeepAlive()
    private var minutes: [Int] = []
    private var loop: AVAudioPlayer?
    private let speaker = SoundPlayer()
    private var watch: Task<Void, Never>?
    private var observers: [any NSObjectProtocol] = []

    init(clock: TalkingClock, world: ClockWorld, session: AVAudioSession, events: NotificationCenter) {
      (self.clock, self.world, self.session, self.events) = (clock, world, session, events)
    }

    /// Switches the mode, or gives it other times.
    func turn(on isOn: Bool, minutes: [Int]) {
      guard isOn != state.isOn || (isOn && minutes != self.minutes) else { return }
      self.minutes = minutes
      watch?.cancel()
      watch = nil
      if isOn {
        observe()
        if UIApplication.shared.applicationState != .active { take(.resignsActive) }
        take(.switchedOn)
        watch = Task { [weak self] in await self?.run() }
      } else {
        take(.switchedOff)
        for observer in observers { events.removeObserver(observer) }
        observers = []
      }
    }

    /// Plays a sound once, outside the times.
    func playOnce(_ bytes: [UInt8], with player: SoundPlayer) async -> Bool {
      guard activate(ducking: true) else { return false }
      let isWhole = await player.play(bytes)
      if state.isHolding { _ = activate(ducking: false) } else { deactivate() }
      return isWhole
    }

    private func run() async {
      var strikes = ClockStrikes(minutes: minutes)
      while !Task.isCancelled, clock != nil {
        switch strikes.next(at: world.now()) {
        case .wait(let seconds): await world.wait(seconds)
        case .prepare(let minute): if state.isLooping { await clock?.hold(minute: minute) }
        case .strike(let minute): await strike(minute)
        }
      }
    }

    private func strike(_ minute: Int) async {
      // In front, or without the loop, the notification speaks: it was not taken away.
      guard state.isLooping, let clock, let bytes = clock.sound(minute: minute) else { return }
      take(.speechBegins)
      guard state.isSpeaking else { return }
      _ = activate(ducking: true)
      async let spoken = speaker.play(bytes)
      await clock.refresh()
      if await !spoken { log.notice("a time was not spoken to its end") }
      take(.speechEnded)
      if state.isHolding { _ = activate(ducking: false) }
    }

    // MARK: What happens

    private func take(_ event: KeepAlive.Event) {
      for action in state.handle(event) { perform(action) }
    }

    private func perform(_ action: KeepAlive.Action) {
      switch action {
      case .stopSpeech: speaker.stop()
      case .stopLoop: loop?.pause()
      case .dropPlayers: loop = nil
      case .deactivate: deactivate()
      case .activate: if !activate(ducking: false) { take(.refused) }
      case .startLoop: if state.isLooping, !playLoop() { take(.refused) }
      }
    }

    private func playLoop() -> Bool {
      if loop == nil {
        let silence = PCM.silence(seconds: 0.5, sampleRate: 22_050)
        guard let bytes = try? SoundFile.encode(silence, container: .wav, codec: .lpcm),
          let player = try? AVAudioPlayer(data: Data(bytes))
        else { return false }
        player.numberOfLoops = -1
        loop = player
      }
      return loop?.play() ?? false
    }

    private func activate(ducking: Bool) -> Bool {
      do {
        try session.setCategory(
          .playback, mode: ducking ? .voicePrompt : .default, options: ducking ? [.duckOthers] : [.mixWithOthers])
        try session.setActive(true)
        return true
      } catch {
        log.error("The audio session was refused: \(SpeechAnnouncer.name(error), privacy: .public)")
        return false
      }
    }

    private func deactivate() { try? session.setActive(false, options: .notifyOthersOnDeactivation) }

    private func observe() {
      guard observers.isEmpty else { return }
      let plain: [(NSNotification.Name, KeepAlive.Event)] = [
        (UIApplication.willResignActiveNotification, .resignsActive),
        (UIApplication.didBecomeActiveNotification, .becameActive),
        (AVAudioSession.mediaServicesWereResetNotification, .mediaServicesReset),
      ]
      for (name, event) in plain { observe(name) { _ in event } }
      observe(AVAudioSession.interruptionNotification) { info in
        let type = (info[AVAudioSessionInterruptionTypeKey] as? UInt)
          .flatMap(AVAudioSession.InterruptionType.init(rawValue:))
        return type == .began ? .interrupted : type == .ended ? .interruptionEnded : nil
      }
      observe(AVAudioSession.routeChangeNotification) { info in
        let reason = (info[AVAudioSessionRouteChangeReasonKey] as? UInt)
          .flatMap(AVAudioSession.RouteChangeReason.init(rawValue:))
        return reason == .oldDeviceUnavailable ? .outputLost : nil
      }
    }

    private func observe(
      _ name: NSNotification.Name, _ event: @escaping @Sendable ([AnyHashable: Any]) -> KeepAlive.Event?
    ) {
      observers.append(
        events.addObserver(forName: name, object: nil, queue: nil) { [weak self] note in
          guard let event = event(note.userInfo ?? [:]) else { return }
          Task { @MainActor in self?.take(event) }
        })
    }
  }
#endif

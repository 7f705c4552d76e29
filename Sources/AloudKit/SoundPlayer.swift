#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  /// Plays one sound file after another in the running app and says when each has ended.
  ///
  /// The audio session is the caller's.
  @MainActor
  final class SoundPlayer: NSObject {
    private var player: AVAudioPlayer?
    private var ended: CheckedContinuation<Bool, Never>?

    /// Plays a whole sound file.
    ///
    /// - Returns: Whether it was played to its end.
    func play(_ bytes: [UInt8]) async -> Bool {
      stop()
      guard let player = try? AVAudioPlayer(data: Data(bytes)) else { return false }
      self.player = player
      player.delegate = self
      return await withCheckedContinuation { continuation in
        ended = continuation
        if !player.play() { finish(false) }
      }
    }

    /// Ends what is played.
    func stop() {
      player?.stop()
      finish(false)
    }

    private func finish(_ isWhole: Bool) {
      player = nil
      let waiting = ended
      ended = nil
      waiting?.resume(returning: isWhole)
    }

    fileprivate func finished(_ identity: ObjectIdentifier, _ isWhole: Bool) {
      guard let player, ObjectIdentifier(player) == identity else { return }
      finish(isWhole)
    }
  }

  extension SoundPlayer: AVAudioPlayerDelegate {
    nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
      let identity = ObjectIdentifier(player)
      Task { @MainActor in self.finished(identity, flag) }
    }

    nonisolated func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
      let identity = ObjectIdentifier(player)
      Task { @MainActor in self.finished(identity, false) }
    }
  }
#endif

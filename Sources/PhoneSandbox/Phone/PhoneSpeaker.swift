import Announcing
package import VoiceAudio

/// A sound that the phone plays.
struct PlayedSound: Hashable, Sendable {
  var start: Double
  /// When it ends, or ended because something cut it.
  var end: Double
  /// When it would have ended.
  var fullEnd: Double
  var text: String
  var events: [String]
  var file: String
  var pcm: PCM
}

/// The loudspeaker: what is played when, and what cuts what.
///
/// Sources, all from the field since Apple documents none of it: with the screen on a newer sound cuts the older, on a locked
/// phone sounds stack (github.com/lionheart/openradar-mirror/issues/17099, github.com/invertase/notifee/issues/1020); with the
/// screen on and a temporary banner the sound ends with the banner, after 5 to 8 s (github.com/invertase/notifee/issues/436,
/// github.com/katzer/cordova-plugin-local-notifications/issues/1550); a volume or side button stops it
/// (juejin.im/post/5efe9a806fb9a07e80203734).
struct PhoneSpeaker: Hashable, Sendable {
  /// From the hand-over to the first sample, in seconds.
  static let latencySeconds = 0.15
  /// How long a temporary banner stands, in seconds: the shortest that is reported.
  static let bannerSeconds = 5.0

  private(set) var sounds: [PlayedSound] = []

  /// An event whose sentence was cut short, and why.
  struct Cut: Hashable, Sendable {
    var events: [String]
    var code: ReasonCode
  }

  /// Plays a sound.
  ///
  /// - Returns: What was cut, the new sound itself among it if its banner goes too early.
  mutating func play(_ sound: PlayedSound, isScreenOn: Bool, hasTemporaryBanner: Bool) -> [Cut] {
    var cuts: [Cut] = []
    var new = sound
    if isScreenOn {
      cuts = stop(at: new.start, .cutByNewer)
      if hasTemporaryBanner, new.end > new.start + PhoneSpeaker.bannerSeconds {
        new.end = new.start + PhoneSpeaker.bannerSeconds
        if !new.events.isEmpty { cuts.append(Cut(events: new.events, code: .cutByBanner)) }
      }
    }
    sounds.append(new)
    return cuts
  }

  /// Stops whatever plays at that moment.
  mutating func stop(at time: Double, _ code: ReasonCode) -> [Cut] {
    var cuts: [Cut] = []
    for place in sounds.indices where sounds[place].start < time && sounds[place].end > time {
      sounds[place].end = time
      if !sounds[place].events.isEmpty { cuts.append(Cut(events: sounds[place].events, code: code)) }
    }
    return cuts
  }

  /// When the last sound ends.
  var lastEnd: Double { sounds.map(\.end).max() ?? 0 }

  /// Everything that was played, mixed into one track.
  func track(sampleRate: Int = 24_000, until end: Double? = nil) -> PCM {
    let seconds = max(end ?? 0, lastEnd)
    var sum = [Int32](repeating: 0, count: Int((seconds * Double(sampleRate)).rounded(.up)) + 1)
    for sound in sounds {
      let samples = PhoneSpeaker.resampled(sound.pcm, to: sampleRate)
      let first = Int((sound.start * Double(sampleRate)).rounded())
      let count = min(samples.count, Int(((sound.end - sound.start) * Double(sampleRate)).rounded()))
      for place in 0..<max(0, count) where first + place < sum.count { sum[first + place] += Int32(samples[place]) }
    }
    return PCM(sampleRate: sampleRate, samples: sum.map { Int16(clamping: $0) })
  }

  /// Linear interpolation: good enough to listen to what a story came to.
  private static func resampled(_ pcm: PCM, to rate: Int) -> [Int16] {
    guard pcm.sampleRate != rate, pcm.sampleRate > 0, pcm.samples.count > 1 else { return pcm.samples }
    let count = pcm.samples.count * rate / pcm.sampleRate
    return (0..<count).map { place in
      let position = place * pcm.sampleRate
      let (index, rest) = (position / rate, position % rate)
      let next = min(index + 1, pcm.samples.count - 1)
      let (left, right) = (Int(pcm.samples[index]), Int(pcm.samples[next]))
      return Int16(clamping: left + (right - left) * rest / rate)
    }
  }
}

extension VirtualIPhone {
  /// What was heard, with at most a second of silence between sounds: for a player, when hours lie between them.
  package func compactTrack() -> PCM {
    var packed = PhoneSpeaker()
    var shift = 0.0
    var end = 0.0
    for sound in speaker.sounds.sorted(by: { $0.start < $1.start }) {
      let gap = sound.start - end
      if gap > 1 { shift += gap - 1 }
      end = max(end, sound.end)
      var moved = sound
      (moved.start, moved.end) = (sound.start - shift, sound.end - shift)
      _ = packed.play(moved, isScreenOn: false, hasTemporaryBanner: false)
    }
    return packed.track()
  }
}

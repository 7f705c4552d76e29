package import VoiceAudio

/// Makes a recording into a clip: one rate, no silence at its ends, soft edges, one loudness, no peak above the
/// ceiling.
package struct ClipShaper: Hashable, Sendable {
  /// Frames a second of the clip, in Hz.
  package var sampleRate: Int
  /// The loudness by ITU-R BS.1770, in LUFS.
  package var loudness: Double
  /// The level that no sample passes, as a fraction of full scale.
  ///
  /// 0.84 is 1.5 dB below it, so that a codec's error stays below 1 dB.
  package var ceiling: Float
  /// How far below the loudest 5 ms the ends count as silence, in decibels.
  package var trimDecibels: Double
  /// How much of what was cut away is kept at each end, in seconds.
  package var keepSeconds: Double
  /// How long the clip fades in and out, in seconds.
  package var fadeSeconds: Double

  /// How many times as fast as recorded the clip is spoken.
  package var tempo: Double

  /// Makes a shaper; the defaults are those that joined best in trials with several voices.
  package init(
    sampleRate: Int, loudness: Double = -16, ceiling: Float = 0.84, trimDecibels: Double = 38,
    keepSeconds: Double = 0.012,
    fadeSeconds: Double = 0.005, tempo: Double = 1
  ) {
    self.sampleRate = sampleRate
    self.loudness = loudness
    self.ceiling = ceiling
    self.trimDecibels = trimDecibels
    self.keepSeconds = keepSeconds
    self.fadeSeconds = fadeSeconds
    self.tempo = tempo
  }

  /// All that its clips depend on beside the recording: part of the key under which they are kept.
  var signature: [String] {
    [
      "\(sampleRate)", "\(loudness)", "\(ceiling)", "\(trimDecibels)", "\(keepSeconds)", "\(fadeSeconds)", "\(tempo)",
    ]
  }

  private var finish: ClipFinish {
    ClipFinish(
      loudness: loudness, ceiling: ceiling, trimDecibels: trimDecibels, keepSeconds: keepSeconds,
      fadeSeconds: fadeSeconds)
  }

  /// Shapes a recording.
  ///
  /// - Parameter name: What it is called, for the error.
  /// - Throws: ``AudioToolsError`` if it holds nothing but silence.
  package func shape(_ sound: Sound, name: String) throws(AudioToolsError) -> Sound {
    guard let trimmed = finish.trimmed(try Resampler.resample(sound, to: sampleRate)) else {
      throw AudioToolsError(.unusable, "The recording \(name) holds nothing but silence; record it again.")
    }
    var clip = TimeStretch.apply(trimmed, tempo: tempo)
    finish.fade(&clip)
    return try level(clip, name: name)
  }

  /// Brings sound to the loudness; peaks that would pass the ceiling are held down without a click.
  package func level(_ sound: Sound, name: String) throws(AudioToolsError) -> Sound {
    guard
      let levelled = try finish.levelled(
        sound, measure: { (sound: Sound) throws(AudioToolsError) -> Double? in try LoudnessMeter.integrated(sound) })
    else {
      throw AudioToolsError(.unusable, "The recording \(name) is too soft to be levelled; record it again, nearer.")
    }
    return levelled
  }
}

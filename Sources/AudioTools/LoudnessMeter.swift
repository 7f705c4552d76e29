package import VoiceAudio
internal import CAudioLibraries

/// Measures loudness by ITU-R BS.1770-4, over libebur128.
package struct LoudnessMeter: Sendable {
  private let begin: audio_ebur128_init
  private let add: audio_ebur128_add_frames_float
  private let global: audio_ebur128_loudness_global
  private let end: audio_ebur128_destroy

  private static let shared: Result<LoudnessMeter, AudioToolsError> = Result { () throws(AudioToolsError) in
    let library = try DynamicLibrary("libebur128.so.1", package: "libebur128-1")
    return LoudnessMeter(
      begin: try library.function("ebur128_init", as: audio_ebur128_init.self),
      add: try library.function("ebur128_add_frames_float", as: audio_ebur128_add_frames_float.self),
      global: try library.function("ebur128_loudness_global", as: audio_ebur128_loudness_global.self),
      end: try library.function("ebur128_destroy", as: audio_ebur128_destroy.self))
  }

  /// The integrated loudness in LUFS, or `nil` for silence.
  ///
  /// The measure looks at blocks of 400 ms. A shorter sound is measured as if it were said again and again for three
  /// seconds, so that a word of 200 ms gets a figure that can be compared with a sentence's.
  package static func integrated(_ sound: Sound) throws(AudioToolsError) -> Double? {
    let library = try shared.get()
    guard !sound.samples.isEmpty else { return nil }
    let mode = Int32(EBUR128_MODE_I.rawValue)
    guard let state = library.begin(1, UInt(sound.sampleRate), mode) else {
      throw AudioToolsError(.unusable, "ebur128 cannot measure sound of \(sound.sampleRate) Hz.")
    }
    defer {
      var pointer: UnsafeMutablePointer<ebur128_state>? = state
      library.end(&pointer)
    }
    let times = sound.seconds >= 1 ? 1 : Int((3 / sound.seconds).rounded(.up))
    for _ in 0..<times {
      guard library.add(state, sound.samples, sound.samples.count) == 0 else {
        throw AudioToolsError(.unusable, "ebur128 ran out of memory.")
      }
    }
    var loudness = 0.0
    guard library.global(state, &loudness) == 0, loudness > -70 else { return nil }
    return loudness
  }
}

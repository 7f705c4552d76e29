package import VoiceAudio
internal import CAudioLibraries

/// Changes the rate of sound, over soxr.
package struct Resampler: Sendable {
  private let convert: audio_soxr_oneshot
  private let quality: audio_soxr_quality_spec

  private static let shared: Result<Resampler, AudioToolsError> = Result { () throws(AudioToolsError) in
    let library = try DynamicLibrary("libsoxr.so.0", package: "libsoxr0")
    return Resampler(
      convert: try library.function("soxr_oneshot", as: audio_soxr_oneshot.self),
      quality: try library.function("soxr_quality_spec", as: audio_soxr_quality_spec.self))
  }

  /// The sound at another rate, in soxr's high quality; the sound itself if the rate is the same.
  package static func resample(_ sound: Sound, to sampleRate: Int) throws(AudioToolsError) -> Sound {
    guard sound.sampleRate != sampleRate, !sound.samples.isEmpty else { return sound }
    let library = try shared.get()
    let ratio = Double(sampleRate) / Double(sound.sampleRate)
    let room = Int((Double(sound.samples.count) * ratio).rounded(.up)) + 16
    var failed = false
    let samples = [Float](unsafeUninitializedCapacity: room) { buffer, count in
      var quality = library.quality(UInt(SOXR_HQ), 0)
      var done = 0
      let error = sound.samples.withUnsafeBufferPointer { input in
        library.convert(
          Double(sound.sampleRate), Double(sampleRate), 1, input.baseAddress, input.count, nil, buffer.baseAddress,
          room,
          &done, nil, &quality, nil)
      }
      failed = error != nil
      count = failed ? 0 : done
    }
    guard !failed else {
      throw AudioToolsError(.unusable, "soxr cannot change \(sound.sampleRate) Hz into \(sampleRate) Hz.")
    }
    return Sound(sampleRate: sampleRate, samples: samples)
  }
}

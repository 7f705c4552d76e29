internal import CAudioLibraries
package import VoiceAudio

/// Reads any usual sound file.
package enum SoundReader {
  /// What a file is and what it sounds like.
  package struct Result: Sendable {
    /// The sound, channels mixed into one.
    package let sound: Sound
    /// Channels in the file.
    package let channels: Int
    /// What our own strict reader found, if the file is of its kinds.
    package let layout: SoundLayout?
    /// Why our own reader did not take it, if it did not.
    package let refusal: SoundFileError?
  }

  /// The longest sound that is read, in seconds.
  package static let longest = 600.0

  /// Reads a file: CAF, WAV and AIFF with our own reader, anything else with libsndfile (MP3, FLAC, Ogg, odd WAVs), and
  /// what that does not know (M4A) with the program ffmpeg, if it is there.
  package static func read(path: String) throws(AudioToolsError) -> Result {
    let bytes = try Files.read(path)
    let own = Swift.Result { () throws(SoundFileError) in try SoundFile.decode(bytes) }
    if case .success(let file) = own {
      try bound(file.layout.seconds, path)
      return Result(sound: Sound(file.pcm), channels: file.channels, layout: file.layout, refusal: nil)
    }
    var refusal: SoundFileError?
    if case .failure(let error) = own { refusal = error }
    if let (sound, channels) = try SndFile.read(path: path) {
      return Result(sound: sound, channels: channels, layout: nil, refusal: refusal)
    }
    return Result(sound: try viaFFmpeg(path), channels: 1, layout: nil, refusal: refusal)
  }

  static func bound(_ seconds: Double, _ path: String) throws(AudioToolsError) {
    guard seconds <= longest else {
      throw AudioToolsError(
        .notSound, "\(path) lasts \(Int(seconds)) s; files of up to \(Int(longest)) s are read. Cut it first.")
    }
  }

  private static func viaFFmpeg(_ path: String) throws(AudioToolsError) -> Sound {
    guard let program = ChildProcess.find("ffmpeg") else {
      throw AudioToolsError(
        .notSound,
        "\(path) is no sound file that libsndfile reads (WAV, AIFF, CAF, MP3, FLAC, Ogg). If it is M4A or another kind, "
          + "install ffmpeg (apt-get install ffmpeg) and try again.")
    }
    // The file is handed over by name with a scheme, so that a name cannot be taken for an option or an address.
    let result = try ChildProcess.run(
      [
        program, "-v", "error", "-nostdin", "-i", "file:" + path, "-t", "\(Int(longest) + 1)", "-ac", "1", "-f", "wav",
        "-",
      ])
    guard result.status == 0, let file = try? SoundFile.decode(result.output, isStream: true) else {
      throw AudioToolsError(.notSound, "\(path) is no sound file: \(result.firstComplaint)")
    }
    try bound(file.layout.seconds, path)
    return Sound(file.pcm)
  }
}

/// libsndfile, as far as it is needed.
private struct SndFile: Sendable {
  private let open: audio_sf_open
  private let readFrames: audio_sf_readf_float
  private let close: audio_sf_close

  private static let shared: Swift.Result<SndFile, AudioToolsError> = Swift.Result { () throws(AudioToolsError) in
    let library = try DynamicLibrary("libsndfile.so.1", package: "libsndfile1")
    return SndFile(
      open: try library.function("sf_open", as: audio_sf_open.self),
      readFrames: try library.function("sf_readf_float", as: audio_sf_readf_float.self),
      close: try library.function("sf_close", as: audio_sf_close.self))
  }

  /// Reads a file and mixes its channels; `nil` if libsndfile does not know its kind.
  static func read(path: String) throws(AudioToolsError) -> (Sound, channels: Int)? {
    let library = try shared.get()
    var information = SF_INFO()
    guard let file = library.open(path, Int32(SFM_READ), &information) else { return nil }
    defer { _ = library.close(file) }
    let channels = Int(information.channels)
    let rate = Int(information.samplerate)
    guard (1...64).contains(channels), (100...768_000).contains(rate) else {
      throw AudioToolsError(.notSound, "\(path) has \(channels) channels at \(rate) Hz, which cannot be.")
    }
    var samples: [Float] = []
    var chunk = [Float](repeating: 0, count: 4_096 * channels)
    while true {
      let frames = Int(library.readFrames(file, &chunk, 4_096))
      guard frames > 0 else { break }
      for frame in 0..<frames {
        samples.append(chunk[frame * channels..<(frame + 1) * channels].reduce(0, +) / Float(channels))
      }
      try SoundReader.bound(Double(samples.count) / Double(rate), path)
    }
    guard !samples.isEmpty else { throw AudioToolsError(.notSound, "\(path) holds no sound.") }
    return (Sound(sampleRate: rate, samples: samples), channels)
  }
}

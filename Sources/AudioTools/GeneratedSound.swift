internal import VoiceAudio

/// A sound that is computed and not recorded: silence of any length, or one of the chimes.
enum GeneratedSound {
  /// The sound that an input's name asks for, `silence:SECONDS` or `chime:NAME`; `nil` if it is the name of a file.
  ///
  /// - Throws: ``AudioToolsError`` if it asks for something that cannot be made.
  static func named(_ name: String, sampleRate: Int) throws(AudioToolsError) -> Sound? {
    guard let colon = name.firstIndex(of: ":"), !Files.exists(name) else { return nil }
    let value = String(name[name.index(after: colon)...])
    switch name[..<colon] {
    case "silence":
      guard let seconds = Double(value), seconds > 0, seconds <= SoundReader.longest else {
        throw AudioToolsError(
          .badInput, "silence:SECONDS takes a number above 0 and up to \(Int(SoundReader.longest)), not “\(value)”.")
      }
      return Sound(PCM.silence(seconds: seconds, sampleRate: sampleRate))
    case "chime":
      guard let chime = Chime(rawValue: value) else {
        let names = Chime.allCases.map(\.rawValue).joined(separator: ", ")
        throw AudioToolsError(.badInput, "There is no chime “\(value)”; there are \(names).")
      }
      return Sound(chime.pcm(sampleRate: sampleRate))
    default: return nil
    }
  }
}

import VoiceAudio

/// The rules of one sound file.
enum SoundCheck {
  /// Rules that count for notification sounds only; other sounds of an app may be as long as they like.
  static let lengths: Set<RuleCode> = [.tooLongSound, .nearLimitSound, .longSound, .heavySound]

  /// The findings of a sound of which it is not known whether a notification plays it: lengths are hints then.
  static func cautious(_ bytes: [UInt8], path: String) -> [Finding] {
    findings(bytes, path: path).map { finding in
      var finding = finding
      if lengths.contains(finding.code) { finding.severity = .hint }
      return finding
    }
  }

  /// Everything found in the file; `path` is how it is named in the report.
  static func findings(_ bytes: [UInt8], path: String) -> [Finding] {
    let place = Place(path)
    let named = path.pathExtension
    let content = SoundCheck.content(bytes)
    guard let content else { return [Finding(.unreadableSound, place, "\(bytes.count) bytes")] }
    var findings: [Finding] = []
    if !SoundCheck.matches(named, content) {
      findings.append(Finding(.soundContentMismatch, place, ".\(named): \(content)"))
    }
    guard ["caf", "wav", "aiff"].contains(content) else {
      return findings + [Finding(.unsupportedSound, place, content)]
    }
    do {
      let sound = try SoundFile.decode(bytes)
      let seconds = Double(sound.frames) / Double(max(1, sound.sampleRate))
      let detail = "\((seconds * 10).rounded() / 10) s"
      if seconds >= 30 {
        findings.append(Finding(.tooLongSound, place, detail))
      } else if seconds > 29 {
        findings.append(Finding(.nearLimitSound, place, detail))
      } else if seconds > 5 {
        findings.append(Finding(.longSound, place, detail))
      }
      if !["lpcm", "ima4", "ulaw", "alaw"].contains(sound.codec.rawValue), sound.codec.rawValue != "lpcm24" {
        findings.append(Finding(.unsupportedSound, place, sound.codec.rawValue))
      }
      if bytes.count > 1 << 20 { findings.append(Finding(.heavySound, place, "\(bytes.count >> 10) KiB")) }
    } catch {
      let code: RuleCode = error.reason == .unsupportedCodec ? .unsupportedSound : .unreadableSound
      findings.append(Finding(code, place, error.message))
    }
    return findings
  }

  /// What the bytes are by their first ones, or `nil`.
  static func content(_ bytes: [UInt8]) -> String? {
    func has(_ text: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
    if has("caff", at: 0) { return "caf" }
    if has("RIFF", at: 0), has("WAVE", at: 8) { return "wav" }
    if has("FORM", at: 0), has("AIFF", at: 8) || has("AIFC", at: 8) { return "aiff" }
    if has("ftyp", at: 4) { return "m4a" }
    if has("OggS", at: 0) { return "ogg" }
    if has("fLaC", at: 0) { return "flac" }
    if has("ID3", at: 0) { return "mp3" }
    guard bytes.count > 2, bytes[0] == 0xFF else { return nil }
    if bytes[1] & 0xF6 == 0xF0 { return "aac" }
    return bytes[1] & 0xE0 == 0xE0 ? "mp3" : nil
  }

  private static func matches(_ named: String, _ content: String) -> Bool {
    switch named {
    case "aiff", "aif", "aifc": content == "aiff"
    case "m4a", "mp4", "m4r": content == "m4a"
    case "ogg", "opus": content == "ogg"
    default: named == content
    }
  }
}

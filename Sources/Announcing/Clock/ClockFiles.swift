public import SpokenText
package import VoiceAudio

extension ClockSchedule {
  /// The clock's sound files that nothing needs any more: of an older voice, language or style.
  ///
  /// One that was needed within the last day stays, because a notification that names it may still be playing or lie in the
  /// notification centre. Files of others stay, whatever their age.
  ///
  /// - Parameters:
  ///   - files: What lies in the folder.
  ///   - needed: The names that the current schedule needs.
  ///   - now: The wall clock, UNIX seconds.
  public static func removableFiles(
    in files: [StoredSound], needed: Set<String>, nowUnixSeconds now: Double
  ) -> [String] {
    files.filter { file in
      file.name.hasPrefix(SoundFileName.prefix + "clock-") && !needed.contains(file.name)
        && now - file.modifiedUnixSeconds > 86_400
    }.map(\.name).sorted()
  }
}

extension SpokenLocale {
  /// The first of a phone's languages that can be spoken, or `nil`.
  ///
  /// A phone names languages with its own region (`en-DE`, `zh-Hans-US`); where there is no such locale, script and then
  /// language alone decide.
  ///
  /// - Parameter tags: BCP 47 tags, the preferred one first.
  public static func first(of tags: [String]) -> SpokenLocale? {
    for tag in tags {
      let parts = tag.split { $0 == "-" || $0 == "_" }.map(String.init)
      for count in stride(from: parts.count, through: 1, by: -1) {
        if let locale = try? SpokenLocale(parts.prefix(count).joined(separator: "-")) { return locale }
      }
    }
    return nil
  }
}

extension VoicePack {
  /// Names the pack and everything that its sound depends on: a file made from another sound gets another name.
  package var fingerprint: String { "\(id)/\(version)/\(SoundFileName.hash(manifest.json).prefix(16))" }
}

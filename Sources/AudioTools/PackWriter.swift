package import VoiceAudio

/// Puts clips together into a pack's folder.
package enum PackWriter {
  /// ``VoiceAudio/PackAssembly`` with the errors of this room.
  /// - Throws: ``AudioToolsError`` if there is no clip, a name stands twice, or two takes would fit equally.
  package static func files(
    _ manifest: PackManifest, _ clips: [PreparedClip], standIns: [(word: String, clip: String)] = []
  ) throws(AudioToolsError) -> PackAssembly.Contents {
    do {
      return try PackAssembly.files(manifest, clips, standIns: standIns)
    } catch {
      throw AudioToolsError(error.reason == .badManifest ? .badInput : .unusable, error.message)
    }
  }

  /// Writes a pack's folder and opens what was written, so that a pack that cannot be used is never left behind
  /// unnoticed.
  package static func write(_ files: PackAssembly.Contents, to folder: String) throws(AudioToolsError) -> VoicePack {
    try Files.makeFolder(folder)
    try Files.write(files.clips, to: folder + "/clips.caf")
    try Files.write(files.manifest, to: folder + "/pack.json")
    do throws(VoicePackError) {
      return try VoicePack.open(path: folder)
    } catch {
      throw AudioToolsError(.unusable, "The pack that was written cannot be opened: \(error)")
    }
  }
}

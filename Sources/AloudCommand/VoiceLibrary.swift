import Glibc
package import VoiceAudio

/// Finds voice packs: where the user said, else beside the program, else where Debian puts shared data.
package struct VoiceLibrary: Sendable {
  /// The folders that are looked in, in order.
  package let folders: [String]

  /// Makes a library of given folders.
  package init(folders: [String]) { self.folders = folders }

  /// The folders of this process: `ALOUD_VOICES`, `Voices` in the working folder, beside the program and above it.
  package init(environment: [String: String], program: String? = VoiceLibrary.programPath()) {
    var folders = environment["ALOUD_VOICES"].map { [$0] } ?? []
    folders.append("Voices")
    if var folder = program {
      // .build/release/aloud lies three or four folders below the repository; an installed one beside share/.
      for _ in 0..<5 {
        guard let slash = folder.lastIndex(of: "/") else { break }
        folder = String(folder[..<slash])
        folders += [folder + "/Voices", folder + "/share/aloud/Voices"]
      }
    }
    self.folders = folders
  }

  /// The pack for a locale: the folder named after it (`zh-CN.voicepack`), or that of another region of the same language.
  ///
  /// - Throws: ``CommandFailure`` that says where was looked, or what is wrong with the pack.
  package func pack(for locale: String) throws -> VoicePack {
    for name in [locale, String(locale.prefix { $0 != "-" })] {
      for folder in folders {
        let path = "\(folder)/\(name).voicepack"
        guard access(path + "/pack.json", R_OK) == 0 else { continue }
        return try VoiceLibrary.open(path)
      }
    }
    throw CommandFailure(
      "There is no voice pack for \(locale). Looked for \(locale).voicepack in: \(folders.joined(separator: ", ")). "
        + "Name one with --pack DIR, or set ALOUD_VOICES.")
  }

  /// Opens the pack at a path.
  /// - Throws: ``CommandFailure`` that names the path and what is wrong.
  package static func open(_ path: String) throws -> VoicePack {
    do { return try VoicePack.open(path: path) } catch { throw CommandFailure("\(path): \(error)") }
  }

  /// Where this program lies, or `nil` if the system does not say.
  package static func programPath() -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

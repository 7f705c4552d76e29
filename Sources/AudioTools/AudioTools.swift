// Room: what makes voice packs and converts sound files on a workstation, over libsndfile, soxr and ebur128.

/// Why the sound tools could not do what was asked; the text says what is wrong and what to do.
package struct AudioToolsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble; stable, for programs.
  package enum Reason: String, Hashable, Sendable {
    case missingLibrary, missingProgram, programFailed, cannotRead, cannotWrite, notSound, unusable, badInput
  }

  /// The kind of trouble.
  package let reason: Reason
  package let description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}

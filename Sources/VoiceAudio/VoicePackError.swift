/// Why a folder is no voice pack that can be used.
public struct VoicePackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble; stable, for programs.
  public enum Reason: String, Hashable, Sendable {
    case cannotRead, tooLarge, badManifest, unknownFormat, badClips, formatMismatch, badClip
  }

  /// The kind of trouble.
  public let reason: Reason
  /// What is wrong, where and what to do.
  public let message: String

  public var description: String { message }

  package init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

/// Why bytes are no sound file that can be used here, or why a sound cannot be written as asked.
public struct SoundFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble; stable, for programs.
  public enum Reason: String, Hashable, Sendable {
    case empty, unknownContainer, truncated, missingChunk, duplicateChunk, badChunk, badGeometry, badRate, badChannels
    case unsupportedCodec, noFrames, tooLarge
  }

  /// The kind of trouble.
  public let reason: Reason
  /// What is wrong and what to do, in a sentence or two.
  public let message: String
  /// The byte at which it was noticed, where there is one.
  public let offset: Int?

  public var description: String { offset.map { "byte \($0): \(message)" } ?? message }

  init(_ reason: Reason, _ message: String, at offset: Int? = nil) {
    self.reason = reason
    self.message = message
    self.offset = offset
  }
}

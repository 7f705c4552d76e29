/// What is to be said, in the words of clips, in the order of speaking.
///
/// Words are those that `SpokenText` gives ("二", "十", "twenty"), or phrases ("微信收款"). A pause stands between segments,
/// none within one.
public struct Utterance: Hashable, Sendable {
  /// What a segment is about; it decides the pause around it.
  public enum Role: String, CaseIterable, Hashable, Sendable {
    /// Who speaks: "微信".
    case brand
    /// Who paid: "张三".
    case sender
    /// The sum, which must be heard first and whole.
    case amount
    /// How many: "三笔".
    case count
    /// A time of day.
    case time
    /// Anything else.
    case text
  }

  /// Words that are spoken in one breath.
  public struct Segment: Hashable, Sendable {
    /// The words, in order.
    public var words: [String]
    /// What they are about.
    public var role: Role
    /// The pause after them in seconds; `nil` for the pack's own.
    public var pauseAfterSeconds: Double?

    /// Makes a segment.
    public init(words: [String], role: Role = .text, pauseAfterSeconds: Double? = nil) {
      self.words = words
      self.role = role
      self.pauseAfterSeconds = pauseAfterSeconds
    }
  }

  /// The segments, in order.
  public var segments: [Segment]

  /// Makes an utterance from segments.
  public init(segments: [Segment]) { self.segments = segments }

  /// Makes an utterance of one segment.
  public init(words: [String], role: Role = .text) { self.init(segments: [Segment(words: words, role: role)]) }

  /// All words, in order.
  public var words: [String] { segments.flatMap(\.words) }
}

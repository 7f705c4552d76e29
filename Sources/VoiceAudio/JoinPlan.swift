/// A sentence ready to be rendered: which clips, which silences, how long.
public struct JoinPlan: Sendable {
  enum Part: Hashable, Sendable {
    case silence(frames: Int)
    case chime(Chime)
    case take(TakeKey)
  }

  let parts: [Part]
  /// The names of the clips, in the order of speaking.
  public let clips: [String]
  /// How long the sentence will be, in seconds: never less than what is rendered, and at most a twentieth of a second
  /// more.
  public let estimatedSeconds: Double
  /// What people should know about it.
  public let warnings: [JoinWarning]
}

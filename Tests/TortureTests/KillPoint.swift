import TestSupport

/// Where in the way of an event the server is killed.
enum KillPoint: CaseIterable, Sendable {
  /// While requests are on their way in.
  case duringAccept
  /// Right after a caller has its 202.
  case afterCommit
  /// Sends are decided and nothing but the first has left.
  case beforeWrite
  /// A part of a batch is on the wire, the rest waits for streams.
  case halfWritten
  /// Pushes are taken and none is answered.
  case answersInFlight
  /// Answers are on their way and not yet written down.
  case beforeResult

  /// Whether the answers of APNs are held back until the kill.
  var holdsAnswers: Bool { [.beforeWrite, .halfWritten, .answersInFlight].contains(self) }
}

/// One kill of a campaign: the point, after how many of its moments, and how much later still.
struct KillPlan: Sendable {
  var point: KillPoint
  /// The kill comes with so many answers (accepting) or pushes (sending).
  var count: Int
  var pauseMicroseconds: UInt32
  /// A number that chooses among several processes.
  var victim: Int

  init(_ point: KillPoint, using chance: inout SeededChance) {
    self.point = point
    victim = Int.random(in: 0..<1_000, using: &chance)
    let (counts, pauses): (ClosedRange<Int>, ClosedRange<UInt32>) =
      switch point {
      case .duringAccept: (1...1, 0...30_000)
      case .afterCommit: (1...12, 0...0)
      case .beforeWrite: (1...1, 0...20_000)
      case .halfWritten: (3...Wire.streams, 0...500)
      case .answersInFlight: (1...Wire.streams, 0...5_000)
      case .beforeResult: (1...8, 0...2_000)
      }
    count = Int.random(in: counts, using: &chance)
    pauseMicroseconds = UInt32.random(in: pauses, using: &chance)
  }
}

/// What is done, one step after the other, while nobody has proof that an event was heard.
package struct Ladder: Sendable, Equatable {
  /// A step and the seconds after acceptance at which it is due.
  package struct Rung: Sendable, Equatable {
    package var afterSeconds: Int
    package var step: Step
  }

  /// What a step does.
  package enum Step: String, Sendable, CaseIterable {
    /// The same push again: same collapse id, re-send mark in the payload.
    case push
    /// The other devices of the same user.
    case device
    /// A signed call to the configured webhook; SMS gateways attach there.
    case webhook
  }

  /// The steps in the order in which they are due.
  package var rungs: [Rung]

  /// No steps.
  package static let none = Ladder(rungs: [])

  init(rungs: [Rung]) { self.rungs = rungs }

  /// Reads `20:push,40:device,60:webhook`, or `none`.
  ///
  /// - Returns: nil when a part is not SECONDS:STEP or the seconds do not grow.
  package init?(_ text: String) {
    if text == "none" {
      self = .none
      return
    }
    var rungs: [Rung] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.trimmingSpaces().split(separator: ":", omittingEmptySubsequences: false)
      guard pieces.count == 2, let seconds = Int(pieces[0]), (1...86_400).contains(seconds),
        let step = Step(rawValue: String(pieces[1])), seconds > rungs.last?.afterSeconds ?? 0
      else { return nil }
      rungs.append(Rung(afterSeconds: seconds, step: step))
    }
    guard !rungs.isEmpty else { return nil }
    self.rungs = rungs
  }
}

/// A step of the fallback ladder.
package struct LadderStep: Hashable, Sendable {
  /// Seconds from acceptance of the event.
  package var afterSeconds: Int
  /// What to do, in the server's words: `resend`, `device`, `webhook:NAME`.
  ///
  /// Semicolons and colons in front are not allowed.
  package var action: String

  package init(afterSeconds: Int, action: String) {
    self.afterSeconds = afterSeconds
    self.action = action
  }
}

/// The step that comes next, for the timeline page.
package struct PendingLadderStep: Hashable, Sendable {
  package var step: LadderStep
  package var due: Timestamp

  package init(step: LadderStep, due: Timestamp) {
    self.step = step
    self.due = due
  }
}

/// A claimed ladder step.
package struct DueLadderStep: Hashable, Sendable {
  package var event: EventRecord
  package var deliveries: [DeliverySummary]
  package var step: LadderStep
  /// Its place in the ladder, from 0.
  package var index: Int
  /// Fences an older claim of the same step.
  package var epoch: Int64

  package init(event: EventRecord, deliveries: [DeliverySummary], step: LadderStep, index: Int, epoch: Int64) {
    self.event = event
    self.deliveries = deliveries
    self.step = step
    self.index = index
    self.epoch = epoch
  }
}

/// The text form of a ladder: `60:resend;120:webhook:sms`.
package enum LadderCodec {
  package static func encode(_ steps: [LadderStep]) -> String {
    steps.sorted { $0.afterSeconds < $1.afterSeconds }
      .map { "\($0.afterSeconds):\($0.action)" }
      .joined(separator: ";")
  }

  package static func decode(_ text: String) -> [LadderStep] {
    text.split(separator: ";").compactMap { part in
      guard let colon = part.firstIndex(of: ":"), let seconds = Int(part[..<colon]) else { return nil }
      return LadderStep(afterSeconds: seconds, action: String(part[part.index(after: colon)...]))
    }
  }

  /// The step at a place in a ladder's text; nil past its end.
  package static func pending(_ text: String, index: Int, due: Timestamp) -> PendingLadderStep? {
    let steps = decode(text)
    return index < steps.count ? PendingLadderStep(step: steps[index], due: due) : nil
  }
}

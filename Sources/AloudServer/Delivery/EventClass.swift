internal import Store

/// What an event is for; it decides how eagerly it is sent and what is done when nobody knows whether it was heard.
package enum EventClass: String, Sendable, CaseIterable {
  /// Money came in: never announced a second time, so a send of unknown fate is held until a receipt or the deadline.
  case payment
  /// Somebody must act: a send of unknown fate is repeated with the same collapse id and the re-send mark.
  case alarm
  /// Figures and summaries: like payments, but after them in line.
  case report

  /// What an ambiguous send does.
  package enum Promise: String, Sendable {
    case atMostOnce = "at-most-once"
    case mustHear = "must-hear"
  }

  /// The promise of the class.
  package var promise: Promise { self == .alarm ? .mustHear : .atMostOnce }

  /// The class of a kind such as `payment.received`: its first part, else a report.
  package init(kind: String) {
    switch Substring(kind.utf8.prefix { $0 != UInt8(ascii: ".") }) {
    case "payment", "refund", "order", "transfer": self = .payment
    case "alarm", "approval", "alert", "call": self = .alarm
    default: self = .report
    }
  }
}

extension EventClass {
  /// The lane in the queue.
  var lane: Lane {
    switch self {
    case .payment: .payment
    case .alarm: .alarm
    case .report: .report
    }
  }

  /// The class whose events are in a lane.
  init(_ lane: Lane) {
    switch lane {
    case .payment: self = .payment
    case .alarm: self = .alarm
    case .report: self = .report
    }
  }
}

/// A point in time: milliseconds since 1970-01-01 00:00 UTC.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970, as APNs gives them in a 410 answer.
  package var milliseconds: Int64

  /// Takes milliseconds since 1970.
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Takes whole seconds since 1970, as payloads give them; kept within the range of milliseconds.
  package init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  /// The time so many seconds later (or earlier), kept within range.
  package func adding(seconds: Int) -> Timestamp {
    adding(milliseconds: Timestamp(seconds: Int64(seconds)).milliseconds)
  }

  /// The time so many milliseconds later (or earlier), kept within range.
  package func adding(milliseconds more: Int64) -> Timestamp {
    let (sum, overflow) = milliseconds.addingReportingOverflow(more)
    return Timestamp(milliseconds: overflow ? (more < 0 ? .min : .max) : sum)
  }

  /// Whole seconds since 1970, rounded down.
  package var seconds: Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }

  /// Long before anything: a lower bound that never excludes.
  package static let distantPast = Timestamp(milliseconds: 0)
}

/// What can happen to an event.
///
/// The letter is how the databases keep it.
package enum TimelineKind: Character, CaseIterable, Hashable, Sendable {
  case accepted = "a"
  case rendered = "r"
  case sending = "s"
  case sent = "t"
  case retry = "w"
  case ambiguous = "u"
  case failed = "f"
  case dead = "d"
  case expired = "e"
  case received = "v"
  case silent = "q"
  case late = "l"
  case duplicate = "p"
  case merged = "m"
  case heard = "h"
  case resend = "n"
  case replay = "y"
  case fallback = "b"
  case takenOver = "o"
  case note = "x"

  /// The word for JSON and the console.
  package var name: String {
    switch self {
    case .takenOver: "taken-over"
    default: String(describing: self)
    }
  }
}

/// One line of an event's timeline.
package struct TimelineEntry: Hashable, Sendable {
  package var at: Timestamp
  package var kind: TimelineKind
  /// The delivery it is about; nil: the event as a whole.
  package var delivery: DeliveryID?
  /// The gateway's id, a reason code, the step: short, never an amount or a token.
  package var detail: String

  package init(at: Timestamp, kind: TimelineKind, delivery: DeliveryID? = nil, detail: String = "") {
    self.at = at
    self.kind = kind
    self.delivery = delivery
    self.detail = detail
  }
}

/// An entry to be added from outside the store.
package struct TimelineNote: Hashable, Sendable {
  package var eventID: String
  package var delivery: DeliveryID?
  package var kind: TimelineKind
  package var detail: String

  package init(eventID: String, delivery: DeliveryID? = nil, kind: TimelineKind, detail: String) {
    self.eventID = eventID
    self.delivery = delivery
    self.kind = kind
    self.detail = detail
  }
}

/// The text form in which databases keep a timeline in one column: a line per entry, appended with `||`.
///
/// A line is the kind's letter, the time in base 36 milliseconds, and after a space the detail if there is one.
package enum TimelineCodec {
  /// Longest detail kept, in UTF-8 bytes: enough for a gateway id and a reason.
  package static let longestDetail = 120

  /// The line for an entry, with its newline.
  ///
  /// Control characters in the detail become spaces.
  package static func line(_ entry: TimelineEntry) -> String {
    let detail = clean(entry.detail)
    let time = String(entry.at.milliseconds, radix: 36)
    var line = ""
    line.reserveCapacity(detail.utf8.count + time.utf8.count + 3)
    line.append(entry.kind.rawValue)
    line.append(time)
    if !detail.isEmpty {
      line.append(" ")
      line.append(detail)
    }
    line.append("\n")
    return line
  }

  /// The entries of a column; lines that are not understood are left out (a newer Aloud may have written them).
  package static func entries(_ column: String, delivery: DeliveryID?) -> [TimelineEntry] {
    column.split(separator: "\n").compactMap { line in
      guard let letter = line.first, let kind = TimelineKind(rawValue: letter) else { return nil }
      let rest = line.dropFirst()
      let time = rest.prefix { $0 != " " }
      guard let milliseconds = Int64(time, radix: 36) else { return nil }
      let detail = rest.dropFirst(time.count + 1)
      return TimelineEntry(
        at: Timestamp(milliseconds: milliseconds), kind: kind, delivery: delivery, detail: String(detail))
    }
  }

  /// Details on one line and of bounded length, cut at a character.
  package static func clean(_ detail: String) -> String {
    if detail.utf8.count <= longestDetail, detail.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return detail }
    var kept = ""
    var bytes = 0
    for scalar in detail.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > longestDetail { break }
      kept.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
    }
    return kept
  }
}

extension [TimelineEntry] {
  /// In order of time; of the same time the event's own first, then by delivery, else as they are.
  package func inOrder() -> [TimelineEntry] {
    func rank(_ entry: TimelineEntry) -> Int64 { entry.delivery?.rawValue ?? 0 }
    return enumerated()
      .sorted { ($0.element.at, rank($0.element), $0.offset) < ($1.element.at, rank($1.element), $1.offset) }
      .map(\.element)
  }
}

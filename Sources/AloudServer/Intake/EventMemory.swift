internal import HTTPTransport
internal import PushPayload

/// Events accepted a moment ago, as they were read then: the workers of the same process need not read their rows again.
///
/// An entry answers only for exactly the bytes that it became, so that it can never say anything else than the row. There are two
/// generations: when the young one is full it becomes the old one, and what was old is forgotten.
final class EventMemory: Sendable {
  private struct Entry {
    var body: [UInt8]
    var stored: StoredEvent
  }

  private struct Generations {
    var young: [String: Entry] = [:]
    var old: [String: Entry] = [:]
  }

  private let capacity: Int
  private let generations = Locked(Generations())

  /// - Parameter capacity: Events in a generation; one takes less than a kilobyte.
  init(capacity: Int = 1_024) { self.capacity = capacity }

  /// Remembers what became of an event.
  func keep(_ stored: StoredEvent, as body: [UInt8]) {
    generations.withLock { kept in
      if kept.young.count >= capacity {
        kept.old = kept.young
        kept.young.removeAll(keepingCapacity: false)
      }
      kept.young[stored.event.id] = Entry(body: body, stored: stored)
    }
  }

  /// What these bytes of a row say, if it is known.
  func event(_ id: String, as body: [UInt8]) -> StoredEvent? {
    generations.withLock { kept in
      guard let entry = kept.young[id] ?? kept.old[id], entry.body == body else { return nil }
      return entry.stored
    }
  }
}

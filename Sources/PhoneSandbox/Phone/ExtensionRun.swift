import Announcing
import PushPayload

/// Who handles a notification.
enum RunHost: Hashable, Sendable {
  /// The service extension.
  case serviceExtension
  /// The app in the foreground, for a notification that the extension did not handle.
  case foregroundApp
  /// The app, woken by a background push.
  case wokenApp
}

/// One handling of one notification on the virtual phone.
struct ExtensionRun: Sendable {
  let id: Int
  let host: RunHost
  let push: PhonePush
  let decoded: DecodedPayload
  var session: AnnouncementSession
  var action = SessionAction.finish
  let startedAt: Double
  /// What waits for an answer of the network, and the file name that a sound goes to.
  var order: (id: Int, fileName: String?)?
  /// Whether the content handler was called.
  var isDelivered = false

  var eventID: String { decoded.event?.id ?? push.requestID }
}

/// What the notification centre knows of a notification that was shown.
struct CentreRecord: Hashable, Sendable {
  var key: String
  /// The mark that the extension wrote into the user info, if its changes came through.
  var turn: Int?
}

/// What happens on the phone at a moment.
enum PhoneMoment: Hashable, Sendable {
  case arrives(PhonePush)
  case wakesApp(PhonePush)
  /// The next step of a handling.
  case step(run: Int)
  /// iOS is about to take the time back.
  case timeEnds(run: Int)
  /// An order was not answered in time.
  case orderTimesOut(run: Int, order: Int)
  /// The original is shown for a handling that died.
  case showsOriginal(PhonePush, ReasonCode)
}

/// Moments in order of time, and of their coming for the same time.
struct MomentQueue: Sendable {
  private var entries: [(at: Double, number: Int, moment: PhoneMoment)] = []
  private var count = 0

  mutating func add(_ moment: PhoneMoment, at time: Double) {
    count += 1
    let place = entries.firstIndex { $0.at > time } ?? entries.count
    entries.insert((time, count, moment), at: place)
  }

  var next: Double? { entries.first?.at }

  mutating func pop() -> PhoneMoment? { entries.isEmpty ? nil : entries.removeFirst().moment }

  mutating func remove(where isUnwanted: (PhoneMoment) -> Bool) { entries.removeAll { isUnwanted($0.moment) } }
}

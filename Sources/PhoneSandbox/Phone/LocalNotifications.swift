/// A notification that the app has scheduled.
struct LocalRequest: Hashable, Sendable {
  var id: String
  var title: String
  var body: String
  var sound: String?
  /// The hour and minute of each day at which it is shown.
  var hour: Int
  var minute: Int

  /// When it is next shown after `unix`, in UNIX seconds.
  func next(after unix: Double, utcOffsetSeconds: Int) -> Double {
    let local = Int(unix.rounded(.down)) + utcOffsetSeconds
    let dayStart = local - (local % 86_400 + 86_400) % 86_400
    let today = Double(dayStart + hour * 3600 + minute * 60 - utcOffsetSeconds)
    return today > unix ? today : today + 86_400
  }
}

/// The app's pending local notifications.
///
/// Source: Apple, `UILocalNotification`: the system keeps the soonest 64, and a repeating one counts once. Further ones vanish
/// without an error (Field).
struct LocalNotifications: Hashable, Sendable {
  static let limit = 64

  private(set) var pending: [LocalRequest] = []
  /// Requests of the app that are never shown in a story; they only take places.
  var others = 0

  /// Adds requests; one with a known identifier replaces the old one.
  ///
  /// - Returns: The identifiers of the requests that were dropped.
  mutating func add(_ requests: [LocalRequest], unix: Double, utcOffsetSeconds: Int) -> [String] {
    let ids = Set(requests.map(\.id))
    pending.removeAll { ids.contains($0.id) }
    pending += requests
    pending.sort {
      $0.next(after: unix, utcOffsetSeconds: utcOffsetSeconds)
        < $1.next(after: unix, utcOffsetSeconds: utcOffsetSeconds)
    }
    let places = max(0, LocalNotifications.limit - others)
    let dropped = pending.dropFirst(places).map(\.id)
    pending = Array(pending.prefix(places))
    return dropped
  }

  mutating func remove(_ ids: [String]) { pending.removeAll { ids.contains($0.id) } }

  /// The identifiers of everything that is pending.
  var ids: [String] { pending.map(\.id) + (0..<others).map { "other-\($0)" } }

  /// What is shown next, and when.
  func next(after unix: Double, utcOffsetSeconds: Int) -> (at: Double, requests: [LocalRequest])? {
    let times = pending.map { ($0.next(after: unix, utcOffsetSeconds: utcOffsetSeconds), $0) }
    guard let first = times.map(\.0).min() else { return nil }
    return (first, times.filter { $0.0 == first }.map(\.1))
  }
}

internal import ExactJSON

/// An answer of APNs, read.
package struct APNsResponse: Hashable, Sendable {
  package var status: Int
  package var apnsID: String?
  /// Only in the development environment; finds the push in Apple's Push Notifications Console.
  package var uniqueID: String?
  /// Absent for 200 and for answers without a body.
  package var reason: APNsReason?
  /// With 410: since when the token has been invalid, **milliseconds** since 1970.
  package var timestampMilliseconds: Int64?
  /// From `retry-after`.
  package var retryAfterSeconds: Double?

  package init(
    status: Int, apnsID: String? = nil, uniqueID: String? = nil, reason: APNsReason? = nil,
    timestampMilliseconds: Int64? = nil, retryAfterSeconds: Double? = nil
  ) {
    self.status = status
    self.apnsID = apnsID
    self.uniqueID = uniqueID
    self.reason = reason
    self.timestampMilliseconds = timestampMilliseconds
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// Reads an answer.
  ///
  /// `header` is asked with lower-case names.
  ///
  /// - Parameter now: UNIX seconds, for a `retry-after` that is a date.
  package init(status: Int, body: [UInt8], now: Double, header: (StaticString) -> String?) {
    self.init(status: status, apnsID: header("apns-id"), uniqueID: header("apns-unique-id"))
    guard status != 200 else { return }
    retryAfterSeconds = header("retry-after").flatMap { RetryAfter.seconds($0, now: now) }
    guard !body.isEmpty, let json = try? JSON.parse(body) else { return }
    reason = json["reason"]?.stringValue.map { APNsReason($0) }
    timestampMilliseconds = json["timestamp"]?.intValue.map { Int64($0) }
  }

  /// The `reason` in the debug data of a GOAWAY; nil when there is none.
  package static func goAwayReason(_ text: String) -> APNsReason? {
    guard let json = try? JSON.parse(Array(text.utf8)) else { return nil }
    return json["reason"]?.stringValue.map { APNsReason($0) }
  }
}

/// The value of `Retry-After` (RFC 9110, 10.2.3): seconds, or a date in IMF-fixdate.
package enum RetryAfter {
  /// Seconds from `now` (UNIX seconds), at least 0 and at most a day; nil when the text is neither form.
  package static func seconds(_ text: String, now: Double) -> Double? {
    if let seconds = Int(text.filter { $0 != " " }), seconds >= 0 { return Double(min(seconds, 86_400)) }
    return unixSeconds(date: text).map { min(max(0, $0 - now), 86_400) }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT` as UNIX seconds.
  static func unixSeconds(date text: String) -> Double? {
    let parts = text.split(whereSeparator: { " ,:".contains($0) })
    guard parts.count == 8, parts[7] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
      let month = months.firstIndex(of: String(parts[2])), let hour = Int(parts[4]), let minute = Int(parts[5]),
      let second = Int(parts[6]), (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return Double(days(year, month + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Days since 1970-01-01 in the Gregorian calendar, counting years from March so that the leap day is the last one.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}

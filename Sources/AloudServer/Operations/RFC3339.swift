/// RFC 3339 text of a moment, UTC, with milliseconds.
package enum RFC3339 {
  /// `2026-11-30T04:23:00.125Z` for seconds since 1970; RFC 3339 has the years 0000 to 9999.
  package static func text(unixSeconds: Double) -> String {
    let milliseconds = Int((unixSeconds * 1000).rounded(.down))
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = seconds - days * 86_400
    let (year, month, day) = civil(days: days)
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func put(_ number: Int, _ width: Int, _ end: Unicode.Scalar) {
      var unit = 1
      for _ in 1..<width { unit *= 10 }
      while unit > 0 {
        text.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
        unit /= 10
      }
      text.append(UInt8(ascii: end))
    }
    put(min(max(year, 0), 9_999), 4, "-")
    put(month, 2, "-")
    put(day, 2, "T")
    put(second / 3600, 2, ":")
    put(second / 60 % 60, 2, ":")
    put(second % 60, 2, ".")
    put(milliseconds - seconds * 1000, 3, "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// Days since 1970 to a date of the Gregorian calendar (years counted from March, 400-year eras).
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

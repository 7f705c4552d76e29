/// A time of the day, to the minute.
struct ClockTime: Hashable, Sendable {
  let hour: Int
  let minute: Int

  /// Parses `HH:MM`, 00:00 to 23:59.
  ///
  /// Seconds are refused, since no reading says them.
  init(bytes: UnsafeBufferPointer<UInt8>) throws(ReadingError) {
    var scanner = FieldScanner(bytes)
    guard let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
      scanner.isAtEnd, hour < 24, minute < 60
    else { throw ReadingError(.badTime, "this is not a time of the day; write HH:MM from 00:00 to 23:59") }
    self.hour = hour
    self.minute = minute
  }

  /// The hour on a 12-hour clock, 1 to 12.
  var twelveHour: Int { (hour + 11) % 12 + 1 }
}

/// A day of the Gregorian calendar, with or without its year.
struct CalendarDate: Hashable, Sendable {
  let year: Int?
  let month: Int
  let day: Int

  /// Parses `YYYY-MM-DD` or `MM-DD` (ISO 8601) and checks that the day exists; 29 February needs a leap year or no year.
  init(bytes: UnsafeBufferPointer<UInt8>) throws(ReadingError) {
    var scanner = FieldScanner(bytes)
    var year: Int?
    if bytes.count > 5 {
      year = scanner.number(digits: 4)
      guard let year, year > 0, scanner.take("-") else { throw Self.malformed }
    }
    guard let month = scanner.number(digits: 2), scanner.take("-"), let day = scanner.number(digits: 2),
      scanner.isAtEnd, (1...12).contains(month)
    else { throw Self.malformed }
    let isLeap = year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day >= 1, day <= days[month - 1] else {
      throw ReadingError(.badDate, "the month has no such day; check the date")
    }
    (self.year, self.month, self.day) = (year, month, day)
  }

  private static let malformed = ReadingError(.badDate, "this is not a date; write YYYY-MM-DD or MM-DD")
}

/// A length of time in weeks, days, hours, minutes and seconds, as written.
struct TimeSpan: Hashable, Sendable {
  /// Weeks, days, hours, minutes, seconds.
  private(set) var parts: [UInt64] = [0, 0, 0, 0, 0]

  /// Parses an ISO 8601 duration: `PT5M`, `P1DT2H30M`, `P2W`.
  ///
  /// Years and months have no fixed length and are refused.
  init(bytes: UnsafeBufferPointer<UInt8>) throws(ReadingError) {
    var scanner = FieldScanner(bytes)
    guard scanner.take("P") else { throw Self.malformed }
    var next = 0
    var seen = false
    var inTime = false
    while !scanner.isAtEnd {
      if !inTime, scanner.take("T") {
        inTime = true
        seen = false
        next = max(next, 2)
        continue
      }
      guard let value = scanner.number(upTo: 7), let unit = scanner.letter(),
        let place = (inTime ? [("H", 2), ("M", 3), ("S", 4)] : [("W", 0), ("D", 1)]).first(where: { $0.0 == unit })?.1,
        place >= next
      else { throw Self.malformed }
      parts[place] = UInt64(value)
      next = place + 1
      seen = true
    }
    guard seen else { throw Self.malformed }
  }

  private static let malformed = ReadingError(
    .badDuration, "this is not a duration; write ISO 8601 with W, D, H, M and S, such as PT5M or P1DT2H")
}

/// Reads fixed fields of ASCII digits.
struct FieldScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// Exactly `digits` digits.
  mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for offset in 0..<digits {
      let digit = bytes[position + offset] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    position += digits
    return value
  }

  /// One to `most` digits.
  mutating func number(upTo most: Int) -> Int? {
    var count = 0
    while position + count < bytes.count, bytes[position + count] &- 0x30 < 10 { count += 1 }
    return (1...most).contains(count) ? number(digits: count) : nil
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func letter() -> String? {
    guard !isAtEnd else { return nil }
    position += 1
    return String(UnicodeScalar(bytes[position - 1]))
  }
}

/// AM and PM.
struct EnglishClockWords: Sendable {
  let morning: Token
  let afternoon: Token

  init(_ lexicon: inout Lexicon) {
    morning = lexicon.add("AM", [KindSet(.time), .time12])
    afternoon = lexicon.add("PM", [KindSet(.time), .time12])
  }
}

/// Months, ordinals, units of time and percent.
struct EnglishCalendarWords: Sendable {
  let months: [Token]
  /// The ordinal of a word that can end a number name.
  let ordinals: [Token: Token]
  /// One and many of week, day, hour, minute, second.
  let spans: [(one: Token, many: Token)]
  let percent: Token
  let the: Token
  let of: Token

  init(_ region: EnglishGrammar.Region, _ lexicon: inout Lexicon) {
    months = lexicon.add(
      [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
      ], .date)
    let dayOrdinals = [
      ("one", "first"), ("two", "second"), ("three", "third"), ("four", "fourth"), ("five", "fifth"), ("six", "sixth"),
      ("seven", "seventh"), ("eight", "eighth"), ("nine", "ninth"), ("ten", "tenth"), ("eleven", "eleventh"),
      ("twelve", "twelfth"), ("thirteen", "thirteenth"), ("fourteen", "fourteenth"), ("fifteen", "fifteenth"),
      ("sixteen", "sixteenth"), ("seventeen", "seventeenth"), ("eighteen", "eighteenth"), ("nineteen", "nineteenth"),
      ("twenty", "twentieth"), ("thirty", "thirtieth"),
    ]
    let otherOrdinals = [
      ("zero", "zeroth"), ("forty", "fortieth"), ("fifty", "fiftieth"), ("sixty", "sixtieth"),
      ("seventy", "seventieth"),
      ("eighty", "eightieth"), ("ninety", "ninetieth"), ("hundred", "hundredth"), ("thousand", "thousandth"),
    ]
    let large =
      region == .india
      ? [("lakh", "lakhth"), ("crore", "croreth")]
      : [
        ("million", "millionth"), ("billion", "billionth"), ("trillion", "trillionth"),
        ("quadrillion", "quadrillionth"),
      ]
    var table: [Token: Token] = [:]
    for (plain, ordinal) in dayOrdinals {
      table[lexicon.add(plain, [])] = lexicon.add(ordinal, [.ordinal, .date])
    }
    for (plain, ordinal) in otherOrdinals + large {
      table[lexicon.add(plain, [])] = lexicon.add(ordinal, .ordinal)
    }
    ordinals = table
    var units: [(one: Token, many: Token)] = []
    for unit in ["week", "day", "hour", "minute", "second"] {
      units.append((lexicon.add(unit, .duration), lexicon.add(unit + "s", .duration)))
    }
    spans = units
    percent = lexicon.add("percent", .percent)
    let spokenDay: KindSet = region == .unitedStates ? [] : .date
    the = lexicon.add("the", spokenDay)
    of = lexicon.add("of", spokenDay)
  }
}

extension EnglishGrammar {
  /// three oh five PM; fifteen oh five; zero hundred.
  func time(_ time: ClockTime, _ style: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch style {
    case .six: throw unsupported("time/6h", "use time or time/24h")
    case .twentyFour:
      belowHundred(time.hour, &out)
      if time.minute == 0 { out.append(hundred) } else { minutes(time.minute, &out) }
    case .localeDefault, .twelve:
      belowHundred(time.twelveHour, &out)
      if time.minute > 0 { minutes(time.minute, &out) }
      out.append(time.hour < 12 ? clock.morning : clock.afternoon)
    }
  }

  private func minutes(_ minute: Int, _ out: inout TokenBuffer) {
    if minute < 10 { out.append(oh) }
    belowHundred(minute, &out)
  }

  /// twelve point five percent.
  func percent(_ number: ExactDecimal, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    decimal(number, options, &out)
    out.append(calendar.percent)
  }

  /// The cardinal with its last word made an ordinal: one hundred twenty-first.
  func ordinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    cardinal(number, options, &out)
    let last = out.count - 1
    if let ordinal = calendar.ordinals[out[last]] { out.replace(at: last, with: ordinal) }
  }

  /// November thirtieth twenty twenty-six (United States); the thirtieth of November twenty twenty-six (elsewhere).
  func date(_ date: CalendarDate, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    let month = calendar.months[date.month - 1]
    if region == .unitedStates {
      out.append(month)
      try ordinal(UInt64(date.day), options, &out)
    } else {
      out.append(calendar.the)
      try ordinal(UInt64(date.day), options, &out)
      out.append(calendar.of)
      out.append(month)
    }
    if let year = date.year { self.year(year, options, &out) }
  }

  /// A year in two halves (nineteen oh five), except the first ten of a thousand (two thousand five) and before 1000.
  private func year(_ year: Int, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    let (century, rest) = (year / 100, year % 100)
    guard year >= 1000, century % 10 != 0 || rest >= 10 else {
      cardinal(UInt64(year), options, &out)
      return
    }
    belowHundred(century, &out)
    if rest == 0 {
      out.append(hundred)
    } else {
      minutes(rest, &out)
    }
  }

  /// one hour and five minutes: the parts that are not zero, “and” before the last.
  func duration(_ duration: TimeSpan, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    let said = duration.parts.indices.filter { duration.parts[$0] > 0 }
    for part in said {
      if part == said.last, said.count > 1 { out.append(and) }
      cardinal(duration.parts[part], options, &out)
      out.append(duration.parts[part] == 1 ? calendar.spans[part].one : calendar.spans[part].many)
    }
    if said.isEmpty {
      out.append(small[0])
      out.append(calendar.spans[4].many)
    }
  }
}

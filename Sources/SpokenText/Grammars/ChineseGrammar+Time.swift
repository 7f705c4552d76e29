/// The words of the clock.
struct ChineseClockWords: Sendable {
  let hour: Token
  let minute: Token
  let sharp: Token
  let half: Token
  /// The name of the part of the day, for each hour.
  let periods: [Token]

  init(_ style: ChineseStyle, _ lexicon: inout Lexicon) {
    let both: KindSet = [KindSet(.time), .time12, .time24]
    let twelve: KindSet = [KindSet(.time), .time12]
    hour = lexicon.add(style.hour, both)
    minute = lexicon.add("分", both)
    sharp = lexicon.add(style.whole, both)
    half = lexicon.add("半", twelve)
    var names: [Token] = []
    for hour in 0..<24 {
      let name = style.dayPeriods.last { $0.fromHour <= hour }?.name ?? ""
      names.append(lexicon.add(name, twelve))
    }
    periods = names
  }
}

extension ChineseGrammar {
  /// 下午三点整, 下午两点半, 十五点零五分.
  ///
  /// Hour 0 is 零点 also on the 12-hour clock, so that it is never taken for noon.
  func time(_ time: ClockTime, _ clockStyle: ClockStyle, _ out: inout TokenBuffer) throws(ReadingError) {
    switch clockStyle {
    case .six: throw unsupported("time/6h", "use time or time/24h")
    case .twentyFour:
      append(UInt64(time.hour), .leading, unitFollows: true, &out)
      out.append(clock.hour)
    case .localeDefault, .twelve:
      out.append(clock.periods[time.hour])
      append(UInt64(time.hour == 0 ? 0 : time.twelveHour), .leading, unitFollows: true, &out)
      out.append(clock.hour)
      if time.minute == 30 {
        out.append(clock.half)
        return
      }
    }
    guard time.minute > 0 else {
      out.append(clock.sharp)
      return
    }
    if time.minute < 10 { out.append(digits[0]) }
    append(UInt64(time.minute), .never, unitFollows: false, &out)
    out.append(clock.minute)
  }

  /// 百分之十二点五.
  ///
  /// The numerator is a plain number; a sign stands before the whole: 负百分之五.
  func percent(_ number: ExactDecimal, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    if number.isNegative { out.append(minus) }
    out.append(percentHead)
    append(number.whole, .never, unitFollows: false, &out)
    fraction(number, &out)
  }

  /// 第二十一.
  ///
  /// Ranks say 二, never 两.
  func ordinal(_ number: UInt64, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    out.append(ordinalHead)
    append(number, .never, unitFollows: false, &out)
  }

  /// 二零二六年十一月三十日: the year digit by digit (GB/T 15835), month and day as numbers.
  func date(_ date: CalendarDate, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    if let year = date.year {
      for scale in [1000, 100, 10, 1] { out.append(digits[year / scale % 10]) }
      out.append(dateUnits[0])
    }
    append(UInt64(date.month), .never, unitFollows: false, &out)
    out.append(dateUnits[1])
    append(UInt64(date.day), .never, unitFollows: false, &out)
    out.append(dateUnits[2])
  }

  /// 一天两小时五分钟.
  ///
  /// Each part that is not zero; a lone 2 before its measure word is 两.
  func duration(_ duration: TimeSpan, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    let two = options.two == .never ? ChineseStyle.Two.never : style.amountTwo
    var saidAny = false
    for (value, unit) in zip(duration.parts, spanUnits) where value > 0 {
      append(value, two, unitFollows: true, &out)
      out.append(unit)
      saidAny = true
    }
    if !saidAny {
      out.append(digits[0])
      out.append(spanUnits[4])
    }
  }
}

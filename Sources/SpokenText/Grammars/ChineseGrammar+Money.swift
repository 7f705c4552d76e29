extension ChineseGrammar {
  /// Point style, unless the options ask for units: 二十八点五元.
  func amount(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    if options.amountStyle == .units {
      units(money, options, &out)
    } else {
      pointStyle(money, options, &out)
    }
  }

  /// 二十八元五角.
  ///
  /// A currency without spoken parts keeps the point style.
  func amountUnits(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer) throws(ReadingError) {
    units(money, options, &out)
  }

  private func pointStyle(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    if money.isNegative { out.append(minus) }
    var number = money.decimal
    if options.keepsTrailingZeros, money.currency.minorDigits > 0 {
      number = ExactDecimal(
        isNegative: false, whole: money.major, fraction: money.minor, fractionDigits: money.currency.minorDigits)
    }
    let isWhole = number.fractionDigits == 0
    append(money.major, style.two(options.two, forAmount: true), unitFollows: isWhole, &out)
    fraction(number, &out)
    out.append(currencies[money.currency.index].one)
    if isWhole, options.saysWhole { out.append(whole) }
  }

  private func units(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    let words = currencies[money.currency.index]
    let code = money.currency.code
    let isLocal = style.localCurrencies.contains(code)
    let hasTenths = isLocal || code == "CNY" || code == "TWD"
    guard hasTenths || words.minorOne != nil, money.minor > 0 else {
      pointStyle(money, options, &out)
      return
    }
    let two = style.two(options.two, forAmount: true)
    if money.isNegative { out.append(minus) }
    if money.major > 0 {
      append(money.major, two, unitFollows: true, &out)
      out.append(words.one)
    }
    if hasTenths {
      tenths(
        Int(money.minor), afterMajor: money.major > 0, pairAlways: isLocal && style.saysPairOfTenths && two.alone,
        two, isLocal ? (localTenth, localHundredth) : (tenth, hundredth), &out)
    } else if let minor = words.minorOne {
      append(money.minor, two, unitFollows: true, &out)
      out.append(minor)
    }
  }

  /// 五角六分; 零 before 分 where 元 was said and 角 is empty; a 2 at the head is 两.
  private func tenths(
    _ minor: Int, afterMajor: Bool, pairAlways: Bool, _ two: ChineseStyle.Two, _ names: (Token, Token),
    _ out: inout TokenBuffer
  ) {
    let (first, second) = (minor / 10, minor % 10)
    func word(_ digit: Int, atHead: Bool) -> Token {
      digit == 2 && (pairAlways || (atHead && two.alone)) ? pair : digits[digit]
    }
    if first > 0 {
      out.append(word(first, atHead: !afterMajor))
      out.append(names.0)
    }
    guard second > 0 else { return }
    if first == 0, afterMajor { out.append(digits[0]) }
    out.append(word(second, atHead: !afterMajor && first == 0))
    out.append(names.1)
  }
}

/// The noun that a number stands before.
struct Noun {
  let isFeminine: Bool
  let one: Token
  let many: Token
}

/// A language that says money in major and minor units: two dollars and five cents.
///
/// The minor unit is said when it is not zero, the major unit when it is not zero or when all is zero. A currency
/// without a spoken minor unit in the language says its decimals: seribu koma lima rupiah.
protocol CountingGrammar: Grammar {
  /// The word between the major and the minor part.
  var moneyJoint: Token? { get }
  /// A number name in the form that stands before a noun.
  func counted(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer)
  /// Whether the noun is in the singular after this number.
  func isSingular(_ number: UInt64) -> Bool
  /// Appends the noun, with what stands between it and the number (dos millones de euros).
  func append(_ noun: Noun, after number: UInt64, _ out: inout TokenBuffer)
}

extension CountingGrammar {
  var moneyJoint: Token? { nil }

  func isSingular(_ number: UInt64) -> Bool { number == 1 }

  func append(_ noun: Noun, after number: UInt64, _ out: inout TokenBuffer) {
    out.append(isSingular(number) ? noun.one : noun.many)
  }

  func counted(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    cardinal(number, options, &out)
  }

  func amount(_ money: Money, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    let words = currencies[money.currency.index]
    let major = Noun(isFeminine: words.isFeminine, one: words.one, many: words.many)
    if money.isNegative { out.append(minus) }
    guard money.minor > 0 else {
      count(money.major, major, options, &out)
      return
    }
    guard let minorOne = words.minorOne, let minorMany = words.minorMany else {
      cardinal(money.major, options, &out)
      fraction(money.decimal, &out)
      out.append(words.many)
      return
    }
    if money.major > 0 {
      count(money.major, major, options, &out)
      if let moneyJoint { out.append(moneyJoint) }
    }
    count(
      money.minor, Noun(isFeminine: words.minorIsFeminine, one: minorOne, many: minorMany), options, &out)
  }

  /// A number and its noun.
  func count(_ number: UInt64, _ noun: Noun, _ options: ReadingOptions, _ out: inout TokenBuffer) {
    counted(number, noun, options, &out)
    append(noun, after: number, &out)
  }
}

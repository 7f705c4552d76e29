/// What one language calls a currency.
///
/// Names are the ones people say (dollars, not US dollars), made distinct by a country where several currencies share a
/// name.
struct CurrencyRow: Sendable {
  let code: String
  let one: String
  let many: String
  let minorOne: String
  let minorMany: String
  let isFeminine: Bool
  let minorIsFeminine: Bool

  /// - Parameters:
  ///   - one: The major unit after one; `many` the same after other numbers (default: unchanged).
  ///   - minorOne: The minor unit after one, or empty where the language says decimals of the major unit.
  ///   - feminine, minorFeminine: Grammatical gender where the number word follows it.
  init(
    _ code: String, _ one: String, _ many: String? = nil, _ minorOne: String = "", _ minorMany: String? = nil,
    feminine: Bool = false, minorFeminine: Bool = false
  ) {
    self.code = code
    self.one = one
    self.many = many ?? one
    self.minorOne = minorOne
    self.minorMany = minorMany ?? minorOne
    isFeminine = feminine
    minorIsFeminine = minorFeminine
  }
}

extension CurrencyRow {
  /// The rows with some of them replaced, by code.
  static func replacing(_ rows: [CurrencyRow], with changes: [CurrencyRow]) -> [CurrencyRow] {
    rows.map { row in changes.first { $0.code == row.code } ?? row }
  }
}

/// The words of one currency in a lexicon.
struct CurrencyWords: Sendable {
  let one: Token
  let many: Token
  let minorOne: Token?
  let minorMany: Token?
  let isFeminine: Bool
  let minorIsFeminine: Bool

  /// All of them.
  var tokens: [Token] { [one, many] + [minorOne, minorMany].compactMap { $0 } }

  /// The words of every currency, in the order of `CurrencyTable`.
  ///
  /// - Precondition: `rows` has exactly the currencies of the table; a test proves it for each locale.
  ///
  /// - Parameters:
  ///   - minorKinds: The kinds that say minor units.
  ///   - sounds: The sound of a minor unit that is written like another word of the language.
  static func table(
    _ rows: [CurrencyRow], _ lexicon: inout Lexicon, minorKinds: KindSet = .amount, sounds: [String: String] = [:]
  ) -> [CurrencyWords] {
    let byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { _, last in last })
    precondition(byCode.count == CurrencyTable.rows.count, "a currency has no name in a language")
    return CurrencyTable.rows.map { row in
      guard let names = byCode[row.code] else { preconditionFailure("\(row.code) has no name in a language") }
      let hasMinor = !names.minorOne.isEmpty
      return CurrencyWords(
        one: lexicon.add(names.one, [.amount, minorKinds]),
        many: lexicon.add(names.many, [.amount, minorKinds]),
        minorOne: hasMinor ? lexicon.add(names.minorOne, sound: sounds[names.minorOne], minorKinds) : nil,
        minorMany: hasMinor ? lexicon.add(names.minorMany, sound: sounds[names.minorMany], minorKinds) : nil,
        isFeminine: names.isFeminine, minorIsFeminine: names.minorIsFeminine)
    }
  }
}

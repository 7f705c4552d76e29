/// Reads numbers, money, times and digits aloud in one locale.
///
/// ```swift
/// let reader = Reader(.zhCN)
/// let reading = try reader.read("CNY 28.50", as: .amount)
/// reading.text   // 二十八点五元
/// reading.words  // ["二", "十", "八", "点", "五", "元"]
/// ```
///
/// A reader is a value without state; it may be shared between threads.
public struct Reader: Sendable {
  /// The language and region.
  public let locale: SpokenLocale
  /// The style.
  public let options: ReadingOptions
  private let grammar: any Grammar

  /// A reader of `locale`.
  ///
  /// The first one of a locale builds its lexicon (below a millisecond); later ones share it.
  public init(_ locale: SpokenLocale, options: ReadingOptions = .init()) {
    self.locale = locale
    self.options = options
    grammar = Grammars.grammar(for: locale, options)
  }

  /// Reads `input` as a `kind`.
  ///
  /// - Throws: `ReadingError` that says what is wrong and what to do. Nothing is ever rounded, cut or guessed.
  /// - Complexity: O(*n*) in the length of the reading; one allocation.
  public func read(_ input: String, as kind: ReadingKind) throws(ReadingError) -> Reading {
    try input.withExactBytes { (bytes) throws(ReadingError) in
      try reading { (out) throws(ReadingError) in try append(bytes, kind, &out) }
    }
  }

  /// Reads an exact amount in the announcement style, or as `.amountUnits`.
  ///
  /// - Throws: `ReadingError` of code `unsupportedKind` for any other kind.
  public func read(_ amount: Amount, as kind: ReadingKind = .amount) throws(ReadingError) -> Reading {
    try reading { (out) throws(ReadingError) in
      switch kind {
      case .amount: grammar.amount(Money(amount), options, &out)
      case .amountUnits: try grammar.amountUnits(Money(amount), options, &out)
      default: throw ReadingError(.unsupportedKind, "an amount is read as amount or amount/units; choose one of them")
      }
    }
  }

  /// Every word that a reading of `kind` can hold: what a voice pack must have.
  ///
  /// Finite and complete.
  ///
  /// Empty if the locale has no such kind. With the option of units, amounts need the words of `.amountUnits` as well.
  public func vocabulary(_ kind: ReadingKind) -> [String] {
    let inUnits = kind == .amount && options.amountStyle == .units
    return grammar.wordbook.vocabulary(inUnits ? [.amount, .amountUnits] : KindSet(kind))
  }

  /// The words that readings of `kind` need if amounts are in some currencies only: what a small voice pack must have.
  ///
  /// - Parameter currencies: The currencies that the pack shall say.
  public func vocabulary(_ kind: ReadingKind, currencies: [Currency]) -> [String] {
    let chosen = Set(currencies.map(\.index))
    let kept = Set(chosen.flatMap { grammar.currencies[$0].tokens })
    let names = Set(grammar.currencies.flatMap(\.tokens)).subtracting(kept)
    // A word of plain numbers stays, whatever else it names.
    let dropped = Set(names.map { grammar.wordbook.word($0) }).subtracting(vocabulary(.cardinal))
    return vocabulary(kind).filter { !dropped.contains($0) }
  }

  /// Every word of every kind.
  public var vocabulary: [String] { grammar.wordbook.vocabulary(KindSet(rawValue: .max)) }

  /// The written text of clip-level words, without their marks of sound.
  ///
  /// For phrases that mix readings with other words; a reading's own `text` also has hyphens and the spacing inside
  /// numbers.
  public static func joined(_ words: [String], _ locale: SpokenLocale) -> String {
    let wordbook = Grammars.grammar(for: locale, ReadingOptions()).wordbook
    let separator = wordbook.separator.map { String(UnicodeScalar($0)) } ?? ""
    return words.map { word in
      guard word.hasSuffix(")"), let open = word.firstIndex(of: "("), open > word.startIndex else { return word }
      return String(word[..<open])
    }.joined(separator: separator)
  }

  /// Appends the text of an amount in the announcement style to `output` as UTF-8, without making a string.
  package func append(_ amount: Amount, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: TokenBuffer.capacity) {
      guard let base = $0.baseAddress else { return }
      var buffer = TokenBuffer(base)
      grammar.amount(Money(amount), options, &buffer)
      grammar.finish(&buffer)
      grammar.wordbook.append(buffer.tokens, to: &output)
    }
  }

  // MARK: Inside

  /// Appends the UTF-8 text of a reading to `output`; on an error `output` is unchanged.
  func appendText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ReadingKind, to output: inout [UInt8]
  ) throws(ReadingError) {
    try withTokens { (out) throws(ReadingError) in
      try append(bytes, kind, &out)
      grammar.finish(&out)
      grammar.wordbook.append(out.tokens, to: &output)
    }
  }

  private func reading(_ body: (inout TokenBuffer) throws(ReadingError) -> Void) throws(ReadingError) -> Reading {
    try withTokens { (out) throws(ReadingError) in
      try body(&out)
      grammar.finish(&out)
      return Reading(out, grammar.wordbook)
    }
  }

  private func withTokens<R>(_ body: (inout TokenBuffer) throws(ReadingError) -> R) throws(ReadingError) -> R {
    let result: Result<R, ReadingError> = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: TokenBuffer.capacity)
    {
      guard let base = $0.baseAddress else { return .failure(ReadingError(.tooLarge, "no memory for a reading")) }
      var buffer = TokenBuffer(base)
      do throws(ReadingError) { return .success(try body(&buffer)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func append(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ReadingKind, _ out: inout TokenBuffer
  ) throws(ReadingError) {
    switch kind {
    case .cardinal:
      let number = try whole(bytes)
      if number.isNegative { out.append(grammar.minus) }
      grammar.cardinal(number.whole, options, &out)
    case .decimal: grammar.decimal(try DecimalParser.parse(bytes), options, &out)
    case .amount: grammar.amount(Money(try Amount(bytes: bytes)), options, &out)
    case .amountUnits: try grammar.amountUnits(Money(try Amount(bytes: bytes)), options, &out)
    case .digits: try digits(bytes, phone: false, &out)
    case .digitsPhone: try digits(bytes, phone: true, &out)
    case .time: try grammar.time(try ClockTime(bytes: bytes), .localeDefault, &out)
    case .time24h: try grammar.time(try ClockTime(bytes: bytes), .twentyFour, &out)
    case .time12h: try grammar.time(try ClockTime(bytes: bytes), .twelve, &out)
    case .time6h: try grammar.time(try ClockTime(bytes: bytes), .six, &out)
    case .percent: try grammar.percent(try DecimalParser.parse(Self.withoutPercent(bytes)), options, &out)
    case .ordinal:
      let number = try whole(bytes)
      guard !number.isNegative else {
        throw ReadingError(.unexpectedCharacter, "an ordinal has no minus sign; write a whole number from 0")
      }
      try grammar.ordinal(number.whole, options, &out)
    case .date: try grammar.date(try CalendarDate(bytes: bytes), options, &out)
    case .duration: try grammar.duration(try TimeSpan(bytes: bytes), options, &out)
    }
  }

  private func whole(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReadingError) -> ExactDecimal {
    let number = try DecimalParser.parse(bytes)
    guard number.isWhole else {
      throw ReadingError(.notWhole, "the number has decimals; read it as decimal, or write a whole number")
    }
    return number
  }

  private func digits(
    _ bytes: UnsafeBufferPointer<UInt8>, phone: Bool, _ out: inout TokenBuffer
  ) throws(ReadingError) {
    let words = grammar.digitWords(phone: phone, options)
    var glue = Glue.separator
    try DigitRow.forEach(bytes) { digit in
      out.append(words[digit], glue)
      glue = grammar.digitGlue
    }
  }

  private static func withoutPercent(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard bytes.last == UInt8(ascii: "%") else { return bytes }
    return UnsafeBufferPointer(rebasing: bytes.dropLast())
  }
}

/// Digits that are said one by one: ASCII or full-width, not both; single spaces and hyphens between them are silent.
enum DigitRow {
  /// The longest row.
  static let mostDigits = 64

  static func forEach(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (Int) -> Void) throws(ReadingError) {
    var position = 0
    var count = 0
    var wide: Bool?
    var afterDigit = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "-") || byte == 0x20, afterDigit, position + 1 < bytes.count {
        afterDigit = false
        position += 1
        continue
      }
      let isWide = byte == 0xEF
      guard let digit = digit(bytes, position, isWide) else {
        throw ReadingError(
          .unexpectedCharacter,
          "a row of digits holds 0 to 9, and single spaces or hyphens between them; take the rest out")
      }
      guard wide == nil || wide == isWide else {
        throw ReadingError(.mixedScripts, "ASCII and full-width digits stand in one row; use one kind")
      }
      count += 1
      guard count <= mostDigits else {
        throw ReadingError(.tooLarge, "the row has more than \(mostDigits) digits; send a shorter one")
      }
      wide = isWide
      afterDigit = true
      position += isWide ? 3 : 1
      body(digit)
    }
    guard count > 0 else { throw ReadingError(.empty, "there are no digits; write some such as 0001") }
  }

  private static func digit(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ isWide: Bool) -> Int? {
    if isWide {
      guard position + 2 < bytes.count, bytes[position + 1] == 0xBC, (0x90...0x99).contains(bytes[position + 2]) else {
        return nil
      }
      return Int(bytes[position + 2] &- 0x90)
    }
    let value = bytes[position] &- 0x30
    return value < 10 ? Int(value) : nil
  }
}

public import PushPayload
public import SpokenText
import VoiceAudio

/// The sentences of one language.
///
/// ```swift
/// let event = SpokenEvent(id: "evt_1", kind: "payment.received", amount: "28.50", currency: "CNY", brand: "微信")
/// try PhraseBook(.zhCN).phrase(for: event).text   // 微信收款二十八点五元
/// ```
public struct PhraseBook: Sendable {
  /// The language and region.
  public let locale: SpokenLocale
  let language: PhraseLanguage
  let reader: Reader

  /// The sentences of `locale`.
  public init(_ locale: SpokenLocale) {
    self.locale = locale
    language = PhraseLanguage.of(locale)
    reader = Reader(locale)
  }

  /// The sentences of the language with this tag.
  /// - Throws: ``PhraseError`` of code ``ReasonCode/localeUnknown``.
  public init(tag: String) throws(PhraseError) {
    do { self.init(try SpokenLocale(tag)) } catch { throw PhraseError(error) }
  }

  /// The sentence for an event.
  ///
  /// - Parameters:
  ///   - event: The event; its own locale is not looked at.
  ///   - options: What may be said.
  /// - Throws: ``PhraseError`` if there is no exact sentence; nothing is ever said in part.
  public func phrase(for event: SpokenEvent, options: PhraseOptions = .init()) throws(PhraseError) -> Phrase {
    guard let kind = event.knownKind ?? (event.text == nil ? nil : .text) else {
      throw PhraseError(
        .kindUnknown, "There is no sentence for the kind of this event, and it has no text. Send a text.")
    }
    var fillings = Fillings()
    fillings.brand = options.isPlain ? nil : event.brand
    fillings.from = options.isPlain ? nil : event.from
    fillings.text = options.isPlain ? nil : event.text
    switch kind {
    case .paymentReceived, .paymentRefunded:
      return try payment(event, isRefund: kind == .paymentRefunded, options, fillings)
    case .orderNew: return try order(event, options, fillings)
    case .approvalRequested:
      let isFull = fillings.from != nil && fillings.text != nil
      return made(isFull ? .approval : .approvalPlain, fillings, title: .titleApproval)
    case .callBed: return try call(event, fillings)
    case .reminder:
      return made(fillings.text == nil ? .reminderPlain : .reminder, fillings, title: .titleReminder)
    case .clockTime: return try clock(event)
    case .text: return try text(event, fillings)
    }
  }

  /// Checks that there is an exact sentence for an event, without making it.
  ///
  /// - Throws: What ``phrase(for:options:)`` throws.
  public func check(_ event: SpokenEvent) throws(PhraseError) {
    switch event.knownKind {
    case .paymentReceived, .paymentRefunded: _ = try amountFilling(event)
    default: _ = try phrase(for: event)
    }
  }

  /// The words of this language's own patterns: what a voice pack needs beside the reader's words.
  ///
  /// Names of people, of services that are not among ``brands``, and free text are not finite; sentences with them need
  /// a route that can say anything, or fall back to the plain form.
  public var templateWords: [String] {
    language.words + language.counts.keys.sorted().compactMap { language.counts[$0] }
  }

  /// Services that are often named first; a pack does well to have them.
  public var brands: [String] { language.brands }

  /// The finite clip words of the sentences in `locale`: patterns and well-known services, each once.
  public static func vocabulary(_ locale: SpokenLocale) -> [String] {
    let book = PhraseBook(locale)
    var seen: Set<String> = []
    return (book.templateWords + book.brands.flatMap(book.clipWords)).filter { seen.insert($0).inserted }
  }

  /// Every clip word with which any amount, count and time of the locale can be announced.
  public static func fullVocabulary(_ locale: SpokenLocale) -> [String] {
    let reader = Reader(locale)
    var seen: Set<String> = []
    let spoken: [ReadingKind] = [.cardinal, .digits, .amount, .time]
    return (vocabulary(locale) + spoken.flatMap(reader.vocabulary)).filter { seen.insert($0).inserted }
  }

  /// A text as clip words: its parts between blanks, without punctuation.
  func clipWords(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0.isPunctuation && $0 != "-" && $0 != "'" && $0 != "’" && $0 != "&" }.map(
      String.init)
  }
}

// MARK: One event

extension PhraseBook {
  private func payment(
    _ event: SpokenEvent, isRefund: Bool, _ options: PhraseOptions, _ base: Fillings
  ) throws(PhraseError) -> Phrase {
    var fillings = base
    fillings.text = nil
    if !options.saysSender { fillings.from = nil }
    let title: PhraseKey = isRefund ? .titleRefunded : .titleReceived
    let (amount, spoken) = try amountFilling(event)
    if options.privacy {
      return made(isRefund ? .privateRefunded : .privateReceived, Fillings(), title: title, titleBrand: event.brand)
    }
    fillings.amount = spoken
    let key: PhraseKey =
      switch (isRefund, fillings.brand == nil) {
      case (false, false): .received
      case (false, true): .receivedPlain
      case (true, false): .refunded
      case (true, true): .refundedPlain
      }
    return made(key, fillings, title: title, titleBrand: event.brand, body: shown(amount))
  }

  private func amountFilling(_ event: SpokenEvent) throws(PhraseError) -> (Amount, Filling) {
    let amount = try PhraseBook.amount(event.amount, event.currency)
    return (amount, try read(amount, saysWhole: event.suffix == "整" || event.suffix == "正"))
  }

  private func order(_ event: SpokenEvent, _ options: PhraseOptions, _ base: Fillings) throws(PhraseError) -> Phrase {
    var fillings = base
    if event.amount != nil, !options.privacy {
      fillings.amount = try read(try PhraseBook.amount(event.amount, event.currency))
    }
    return made(.order, fillings, title: .titleOrder)
  }

  private func call(_ event: SpokenEvent, _ base: Fillings) throws(PhraseError) -> Phrase {
    var fillings = base
    let place = event.from ?? event.text
    if let number = place.flatMap(PhraseBook.bedNumber) {
      let isPlainNumber = number.utf8.count <= 3 && !number.hasPrefix("0")
      fillings.number = Filling(try read(number, isPlainNumber ? .cardinal : .digits))
      return made(.callBed, fillings, title: .titleCall)
    }
    if fillings.from == nil { fillings.from = fillings.text }
    return made(fillings.from == nil ? .callPlain : .call, fillings, title: .titleCall)
  }

  private func clock(_ event: SpokenEvent) throws(PhraseError) -> Phrase {
    guard let text = event.text else { throw PhraseError(.timeUnreadable, "The clock needs a text such as 15:00.") }
    return try clock(text)
  }

  private func text(_ event: SpokenEvent, _ fillings: Fillings) throws(PhraseError) -> Phrase {
    guard let text = event.text, text.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw PhraseError(.textMissing, "There is nothing to say. Send a text.")
    }
    if fillings.text == nil { return made(.otherOne, Fillings(), title: nil) }
    let words = clipWords(text)
    return Phrase(
      utterance: Utterance(segments: [.init(words: words, role: .text)]), text: text, title: event.brand ?? "",
      body: text)
  }

  /// The number of a bed: digits alone, or before 床, also full-width.
  private static func bedNumber(_ text: String) -> String? {
    var digits = ""
    var rest = text.trimmingBlanks()[...]
    for suffix in ["号床", "號床", "床", "番", "호"] where rest.hasSuffix(suffix) {
      rest = rest.dropLast(suffix.count)
      break
    }
    for character in rest {
      guard let value = character.wholeNumberValue, (0...9).contains(value) else { return nil }
      digits += String(value)
    }
    return (1...8).contains(digits.count) ? digits : nil
  }

  static func amount(_ text: String?, _ currency: String?) throws(PhraseError) -> Amount {
    guard let text, !text.isEmpty else { throw PhraseError(.amountMissing, "The payment has no amount. Send one.") }
    guard let currency else {
      throw PhraseError(.currencyUnknown, "The payment has no currency. Send a code such as CNY.")
    }
    do { return try Amount(decimal: text, currency: currency) } catch { throw PhraseError(error) }
  }
}

extension String {
  func trimmingBlanks() -> String {
    var slice = self[...]
    while slice.first?.isWhitespace == true { slice.removeFirst() }
    while slice.last?.isWhitespace == true { slice.removeLast() }
    return String(slice)
  }
}

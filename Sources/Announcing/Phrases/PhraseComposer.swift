import SpokenText
import VoiceAudio

/// What stands in a slot: clip words and their written text.
struct Filling: Hashable, Sendable {
  var words: [String]
  var text: String

  init(words: [String], text: String) { (self.words, self.text) = (words, text) }
  init(_ reading: Reading) { self.init(words: reading.words, text: reading.text) }
}

/// What a sentence is filled with.
struct Fillings: Hashable, Sendable {
  var brand: String?
  var from: String?
  var text: String?
  var amount: Filling?
  var count: Filling?
  var number: Filling?
  var time: Filling?
  var sums: Filling?

  func filling(_ slot: PhraseTemplate.Slot, words: (String) -> [String]) -> Filling? {
    func free(_ text: String?) -> Filling? { text.map { Filling(words: words($0), text: $0) } }
    return switch slot {
    case .brand: free(brand)
    case .from: free(from)
    case .text: free(text)
    case .amount: amount
    case .count: count
    case .number: number
    case .time: time
    case .sums: sums
    }
  }
}

/// Puts patterns and fillings together into segments and text.
struct Composer {
  let language: PhraseLanguage
  var clipWords: (String) -> [String] = { [$0] }
  private var segments: [Utterance.Segment] = []
  private var text = ""
  private var words: [String] = []
  private var role: Utterance.Role = .text
  private var startsWithName = false

  init(language: PhraseLanguage, clipWords: @escaping (String) -> [String] = { [$0] }) {
    self.language = language
    self.clipWords = clipWords
  }

  mutating func add(_ template: PhraseTemplate, _ fillings: Fillings) { add(template.pieces, fillings) }

  private mutating func add(_ pieces: [PhraseTemplate.Piece], _ fillings: Fillings) {
    for piece in pieces {
      switch piece {
      case .word(let word): append(Filling(words: [word], text: word), .text)
      case .slot(let slot):
        guard let filling = fillings.filling(slot, words: clipWords) else { continue }
        if text.isEmpty, slot == .brand || slot == .from || slot == .text { startsWithName = true }
        append(filling, slot.role)
      case .pause: endSegment()
      case .comma: comma()
      case .optional(let inner):
        if isFilled(inner, fillings) { add(inner, fillings) }
      }
    }
  }

  /// Whether every slot of an optional part has its filling.
  private func isFilled(_ pieces: [PhraseTemplate.Piece], _ fillings: Fillings) -> Bool {
    pieces.allSatisfy { piece in
      if case .slot(let slot) = piece { return fillings.filling(slot, words: { [$0] }) != nil }
      return true
    }
  }

  private mutating func append(_ filling: Filling, _ newRole: Utterance.Role) {
    words += filling.words
    if newRole.weight > role.weight { role = newRole }
    if !text.isEmpty, !language.joiner.isEmpty, !endsWithComma || language.comma == " " { text += language.joiner }
    text += filling.text
  }

  private mutating func endSegment() {
    guard !words.isEmpty else { return }
    segments.append(.init(words: words, role: role))
    (words, role) = ([], .text)
  }

  mutating func comma() {
    endSegment()
    if !text.isEmpty, !endsWithComma { text += language.comma }
  }

  /// Byte by byte, because both come from one table and are written alike.
  private var endsWithComma: Bool { text.utf8.suffix(language.comma.utf8.count).elementsEqual(language.comma.utf8) }

  mutating func finished() -> (utterance: Utterance, text: String) {
    endSegment()
    while !text.isEmpty, endsWithComma { text.removeLast(language.comma.count) }
    if language.capitalises, !startsWithName, let first = text.first { text = first.uppercased() + text.dropFirst() }
    return (Utterance(segments: segments), text)
  }
}

extension PhraseTemplate.Slot {
  /// What a segment that holds the slot is about.
  var role: Utterance.Role {
    switch self {
    case .brand: .brand
    case .amount, .sums: .amount
    case .from: .sender
    case .count, .number: .count
    case .time: .time
    case .text: .text
    }
  }
}

extension Utterance.Role {
  /// The weightier role names a segment that holds several.
  fileprivate var weight: Int {
    switch self {
    case .amount: 5
    case .time: 4
    case .count: 3
    case .brand: 2
    case .sender: 1
    case .text: 0
    }
  }
}

extension PhraseBook {
  func read(_ amount: Amount, saysWhole: Bool = false) throws(PhraseError) -> Filling {
    let reader = saysWhole ? Reader(locale, options: ReadingOptions(saysWhole: true)) : self.reader
    do { return Filling(try reader.read(amount)) } catch { throw PhraseError(error) }
  }

  func read(_ text: String, _ kind: ReadingKind) throws(PhraseError) -> Reading {
    do { return try reader.read(text, as: kind) } catch { throw PhraseError(error) }
  }

  func made(
    _ key: PhraseKey, _ fillings: Fillings, title: PhraseKey?, titleBrand: String? = nil, body: String? = nil
  ) -> Phrase {
    var composer = Composer(language: language, clipWords: clipWords)
    composer.add(language.template(key), fillings)
    let spoken = composer.finished()
    let shownTitle = title.map { self.title($0, brand: titleBrand ?? fillings.brand) } ?? ""
    return Phrase(utterance: spoken.utterance, text: spoken.text, title: shownTitle, body: body ?? spoken.text)
  }

  func title(_ key: PhraseKey, brand: String?) -> String {
    var composer = Composer(language: language)
    var fillings = Fillings()
    fillings.brand = brand
    composer.add(language.template(key), fillings)
    return composer.finished().text
  }

  /// An amount as a banner shows it: 28.50 元, $28.50, CHF 28.50.
  func shown(_ amount: Amount) -> String {
    let code = amount.currency.code
    if let units = chineseUnits {
      return amount.decimalText + " " + (units[code] ?? code)
    }
    let isNegative = amount.minorUnits < 0
    let digits = isNegative ? String(amount.decimalText.dropFirst()) : amount.decimalText
    return (isNegative ? "-" : "") + (PhraseBook.signs[code] ?? code + " ") + digits
  }

  private var chineseUnits: [String: String]? {
    switch locale {
    case .zhCN: PhraseBook.mainlandUnits
    case .zhTW: PhraseBook.taiwanUnits
    case .yueHK: PhraseBook.hongKongUnits
    default: nil
    }
  }

  private static let mainlandUnits = units(euro: "欧元", yen: "日元", taiwan: "新台币")
  private static let taiwanUnits = units(euro: "歐元", yen: "日圓", taiwan: "元")
  private static let hongKongUnits = units(euro: "歐元", yen: "日圓", taiwan: "新台币")

  private static func units(euro: String, yen: String, taiwan: String) -> [String: String] {
    ["CNY": "元", "USD": "美元", "HKD": "港元", "EUR": euro, "JPY": yen, "TWD": taiwan]
  }

  private static let signs = [
    "CNY": "¥", "USD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "KRW": "₩", "VND": "₫", "THB": "฿", "HKD": "HK$",
    "JPY": "¥", "BRL": "R$", "IDR": "Rp", "TWD": "NT$", "MXN": "MX$",
  ]
}

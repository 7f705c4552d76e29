import SpokenText

/// The sentences that each locale has a pattern for.
enum PhraseKey: String, CaseIterable, Hashable, Sendable {
  case received, receivedPlain, refunded, refundedPlain
  case privateReceived, privateRefunded
  case order, approval, approvalPlain, callBed, call, callPlain, reminder, reminderPlain, clock
  case sumReceived, sumRefunded, sumPrivateReceived, sumPrivateRefunded, sumOrders, sumOthers, otherOne, missed
  case titleReceived, titleRefunded, titleOrder, titleApproval, titleCall, titleReminder, titleClock
}

/// A sentence pattern: words one blank apart, `{name}` for what is filled in, `|` for a pause, `,` for a pause that is
/// also written as a comma, `[` … `]` around what is left out when one of its fillings is absent.
struct PhraseTemplate: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case word(String)
    case slot(Slot)
    case pause
    case comma
    case optional([Piece])
  }

  /// What is filled in.
  enum Slot: String, CaseIterable, Hashable, Sendable {
    case brand, amount, from, text, count, number, time, sums
  }

  let pieces: [Piece]

  /// Reads a pattern of the built-in table; a test reads every one of them.
  init(_ pattern: String) {
    var stack: [[Piece]] = [[]]
    for token in pattern.split(separator: " ") {
      switch token {
      case "|": stack[stack.count - 1].append(.pause)
      case ",": stack[stack.count - 1].append(.comma)
      case "[": stack.append([])
      case "]" where stack.count > 1:
        let inner = stack.removeLast()
        stack[stack.count - 1].append(.optional(inner))
      default:
        let name = token.hasPrefix("{") && token.hasSuffix("}") ? String(token.dropFirst().dropLast()) : ""
        let piece = Slot(rawValue: name).map(Piece.slot) ?? .word(String(token))
        stack[stack.count - 1].append(piece)
      }
    }
    pieces = stack.joined().map { $0 }
  }

  /// The words of the pattern itself, in order.
  var words: [String] { PhraseTemplate.words(pieces) }

  /// The slots of the pattern, also those in optional parts.
  var slots: [Slot] { PhraseTemplate.slots(pieces) }

  private static func words(_ pieces: [Piece]) -> [String] {
    pieces.flatMap { piece -> [String] in
      switch piece {
      case .word(let word): [word]
      case .optional(let inner): words(inner)
      default: []
      }
    }
  }

  private static func slots(_ pieces: [Piece]) -> [Slot] {
    pieces.flatMap { piece -> [Slot] in
      switch piece {
      case .slot(let slot): [slot]
      case .optional(let inner): slots(inner)
      default: []
      }
    }
  }
}

/// The patterns and habits of one language.
///
/// A class, because there is one of each and every sentence holds it.
final class PhraseLanguage: Sendable {
  /// What stands between words in writing.
  let joiner: String
  /// The comma, with the blank after it where the script has one.
  let comma: String
  /// Whether a sentence begins with a capital.
  let capitalises: Bool
  /// Services that are often named first, in clip words.
  let brands: [String]
  /// Counts that are said otherwise than the number's name.
  let counts: [Int: String]
  private let patterns: [PhraseKey: PhraseTemplate]

  init(
    joiner: String, comma: String, capitalises: Bool = false, brands: [String], counts: [Int: String] = [:],
    _ patterns: [PhraseKey: String]
  ) {
    (self.joiner, self.comma, self.capitalises, self.brands, self.counts) = (joiner, comma, capitalises, brands, counts)
    self.patterns = patterns.mapValues(PhraseTemplate.init)
  }

  /// The pattern for `key`; the plain variants fall back to their full one.
  func template(_ key: PhraseKey) -> PhraseTemplate {
    if let found = patterns[key] { return found }
    let fallback: PhraseKey =
      switch key {
      case .receivedPlain: .received
      case .refundedPlain: .refunded
      default: key
      }
    return patterns[fallback] ?? PhraseTemplate("")
  }

  /// Every word of every pattern, each once.
  var words: [String] {
    var seen: Set<String> = []
    let titles: Set<PhraseKey> = [
      .titleReceived, .titleRefunded, .titleOrder, .titleApproval, .titleCall, .titleReminder, .titleClock,
    ]
    return PhraseKey.allCases.filter { !titles.contains($0) }
      .flatMap { patterns[$0]?.words ?? [] }.filter { seen.insert($0).inserted }
  }
}

extension PhraseLanguage {
  /// The patterns for a locale; regions of one language share them.
  static func of(_ locale: SpokenLocale) -> PhraseLanguage { byLocale[locale] ?? english }

  private static let byLocale: [SpokenLocale: PhraseLanguage] = {
    var table = Dictionary(
      uniqueKeysWithValues: SpokenLocale.all.map { locale in
        (locale, byLanguage[String(locale.tag.prefix { $0 != "-" })] ?? english)
      })
    table[.zhTW] = mandarinTW
    return table
  }()

  private static let byLanguage: [String: PhraseLanguage] = [
    "zh": mandarinCN, "yue": cantonese, "en": english, "ja": japanese, "ko": korean, "vi": vietnamese, "th": thai,
    "id": indonesian, "hi": hindi, "es": spanish, "fr": french, "de": german, "pt": portuguese,
  ]
}

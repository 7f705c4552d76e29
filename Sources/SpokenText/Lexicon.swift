/// A word of a locale, by its place in the lexicon.
struct Token: Hashable, Sendable {
  let rawValue: UInt16
}

/// The kinds that a word can occur in.
struct KindSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  static let cardinal = KindSet(.cardinal)
  static let decimal = KindSet(.decimal)
  static let amount = KindSet(.amount)
  static let amountUnits = KindSet(.amountUnits)
  static let digits = KindSet(.digits)
  static let phone = KindSet(.digitsPhone)
  static let time24 = KindSet(.time24h)
  static let time12 = KindSet(.time12h)
  static let time6 = KindSet(.time6h)
  static let percent = KindSet(.percent)
  static let ordinal = KindSet(.ordinal)
  static let date = KindSet(.date)
  static let duration = KindSet(.duration)

  /// Kinds that say a whole number.
  static let number: KindSet = [.cardinal, .decimal, .amount]

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ kind: ReadingKind) {
    switch kind {
    case .cardinal: rawValue = 1
    case .decimal: rawValue = 1 << 1
    case .amount: rawValue = 1 << 2
    case .amountUnits: rawValue = 1 << 3
    case .digits: rawValue = 1 << 4
    case .digitsPhone: rawValue = 1 << 5
    case .time: rawValue = 1 << 6
    case .time24h: rawValue = 1 << 7
    case .time12h: rawValue = 1 << 8
    case .time6h: rawValue = 1 << 9
    case .percent: rawValue = 1 << 10
    case .ordinal: rawValue = 1 << 11
    case .date: rawValue = 1 << 12
    case .duration: rawValue = 1 << 13
    }
  }
}

/// The closed list of the words of one locale.
///
/// Built once, then only read.
struct Lexicon: Sendable {
  /// What stands between two words of the written text unless a rule says otherwise.
  let separator: String
  /// Seconds of one syllable at an announcer's pace, in microseconds.
  let syllableMicroseconds: Int

  private(set) var keys: [String] = []
  private(set) var kinds: [KindSet] = []
  /// All written forms one after another, as UTF-8.
  private(set) var bytes: [UInt8] = []
  private(set) var starts: [Int32] = [0]
  private(set) var microseconds: [Int32] = []
  private var index: [String: Token] = [:]

  init(separator: String, syllableMicroseconds: Int) {
    self.separator = separator
    self.syllableMicroseconds = syllableMicroseconds
  }

  /// Adds a word, or more kinds to a word that exists.
  ///
  /// - Parameters:
  ///   - text: The written form.
  ///   - sound: The sound, where the written form alone does not name the clip.
  mutating func add(_ text: String, sound: String? = nil, _ kinds: KindSet) -> Token {
    let key = sound.map { "\(text)(\($0))" } ?? text
    if let token = index[key] {
      self.kinds[Int(token.rawValue)].formUnion(kinds)
      return token
    }
    let token = Token(rawValue: UInt16(keys.count))
    index[key] = token
    keys.append(key)
    self.kinds.append(kinds)
    bytes += Array(text.utf8)
    starts.append(Int32(bytes.count))
    microseconds.append(Int32(Syllables.count(in: sound ?? text) * syllableMicroseconds))
    return token
  }

  /// Adds several words of the same kinds.
  mutating func add(_ texts: [String], _ kinds: KindSet) -> [Token] {
    texts.map { add($0, kinds) }
  }

}

/// A count of syllables that is good enough for an estimate of time.
enum Syllables {
  /// One for each ideograph, kana, Hangul syllable or run of vowels; at least one a word.
  static func count(in text: String) -> Int {
    var count = 0
    var inVowel = false
    for scalar in text.lowercased().unicodeScalars {
      let isVowel = "aeiouyàáâãäèéêëìíîïòóôõöùúûüýăơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"
        .unicodeScalars.contains(scalar)
      switch scalar.value {
      case 0x3041...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3: count += smallKana.contains(scalar) ? 0 : 1
      // Thai and Devanagari: one for each consonant that carries a vowel sign, roughly half of the signs.
      case 0x0E40...0x0E44, 0x0E30...0x0E39, 0x0E47, 0x0E48...0x0E4B: count += scalar.value >= 0x0E48 ? 0 : 1
      case 0x093E...0x094C, 0x0905...0x0914: count += 1
      default: if isVowel, !inVowel { count += 1 }
      }
      inVowel = isVowel
    }
    return max(1, count)
  }

  private static let smallKana: Set<Unicode.Scalar> = ["ゃ", "ゅ", "ょ", "ャ", "ュ", "ョ", "ァ", "ィ", "ェ", "ォ"]
}

/// Words brought into the one form in which clips and utterances are compared.
///
/// ASCII letters become small, words stand one blank apart, and no blank touches a character of a script that is
/// written without blanks. A token is the smallest piece that a clip may end at: such a character, or a run of others
/// up to a blank. So `["二十", "八"]` and `["二", "十", "八"]` are the same text of three tokens, and `["twenty", "eight"]`
/// is one of two.
struct TokenText {
  /// The text in UTF-8.
  private(set) var bytes: [UInt8] = []
  /// Where each token begins.
  private(set) var starts: [Int] = []
  /// The place in the list of words from which each token comes.
  private(set) var words: [Int] = []
  /// Whether a word, or a blank-separated part of one, begins at each token; one more entry for the end.
  private(set) var isWordStart: [Bool] = []

  init(_ list: [String]) {
    var scanner = TokenScanner()
    for (place, word) in list.enumerated() {
      scanner.append(word, to: &bytes) { start, isNewWord in
        starts.append(start)
        words.append(place)
        isWordStart.append(isNewWord)
      }
    }
    isWordStart.append(true)
  }

  /// The number of tokens.
  var count: Int { starts.count }

  /// Where a token ends: before the blank in front of the next one, or at the end.
  func end(_ token: Int) -> Int {
    guard token + 1 < starts.count else { return bytes.count }
    let next = starts[token + 1]
    return bytes[next - 1] == UInt8(ascii: " ") ? next - 1 : next
  }

  /// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/.
  static func hash(_ bytes: some Sequence<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// Appends words to a text in the form of ``TokenText``.
struct TokenScanner {
  private var lastWasDense = true

  /// Appends one word; `token` hears where each token begins and whether a word does.
  ///
  /// It works on UTF-8, because a pack has hundreds of clips and its opening must not take a millisecond.
  mutating func append(_ word: String, to output: inout [UInt8], token: (_ start: Int, _ isNewWord: Bool) -> Void) {
    var isNewWord = true
    var word = word
    var isDense = lastWasDense
    word.withUTF8 { source in
      var place = 0
      while place < source.count {
        let lead = source[place]
        let size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let scalar = TokenScanner.scalar(source, place, size)
        if TokenScanner.isBlank(scalar) {
          isNewWord = true
          place += size
          continue
        }
        let wasDense = isDense
        isDense = TokenScanner.isDense(scalar)
        if isNewWord || isDense || wasDense {
          if isNewWord, !isDense, !wasDense, !output.isEmpty { output.append(UInt8(ascii: " ")) }
          token(output.count, isNewWord)
        }
        if size == 1 {
          output.append((65...90).contains(lead) ? lead | 0x20 : lead)
        } else {
          for byte in place..<place + size { output.append(source[byte]) }
        }
        isNewWord = false
        place += size
      }
    }
    lastWasDense = isDense
  }

  /// The scalar at a place of valid UTF-8.
  private static func scalar(_ source: UnsafeBufferPointer<UInt8>, _ place: Int, _ size: Int) -> UInt32 {
    var scalar = UInt32(source[place])
    guard size > 1 else { return scalar }
    scalar &= 0xFF >> UInt32(size + 1)
    for byte in place + 1..<place + size { scalar = scalar << 6 | UInt32(source[byte] & 0x3F) }
    return scalar
  }

  /// Whether a character belongs to a script written without blanks: Han, kana, hangul syllables.
  private static func isDense(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF: true
    default: false
    }
  }

  /// White space by the Unicode property of that name.
  private static func isBlank(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}

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
  /// Where each token ends.
  private(set) var ends: [Int] = []
  /// The place in the list of words from which each token comes.
  private(set) var words: [Int] = []
  /// Whether a word, or a blank-separated part of one, begins at each token; one more entry for the end.
  private(set) var isWordStart: [Bool] = []
  private var lastWasDense = true

  init(_ list: [String]) {
    bytes.reserveCapacity(list.reduce(0) { $0 + $1.utf8.count + 1 })
    for (place, word) in list.enumerated() { append(word, place) }
    isWordStart.append(true)
  }

  /// The number of tokens.
  var count: Int { starts.count }

  private mutating func append(_ word: String, _ place: Int) {
    var isNewWord = true
    for scalar in word.unicodeScalars {
      if scalar.properties.isWhitespace {
        isNewWord = true
        continue
      }
      let isDense = TokenText.isDense(scalar.value)
      if isNewWord || isDense || lastWasDense {
        if isNewWord, !isDense, !lastWasDense, !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        starts.append(bytes.count)
        ends.append(bytes.count)
        words.append(place)
        isWordStart.append(isNewWord)
      }
      if scalar.isASCII {
        let byte = UInt8(scalar.value)
        bytes.append((65...90).contains(byte) ? byte | 0x20 : byte)
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
      ends[ends.count - 1] = bytes.count
      lastWasDense = isDense
      isNewWord = false
    }
  }

  /// Whether a character belongs to a script written without blanks: Han, kana, hangul syllables.
  private static func isDense(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF: true
    default: false
    }
  }

  /// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/.
  static func hash(_ bytes: ArraySlice<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

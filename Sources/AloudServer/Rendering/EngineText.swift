internal import Announcing
internal import SpokenText

/// The text of a phrase as engines get it: numbers as words, never as digits.
///
/// Engines read digits by rules of their own, and neural ones invent figures (github.com/QwenLM/Qwen3-TTS/issues/277).
enum EngineText {
  /// Digits longer than this are read one by one: they are names (orders, telephones), not counts.
  private static let longestCount = 6

  /// The text with every run of digits read out.
  static func words(_ phrase: Phrase, locale: SpokenLocale) -> String {
    let reader = Reader(locale)
    var text = ""
    var run = ""
    for character in phrase.text + " " {
      if let digit = digit(character) {
        run += String(digit)
        continue
      }
      if !run.isEmpty { text += spoken(run, reader) }
      run = ""
      text.append(character)
    }
    return String(text.dropLast())
  }

  /// The value of a digit of any script; number words such as 七 are words already.
  private static func digit(_ character: Character) -> Int? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
      scalar.properties.numericType == .decimal
    else { return nil }
    return character.wholeNumberValue
  }

  private static func spoken(_ digits: String, _ reader: Reader) -> String {
    let isName = digits.count > longestCount || (digits.count > 1 && digits.hasPrefix("0"))
    let reading = try? reader.read(digits, as: isName ? .digits : .cardinal)
    return reading?.text ?? ""
  }
}

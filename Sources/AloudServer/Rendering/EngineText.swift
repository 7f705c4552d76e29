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
      if let digit = character.wholeNumberValue, (0...9).contains(digit) {
        run += String(digit)
        continue
      }
      if !run.isEmpty { text += spoken(run, reader) }
      run = ""
      text.append(character)
    }
    return String(text.dropLast())
  }

  private static func spoken(_ digits: String, _ reader: Reader) -> String {
    let isName = digits.count > longestCount || (digits.count > 1 && digits.hasPrefix("0"))
    let reading = try? reader.read(digits, as: isName ? .digits : .cardinal)
    return reading?.text ?? ""
  }
}

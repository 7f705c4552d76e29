/// How long saying a text takes, from its letters: an estimate for a warning, not a measurement.
enum SpeechEstimate {
  /// Seconds: about 4.5 Han or kana characters or 2.6 words a second, digits one by one.
  static func seconds(_ text: String) -> Double {
    var (seconds, inWord) = (0.0, false)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF, 0x20000...0x2FA1F:
        seconds += 0.22
        inWord = false
      case 0x30...0x39:
        seconds += 0.3
        inWord = false
      default:
        let isLetter = scalar.properties.isAlphabetic
        if isLetter, !inWord { seconds += 0.38 }
        if !isLetter, "。，、；：！？,.;:!?".unicodeScalars.contains(scalar) { seconds += 0.2 }
        inWord = isLetter
      }
    }
    return seconds
  }
}

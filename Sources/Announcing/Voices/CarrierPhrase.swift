package import SpokenText
package import VoiceAudio

/// A sentence in which a unit of a voice pack is spoken, so that it sounds as within a sentence and not like a word read from
/// a list; the unit is then cut out.
///
/// The commas let the voice breathe before and after the unit, where the cut falls into silence.
package struct CarrierPhrase: Hashable, Sendable {
  /// What stands before the unit.
  package let before: String
  /// What stands after it.
  package let after: String

  /// The carrier of a language, or `nil` if it has none and units are spoken alone.
  package init?(_ locale: SpokenLocale) {
    guard let (before, after) = CarrierPhrase.table[String(locale.tag.prefix { $0 != "-" })] else { return nil }
    (self.before, self.after) = (before, after)
  }

  /// The sentence with a unit in it.
  package func text(with unit: String) -> String { before + unit + after }

  private static let table: [String: (String, String)] = [
    "zh": ("请听，", "，谢谢。"), "yue": ("請聽，", "，多謝。"), "en": ("Listen, ", ", thank you."), "ja": ("はい、", "、です。"),
    "ko": ("네, ", ", 입니다."), "es": ("Oiga, ", ", gracias."), "fr": ("Écoutez, ", ", merci."),
    "de": ("Hören Sie, ", ", danke."), "pt": ("Ouça, ", ", obrigado."), "vi": ("Nghe, ", ", cảm ơn."),
    "id": ("Dengar, ", ", terima kasih."), "hi": ("सुनिए, ", ", धन्यवाद।"),
  ]
}

/// Makes a unit's clip from what a voice said.
package struct UnitShaper: Hashable, Sendable {
  /// What every clip goes through.
  package var finish: ClipFinish
  /// How long a unit may be, in seconds: beyond, a cut has taken in its neighbours or missed the unit.
  package static let plausibleSeconds = 0.05...5.0

  /// Makes a shaper.
  package init(finish: ClipFinish = .init()) { self.finish = finish }

  /// The clip of a unit.
  ///
  /// - Parameters:
  ///   - unit: What is said, as it stands in the sentence.
  ///   - speech: What the voice said.
  ///   - carrier: The sentence around the unit; `nil` if it was spoken alone.
  /// - Returns: `nil` if there are no marks to cut by, or nothing plausible was found between them.
  package func clip(_ unit: String, in speech: Speech, carrier: CarrierPhrase?) -> Sound? {
    var sound = speech.sound
    if let carrier {
      guard let cut = CarrierCut.cut(unit, after: carrier.before, from: speech) else { return nil }
      sound = cut
    }
    guard var clip = finish.trimmed(sound), UnitShaper.plausibleSeconds.contains(clip.seconds) else { return nil }
    finish.fade(&clip)
    return finish.levelled(clip) { Loudness.integrated($0) }
  }
}

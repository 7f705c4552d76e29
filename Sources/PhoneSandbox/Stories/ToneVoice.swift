import Announcing
package import SpokenText
package import VoiceAudio

/// A voice for stories and tests that can say everything finite in a language: each word is a tone of its own pitch, as long
/// as the word is.
///
/// It needs no recording, so a story can be run in any language; what is said stands in the timeline.
package enum ToneVoice {
  private static let rate = 8000

  /// A joiner with a pack of tones for `locale`.
  ///
  /// - Parameter extra: Words beside the vocabulary of the phrase book, for example a brand.
  /// - Throws: `VoicePackError`, which would be a fault of this code.
  package static func joiner(_ locale: SpokenLocale, extra: [String] = []) throws -> Joiner {
    var samples: [Int16] = []
    var clips: [PackManifest.Clip] = []
    for word in PhraseBook.fullVocabulary(locale) + extra {
      let length = frames(of: word)
      clips.append(
        .init(name: "w\(clips.count)", words: [word], takes: [.init(start: samples.count, length: length)]))
      samples += tone(hertz: 200 + Double(clips.count * 37 % 500), frames: length)
    }
    let manifest = PackManifest(
      id: "tones-\(locale.tag)", version: "1.0.0", locale: locale.tag, voice: "tones", licence: "CC0-1.0",
      sampleRate: rate, codec: .lpcm, loudness: -16, pauses: .init(between: 0.2, afterBrand: 0.15, beforeAmount: 0.2),
      clips: clips)
    let file = try SoundFile.encode(PCM(sampleRate: rate, samples: samples), container: .caf, codec: .lpcm)
    return Joiner(pack: try VoicePack(manifest: Array(manifest.json.utf8), clips: file))
  }

  /// A sound of so many seconds, for files of stories.
  package static func hum(seconds: Double, sampleRate: Int = rate) -> PCM {
    PCM(sampleRate: sampleRate, samples: tone(hertz: 330, frames: Int(seconds * Double(sampleRate))))
  }

  /// A fifth of a second for each character of a dense script, less for letters.
  private static func frames(of word: String) -> Int {
    let seconds = word.unicodeScalars.reduce(0.0) { $0 + ($1.value >= 0x2E80 ? 0.2 : 0.07) }
    return Int(max(0.15, seconds) * Double(rate))
  }

  /// A triangle wave that swells and fades, so that clips meet in silence.
  private static func tone(hertz: Double, frames: Int) -> [Int16] {
    (0..<frames).map { place in
      let turn = (Double(place) * hertz / Double(rate)).truncatingRemainder(dividingBy: 1)
      let wave = abs(turn * 4 - 2) - 1
      let edge = Double(min(place, frames - 1 - place)) / (0.01 * Double(rate))
      return Int16(wave * min(1, edge) * 6000)
    }
  }
}

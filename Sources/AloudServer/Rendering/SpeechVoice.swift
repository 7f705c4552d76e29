internal import Announcing
internal import AudioTools
internal import HTTPTransport
internal import SpokenText
internal import VoiceAudio

/// Something that says a phrase: a voice pack or an engine.
protocol SpeechVoice: Sendable {
  /// What tells this voice with these settings from others: part of the key under which sounds are kept.
  var signature: String { get }
  /// Makes a notification sound.
  ///
  /// - Throws: ``VoiceFailure``, whose words never hold what was to be said.
  func sound(_ phrase: Phrase, locale: SpokenLocale) async throws(VoiceFailure) -> [UInt8]
}

/// Why a voice cannot say something.
enum VoiceFailure: String, Error, Sendable {
  /// Another language, or words outside its vocabulary: the next voice may be able to.
  case cannotSay = "the voice cannot say this"
  /// It would be longer than iOS plays.
  case tooLong = "the sentence is longer than 29 s"
  /// The program or server failed.
  case engineFailed = "the speech engine failed"
  /// It took too long.
  case tooSlow = "the speech engine took too long"
  /// The disk is full or the folder cannot be written.
  case notKept = "the sound could not be kept"
}

/// A voice pack on the server: the same clips that the phone joins.
struct PackVoice: SpeechVoice {
  let joiner: Joiner

  var signature: String { "pack \(joiner.pack.id) \(joiner.pack.version)" }

  func sound(_ phrase: Phrase, locale: SpokenLocale) async throws(VoiceFailure) -> [UInt8] {
    guard (try? SpokenLocale(joiner.pack.locale)) == locale else { throw .cannotSay }
    do throws(JoinError) {
      return try joiner.file(phrase.utterance, container: .caf, codec: .ima4)
    } catch {
      if case .tooLong = error { throw .tooLong }
      throw .cannotSay
    }
  }
}

/// What an engine said, made into a notification sound: one loudness, mono IMA4 in CAF, at most 29 s.
enum EngineSound {
  /// The longest sound, in seconds; iOS plays the default tone from 30 on.
  static let longestSeconds = 29.0

  static func file(_ sound: Sound) throws(VoiceFailure) -> [UInt8] {
    var shaped = sound
    // Levelling needs libebur128; without it the engine's own loudness is kept rather than nothing said.
    if let levelled = try? ClipShaper(sampleRate: sound.sampleRate, keepSeconds: 0.05).shape(sound, name: "speech") {
      shaped = levelled
    }
    guard shaped.seconds <= longestSeconds else { throw .tooLong }
    guard let bytes = try? SoundFile.encode(shaped.pcm, container: .caf, codec: .ima4) else { throw .engineFailed }
    return bytes
  }
}

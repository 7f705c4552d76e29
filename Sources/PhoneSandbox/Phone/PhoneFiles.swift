import ExactJSON
import VoiceAudio

/// A file on the virtual phone.
struct PhoneFile: Hashable, Sendable {
  var bytes: [UInt8]
  /// What is heard when it is played, if it is speech.
  var says: String?
  /// When it was written, on the story's clock.
  var writtenAt: Double
}

/// The folders in which iOS looks for notification sounds.
struct PhoneFiles: Hashable, Sendable {
  /// The app's own `Library/Sounds`.
  var appSounds: [String: PhoneFile] = [:]
  /// `Library/Sounds` of the App Group, where the extension writes.
  var groupSounds: [String: PhoneFile] = [:]
  /// The root of the app's bundle.
  var bundle: [String: PhoneFile] = [:]

  /// Finds a sound by its exact name: the app's container, then the group's, then the bundle; the first hit wins.
  ///
  /// Source: Apple, `UNNotificationSound.init(named:)`. A name without its extension is not found (Field: Infobip).
  ///
  /// - Parameter isSealed: Whether the containers cannot be read yet, before the first unlock after a start.
  func sound(named name: String, isSealed: Bool) -> PhoneFile? {
    if isSealed { return bundle[name] }
    return appSounds[name] ?? groupSounds[name] ?? bundle[name]
  }
}

/// What iOS makes of a sound file.
enum SoundJudgement: Hashable, Sendable {
  /// It plays.
  case plays(PCM)
  /// It is 30 s or longer: the default tone is played.
  case tooLong
  /// Format or encoding is none of those that are played: the default tone is played.
  case notPlayable
  /// A damaged AIFF: nothing is heard at all.
  case mute

  /// Judges a file by parsing it.
  ///
  /// Sources: Apple, `UNNotificationSound` (aiff, wav, caf; Linear PCM, MA4, µLaw, aLaw; under 30 s, else the default
  /// sound). Missing or invalid files give the default sound (Field: OneSignal, Infobip, Braze), but a malformed AIFF none
  /// (github.com/rafaelsetragni/awesome_notifications/issues/394).
  init(_ bytes: [UInt8]) {
    do {
      let file = try SoundFile.decode(bytes)
      if file.layout.seconds >= 30 {
        self = .tooLong
      } else if file.container == .wav, file.codec == .ima4 {
        // MA4 is Apple's IMA4; WAV's own ADPCM is not among the documented encodings.
        self = .notPlayable
      } else {
        self = .plays(file.pcm)
      }
    } catch {
      let isAIFF = bytes.starts(with: Array("FORM".utf8))
      self = isAIFF ? .mute : .notPlayable
    }
  }
}

// For the test of the lint: each line that is wrong says so in a comment, in the lint's own words. On Linux all of it builds.
import AVFAudio
import Foundation
import PlantedShim

enum Planted {
  static func old() { PlantedPlayer.play() }

  static func invented() { PlantedPlayer.invented() }  // unknown

  static func unguarded() { PlantedPlayer.muted() }  // too new 26

  static func guarded() {
    if #available(iOS 26, *) {
      PlantedPlayer.muted()
    } else {
      PlantedPlayer.muted()  // too new 26
    }
  }

  static func guardedOtherwise() {
    guard #available(iOS 26, *) else { return PlantedPlayer.muted() }  // too new 26
    PlantedPlayer.muted()
  }

  static func guardedTooLow() {
    if #available(iOS 17, *) { PlantedPlayer.muted() }  // too new 26
  }

  @available(iOS 26, *)
  static func declaredSo() { PlantedPlayer.muted() }

  #if canImport(PlantedShim)
    @available(iOS 26, *)
    static func declaredSoWhereItExists() { PlantedPlayer.muted() }
    static func unguardedWhereItExists() { PlantedPlayer.muted() }  // too new 26
  #endif

  // Named in a signature only.
  static func signature(_ voice: PlantedVoice?) {}  // too new 17

  // Of the language and of Foundation.
  static func pause() async throws { try await Task.sleep(for: .seconds(1)) }  // too new 16
  static func appended(_ url: URL) -> URL { url.appending(path: "a") }  // too new 16

  // Of a real framework: markers came with iOS 16.
  static func write(_ synthesizer: AVSpeechSynthesizer, _ utterance: AVSpeechUtterance) {
    synthesizer.write(utterance, toBufferCallback: { _ in })
    synthesizer.write(utterance, toBufferCallback: { _ in }, toMarkerCallback: { _ in })  // too new 16
  }
}

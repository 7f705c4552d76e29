import AudioTools
import VoiceAudio

extension Subcommand {
  /// `aloud convert`: any usual sound file becomes a notification sound.
  static let convert = Subcommand(
    "convert", summary: "Turn any sound file into one that iOS takes as a notification sound, or say why not",
    discussion: """
      Reads WAV, AIFF, CAF, MP3, FLAC and Ogg (M4A if ffmpeg is installed); writes .caf, .wav or .aiff: mono, at most 29 s, at one
      loudness. With --check only judges IN and exits with 1 if iOS would play its own sound instead.
      Instead of a file IN may be a sound that is computed: silence:2.5 (seconds), chime:bell, chime:rise or chime:knock.
      """,
    options: [
      .flag("check", "Judge IN and write nothing"),
      .value("codec", "ima4|lpcm|ulaw|alaw", "How samples are stored; IMA4 by default, PCM in WAV"),
      .value("rate", "HZ", "Frames a second; the source's by default, at most 44100"),
      .value("loudness", "LUFS", default: "-16", "The loudness of the new file"),
      .flag("keep-level", "Leave the loudness as it is"),
    ],
    operands: [
      Operand("IN", help: "The sound file, or silence:SECONDS or chime:NAME"),
      Operand("OUT", help: "The new file: NAME.caf, NAME.wav or NAME.aiff", isRequired: false),
    ],
    body: .immediate { call in
      let operands = call.arguments.operands
      if call.arguments.flag("check") {
        let report = try SoundConverter.check(path: operands[0])
        call.io.print(report.text)
        if report.isPlayable { call.io.print("  iOS takes it as a notification sound") }
        return report.isPlayable ? .success : .findings
      }
      guard operands.count > 1 else {
        throw CommandFailure("Say what is to be written: aloud convert \(operands[0]) sound.caf", code: .usage)
      }
      var options = SoundConverter.Options()
      options.codec = try chosenCodec(call)
      options.sampleRate = try call.arguments.integer("rate", in: 4_000...48_000)
      options.loudness = call.arguments.flag("keep-level") ? nil : try loudness(call)
      let report = try SoundConverter.convert(operands[0], to: operands[1], options: options)
      call.io.print(report.text)
      return .success
    })
}

import Announcing
import AudioTools
import ExactJSON
import SpokenText
import VoiceAudio

extension Subcommand {
  /// `aloud pack`: make voice packs and look them over.
  static let pack = Subcommand(
    "pack", summary: "Make voice packs from an engine or from recordings, and check them",
    discussion: "A voice pack is a folder with pack.json and clips.caf; its format is described in docs/sound.md.",
    children: [packBuild, packImport, packInspect, packCheck])

  private static let soundOptions: [CommandOption] = [
    .value("locale", short: "l", "TAG", default: "zh-CN", environment: "ALOUD_LOCALE", "The language of the pack"),
    .value("output", short: "o", "DIR", "Where the pack is made, such as zh-CN.voicepack"),
    .value("id", "NAME", "The pack's name for programs"),
    .value("codec", "ima4|lpcm", default: "ima4", "How clips are stored"),
    .value("rate", "HZ", "Frames a second"),
    .value("loudness", "LUFS", default: "-16", "The loudness of all clips"),
    .value("tempo", "X", default: "1", "Speak X times as fast, pitch unchanged (0.5 to 2)"),
    .value("licence", "TEXT", "Who may use the voice: an SPDX expression or words"),
    .value("attribution", "TEXT", "Whom the licence asks to name"),
  ]

  private static let packBuild = Subcommand(
    "build", summary: "Render every word a locale needs with a speech engine",
    discussion: """
      Engines: espeak-ng, or any program that reads text and writes a WAV file:
        aloud pack build --locale en-US --engine command "piper --model M --output_file -" --output my.voicepack
      {text} in the command is replaced by the text (without it the text goes to standard input), {timings} by a file for
      lines “start TAB end TAB word” in seconds, which --carrier needs. The command runs without a shell.
      Work that was broken off goes on where it stopped when the same command is given again.
      """,
    options: soundOptions + [
      .value("engine", "espeak-ng|command", "What speaks (default: espeak-ng)"),
      .value("command", "LINE", "The program that speaks; the same as --engine command LINE"),
      .value("voice", "NAME", "espeak-ng: another voice; with --command: who speaks, for pack.json"),
      .value("speed", "WPM", default: "150", "espeak-ng: words a minute"),
      .value("pitch", "0–99", default: "50", "espeak-ng: pitch"),
      .value("phrase", "TEXT", "Also say this in one piece (may be given several times)"),
      .value("spoken", "WORD=TEXT", "Give the engine TEXT for WORD (may be given several times)"),
      .value("carrier", "TEXT", "Speak each word in this sentence, {} standing for it, and cut it out"),
    ],
    operands: [Operand("LINE", help: "With --engine command: the program that speaks", isRequired: false)],
    body: .immediate { call in
      var options = PackBuilder.Options(locale: try locale(call))
      options.id = call.arguments.value("id")
      options.sampleRate = try call.arguments.integer("rate", in: 8_000...48_000) ?? options.sampleRate
      options.codec = try chosenCodec(call) ?? options.codec
      options.loudness = try loudness(call) ?? options.loudness
      options.tempo = try tempo(call)
      options.licence = call.arguments.value("licence")
      options.attribution = call.arguments.value("attribution") ?? ""
      options.phrases = call.arguments.all("phrase")
      options.carrier = call.arguments.value("carrier")
      for pair in call.arguments.all("spoken") {
        guard let equals = pair.firstIndex(of: "=") else {
          throw CommandFailure("--spoken takes WORD=TEXT, not “\(pair)”.", code: .usage)
        }
        options.spoken[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
      }
      let builder = PackBuilder(options, engine: try engine(call))
      let summary = try builder.build(in: try output(call), progress: progressLine(call.io))
      call.io.print(summary.text)
      return .success
    })

  private static func engine(_ call: Invocation) throws -> any SpeechEngine {
    let voice = call.arguments.value("voice")
    let line = call.arguments.value("command") ?? call.arguments.operands.first
    switch call.arguments.value("engine") ?? (line == nil ? "espeak-ng" : "command") {
    case "command":
      guard let line else {
        throw CommandFailure("--engine command needs the program that speaks: --engine command \"LINE\"", code: .usage)
      }
      return try CommandEngine(commandLine: line, voice: voice ?? "", licence: "unstated")
    case "espeak-ng":
      guard line == nil else {
        throw CommandFailure("espeak-ng takes no command line; use --engine command.", code: .usage)
      }
    case let other:
      throw CommandFailure("There is no engine “\(other)”: use espeak-ng or command.", code: .usage)
    }
    return EspeakEngine(
      locale: try locale(call).tag, voice: voice,
      speed: try call.arguments.integer("speed", in: 80...450) ?? 150,
      pitch: try call.arguments.integer("pitch", in: 0...99) ?? 50)
  }

  private static let packImport = Subcommand(
    "import", summary: "Make a pack from recordings, from 18 clips upwards",
    discussion: """
      DIR holds MP3, WAV, AIFF, CAF, FLAC or Ogg files (M4A if ffmpeg is installed) whose names say what is in them:
      words (微信收款.mp3, “twenty eight.wav”), numbers (28.mp3), pinyin (ling, yi, …, dian, yuan, zheng; yì or yi4 is 亿), or
      the names of public demos (tts_0 … tts_9, tts_ten, tts_hundred, tts_thousand, tts_ten_thousand, tts_dot, tts_yuan,
      tts_pre, tts_default). Or give a table with lines “file,words[,before[,after[,head|tail[,cost]]]]”.
      """,
    options: soundOptions + [
      .value("table", "CSV", "What each file says, instead of the names"),
      .value("voice", "NAME", "Who speaks"),
      .value("prefix", "TEXT", default: "收款", "What tts_pre says"),
    ],
    operands: [Operand("DIR", help: "The folder of recordings")],
    body: .immediate { call in
      var options = PackImporter.Options(locale: try locale(call))
      options.id = call.arguments.value("id")
      options.sampleRate = try call.arguments.integer("rate", in: 8_000...48_000) ?? options.sampleRate
      options.codec = try chosenCodec(call) ?? options.codec
      options.loudness = try loudness(call) ?? options.loudness
      options.tempo = try tempo(call)
      options.licence = call.arguments.value("licence") ?? options.licence
      options.attribution = call.arguments.value("attribution") ?? ""
      options.voice = call.arguments.value("voice") ?? options.voice
      options.table = call.arguments.value("table")
      options.prefix = (call.arguments.value("prefix") ?? "").split(separator: " ").map(String.init)
      let summary = try PackImporter(options).make(
        from: call.arguments.operands[0], in: try output(call), progress: progressLine(call.io))
      call.io.print(summary.text)
      return .success
    })

  private static let packInspect = Subcommand(
    "inspect", summary: "Say what a pack is, how loud it is and what it can say",
    options: [.flag("json", "Print the report as JSON")],
    operands: [Operand("DIR", help: "The pack")],
    body: .immediate { call in
      let report = try PackInspector.inspect(path: call.arguments.operands[0])
      call.io.print(call.arguments.flag("json") ? report.json.serialized(pretty: true) : report.text)
      return .success
    })

  private static let packCheck = Subcommand(
    "check", summary: "Prove that a pack says every number, amount and time, and that its sound is in order",
    discussion: "Exits with 0 if nothing is wrong and with 1 if there are errors or warnings; notes are only printed.",
    options: [
      .flag("json", "Print the report as JSON"),
      .value("depth", "N", default: "2000", "How many numbers and amounts are tried"),
    ],
    operands: [Operand("DIR", help: "The pack")],
    body: .immediate { call in
      let depth = try call.arguments.integer("depth", in: 100...1_000_000) ?? 2_000
      let report = try PackInspector.inspect(path: call.arguments.operands[0], depth: depth)
      if call.arguments.flag("json") {
        call.io.print(report.json.serialized(pretty: true))
      } else {
        call.io.print(report.text)
        call.io.print(report.findings.isEmpty ? "nothing is wrong" : report.findingsText)
      }
      return report.isClean ? .success : .findings
    })

  // MARK: Shared

  private static func locale(_ call: Invocation) throws -> SpokenLocale {
    do {
      return try SpokenLocale(call.arguments.value("locale") ?? "zh-CN")
    } catch {
      throw CommandFailure(error.message, code: .usage)
    }
  }

  private static func output(_ call: Invocation) throws -> String {
    guard let folder = call.arguments.value("output"), !folder.isEmpty else {
      throw CommandFailure("Say where the pack is to be made: --output zh-CN.voicepack", code: .usage)
    }
    return folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  /// The codec that was asked for, if one was.
  static func chosenCodec(_ call: Invocation) throws -> AudioCodec? {
    guard let name = call.arguments.value("codec") else { return nil }
    guard let codec = AudioCodec(rawValue: name) else {
      let names = AudioCodec.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("--codec is one of \(names), not “\(name)”.", code: .usage)
    }
    return codec
  }

  /// The loudness that was asked for, in LUFS.
  static func loudness(_ call: Invocation) throws -> Double? {
    guard let text = call.arguments.value("loudness") else { return nil }
    guard let value = Double(text), (-40 ... -6).contains(value) else {
      throw CommandFailure("--loudness takes LUFS from -40 to -6, not “\(text)”.", code: .usage)
    }
    return value
  }

  private static func tempo(_ call: Invocation) throws -> Double {
    let text = call.arguments.value("tempo") ?? "1"
    guard let value = Double(text), TimeStretch.range.contains(value) else {
      throw CommandFailure("--tempo takes a number from 0.5 to 2, not “\(text)”.", code: .usage)
    }
    return value
  }

  /// A progress line on a terminal, and nothing elsewhere.
  private static func progressLine(_ io: CommandIO) -> (Progress) -> Void {
    guard io.errorIsTerminal else { return { _ in } }
    return { progress in
      let isDone = progress.done == progress.total
      io.complain("\r\u{1B}[K" + (isDone ? "" : progress.line), terminator: "")
    }
  }
}

extension PackInspector.Report {
  /// The report for programs.
  fileprivate var json: JSON {
    [
      "id": .string(manifest.id), "version": .string(manifest.version), "locale": .string(manifest.locale),
      "voice": .string(manifest.voice), "licence": .string(manifest.licence),
      "attribution": .string(manifest.attribution), "codec": .string(manifest.codec.rawValue),
      "sampleRate": .int(manifest.sampleRate), "clips": .int(manifest.clips.count), "takes": .int(takes),
      "neutralTakes": .int(neutral), "milliseconds": .int(Int(seconds * 1_000)),
      "coverage": .array(
        coverage.rows.map { row in
          [
            "name": .string(row.name), "tried": .int(row.tried), "said": .int(row.said),
            "missing": .array(row.missing.map(JSON.string)),
          ]
        }),
      "findings": .array(
        findings.map { ["severity": .string($0.severity.rawValue), "message": .string($0.message)] }),
    ]
  }
}

import Announcing
import ExactJSON
import PushPayload
import SpokenText
import VoiceAudio

extension Subcommand {
  /// `aloud say`: a sentence as a sound file, as the phone would make it.
  static let say = Subcommand(
    "say", summary: "Make the sound file of a sentence, as the phone would",
    discussion: """
      aloud say --kind payment.received --brand 微信 --amount "CNY 28.50" -o out.caf
      The container follows the file's extension (caf, wav, aiff). Prints what is said. All or nothing: when the voice pack
      lacks a word, nothing is written and the words are named (exit 1).
      """,
    options: [
      .value(
        "locale", short: "l", "TAG", environment: "ALOUD_LOCALE", "The language (default: the pack's, else zh-CN)"),
      .value("pack", short: "p", "DIR", "A voice pack folder (default: the one of the locale)"),
      .value(
        "kind", short: "k", "KIND", default: "payment.received",
        "What happened: \(EventKind.allCases.map(\.rawValue).joined(separator: ", "))"),
      .value("amount", short: "a", "AMOUNT", "Currency and amount, such as “CNY 28.50”"),
      .value("brand", short: "b", "NAME", "The service that is named first, such as 微信"),
      .value("from", short: "f", "NAME", "Who paid, asks or calls"),
      .value("text", short: "t", "TEXT", "Free text, or the time (15:05) for clock.time"),
      .value("output", short: "o", "FILE", "The sound file to write"),
      .value("codec", short: "c", "CODEC", default: "lpcm", "lpcm, lpcm24, float32, ima4, ulaw or alaw"),
      .value("chime", "NAME", "A chime first: bell, rise or knock"),
      .value("lead-in", "MS", default: "0", "Milliseconds of silence first, for Bluetooth loudspeakers"),
      .flag("from-name", "Say the name given with --from in payments too"),
      .flag("bare", "Say the amount alone, without a sentence: what a pack of a few digits can say"),
      .value("suffix", "WORD", "With --bare: a word after the amount, such as 整"),
      .flag("privacy", "Leave the figure out"),
      .flag("json", "Print what was made as JSON"),
    ],
    body: .immediate { call in
      do {
        return try saySentence(call)
      } catch let error as PhraseError {
        call.io.complain("aloud say: \(error)")
      } catch let error as JoinError {
        call.io.complain("aloud say: \(error)")
      } catch let error as ReadingError {
        call.io.complain("aloud say: \(error.message)")
      }
      return .findings
    })

  private static func saySentence(_ call: Invocation) throws -> ExitCode {
    guard let output = call.arguments.value("output") else {
      throw CommandFailure("--output FILE is missing: where shall the sound go?", code: .usage)
    }
    guard let container = AudioContainer(fileName: output) else {
      throw CommandFailure("\(output): the name must end in .caf, .wav or .aiff.", code: .usage)
    }
    let codec = try codec(call)
    let pack = try voicePack(call)
    let (text, utterance) = try sentence(call, call.arguments.value("locale") ?? pack.locale)
    let plan = try Joiner(pack: pack, options: try joinOptions(call)).plan(utterance)
    for warning in plan.warnings { call.io.complain("aloud say: \(warning)") }
    let bytes = try Joiner(pack: pack, options: try joinOptions(call)).file(plan, container: container, codec: codec)
    try FileBytes.write(bytes, path: output)
    report(text, plan, bytes.count, output, call)
    return .success
  }

  private static func sentence(_ call: Invocation, _ tag: String) throws -> (text: String, utterance: Utterance) {
    let event = try event(call)
    guard call.arguments.flag("bare") else {
      let options = PhraseOptions(
        privacy: call.arguments.flag("privacy"), saysSender: call.arguments.flag("from-name"))
      let phrase = try PhraseBook(tag: tag).phrase(for: event, options: options)
      return (phrase.text, phrase.utterance)
    }
    guard let amount = event.amount, let currency = event.currency else {
      throw CommandFailure("--bare needs an amount: --amount \"CNY 28.50\"", code: .usage)
    }
    let locale = try SpokenLocale(tag)
    let words =
      try Reader(locale).read(Amount(decimal: amount, currency: currency)).words
      + (call.arguments.value("suffix").map { [$0] } ?? [])
    return (Reader.joined(words, locale), Utterance(words: words, role: .amount))
  }

  private static func codec(_ call: Invocation) throws -> AudioCodec {
    let name = call.arguments.value("codec") ?? "lpcm"
    guard let codec = AudioCodec(rawValue: name) else {
      throw CommandFailure("There is no codec “\(name)”: use lpcm, lpcm24, float32, ima4, ulaw or alaw.", code: .usage)
    }
    return codec
  }

  private static func voicePack(_ call: Invocation) throws -> VoicePack {
    if let path = call.arguments.value("pack") { return try VoiceLibrary.open(path) }
    return try VoiceLibrary(environment: call.io.environment).pack(for: call.arguments.value("locale") ?? "zh-CN")
  }

  private static func event(_ call: Invocation) throws -> SpokenEvent {
    var event = SpokenEvent(id: "say", kind: call.arguments.value("kind") ?? EventKind.paymentReceived.rawValue)
    if let text = call.arguments.value("amount") {
      let parts = text.split(separator: " ", omittingEmptySubsequences: true)
      guard parts.count == 2 else {
        throw CommandFailure(
          "--amount takes a currency and a number, such as “CNY 28.50”, not “\(text)”.", code: .usage)
      }
      (event.currency, event.amount) = (String(parts[0]), String(parts[1]))
    }
    event.brand = call.arguments.value("brand")
    event.from = call.arguments.value("from")
    event.text = call.arguments.value("text")
    return event
  }

  private static func joinOptions(_ call: Invocation) throws -> JoinOptions {
    var options = JoinOptions()
    options.leadInSeconds = Double(try call.arguments.integer("lead-in", in: 0...5_000) ?? 0) / 1_000
    if let name = call.arguments.value("chime") {
      guard let chime = Chime(rawValue: name) else {
        throw CommandFailure("There is no chime “\(name)”: use bell, rise or knock.", code: .usage)
      }
      options.chime = chime
    }
    return options
  }

  private static func report(_ text: String, _ plan: JoinPlan, _ bytes: Int, _ output: String, _ call: Invocation) {
    guard call.arguments.flag("json") else { return call.io.print(text) }
    let value: JSON = [
      "text": .string(text), "file": .string(output), "bytes": .int(bytes),
      "milliseconds": .int(Int((plan.estimatedSeconds * 1_000).rounded())),
      "clips": .array(plan.clips.map(JSON.string)),
    ]
    call.io.print(value.serialized())
  }
}

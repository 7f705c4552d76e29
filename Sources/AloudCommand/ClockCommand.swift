import Announcing
import AudioTools
import ExactJSON
import SpokenText
import VoiceAudio

extension Subcommand {
  /// `aloud clock`: the sound files and the schedule of a talking clock.
  static let clock = Subcommand(
    "clock", summary: "Make the sound files and the schedule of a talking clock",
    discussion: """
      aloud clock --from 7 --to 22 --half-hours --locale zh-CN -o clock
      Writes one sound file for each time and schedule.json into the folder; files that are there are kept, because a name
      belongs to one voice and one sentence for ever. Each time is one repeating notification (hour and minute, no time zone),
      and iOS keeps 64 for an app: more than that is refused (exit 1). An app with AloudKit makes all this on the phone
      (TalkingClock); the files are for apps that bring them along.
      """,
    options: [
      .value("from", "TIME", default: "7", "The first time of the day: 7 or 07:30"),
      .value("to", "TIME", default: "22", "The last time of the day; before --from, the hours go across midnight"),
      .flag("half-hours", "Speak at the half hours too"),
      .flag("quarter-hours", "Speak at the quarter hours too"),
      .value("style", "STYLE", default: "automatic", "How the hour is said: automatic, twelveHours or twentyFourHours"),
      .value(
        "locale", short: "l", "TAG", environment: "ALOUD_LOCALE", "The language (default: the pack's, else zh-CN)"),
      .value("pack", short: "p", "DIR", "A voice pack folder (default: the one of the locale)"),
      .value("codec", short: "c", "CODEC", "lpcm, ima4, ulaw or alaw (default: the pack's own)"),
      .value("others", "N", default: "0", "How many other pending notifications the app has"),
      .value("output", short: "o", "DIR", default: "clock", "The folder to write"),
      .flag("json", "Print the schedule as JSON"),
    ],
    body: .immediate { call in
      do {
        return try makeClock(call)
      } catch let error as PhraseError {
        call.io.complain("aloud clock: \(error)")
      } catch let error as JoinError {
        call.io.complain("aloud clock: \(error)")
      }
      return .findings
    })

  private static func makeClock(_ call: Invocation) throws -> ExitCode {
    let pack = try clockPack(call)
    let settings = try clockSettings(call)
    guard let locale = try? SpokenLocale(call.arguments.value("locale") ?? pack.locale) else {
      throw CommandFailure("There is no language “\(call.arguments.value("locale") ?? pack.locale)”.", code: .usage)
    }
    let schedule = settings.schedule(locale: locale, voiceID: pack.fingerprint)
    let others = (0..<(try call.arguments.integer("others", in: 0...1_000) ?? 0)).map { "other-\($0)" }
    let requests = try schedule.change(pending: others).adding
    let folder = call.arguments.value("output") ?? "clock"
    let rendered = try render(requests, Joiner(pack: pack), clockCodec(call, pack), into: folder)
    let json = clockJSON(settings, locale, pack, requests, rendered.seconds)
    try FileBytes.write(Array((json.serialized(pretty: true) + "\n").utf8), path: folder + "/schedule.json")
    if call.arguments.flag("json") {
      call.io.print(json.serialized(pretty: true))
    } else {
      for (request, seconds) in zip(requests, rendered.seconds) {
        call.io.print(
          "\(DayWindow.text(request.minuteOfDay))  \(request.body)  \(request.fileName)  \(decimal(seconds)) s")
      }
    }
    call.io.complain(
      "\(folder): \(requests.count) times a day, \(rendered.made) files made, \(requests.count - rendered.made) kept.")
    return .success
  }

  private static func render(
    _ requests: [ClockSchedule.Request], _ joiner: Joiner, _ codec: AudioCodec, into folder: String
  ) throws -> (seconds: [Double], made: Int) {
    // All are planned before the first is written: a voice that lacks a word leaves no half a clock.
    let plans = try requests.map { try joiner.plan($0.utterance) }
    try Files.makeFolder(folder)
    var made = 0
    for (request, plan) in zip(requests, plans) {
      let path = folder + "/" + request.fileName
      guard !Files.exists(path) else { continue }
      try FileBytes.write(try joiner.file(plan, container: .caf, codec: codec), path: path)
      made += 1
    }
    return (plans.map(\.estimatedSeconds), made)
  }

  // MARK: Arguments

  private static func clockPack(_ call: Invocation) throws -> VoicePack {
    if let path = call.arguments.value("pack") { return try VoiceLibrary.open(path) }
    return try VoiceLibrary(environment: call.io.environment).pack(for: call.arguments.value("locale") ?? "zh-CN")
  }

  private static func clockSettings(_ call: Invocation) throws -> ClockSettings {
    var settings = ClockSettings()
    if call.arguments.flag("half-hours") { settings.step = .halfHour }
    if call.arguments.flag("quarter-hours") { settings.step = .quarterHour }
    settings.fromMinute = try clockTime("from", call)
    settings.toMinute = try clockTime("to", call)
    let name = call.arguments.value("style") ?? ""
    guard let style = ClockSchedule.Style(rawValue: name) else {
      let known = ClockSchedule.Style.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("--style takes one of \(known), not “\(name)”.", code: .usage)
    }
    settings.style = style
    settings.locale = call.arguments.value("locale")
    return settings
  }

  private static func clockTime(_ name: String, _ call: Invocation) throws -> Int {
    let text = call.arguments.value(name) ?? ""
    guard let window = DayWindow(from: text.contains(":") ? text : text + ":00", to: "00:00") else {
      throw CommandFailure("--\(name) takes a time such as 7 or 07:30, not “\(text)”.", code: .usage)
    }
    return window.startMinute
  }

  private static func clockCodec(_ call: Invocation, _ pack: VoicePack) throws -> AudioCodec {
    guard let name = call.arguments.value("codec") else { return pack.codec }
    guard let codec = AudioCodec(rawValue: name), [.lpcm, .ima4, .ulaw, .alaw].contains(codec) else {
      throw CommandFailure("--codec takes lpcm, ima4, ulaw or alaw, not “\(name)”.", code: .usage)
    }
    return codec
  }

  // MARK: Output

  private static func clockJSON(
    _ settings: ClockSettings, _ locale: SpokenLocale, _ pack: VoicePack, _ requests: [ClockSchedule.Request],
    _ seconds: [Double]
  ) -> JSON {
    let times = zip(requests, seconds).map { request, seconds -> JSON in
      [
        "id": .string(request.id), "hour": .int(request.hour), "minute": .int(request.minute),
        "title": .string(request.title), "body": .string(request.body), "file": .string(request.fileName),
        "milliseconds": .int(Int((seconds * 1_000).rounded())),
      ]
    }
    return [
      "locale": .string(locale.tag), "pack": .string(pack.id), "settings": settings.json, "repeats": true,
      "limit": .int(ClockSchedule.requestLimit), "times": .array(times),
    ]
  }

  private static func decimal(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

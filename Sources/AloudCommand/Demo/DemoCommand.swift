import AloudServer
import ExactJSON
import Glibc
import HTTPTransport
import PhoneSandbox
import SpokenText
import VoiceAudio

extension Subcommand {
  /// `aloud demo`: the main job from end to end, on this machine alone.
  static let demo = Subcommand(
    "demo", summary: "Show the main job on this machine: post a payment, hear it",
    discussion: """
      Starts the push server, an APNs sandbox and a virtual iPhone in one process on the loopback, posts a Chinese payment, an
      English one and the first once more, and prints what happened. Stays until interrupted; the console and curl take your own.
      """,
    options: [
      .flag("once", "End after the three events: exit 0 only if exactly the two sentences were heard"),
      .value("output", short: "o", "DIR", default: "demo", "Where heard.wav and the demo's data go"),
      .value("port", "PORT", default: "0", "The port of REST and console (0: any free one)"),
    ],
    body: .asynchronous { call in try await Demo(call).run() })
}

/// The demo's story.
private struct Demo {
  private let call: Invocation
  private let folder: String
  private let once: Bool

  private static let chinese: JSON = [
    "id": "demo-1", "to": ["user": .string(DemoStage.user)], "kind": "payment.received", "brand": "微信",
    "amount": "28.50",
    "currency": "CNY", "locale": "zh-CN",
  ]
  private static let english: JSON = [
    "id": "demo-2", "to": ["user": .string(DemoStage.user)], "kind": "payment.received", "brand": "WeChat Pay",
    "amount": "28.50", "currency": "USD", "locale": "en-US",
  ]
  private static let expected = ["微信收款二十八点五元", "WeChat Pay received twenty-eight dollars and fifty cents"]

  init(_ call: Invocation) {
    self.call = call
    folder = call.arguments.value("output") ?? "demo"
    once = call.arguments.flag("once")
  }

  func run() async throws -> ExitCode {
    let stage = try await makeStage()
    say("Aloud demo: push server, APNs sandbox and a virtual iPhone, all on this machine.\n")
    try await post(stage, Demo.chinese, "a Chinese payment")
    await quiet(stage)
    try await post(stage, Demo.english, "an English payment")
    await quiet(stage)
    try await post(stage, Demo.chinese, "the first one again, with the same id")
    await quiet(stage)
    say("\nOn the phone:")
    say(stage.phone.outcome.timeline)
    let code = try judge(stage)
    guard !once else {
      await stage.close()
      return code
    }
    explain(stage)
    await stayOpen(stage)
    return code
  }

  private func makeStage() async throws -> DemoStage {
    for path in [folder, folder + "/data"] where mkdir(path, 0o755) != 0 && errno != EEXIST {
      throw CommandFailure(
        "\(path) cannot be made (\(String(cString: strerror(errno)))). Name another with --output DIR.")
    }
    // Each demo begins with an empty database, so that its repeat is the only one.
    for name in ["aloud.db", "aloud.db-wal", "aloud.db-shm", "aloud.db-lock"] { unlink("\(folder)/data/\(name)") }
    let library = VoiceLibrary(environment: call.io.environment)
    var voices: [String: Joiner] = [:]
    for locale in ["zh-CN", "en-US"] { voices[locale] = Joiner(pack: try library.pack(for: locale)) }
    let io = call.io
    return try await DemoStage.build(
      folder: folder + "/data", port: try call.arguments.integer("port", in: 0...65_535) ?? 0, voices: voices,
      log: ServerLog(level: .warning, time: .live) { line in io.complain(line, terminator: "") })
  }

  private func post(_ stage: DemoStage, _ event: JSON, _ what: String) async throws {
    say("POST /v1/events  \(what)")
    let answer = try await stage.rest.send("POST", "/v1/events", event)
    say("  202 \(answer.serialized())")
  }

  /// Waits until every event that was posted has been dealt with, the phone is silent and the receipts are in.
  private func quiet(_ stage: DemoStage) async {
    for _ in 0..<600 {
      await LivePhone.sleep(seconds: 0.05)
      guard stage.phone.isQuiet else { continue }
      let events = try? await stage.rest.send("GET", "/v1/events", .null)
      let open = events?["events"]?.arrayValue?.filter {
        ["accepted", "blocked", "waiting", "claimed", "sending", "sent"].contains($0["state"]?.stringValue)
      }
      if open?.isEmpty == true { return }
    }
  }

  private func judge(_ stage: DemoStage) throws -> ExitCode {
    let heard = stage.phone.outcome.heard.map(\.text).filter { !$0.isEmpty }
    let wave = try SoundFile.encode(stage.phone.track(), container: .wav, codec: .lpcm)
    try FileBytes.write(wave, path: folder + "/heard.wav")
    say("\nHeard:")
    for sentence in heard { say("  “\(sentence)”") }
    say("  \(folder)/heard.wav holds it all.")
    if heard == Demo.expected { return .success }
    call.io.complain("aloud demo: these were to be heard, each once: \(Demo.expected.joined(separator: " · "))")
    return .findings
  }

  private func explain(_ stage: DemoStage) {
    say(
      """

      Send one of your own:
        curl -sS \(stage.address.url)/v1/events -H 'Authorization: Bearer \(stage.address.firstKey ?? "")' \\
          -H 'Content-Type: application/json' \\
          -d '{"to":{"user":"\(DemoStage.user)"},"kind":"payment.received","brand":"微信","amount":"10000.05","currency":"CNY","locale":"zh-CN"}'

      Console: \(stage.address.consoleURL)
      Ctrl-C ends it.
      """)
  }

  /// Tells what the phone says until somebody interrupts, and keeps heard.wav up to date.
  private func stayOpen(_ stage: DemoStage) async {
    let teller = Task {
      var told = stage.phone.outcome.heard.count
      while !Task.isCancelled {
        await LivePhone.sleep(seconds: 0.3)
        let heard = stage.phone.outcome.heard
        guard heard.count > told, stage.phone.isQuiet else { continue }
        for sound in heard[told...] { say("Heard: “\(sound.text.isEmpty ? sound.file : sound.text)”") }
        told = heard.count
        if let wave = try? SoundFile.encode(stage.phone.track(), container: .wav, codec: .lpcm) {
          try? FileBytes.write(wave, path: folder + "/heard.wav")
        }
      }
    }
    await Interrupts.first()
    teller.cancel()
    await stage.close()
  }

  private func say(_ text: String) { call.io.print(text) }
}

extension Subcommand {
  /// `aloud bench`: figures beside a peer's and the floor's, in one run.
  static let bench = Subcommand(
    "bench", summary: "Measure, each figure beside a peer's in the same run",
    children: [
      Subcommand(
        "reading", summary: "Amounts as words, beside ICU4C",
        body: .asynchronous { call in
          call.io.print(describe(benchReading(countsAllocations: true)))
          return .success
        }),
      Subcommand(
        "sound", summary: "Words to sound files, beside one copy and one write, sox and ffmpeg",
        options: [.value("rounds", "N", default: "300", "How often each thing is done")],
        body: .immediate { call in
          let rounds = try call.arguments.integer("rounds", in: 5...100_000) ?? 300
          let voices = VoiceLibrary(environment: call.io.environment)
          call.io.print(try BenchSound.run(voices: voices, rounds: rounds).text)
          return .success
        }),
    ])
}

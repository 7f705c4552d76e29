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
        options: [
          .value("rounds", "N", default: "300", "How often each thing is done"),
          .value("alone", "PACK", "Announce once and print how much memory that took, in KiB"),
        ],
        body: .immediate { call in
          if let path = call.arguments.value("alone") {
            call.io.print("\(try BenchSound.memory(packPath: path))")
            return .success
          }
          let rounds = try call.arguments.integer("rounds", in: 5...100_000) ?? 300
          let voices = VoiceLibrary(environment: call.io.environment)
          call.io.print(try BenchSound.run(voices: voices, rounds: rounds).text)
          return .success
        }),
      Subcommand(
        "sender", summary: "Pushes over HTTP/2, beside a floor in C, h2load and aioapns",
        options: [
          .value("count", "N", default: "20000", "Pushes in a round"),
          .value("in-flight", "N", default: "100", "Pushes under way at once"),
          .value("delay-ms", "N", default: "0", "The server's delay, as a round trip"),
          .flag("serve", "Be the server process of a bench"),
          .value("identity", "FILE", "The server's certificate and key, with --serve"),
        ],
        body: .asynchronous { call in
          let delay = try call.arguments.integer("delay-ms", in: 0...10_000) ?? 0
          if call.arguments.flag("serve") {
            try await BenchSender.serve(
              identityPath: call.arguments.value("identity") ?? "", delayMilliseconds: delay,
              print: { call.io.print($0) })
            return .success
          }
          var options = BenchSender.Options()
          options.count = try call.arguments.integer("count", in: 100...1_000_000) ?? 20_000
          options.inFlight = try call.arguments.integer("in-flight", in: 1...10_000) ?? 100
          options.delayMilliseconds = delay
          let rows = try await BenchSender(options).run(progress: { call.io.complain($0) })
          call.io.print(BenchSender.table(rows))
          return .success
        }),
    ])
}

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
        "doctor", summary: "Checking a project of 2,000 files, beside grep",
        options: [
          .value("files", "N", default: "2000", "Source files of the project"),
          .value("rounds", "N", default: "5", "How often each program runs; the best counts"),
        ],
        body: .immediate { call in
          let files = try call.arguments.integer("files", in: 2...100_000) ?? 2_000
          let rounds = try call.arguments.integer("rounds", in: 1...1_000) ?? 5
          call.io.print(try BenchDoctor(files: files, rounds: rounds).run())
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
          .value("dead-every", "N", default: "0", "With --serve: every such push is refused and squeezes the streams"),
          .value("push", "FOLDER", "Be only the sender of a bench, with the files in that folder"),
          .value("sandbox", "FOLDER", "Be only a sandbox to push to, with the files in that folder"),
          .value("port", "N", "The server's port, with --push"),
        ],
        body: .asynchronous { call in
          let delay = try call.arguments.integer("delay-ms", in: 0...10_000) ?? 0
          if call.arguments.flag("serve") {
            try await BenchSenderService(
              delayMilliseconds: delay, deadEvery: try call.arguments.integer("dead-every", in: 0...1_000_000) ?? 0
            ).run(identityPath: call.arguments.value("identity") ?? "", print: { call.io.print($0) })
            return .success
          }
          var options = BenchSender.Options()
          options.count = try call.arguments.integer("count", in: 100...1_000_000) ?? 20_000
          options.inFlight = try call.arguments.integer("in-flight", in: 1...10_000) ?? 100
          options.delayMilliseconds = delay
          if let folder = call.arguments.value("push") {
            let port = try call.arguments.integer("port", in: 1...65_535) ?? 0
            call.io.print(try await BenchSender(options).pushOnly(folder: folder, port: port))
            return .success
          }
          if let folder = call.arguments.value("sandbox") {
            try await BenchSandbox.serve(folder: folder, print: { call.io.print($0) })
            return .success
          }
          let bench = BenchSender(options)
          let rows = try await bench.run(progress: { call.io.complain($0) })
          call.io.print(BenchSender.table(rows))
          call.io.print(BenchRow.table(try await bench.musts(beside: rows, progress: { call.io.complain($0) })))
          return .success
        }),
      Subcommand(
        "server", summary: "Events from REST to APNs on server processes, beside what the database can do",
        options: [
          .value("count", "N", default: "20000", "Events in each phase"),
          .value("callers", "N", default: "32", "Connections that post at once"),
          .value("tokens", "N", default: "100000", "Registered phones, and rows that wait"),
          .value(
            "postgres", "URL", environment: "BENCH_POSTGRES",
            "An empty PostgreSQL database to measure too; see Tools/bench/with-postgres"),
          .flag("no-sqlite", "Measure PostgreSQL only"),
        ],
        body: .asynchronous { call in
          var options = BenchServer.Options()
          options.count = try call.arguments.integer("count", in: 400...10_000_000) ?? options.count
          options.callers = try call.arguments.integer("callers", in: 1...256) ?? options.callers
          options.tokens = try call.arguments.integer("tokens", in: 10_000...10_000_000) ?? options.tokens
          options.postgres = call.arguments.value("postgres")
          options.measuresSQLite = !call.arguments.flag("no-sqlite")
          let rows = try await BenchServer(options).run { call.io.complain("  " + $0) }
          call.io.print(BenchRow.table(rows))
          return .success
        }),
    ])
}

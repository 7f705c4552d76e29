import AloudServer

extension Subcommand {
  /// `aloud worker`: a process that only sends.
  static let worker = Subcommand(
    "worker", summary: "Send what waits in a shared PostgreSQL database",
    discussion: """
      Any number of workers, on any machine, share one database with the servers. When one dies, another takes its work over
      within ten seconds. It takes the options of aloud serve; those about listening have no effect.
      """,
    options: lookOptions + serverOptions,
    body: .asynchronous { call in
      guard let configuration = try await configurationToRun(call) else { return .success }
      let worker = WorkerProcess(configuration)
      try await worker.start()
      call.io.complain("The worker sends; Ctrl-C ends it.")
      await Interrupts.first()
      await worker.stop()
      return .success
    })
}

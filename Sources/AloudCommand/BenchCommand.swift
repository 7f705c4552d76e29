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
        })
    ])
}

extension Subcommand {
  static let read = Subcommand(
    "read", summary: "Say in words how a number, an amount or a time is read",
    body: .immediate { _ in .usage })
}

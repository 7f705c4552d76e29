extension AloudCommand {
  /// Every subcommand of the product, in the order of the help.
  ///
  /// Each lives in a file of its own, `NameCommand.swift`.
  package static var standard: [Subcommand] {
    [
      .read,
      .say,
      .pack,
      .convert,
      .lint,
      .doctor,
      .explain,
      .clock,
      .demo,
      .simulate,
      .serve,
      .worker,
      .push,
      .sandbox,
      .key,
      .backup,
      .bench,
    ]
  }
}

import ExactJSON
import ProjectDoctor

/// What `aloud lint` and `aloud doctor` have in common: the ways to print a report, and its exit code.
enum ReportOutput {
  static let options: [CommandOption] = [
    .flag("json", "Print the findings as JSON"),
    .flag("sarif", "Print the findings as SARIF 2.1.0, for code scanning"),
    .flag("fix", "Show the safe changes as a diff"),
    .flag("write", "With --fix: write the changes"),
    .value("language", short: "l", "en|zh", environment: "ALOUD_LANGUAGE", "The language of the texts"),
  ]

  static func isChinese(_ call: Invocation) -> Bool {
    let language = call.arguments.value("language") ?? call.io.environment["LANG"] ?? ""
    return language.lowercased().hasPrefix("zh")
  }

  /// Prints `report` as asked; 1 if it has errors.
  static func print(_ report: Report, _ call: Invocation) -> ExitCode {
    let isChinese = isChinese(call)
    if call.arguments.flag("json") {
      call.io.print(report.json(isChinese: isChinese).serialized(pretty: true))
    } else if call.arguments.flag("sarif") {
      call.io.print(report.sarif(toolVersion: AloudCommand.version).serialized(pretty: true))
    } else {
      let renderer = PeopleRenderer(usesColour: call.io.usesColour, isChinese: isChinese)
      call.io.print(renderer.render(report), terminator: "")
    }
    return report.hasErrors ? .findings : .success
  }

  /// Shows the safe fixes of one file as a diff; with `--write` also writes them.
  static func fix(_ report: Report, file: String, path: String, _ call: Invocation) throws {
    let before = try FileBytes.read(path: path)
    let after = FixApplier.apply(report.findings, file: file, to: before)
    guard before != after else { return }
    let diff = FixApplier.diff(from: before, to: after, file: file)
    let isForMachines = call.arguments.flag("json") || call.arguments.flag("sarif")
    if isForMachines { call.io.complain(diff, terminator: "") } else { call.io.print(diff, terminator: "") }
    if call.arguments.flag("write") { try FileBytes.write(after, path: path) }
  }
}

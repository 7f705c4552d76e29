import ExactJSON
import ProjectDoctor

/// What `aloud lint` and `aloud doctor` have in common: the ways to print a report, and its exit code.
enum ReportOutput {
  static let options: [CommandOption] = [
    .flag("json", "Print the findings as JSON"),
    .flag("sarif", "Print the findings as SARIF 2.1.0, for code scanning"),
    .flag("fix", "Show the safe changes as a diff"),
    .flag("write", "With --fix: write the changes"),
    language,
  ]

  static let language = CommandOption.value(
    "lang", short: "l", "en|zh", environment: "ALOUD_LANG", "The language of the texts; the environment's by default")

  /// Whether Chinese is asked for, by `--lang` or the variables of the locale in their order (POSIX.1-2024, 8.2).
  static func isChinese(_ call: Invocation) throws -> Bool {
    if let given = call.arguments.value("lang")?.lowercased() {
      guard ["en", "zh"].contains(where: { given == $0 || given.hasPrefix($0 + "-") || given.hasPrefix($0 + "_") })
      else { throw CommandFailure("--lang takes en or zh, not “\(given)”.", code: .usage) }
      return given.hasPrefix("zh")
    }
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { call.io.environment[$0] }.first { !$0.isEmpty }
    return locale?.lowercased().hasPrefix("zh") == true
  }

  /// Refuses options that contradict each other.
  static func check(_ call: Invocation) throws {
    if call.arguments.flag("write"), !call.arguments.flag("fix") {
      throw CommandFailure("--write goes with --fix.", code: .usage)
    }
    if call.arguments.flag("json"), call.arguments.flag("sarif") {
      throw CommandFailure("--json and --sarif exclude each other.", code: .usage)
    }
    _ = try isChinese(call)
  }

  /// Prints `report` as asked; 1 if it has errors.
  static func print(_ report: Report, _ call: Invocation) throws -> ExitCode {
    let isChinese = try isChinese(call)
    if call.arguments.flag("json") {
      call.io.print(report.json(isChinese: isChinese).serialized(pretty: true))
    } else if call.arguments.flag("sarif") {
      call.io.print(report.sarif(toolVersion: AloudCommand.version, isChinese: isChinese).serialized(pretty: true))
    } else {
      let renderer = PeopleRenderer(usesColour: call.io.usesColour, isChinese: isChinese)
      call.io.print(renderer.render(report), terminator: "")
    }
    return report.hasErrors ? .findings : .success
  }

  /// Shows the safe fixes of a report as a diff; with `--write` also writes them.
  ///
  /// - Parameter input: What was read from standard input, if a finding's file is not on disk.
  static func fix(_ report: Report, input: [UInt8]? = nil, _ call: Invocation) throws {
    for path in Set(report.findings.filter { $0.fix != nil }.map(\.place.file)).sorted() {
      let before = try input ?? FileBytes.read(path: path)
      let diff = FixApplier.diff(report.findings, file: path, of: before)
      let isForMachines = call.arguments.flag("json") || call.arguments.flag("sarif")
      if isForMachines { call.io.complain(diff, terminator: "") } else { call.io.print(diff, terminator: "") }
      if call.arguments.flag("write"), input == nil {
        try FileBytes.write(FixApplier.apply(report.findings, file: path, to: before), path: path)
      }
    }
  }
}

import Glibc
import ProjectDoctor

extension Subcommand {
  /// `aloud lint`: every rule of payloads and headers.
  static let lint = Subcommand(
    "lint", summary: "Check a push payload, alone or with its request",
    discussion: """
      FILE holds one payload, payloads line by line, curl commands, or requests in the .http form; “-” is standard input.
      Exits with 1 if an error was found. “aloud explain CODE” says more about a finding.
      """,
    options: ReportOutput.options + [
      .value("now", "SECONDS", "The UNIX time against which expiry is judged; the clock's by default")
    ],
    operands: [Operand("FILE", help: "The file, or - for standard input", isRepeated: true)],
    body: .immediate { call in
      let now = try call.arguments.integer("now") ?? time(nil)
      let linter = PayloadLinter(now: now)
      var code = ExitCode.success
      for path in call.arguments.operands {
        let isInput = path == "-"
        let bytes = isInput ? call.io.readAllInput() : try FileBytes.read(path: path)
        let report = linter.lint(bytes, file: isInput ? "(standard input)" : path)
        if call.arguments.flag("fix"), !isInput { try ReportOutput.fix(report, file: path, path: path, call) }
        if ReportOutput.print(report, call) != .success { code = .findings }
      }
      return code
    })
}

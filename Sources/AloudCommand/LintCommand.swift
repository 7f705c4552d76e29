import Glibc
import ProjectDoctor

extension Subcommand {
  /// `aloud lint`: every rule of payloads and headers.
  static let lint = Subcommand(
    "lint", summary: "Check a push payload, alone or with its request",
    discussion: """
      FILE holds one payload, payloads line by line, curl commands, or requests in the .http form; “-” is standard input.
      A file .aloud-doctor beside it silences codes: “ALD120 night.json: meant to be quiet”.
      Exits with 1 if an error was found. “aloud explain CODE” says more about a finding.
      """,
    options: ReportOutput.options + [
      .value("now", "SECONDS", "The UNIX time against which expiry is judged; the clock's by default")
    ],
    operands: [Operand("FILE", help: "The file, or - for standard input", isRepeated: true)],
    body: .immediate { call in
      try ReportOutput.check(call)
      let now = try call.arguments.integer("now") ?? time(nil)
      var reports: [Report] = []
      for path in call.arguments.operands {
        let input = path == "-" ? call.io.readAllInput(limit: limit + 1) : nil
        let bytes = try input ?? FileBytes.read(path: path, limit: limit + 1)
        guard bytes.count <= limit else {
          throw CommandFailure("\(path): more than \(limit >> 20) MiB is no push payload")
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let linter = PayloadLinter(now: now) { readBody($0, beside: folder) }
        var report = linter.lint(bytes, file: input == nil ? path : "(standard input)")
        if input == nil { report = silenced(report, folder: folder) }
        if call.arguments.flag("fix") { try ReportOutput.fix(report, input: input, call) }
        reports.append(report)
      }
      return try ReportOutput.print(Report.joined(reports), call)
    })

  private static let limit = 64 << 20

  // An .http file names its body from where it lies, curl from where it is called.
  private static func readBody(_ name: String, beside folder: String) -> [UInt8]? {
    let paths = name.hasPrefix("/") ? [name] : ["\(folder)/\(name)", name]
    return paths.lazy.compactMap { DiskTree(root: $0).read("", limit: limit) }.first
  }

  private static func silenced(_ report: Report, folder: String) -> Report {
    let path = folder == "." ? SilenceFile.name : "\(folder)/\(SilenceFile.name)"
    guard let bytes = DiskTree(root: path).read("", limit: 1 << 20) else { return report }
    let text = String(decoding: bytes, as: UTF8.self)
    return report.silenced(by: SilenceFile(text, file: path), relativeTo: folder)
  }
}

// Room: every subcommand of aloud as a library that tests can call.
//
// A subcommand is a value (`Subcommand`): its options make the parser and the help text alike. What it does gets an
// `Invocation` and answers with an `ExitCode`; results go to standard output, everything else to standard error.

/// The command `aloud`: the table of its subcommands and the way from arguments to an exit code.
package struct AloudCommand: Sendable {
  /// The subcommands, in the order in which the help lists them.
  package let subcommands: [Subcommand]
  /// The version that `aloud --version` prints.
  package static let version = "0.1.0"

  /// Makes the command; tests may give it subcommands of their own.
  package init(subcommands: [Subcommand] = AloudCommand.standard) {
    self.subcommands = subcommands
  }

  /// Finds what is to be done for `arguments` (without the program's name).
  ///
  /// - Returns: The thing to run, or a message to print with its exit code (help, version, usage errors).
  package func resolve(_ arguments: [String], io: CommandIO) -> Resolution {
    switch arguments.first {
    case nil: return .message(HelpText(for: subcommands).text, .usage)
    case "--help", "-h", "help":
      guard arguments.count > 1, arguments[0] == "help" else {
        return .message(HelpText(for: subcommands).text, .success)
      }
      return resolve(Array(arguments.dropFirst()) + ["--help"], io: io)
    case "--version", "-V": return .message("aloud \(AloudCommand.version)\n", .success)
    case let name?: return resolve(name, Array(arguments.dropFirst()), among: subcommands, path: [], io: io)
    }
  }

  private func resolve(
    _ name: String, _ rest: [String], among candidates: [Subcommand], path: [String], io: CommandIO
  ) -> Resolution {
    guard let command = candidates.first(where: { $0.name == name }) else {
      let full = (["aloud"] + path).joined(separator: " ")
      let near = Spelling.nearest(to: name, among: candidates.map(\.name)).map { " Did you mean “\($0)”?" } ?? ""
      return .message("\(full): there is no command “\(name)”.\(near)\nSee “\(full) --help”.\n", .usage)
    }
    let path = path + [name]
    if let children = command.children {
      guard let next = rest.first, next != "--help", next != "-h" else {
        return .message(HelpText(for: command, path: path).text, rest.isEmpty ? .usage : .success)
      }
      return resolve(next, Array(rest.dropFirst()), among: children, path: path, io: io)
    }
    if rest.contains("--help") || rest == ["-h"] { return .message(HelpText(for: command, path: path).text, .success) }
    do {
      let arguments = try ArgumentMatcher(command: command).match(rest, environment: io.environment)
      return .run(command, Invocation(arguments: arguments, io: io, path: path))
    } catch {
      let full = (["aloud"] + path).joined(separator: " ")
      return .message("\(full): \(error.message)\nUsage: \(full) \(command.synopsis)\nSee “\(full) --help”.\n", .usage)
    }
  }

  /// What the arguments ask for.
  package enum Resolution: Sendable {
    case message(String, ExitCode)
    case run(Subcommand, Invocation)
  }

  /// Runs the command to its end; for tests and for callers that are asynchronous anyway.
  package func run(_ arguments: [String], io: CommandIO) async -> ExitCode {
    switch resolve(arguments, io: io) {
    case .message(let text, let code):
      if code == .success { io.print(text, terminator: "") } else { io.complain(text, terminator: "") }
      return code
    case .run(let command, let invocation):
      return await command.run(invocation)
    }
  }
}

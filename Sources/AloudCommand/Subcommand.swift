/// One subcommand as a value: what it is called, what it takes, what it does.
///
/// One definition makes the parser, the help text and the error messages.
package struct Subcommand: Sendable {
  /// What it is called on the command line.
  package let name: String
  /// One line for the list of commands.
  package let summary: String
  /// What stands before the options in its help, or an empty text.
  package let discussion: String
  /// The options, in the order of the help.
  package let options: [CommandOption]
  /// The arguments that are not options, in order.
  package let operands: [Operand]
  /// The commands below it (`pack build`), or `nil` if it does something itself.
  package let children: [Subcommand]?
  private let body: Body

  /// What a subcommand does: at once, or in a task.
  ///
  /// The first kind starts no concurrency runtime, which keeps
  /// `aloud read` within a few milliseconds.
  package enum Body: Sendable {
    case immediate(@Sendable (Invocation) throws -> ExitCode)
    case asynchronous(@Sendable (Invocation) async throws -> ExitCode)
  }

  /// Makes a subcommand that does something.
  package init(
    _ name: String, summary: String, discussion: String = "", options: [CommandOption] = [], operands: [Operand] = [],
    body: Body
  ) {
    (self.name, self.summary, self.discussion) = (name, summary, discussion)
    (self.options, self.operands, self.body, children) = (options, operands, body, nil)
  }

  /// Makes a subcommand that only holds others.
  package init(_ name: String, summary: String, discussion: String = "", children: [Subcommand]) {
    (self.name, self.summary, self.discussion, self.children) = (name, summary, discussion, children)
    (options, operands, body) = ([], [], .immediate { _ in .usage })
  }

  /// What follows the command's name in a usage line.
  package var synopsis: String {
    let required = operands.map { operand in
      let name = operand.name + (operand.isRepeated ? "…" : "")
      return operand.isRequired ? name : "[\(name)]"
    }
    return ((options.isEmpty ? [] : ["[OPTIONS]"]) + required).joined(separator: " ")
  }

  /// Whether it can be run without a task.
  package var isImmediate: Bool { if case .immediate = body { true } else { false } }

  /// Runs it if it is immediate; failures are printed for people.
  package func runNow(_ invocation: Invocation) -> ExitCode {
    guard case .immediate(let work) = body else { return .failure }
    do { return try work(invocation) } catch { return report(error, invocation) }
  }

  /// Runs it; failures are printed for people.
  package func run(_ invocation: Invocation) async -> ExitCode {
    do {
      switch body {
      case .immediate(let work): return try work(invocation)
      case .asynchronous(let work): return try await work(invocation)
      }
    } catch {
      return report(error, invocation)
    }
  }

  private func report(_ error: any Error, _ invocation: Invocation) -> ExitCode {
    let name = (["aloud"] + invocation.path).joined(separator: " ")
    let failure = error as? CommandFailure ?? CommandFailure("\(error)")
    invocation.io.complain("\(name): \(failure.message)")
    return failure.code
  }
}

/// An argument that is not an option.
package struct Operand: Sendable {
  package let name: String
  package let help: String
  package let isRequired: Bool
  package let isRepeated: Bool

  /// Makes an operand; `name` stands in capitals in the usage line.
  package init(_ name: String, help: String, isRequired: Bool = true, isRepeated: Bool = false) {
    (self.name, self.help, self.isRequired, self.isRepeated) = (name, help, isRequired, isRepeated)
  }
}

/// An option of a subcommand.
package struct CommandOption: Sendable {
  package let name: String
  package let short: Character?
  /// What stands for the value in the help, or `nil` for a switch.
  package let placeholder: String?
  package let help: String
  package let defaultValue: String?
  /// An environment variable that gives the value when the option is absent.
  package let environment: String?

  /// A switch: present or not.
  package static func flag(_ name: String, short: Character? = nil, _ help: String) -> CommandOption {
    CommandOption(name: name, short: short, placeholder: nil, help: help, defaultValue: nil, environment: nil)
  }

  /// An option with a value; given more than once, the last one stands unless all are asked for.
  package static func value(
    _ name: String, short: Character? = nil, _ placeholder: String, default defaultValue: String? = nil,
    environment: String? = nil, _ help: String
  ) -> CommandOption {
    CommandOption(
      name: name, short: short, placeholder: placeholder, help: help, defaultValue: defaultValue,
      environment: environment)
  }
}

/// A call of a subcommand: its arguments and the world around it.
package struct Invocation: Sendable {
  /// The options and operands that were given.
  package let arguments: MatchedArguments
  /// Standard input, output and error, and the environment.
  package let io: CommandIO
  /// The names on the way to the subcommand, without `aloud`.
  package let path: [String]
}

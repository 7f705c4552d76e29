/// The help of the command or of one subcommand, made from its definition.
struct HelpText {
  let text: String

  init(for subcommands: [Subcommand]) {
    text = """
      aloud: notifications that are heard

      Usage: aloud COMMAND [OPTIONS]

      Commands:
      \(HelpText.table(subcommands.map { ($0.name, $0.summary) }))

      “aloud COMMAND --help” tells more. Results go to standard output, all else to standard error.
      Exit codes: 0 done, 1 findings, 2 failed, 64 usage.

      """
  }

  init(for command: Subcommand, path: [String]) {
    let name = (["aloud"] + path).joined(separator: " ")
    var parts = [command.summary, "Usage: \(name) \(command.children == nil ? command.synopsis : "COMMAND")"]
    if !command.discussion.isEmpty { parts.append(command.discussion) }
    if let children = command.children {
      parts.append("Commands:\n" + HelpText.table(children.map { ($0.name, $0.summary) }))
    }
    if !command.operands.isEmpty {
      parts.append("Arguments:\n" + HelpText.table(command.operands.map { ($0.name, $0.help) }))
    }
    if !command.options.isEmpty {
      parts.append("Options:\n" + HelpText.table(command.options.map { ($0.spelling, $0.helpWithDefault) }))
    }
    text = parts.joined(separator: "\n\n") + "\n"
  }

  /// Two aligned columns; a name that is too long for the first stands on a line of its own.
  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).filter { $0 <= 26 }.max() ?? 26
    return rows.map { name, help in
      let lead =
        name.count > width ? name + "\n" + String(repeating: " ", count: width + 4) : name.padded(to: width + 2)
      return "  " + lead + help
    }.joined(separator: "\n")
  }
}

extension CommandOption {
  fileprivate var spelling: String {
    (short.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
  }

  fileprivate var helpWithDefault: String {
    let notes = [defaultValue.map { "default \($0)" }, environment.map { "environment \($0)" }].compactMap(\.self)
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

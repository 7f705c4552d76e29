/// Options and operands as they were given.
package struct MatchedArguments: Sendable {
  fileprivate(set) var values: [String: [String]] = [:]
  fileprivate(set) var defaults: [String: String] = [:]
  /// What is not an option, in order.
  package fileprivate(set) var operands: [String] = []

  /// Whether a switch was given.
  package func flag(_ name: String) -> Bool { values[name] != nil }
  /// The last value given for an option, else its environment variable, else its default.
  package func value(_ name: String) -> String? { values[name]?.last ?? defaults[name] }
  /// Every value given for an option, in order.
  package func all(_ name: String) -> [String] { values[name] ?? defaults[name].map { [$0] } ?? [] }
  /// Whether the option stood on the command line.
  package func isGiven(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option as an integer.
  /// - Throws: ``CommandFailure`` (usage) when it is none or lies outside `range`.
  package func integer(_ name: String, in range: ClosedRange<Int> = Int.min...Int.max) throws -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds = range == Int.min...Int.max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
      throw CommandFailure("--\(name) takes a whole number\(bounds), not “\(text)”.", code: .usage)
    }
    return number
  }
}

/// Matches arguments against a subcommand's definition: `--name value`, `--name=value`, `-n value`, `-ab`, `--`.
struct ArgumentMatcher {
  let command: Subcommand

  struct Mismatch: Error { let message: String }

  func match(_ arguments: [String], environment: [String: String]) throws(Mismatch) -> MatchedArguments {
    var matched = MatchedArguments()
    for option in command.options {
      let inherited = option.environment.flatMap { environment[$0] }
      matched.defaults[option.name] = option.placeholder == nil ? nil : inherited ?? option.defaultValue
    }
    var rest = arguments[...]
    var onlyOperands = false
    while let argument = rest.popFirst() {
      if onlyOperands || argument == "-" || !argument.hasPrefix("-") || isNegativeNumber(argument) {
        matched.operands.append(argument)
      } else if argument == "--" {
        onlyOperands = true
      } else if argument.hasPrefix("--") {
        try matchLong(argument, &rest, &matched)
      } else {
        try matchShort(argument, &rest, &matched)
      }
    }
    try checkOperands(matched.operands)
    return matched
  }

  // `aloud read --kind cardinal -5`: no subcommand has a digit for a short option.
  private func isNegativeNumber(_ argument: String) -> Bool {
    argument.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
  }

  private func matchLong(
    _ argument: String, _ rest: inout ArraySlice<String>, _ matched: inout MatchedArguments
  ) throws(Mismatch) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = long(name) else {
      let near = Spelling.nearest(to: name, among: command.options.map(\.name)).map { " Did you mean “--\($0)”?" } ?? ""
      throw Mismatch(message: "there is no option “--\(name)”.\(near)")
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    try take(option, attached: attached, spelled: "--\(name)", &rest, &matched)
  }

  /// The option of that name, else the only one whose name begins so (`--out` for `--output`), as getopt_long takes it.
  private func long(_ name: String) -> CommandOption? {
    if let exact = command.options.first(where: { $0.name == name }) { return exact }
    let longer = command.options.filter { $0.name.hasPrefix(name) }
    return name.count > 1 && longer.count == 1 ? longer[0] : nil
  }

  private func matchShort(
    _ argument: String, _ rest: inout ArraySlice<String>, _ matched: inout MatchedArguments
  ) throws(Mismatch) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = command.options.first(where: { $0.short == letter }) else {
        throw Mismatch(message: "there is no option “-\(letter)”.")
      }
      let takesRest = option.placeholder != nil && !letters.isEmpty
      try take(option, attached: takesRest ? String(letters) : nil, spelled: "-\(letter)", &rest, &matched)
      if takesRest { return }
    }
  }

  private func take(
    _ option: CommandOption, attached: String?, spelled: String, _ rest: inout ArraySlice<String>,
    _ matched: inout MatchedArguments
  ) throws(Mismatch) {
    guard let placeholder = option.placeholder else {
      guard attached == nil else { throw Mismatch(message: "\(spelled) takes no value.") }
      matched.values[option.name, default: []].append("")
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw Mismatch(message: "\(spelled) needs a value (\(placeholder)).")
    }
    matched.values[option.name, default: []].append(value)
  }

  private func checkOperands(_ given: [String]) throws(Mismatch) {
    let required = command.operands.filter(\.isRequired).count
    if given.count < required { throw Mismatch(message: "\(command.operands[given.count].name) is missing.") }
    let unlimited = command.operands.contains(where: \.isRepeated)
    if !unlimited, given.count > command.operands.count {
      throw Mismatch(message: "“\(given[command.operands.count])” is one argument too many.")
    }
  }
}

/// Finds what somebody meant to type.
enum Spelling {
  /// The candidate at most two edits (a third of its length for short words) away from `word`, or `nil`.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { ($0, distance(Array(word), Array($0))) }.min { $0.1 < $1.1 }
    guard let (name, edits) = ranked, edits <= min(2, max(1, name.count / 3)) else { return nil }
    return name
  }

  /// Insertions, deletions and substitutions between two words (Levenshtein 1966).
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var row = Array(0...second.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in second.enumerated() {
        let substituted = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}

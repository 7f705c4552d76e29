/// The values of all settings with the place each came from: a flag beats the environment, that beats the file, that the
/// default.
package struct SettingValues: Sendable, Equatable {
  /// Where a value came from.
  package enum Origin: Sendable, Equatable, CustomStringConvertible {
    case flag, environment(String), file(path: String, line: Int), standard

    package var description: String {
      switch self {
      case .flag: "flag"
      case .environment(let name): "environment \(name)"
      case .file(let path, let line): "\(path):\(line)"
      case .standard: "default"
      }
    }
  }

  private var found: [String: (value: String, origin: Origin)] = [:]

  package static func == (left: SettingValues, right: SettingValues) -> Bool { left.printed() == right.printed() }

  /// Merges the sources.
  ///
  /// - Parameters:
  ///   - flags: what stood on the command line, by setting name.
  ///   - environment: the process's environment.
  ///   - file: the text of a configuration file with its path, if one is used.
  /// - Throws: ``ConfigurationError`` with every objection at once.
  package init(
    flags: [String: String] = [:], environment: [String: String] = [:], file: (path: String, text: String)? = nil
  ) throws(ConfigurationError) {
    var problems: [String] = []
    let lines = file.map { ConfigurationFile.entries(text: $0.text, path: $0.path, problems: &problems) } ?? [:]
    for name in flags.keys.sorted() where Setting.named(name) == nil { problems.append("--\(name): no such setting") }
    for name in environment.keys.sorted() where Self.isUnknownVariable(name) {
      problems.append("\(name): no such setting; see aloud serve --help")
    }
    for setting in Setting.all {
      let candidates: [(String?, Origin)] = [
        (flags[setting.name], .flag),
        (environment[setting.environmentName], .environment(setting.environmentName)),
        (lines[setting.name]?.value, .file(path: file?.path ?? "", line: lines[setting.name]?.line ?? 0)),
        (setting.defaultValue, .standard),
      ]
      guard let (value, origin) = candidates.first(where: { $0.0 != nil }), let value else { continue }
      if let objection = setting.objection(to: value) { problems.append("\(setting.name) (\(origin)) \(objection)") }
      found[setting.name] = (value, origin)
    }
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
  }

  /// The variables of the command itself that share the prefix.
  private static let otherVariables: Set<String> = ["ALOUD_CONFIG"]

  private static func isUnknownVariable(_ name: String) -> Bool {
    name.hasPrefix("ALOUD_") && !otherVariables.contains(name)
      && !Setting.all.contains { $0.environmentName == name }
      // Settings of other commands and of the tests live under prefixes of their own.
      && !["ALOUD_TEST_", "ALOUD_BENCH_", "ALOUD_DEMO_"].contains { name.hasPrefix($0) }
  }

  /// A value as text; nil when neither given nor defaulted.
  package func text(_ name: String) -> String? { found[name]?.value }

  /// A value that has a default.
  package func text(_ name: String, or fallback: String) -> String { found[name]?.value ?? fallback }

  /// A checked whole number that has a default.
  package func integer(_ name: String) -> Int { found[name].flatMap { Int($0.value) } ?? 0 }

  /// A truth value.
  package func flag(_ name: String) -> Bool { found[name].flatMap { Setting.flagValue($0.value) } ?? false }

  /// The parts of a list, trimmed, without empty ones.
  package func list(_ name: String) -> [String] {
    (found[name]?.value ?? "").split(separator: ",").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
  }

  /// Where a value came from.
  package func origin(_ name: String) -> Origin? { found[name]?.origin }

  /// All values as a configuration file with the origin of each beside it; a password in a database address is hidden.
  package func printed() -> String {
    Setting.all.map { setting in
      guard let (value, origin) = found[setting.name] else { return "# \(setting.name) is not set" }
      let shown = setting.name == "database" ? DatabaseAddress.redacted(value) : value
      return "\(setting.name) = \(shown)  # \(origin)"
    }.joined(separator: "\n") + "\n"
  }
}

/// Everything that is wrong with a configuration.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// One sentence each.
  package let problems: [String]

  package var description: String {
    "The configuration cannot be used:\n" + problems.map { "  " + $0 }.joined(separator: "\n")
  }
}

/// The text of a configuration file: `name = value` lines, `#` begins a comment at the start of a line or after two spaces.
enum ConfigurationFile {
  static func entries(
    text: String, path: String, problems: inout [String]
  ) -> [String: (value: String, line: Int)] {
    var entries: [String: (value: String, line: Int)] = [:]
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = withoutComment(raw).trimmingSpaces()
      if line.isEmpty { continue }
      let place = "\(path):\(index + 1)"
      guard let equals = line.firstIndex(of: "=") else {
        problems.append("\(place): a line is “name = value”")
        continue
      }
      let name = line[..<equals].trimmingSpaces()
      if Setting.named(name) == nil { problems.append("\(place): there is no setting “\(name)”") }
      if let earlier = entries[name] { problems.append("\(place): \(name) stands already in line \(earlier.line)") }
      entries[name] = (line[line.index(after: equals)...].trimmingSpaces(), index + 1)
    }
    return entries
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    if line.trimmingSpaces().hasPrefix("#") { return "" }
    var previous: Character?
    for index in line.indices {
      if line[index] == "#", previous == " " || previous == "\t" { return line[..<index] }
      previous = line[index]
    }
    return line
  }
}

extension StringProtocol {
  /// Without spaces, tabs and carriage returns at both ends.
  func trimmingSpaces() -> String {
    if let first = unicodeScalars.first, let last = unicodeScalars.last, first > " ", last > " " { return String(self) }
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" || $0 == "\n" }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
      return ""
    }
    return String(self[first...last])
  }
}

/// One thing that can be configured: its name, what it takes, and what it is without being told.
///
/// The same table makes the flags of `aloud serve`, the environment variables, the keys of the configuration file, the
/// help text and `--print-config`.
package struct Setting: Sendable, Hashable {
  /// What may be given.
  package enum Kind: Sendable, Hashable {
    case text, path, list
    case flag
    case integer(ClosedRange<Int>)
    case choice([String])
  }

  /// The name: `--name` as a flag, `ALOUD_NAME` in the environment, `name` in the file.
  package let name: String
  package let kind: Kind
  /// The value without being told; nil when there is none.
  package let defaultValue: String?
  /// What stands for the value in the help.
  package let placeholder: String
  /// One sentence for the help and the documentation.
  package let help: String

  init(_ name: String, _ kind: Kind, default defaultValue: String? = nil, _ placeholder: String, _ help: String) {
    (self.name, self.kind, self.defaultValue, self.placeholder, self.help) = (
      name, kind, defaultValue, placeholder, help
    )
  }

  /// `ALOUD_` and the name in capitals, `-` as `_`.
  package var environmentName: String {
    "ALOUD_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// Why a value cannot be taken, in words for a person; nil when it can.
  package func objection(to value: String) -> String? {
    switch kind {
    case .text, .path, .list:
      return value.isEmpty ? "must not be empty" : nil
    case .flag:
      return Self.flagValue(value) == nil ? "takes true or false, not “\(value)”" : nil
    case .integer(let range):
      guard let number = Int(value), range.contains(number) else {
        return "takes a whole number from \(range.lowerBound) to \(range.upperBound), not “\(value)”"
      }
      return nil
    case .choice(let words):
      return words.contains(value) ? nil : "takes one of \(words.joined(separator: ", ")), not “\(value)”"
    }
  }

  /// The truth in a word; nil for what is none.
  package static func flagValue(_ text: String) -> Bool? {
    switch text {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: nil
    }
  }
}

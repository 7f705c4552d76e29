public import Foundation

/// One declaration of Apple's: since when, where, and how it reads in Swift.
public struct SymbolRow: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var version: AppleVersion
  /// The dotted path, such as `UNUserNotificationCenter.current()`.
  public var path: String
  /// The declaration in the form that ``DeclarationText`` brings it to.
  public var declaration: String

  public init(version: AppleVersion, path: String, declaration: String) {
    self.version = version
    self.path = path
    self.declaration = declaration
  }

  /// The row as it stands in a table.
  public var description: String { "\(version) | \(path) | \(declaration)" }

  public static func < (left: Self, right: Self) -> Bool {
    (left.path, left.declaration, left.version) < (right.path, right.declaration, right.version)
  }
}

/// A table of Symbols/: `iOS version | path | declaration` a line; `#` begins a comment.
public struct SymbolTable: Sendable {
  public var rows: [SymbolRow]

  /// A line that is no row, with its number.
  public struct Malformed: Error, CustomStringConvertible {
    public var file: String
    public var line: Int
    public var description: String { "\(file):\(line): a row is “iOS version | path | declaration”" }
  }

  public init(rows: [SymbolRow] = []) { self.rows = rows }

  /// Reads a table.
  ///
  /// - Throws: ``Malformed``, or what the file system says.
  public init(contentsOf file: URL) throws {
    rows = []
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
      let parts = line.split(separator: "|", maxSplits: 2).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count >= 2, let version = AppleVersion(parts[0]) else {
        throw Malformed(file: file.lastPathComponent, line: index + 1)
      }
      let declaration = parts.count == 3 ? DeclarationText.normal(parts[2], owner: SymbolRow.owner(parts[1])) : ""
      rows.append(SymbolRow(version: version, path: parts[1], declaration: declaration))
    }
  }
}

extension SymbolRow {
  /// The path without its last component; the dots inside a name such as `init(_:)` do not count.
  static func owner(_ path: String) -> String {
    let head = path.prefix { $0 != "(" }
    return head.lastIndex(of: ".").map { String(path[..<$0]) } ?? ""
  }
}

/// Brings declarations to one form, so that what a client cannot tell apart reads the same.
public enum DeclarationText {
  private static let dropped: Set<String> = [
    "open", "public", "convenience", "required", "final", "override", "dynamic", "weak", "optional", "nonisolated",
    "nonisolated(nonsending)", "indirect",
  ]

  /// Leading attributes and modifiers that only the declaring side has go; `class` and `static` members read `static`; a constant reads
  /// as a variable that can only be read; `Self` becomes the owner's name; one space between words.
  public static func normal(_ text: String, owner: String) -> String {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    while let first = words.first, first.hasPrefix("@") || dropped.contains(first) {
      words.removeFirst()
      // An attribute with arguments in several words.
      if first.hasPrefix("@"), first.contains("("), !first.contains(")") {
        while let next = words.first, !next.contains(")") {
          words.removeFirst()
          _ = next
        }
        words = Array(words.dropFirst())
      }
    }
    if words.count > 1, words[0] == "class", ["func", "var", "let"].contains(words[1]) { words[0] = "static" }
    let keyword = words.firstIndex { $0 == "let" || $0 == "var" }
    if let keyword, keyword <= 1 {
      if words[keyword] == "let" {
        words[keyword] = "var"
        words += ["{", "get", "}"]
      } else if words.last != "}" {
        words += ["{", "get", "set", "}"]
      }
    }
    var line = words.joined(separator: " ")
    for (old, new) in [(" : ", ": "), ("( ", "("), (" )", ")"), ("[AnyHashable : Any]", "[AnyHashable: Any]")] {
      line = line.replacingOccurrences(of: old, with: new)
    }
    guard !owner.isEmpty else { return line }
    return replacing(word: "Self", with: owner, in: line)
  }

  private static func replacing(word: String, with other: String, in text: String) -> String {
    var result = ""
    var current = ""
    for character in text {
      if character.isLetter || character.isNumber || character == "_" {
        current.append(character)
      } else {
        result += current == word ? other : current
        current = ""
        result.append(character)
      }
    }
    return result + (current == word ? other : current)
  }
}

/// A value of a property list in any of its forms.
package indirect enum PropertyValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
  case real(Double)
  case bool(Bool)
  case data([UInt8])
  case date(String)
  case array([PropertyValue])
  case dictionary([String: PropertyValue])

  /// The member of a dictionary, or `nil`.
  package subscript(key: String) -> PropertyValue? { dictionary?[key] }
  /// The members of a dictionary, or `nil`.
  package var dictionary: [String: PropertyValue]? { if case .dictionary(let value) = self { value } else { nil } }
  /// The elements of an array, or `nil`.
  package var array: [PropertyValue]? { if case .array(let value) = self { value } else { nil } }
  /// A text, or a number as text, or `nil`.
  package var string: String? {
    switch self {
    case .string(let value): value
    case .integer(let value): String(value)
    default: nil
    }
  }
  /// The texts of an array, or one text as an array of itself.
  package var strings: [String] { array?.compactMap(\.string) ?? string.map { [$0] } ?? [] }
  /// A truth value, also as `YES`, `1` or `true`.
  package var isTrue: Bool {
    switch self {
    case .bool(let value): value
    case .integer(let value): value != 0
    case .string(let value): ["yes", "true", "1"].contains(value.lowercased())
    default: false
    }
  }
}

/// What is wrong with a property list, and where.
package struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package var message: String
  /// The line, from 1, if the form has lines.
  package var line: Int?

  package var description: String { (line.map { "line \($0): " } ?? "") + message }
}

/// A property list as it was read, with the line of each top-level key if the form has lines.
package struct PropertyList: Hashable, Sendable {
  /// The value.
  package var root: PropertyValue
  /// The lines of keys at any depth; a key that stands more than once keeps its first line.
  package var keyLines: [String: Int] = [:]

  /// How deeply lists may be nested; deeper ones are refused before the stack is.
  static let maximumDepth = 96

  /// Reads XML, binary or OpenStep text, in UTF-8 or UTF-16.
  package static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
    if bytes.starts(with: "bplist".utf8) {
      return PropertyList(root: try BinaryPropertyList.parse(bytes))
    }
    let text = Array(TextDecoding.decode(bytes).utf8)
    let first = text.first { $0 != 32 && !(9...13).contains($0) }
    if first == UInt8(ascii: "<"), !PropertyList.looksLikeData(text) {
      var parser = XMLPropertyList(text)
      return try parser.parse()
    }
    var parser = OpenStepParser(text)
    return try parser.parseDocument()
  }

  // `<0a1b>` is OpenStep data; XML goes on with a letter that is no digit of it, `?` or `!`.
  private static func looksLikeData(_ text: [UInt8]) -> Bool {
    guard let open = text.firstIndex(of: UInt8(ascii: "<")), open + 1 < text.count else { return false }
    return (48...57).contains(text[open + 1])
  }
}

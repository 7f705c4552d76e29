/// A step from a value to one inside it.
public enum JSONPathElement: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case key(String)
  case index(Int)

  public init(stringLiteral value: String) { self = .key(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}

/// A parsed JSON text that knows where each of its values stands, for tools that point at a line.
public struct JSONDocument: Sendable {
  struct Mark: Hashable, Sendable {
    let path: [JSONPathElement]
    let key: Int?
    let value: Range<Int>
  }

  /// The value.
  public let root: JSON
  /// The text's bytes.
  public let bytes: [UInt8]
  private let marks: [[JSONPathElement]: Mark]
  private let repeated: [Mark]

  /// Parses one JSON text and remembers the place of each value.
  ///
  /// Repeated keys are let through if the options say so, and are listed in ``duplicateKeys``.
  /// - Throws: ``JSONError`` as ``JSON/parse(_:options:)-([UInt8],_)``.
  public init(parsing bytes: [UInt8], options: JSONParseOptions = .init(allowsDuplicateKeys: true)) throws(JSONError) {
    var parser = JSONParser(bytes: bytes, options: options, recordsPositions: true)
    root = try parser.parseDocument()
    self.bytes = bytes
    marks = Dictionary(parser.marks.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    repeated = parser.duplicates
  }

  /// Where the value at `path` begins, or `nil` if there is none.
  public func position(of path: [JSONPathElement]) -> JSONPosition? {
    marks[path].map { JSONPosition(offset: $0.value.lowerBound, in: bytes) }
  }

  /// Where the key of the member at `path` begins, or `nil` if there is none.
  public func keyPosition(of path: [JSONPathElement]) -> JSONPosition? {
    marks[path]?.key.map { JSONPosition(offset: $0, in: bytes) }
  }

  /// The byte at which the key of the member at `path` begins, or `nil` if there is none.
  public func keyOffset(of path: [JSONPathElement]) -> Int? { marks[path]?.key }

  /// The bytes of the value at `path`, or `nil` if there is none.
  public func range(of path: [JSONPathElement]) -> Range<Int>? { marks[path]?.value }

  /// Keys that stand more than once in their object: the path and the byte at which each repetition begins.
  public var duplicateKeys: [(path: [JSONPathElement], offset: Int)] {
    repeated.map { ($0.path, $0.key ?? $0.value.lowerBound) }
  }
}

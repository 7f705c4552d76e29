// Room: JSON (RFC 8259) whose numbers keep their exact text and whose errors know line and column. Pure Swift.
//
// Why not Foundation's: an amount must reach the reader as the digits that were sent (JSONSerialization hands out a binary
// float), a linter must name line and column, and the command must start without Foundation.
// See docs/decisions/0004-own-json.md.

/// A JSON value by RFC 8259.
///
/// Numbers keep the text that was sent; objects keep the order of their members.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// Parses one JSON text; nothing but white space may follow it.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, without a byte order mark.
  ///   - options: What is tolerated; by default nothing beyond RFC 8259, and no key twice in one object.
  /// - Returns: The value.
  /// - Throws: ``JSONError`` with line, column and, where the mistake is a usual one, a hint.
  /// - Complexity: O(*n*) in the number of bytes.
  public static func parse(_ bytes: [UInt8], options: JSONParseOptions = .init()) throws(JSONError) -> JSON {
    var parser = JSONParser(bytes: bytes, options: options, recordsPositions: false)
    return try parser.parseDocument()
  }

  /// Parses the UTF-8 of `text`; see ``parse(_:options:)-([UInt8],_)``.
  public static func parse(_ text: String, options: JSONParseOptions = .init()) throws(JSONError) -> JSON {
    try parse(Array(text.utf8), options: options)
  }
}

extension JSON {
  /// The text of a string, else `nil`.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The truth value, else `nil`.
  ///
  /// A number is not a truth value here; dialects decide that for themselves.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number, else `nil`.
  public var numberValue: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  /// The number as an integer, if it is exactly one that fits, else `nil`.
  public var intValue: Int? { numberValue?.int }
  /// The elements of an array, else `nil`.
  public var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }
  /// The object, else `nil`.
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }
  /// Whether this is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The member of an object, or `nil` if there is none or this is no object.
  public subscript(key: String) -> JSON? { objectValue?[key] }
  /// The element of an array, or `nil` past its end or if this is no array.
  public subscript(index: Int) -> JSON? {
    guard let array = arrayValue, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// What kind of value this is, as an error message names it: "text", "number", "object" and so on.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "true/false"
    case .number: "number"
    case .string: "text"
    case .array: "list"
    case .object: "object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Makes an object; a key that is given twice keeps its last value.
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }

  /// Makes a number from an integer.
  public static func int(_ value: Int) -> JSON { .number(JSONNumber(value)) }
}

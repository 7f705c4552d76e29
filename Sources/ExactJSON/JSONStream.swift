/// Reads a JSON text piece by piece, for large files of a known shape: no tree of values is made.
///
/// ```swift
/// var stream = JSONStream(bytes)
/// try stream.beginObject()
/// while let key = try stream.nextMember() {
///   if key == "clips" { … } else { _ = try stream.value() }
/// }
/// try stream.finish()
/// ```
///
/// It is as strict as ``JSON/parse(_:options:)-([UInt8],_)``, except that a key which stands twice in an object that is
/// read member by member is for the caller to notice.
package struct JSONStream {
  private var parser: JSONParser
  /// Whether an object or array has been entered and nothing in it been read yet.
  private var isAtStart = false

  /// Begins to read a text.
  package init(_ bytes: [UInt8]) {
    parser = JSONParser(bytes: bytes, options: JSONParseOptions(), recordsPositions: false)
    parser.skipWhiteSpace()
  }

  /// The kind of the value that stands here, as ``JSON/kindName`` names it.
  package var kindName: String {
    switch parser.peek {
    case UInt8(ascii: "{"): "object"
    case UInt8(ascii: "["): "list"
    case UInt8(ascii: "\""): "text"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "true/false"
    case UInt8(ascii: "n"): "null"
    default: "number"
    }
  }

  /// Enters the object that stands here; says whether there is one.
  package mutating func beginObject() -> Bool { enter(UInt8(ascii: "{")) }

  /// Enters the array that stands here; says whether there is one.
  package mutating func beginArray() -> Bool { enter(UInt8(ascii: "[")) }

  private mutating func enter(_ open: UInt8) -> Bool {
    guard parser.eats(open) else { return false }
    parser.skipWhiteSpace()
    isAtStart = true
    return true
  }

  /// The key of the next member, whose value must then be read; `nil` when the object has ended.
  package mutating func nextMember() throws(JSONError) -> String? {
    try next(UInt8(ascii: "}")) ? try parser.parseKey() : nil
  }

  /// Whether another element follows, which must then be read; `false` when the array has ended.
  package mutating func nextElement() throws(JSONError) -> Bool { try next(UInt8(ascii: "]")) }

  private mutating func next(_ close: UInt8) throws(JSONError) -> Bool {
    guard isAtStart else { return try !parser.endOfMembers(close) }
    isAtStart = false
    return !parser.eats(close)
  }

  /// The text that stands here, or `nil` if it is another kind of value, which is then still to be read.
  package mutating func string() throws(JSONError) -> String? {
    parser.peek == UInt8(ascii: "\"") ? try parser.parseString() : nil
  }

  /// The whole number that stands here, or `nil` if it is none, in which case a number has been read and any other
  /// value has not.
  package mutating func int() throws(JSONError) -> Int? {
    if let short = parser.parseShortInteger() { return short }
    guard let byte = parser.peek, byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 else { return nil }
    return try parser.parseNumber().int
  }

  /// The value that stands here, whatever it is.
  package mutating func value() throws(JSONError) -> JSON { try parser.parseValue(keyOffset: nil) }

  /// Checks that nothing follows.
  package mutating func finish() throws(JSONError) {
    parser.skipWhiteSpace()
    guard parser.peek == nil else { throw parser.error(.trailingContent, at: parser.index) }
  }
}

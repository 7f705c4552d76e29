/// What is wrong with a JSON text, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake; stable, for programs.
  public enum Reason: String, Hashable, Sendable {
    case empty, unexpectedEnd, unexpectedCharacter, trailingComma, missingComma, missingColon, badKey, badNumber
    case leadingZero, badLiteral, badEscape, loneSurrogate, controlCharacter, invalidUTF8, byteOrderMark, duplicateKey
    case tooDeep, trailingContent, typographicPunctuation, singleQuote, comment, unclosedText
  }

  /// The kind of mistake.
  public let reason: Reason
  /// The byte at which it was noticed, from 0.
  public let offset: Int
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int
  /// What is wrong, in one sentence without the place.
  public let message: String
  /// What to do about it, where the cause is a usual one.
  public let hint: String?

  /// Place, what is wrong, what to do.
  public var description: String {
    "line \(line), column \(column): \(message)" + (hint.map { " " + $0 } ?? "")
  }
}

extension JSONError {
  init(_ reason: Reason, at offset: Int, in bytes: [UInt8], detail: String? = nil) {
    let place = JSONPosition(offset: offset, in: bytes)
    let (message, hint) = JSONError.texts(reason, detail)
    self.init(
      reason: reason, offset: offset, line: place.line, column: place.column, message: message, hint: hint)
  }

  // One table, so that every mistake reads alike.
  private static func texts(_ reason: Reason, _ detail: String?) -> (String, String?) {
    let what = detail ?? "this character"
    return switch reason {
    case .empty: ("The text is empty.", "Send a JSON value.")
    case .unexpectedEnd: ("The text ends inside \(detail ?? "a value").", "It may have been cut off; close it.")
    case .unexpectedCharacter: ("A value cannot begin with \(what).", nil)
    case .trailingComma: ("A comma stands before the closing bracket.", "Remove the comma.")
    case .missingComma:
      ("A comma or a closing bracket is missing before \(what).", "Put a comma between the two values.")
    case .missingColon: ("A colon is missing after the key.", "Write \"key\": value.")
    case .badKey: ("A key must be text in double quotes, not \(what).", "Write the key in double quotes.")
    case .badNumber: ("The number is not complete.", "Write digits on both sides of the point and after the exponent.")
    case .leadingZero: ("The number has a leading zero.", "Remove the zero, or send it as text in quotes.")
    case .badLiteral:
      ("The word \(what) is no JSON value.", "Use true, false or null in lower case, or quote the text.")
    case .badEscape: ("The escape \(what) does not exist.", "Use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX.")
    case .loneSurrogate: ("Half of a surrogate pair stands alone.", "Send the character itself in UTF-8.")
    case .controlCharacter: ("A control character stands in a text.", "Write it as an escape such as \\n.")
    case .unclosedText:
      ("The text is not closed before the end of the line.", "Close it with a double quote; a line break in it is \\n.")
    case .invalidUTF8: ("The bytes are not UTF-8.", "Send the text in UTF-8.")
    case .byteOrderMark: ("The text begins with a byte order mark.", "Save it as UTF-8 without BOM.")
    case .duplicateKey: ("The key \(what) stands twice in one object.", "Keep one of them.")
    case .tooDeep: ("The value is nested too deeply.", nil)
    case .trailingContent: ("Something follows after the value.", "Send one JSON value.")
    case .typographicPunctuation:
      ("\(what) is full-width or typographic punctuation.", "Use the plain ASCII character.")
    case .singleQuote: ("Text stands in single quotes.", "Use double quotes.")
    case .comment: ("JSON has no comments.", "Remove the comment.")
    }
  }
}

/// A place in a text.
public struct JSONPosition: Hashable, Sendable {
  /// The byte, from 0.
  public let offset: Int
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int

  /// The line and column of the byte at `offset`.
  /// - Complexity: O(`offset`).
  public init(offset: Int, in bytes: [UInt8]) {
    self.offset = offset
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}

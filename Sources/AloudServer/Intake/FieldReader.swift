internal import ExactJSON

/// Reads the members of a JSON object and collects everything that is wrong with them, so that a caller learns it at once.
struct FieldReader {
  private let object: JSONObject
  private let pointer: String
  /// The names that were asked for: few, so that looking through them is cheaper than hashing.
  private var known: [String] = []
  private(set) var problems: [Problem.Detail] = []

  init(_ object: JSONObject, pointer: String = "") {
    self.object = object
    self.pointer = pointer
    known.reserveCapacity(24)
  }

  /// Notes something wrong with a member.
  mutating func object(to name: String, _ message: String) { problems.append(.init("\(pointer)/\(name)", message)) }

  /// The member as it came; null counts as absent.
  mutating func raw(_ name: String) -> JSON? {
    known.append(name)
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  /// A text of at most `limit` UTF-8 bytes without control characters.
  mutating func text(_ name: String, limit: Int) -> String? {
    guard let value = raw(name) else { return nil }
    guard let text = value.stringValue else {
      object(to: name, "must be text, not \(value.kindName)")
      return nil
    }
    if text.isEmpty {
      object(to: name, "must not be empty; leave it out instead")
    } else if text.utf8.count > limit {
      object(to: name, "is longer than \(limit) bytes of UTF-8")
    } else if Self.hasControl(text) {
      object(to: name, "has a control character in it")
    } else {
      return text
    }
    return nil
  }

  /// Category Cc of Unicode, which is fixed: U+0000 to U+001F and U+007F to U+009F, the last 32 of them as C2 80 to C2 9F.
  private static func hasControl(_ text: String) -> Bool {
    var before: UInt8 = 0
    for byte in text.utf8 {
      if byte < 0x20 || byte == 0x7F || before == 0xC2 && byte < 0xA0 { return true }
      before = byte
    }
    return false
  }

  /// A text of letters, digits and `._:-`.
  mutating func identifier(_ name: String, limit: Int = 64) -> String? {
    guard let text = text(name, limit: limit) else { return nil }
    guard Identifier.isValid(text) else {
      object(to: name, "may have only ASCII letters, digits and . _ : - in it")
      return nil
    }
    return text
  }

  /// A whole number within bounds.
  mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = raw(name) else { return nil }
    guard let number = value.intValue, range.contains(number) else {
      object(to: name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return number
  }

  /// One of some words.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, as: Word.Type) -> Word?
  where Word.RawValue == String {
    guard let text = text(name, limit: 40) else { return nil }
    guard let word = Word(rawValue: text) else {
      object(to: name, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
      return nil
    }
    return word
  }

  /// The digits of a decimal number, given as text or as a number literal; never through a binary float.
  mutating func decimal(_ name: String) -> String? {
    guard let value = raw(name) else { return nil }
    guard let digits = value.stringValue ?? value.numberValue?.text else {
      object(to: name, "must be a decimal number as text (\"28.50\") or a number literal, not \(value.kindName)")
      return nil
    }
    guard digits.utf8.count <= 40 else {
      object(to: name, "has more digits than any amount")
      return nil
    }
    return digits
  }

  /// An object within.
  mutating func nested(_ name: String) -> FieldReader? {
    guard let value = raw(name) else { return nil }
    guard let inner = value.objectValue else {
      object(to: name, "must be an object, not \(value.kindName)")
      return nil
    }
    return FieldReader(inner, pointer: "\(pointer)/\(name)")
  }

  /// Takes over what was wrong within.
  mutating func absorb(_ inner: FieldReader) { problems += inner.problems }

  /// Refuses members nobody asked for: a misspelt `amount` must not become a sentence without the amount.
  mutating func refuseUnknown() {
    for name in object.keys where !known.contains(name) {
      object(to: Self.escaped(name), "is not a member here; there are \(known.sorted().joined(separator: ", "))")
    }
  }

  private static func escaped(_ name: String) -> String {
    // RFC 6901: ~ and / are written ~0 and ~1.
    name.prefix(60).map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}

/// Names of events, users, groups and kinds.
enum Identifier {
  /// ASCII letters, digits, `.`, `_`, `:` and `-`.
  static func isValid(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}

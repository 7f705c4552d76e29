public import ExactJSON

/// Reads an object as gateways and phones mangle it: keys in any case, truth as Bool, number or text, numbers as text.
///
/// Why: bark-server formats every field as text and lower-cases keys; a property list turns a Bool into an NSNumber.
struct TolerantObject {
  /// With keys in lower case.
  private let members: JSONObject

  init(_ object: JSONObject) {
    // The usual object is as it should be, and is taken as it is.
    if object.members.allSatisfy({ $0.key.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) } }) {
      members = object
    } else {
      var lowered = JSONObject()
      for member in object.members where lowered[member.key.lowercased()] == nil {
        lowered[member.key.lowercased()] = member.value
      }
      members = lowered
    }
  }

  init?(_ json: JSON?) {
    switch json {
    case .object(let object): self.init(object)
    // A gateway that carries only strings sends the part as JSON text.
    case .string(let text):
      guard let object = (try? JSON.parse(text))?.objectValue else { return nil }
      self.init(object)
    default: return nil
    }
  }

  subscript(key: String) -> JSON? {
    guard let value = members[key], !value.isNull else { return nil }
    return value
  }

  func has(_ key: String) -> Bool { members[key] != nil }

  func object(_ key: String) -> TolerantObject? { TolerantObject(self[key]) }

  /// The text, or the digits of a number as they were sent; empty text counts as absent.
  func text(_ key: String) -> String? {
    switch self[key] {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): number.text
    default: nil
    }
  }

  /// A whole number, also when it came as text or as a float without a fraction.
  func int(_ key: String) -> Int? {
    switch self[key] {
    case .number(let number): number.int
    case .string(let text): JSONNumber(literal: text)?.int
    case .bool(let truth): truth ? 1 : 0
    default: nil
    }
  }

  func truth(_ key: String) -> Bool? { self[key].flatMap(TolerantValue.truth) }
}

/// Reads single values whose type changed on the way.
public enum TolerantValue {
  /// Truth from a Bool, a number (0 is false) or a word (`true`, `yes`, `on`, `1` and their opposites), else `nil`.
  public static func truth(_ value: JSON) -> Bool? {
    switch value {
    case .bool(let truth): truth
    case .number(let number): number.int.map { $0 != 0 }
    case .string(let text):
      switch text.lowercased() {
      case "1", "true", "yes", "on": true
      case "0", "false", "no", "off", "": false
      default: nil
      }
    default: nil
    }
  }
}

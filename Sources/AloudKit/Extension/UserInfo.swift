#if canImport(UserNotifications)
  public import ExactJSON
  import Foundation

  /// The user info of a notification as JSON, whatever types it took on the way.
  ///
  /// A push arrives as property-list objects: a Bool may come back as an `NSNumber`, a number as text. Amounts are taken only
  /// from text and whole numbers: a fraction that went through a binary float is not exact and is left out, so that it is never
  /// spoken (docs/hearing.md).
  public enum UserInfo {
    /// The JSON object for `userInfo`; what has no JSON form is left out.
    public static func json(from userInfo: [AnyHashable: Any]) -> JSON {
      var object = JSONObject()
      for (key, value) in userInfo {
        guard let key = key as? String, let value = json(value) else { continue }
        object[key] = value
      }
      return .object(object)
    }

    private static func json(_ value: Any) -> JSON? {
      switch value {
      case let text as String: return .string(text)
      case let number as NSNumber: return json(number)
      case let flag as Bool: return .bool(flag)
      case let number as Int: return .int(number)
      case let list as [Any]: return .array(list.compactMap(json))
      case let dictionary as [AnyHashable: Any]: return json(from: dictionary)
      case is NSNull: return .null
      default: return nil
      }
    }

    // An NSNumber made from true and one made from 1 differ only in their Objective-C type code ("c" or "B").
    private static func json(_ number: NSNumber) -> JSON? {
      let code = UInt8(bitPattern: number.objCType.pointee)
      if code == UInt8(ascii: "B") || code == UInt8(ascii: "c") { return .bool(number.boolValue) }
      if code == UInt8(ascii: "d") || code == UInt8(ascii: "f") {
        let value = number.doubleValue
        guard value == value.rounded(), abs(value) < 9e15 else { return nil }
        return .int(Int(value))
      }
      return .int(number.intValue)
    }
  }
#endif

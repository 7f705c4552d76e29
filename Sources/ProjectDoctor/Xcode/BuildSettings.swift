/// Build settings with their inheritance: project file, project xcconfig, target file, target xcconfig, lowest last.
///
/// Source: Apple, "Configuring the build settings of a target"; the order is target, target xcconfig, project, project
/// xcconfig, and `$(inherited)` means the value of the next lower level.
struct BuildSettings: Sendable {
  /// From the strongest level to the weakest.
  var levels: [[String: String]]

  /// The value of a setting with every reference replaced, or `nil` if no level sets it.
  subscript(name: String) -> String? {
    guard let raw = raw(name, from: 0) else { return nil }
    var budget = BuildSettings.budget
    return expand(raw.value, of: name, level: raw.level, depth: 0, &budget)
  }

  /// Replaces `$(NAME)` and `${NAME}` in a text, such as a value of an Info.plist; unknown names stay.
  func expand(_ text: String) -> String {
    var budget = BuildSettings.budget
    return expand(text, of: nil, level: 0, depth: 0, &budget)
  }

  /// How many references one value may lead to; settings that double each other would go on for ever.
  private static let budget = 2_000

  private func raw(_ name: String, from level: Int) -> (value: String, level: Int)? {
    for index in level..<max(level, levels.count) {
      if let value = levels[index][name] ?? conditional(name, in: levels[index]) { return (value, index) }
    }
    return nil
  }

  // `NAME[sdk=iphoneos*]` counts for a phone when there is no plain one.
  private func conditional(_ name: String, in level: [String: String]) -> String? {
    level["\(name)[sdk=iphoneos*]"] ?? level["\(name)[sdk=*]"] ?? level["\(name)[arch=*]"]
  }

  private func expand(_ text: String, of name: String?, level: Int, depth: Int, _ budget: inout Int) -> String {
    guard depth < 24, budget > 0, text.utf8.contains(UInt8(ascii: "$")) else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count, output.count < 65_536 {
      guard bytes[index] == UInt8(ascii: "$"), index + 1 < bytes.count,
        let close = BuildSettings.closing[bytes[index + 1]],
        let end = BuildSettings.end(in: bytes, open: index + 1, close: close)
      else {
        output.append(bytes[index])
        index += 1
        continue
      }
      let inner = expand(
        String(decoding: bytes[(index + 2)..<end], as: UTF8.self), of: name, level: level, depth: depth + 1, &budget)
      budget -= 1
      output += (resolve(inner, of: name, level: level, depth: depth, &budget) ?? "$(\(inner))").utf8
      index = end + 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]

  private static func end(in bytes: [UInt8], open: Int, close: UInt8) -> Int? {
    var depth = 0
    for index in open..<bytes.count {
      if bytes[index] == bytes[open] { depth += 1 }
      if bytes[index] == close {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  private func resolve(
    _ reference: String, of name: String?, level: Int, depth: Int, _ budget: inout Int
  ) -> String? {
    let parts = reference.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let wanted = parts[0]
    var value: String?
    if wanted == "inherited" || wanted == name, let name {
      value = ""
      if let lower = raw(name, from: level + 1) {
        value = expand(lower.value, of: name, level: lower.level, depth: depth + 1, &budget)
      }
    } else if let found = raw(wanted, from: 0) {
      value = expand(found.value, of: wanted, level: found.level, depth: depth + 1, &budget)
    }
    for modifier in parts.dropFirst() {
      if modifier.hasPrefix("default="), (value ?? "").isEmpty { value = String(modifier.dropFirst(8)) }
      if modifier == "rfc1034identifier" || modifier == "c99extidentifier" {
        value = value.map { BuildSettings.identifier($0, hyphen: modifier.hasPrefix("rfc")) }
      }
      if modifier == "lower" { value = value?.lowercased() }
      if modifier == "upper" { value = value?.uppercased() }
    }
    return value
  }

  private static func identifier(_ text: String, hyphen: Bool) -> String {
    String(
      text.map {
        $0.isASCII && ($0.isLetter || $0.isNumber || (hyphen && ($0 == "-" || $0 == "."))) ? $0 : hyphen ? "-" : "_"
      })
  }
}

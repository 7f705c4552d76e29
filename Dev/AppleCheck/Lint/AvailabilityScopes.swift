public import Foundation

/// The parts of a file in which more than the deployment target is guaranteed.
public struct AvailabilityScopes: Sendable {
  private struct Scope: Sendable {
    var start: Int
    var end: Int
    var version: AppleVersion
  }

  private var scopes: [Scope] = []
  private let lineStarts: [Int]

  /// Parses a file with the compiler's own parser; nothing it imports is needed.
  ///
  /// The parser alone takes every `canImport` for false, so it is given the file with all branches of all `#if`s in it.
  public init(file: URL, toolchain: Toolchain) throws {
    var bytes = try [UInt8](Data(contentsOf: file))
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    blankLines(&bytes) { line in ["#if", "#else", "#endif"].contains { line.hasPrefix($0) } }
    var root = try AvailabilityScopes.tree(bytes, toolchain)
    if root == nil {
      // Swift 6.3.1 leaves brackets open after a type alias in a function; no scope depends on one.
      blankLines(&bytes) { $0.split(separator: " ").prefix(2).contains("typealias") }
      root = try AvailabilityScopes.tree(bytes, toolchain)
    }
    guard let root else {
      throw Toolchain.Failure(description: "the parser's tree of \(file.path) cannot be read")
    }
    walk(root, end: bytes.count)
  }

  private static func tree(_ bytes: [UInt8], _ toolchain: Toolchain) throws -> [String: Any]? {
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent("scopes-\(UUID().uuidString).swift")
    try Data(bytes).write(to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    let tree = try toolchain.run(
      "swiftc", ["-frontend", "-dump-parse", "-dump-ast-format", "json", "-swift-version", "6", copy.path])
    return try? JSONSerialization.jsonObject(with: tree) as? [String: Any]
  }

  // Spaces, so that every other byte keeps its place.
  private func blankLines(_ bytes: inout [UInt8], where isChosen: (String) -> Bool) {
    for (index, start) in lineStarts.enumerated() {
      let end = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
      guard start < end else { continue }
      let line = String(decoding: bytes[start..<end], as: UTF8.self).trimmingCharacters(in: .whitespaces)
      guard isChosen(line) else { continue }
      for place in start..<end { bytes[place] = UInt8(ascii: " ") }
    }
  }

  /// What is guaranteed at a place, or `nil` if nothing beyond the target.
  public func version(at place: SymbolPlace) -> AppleVersion? {
    guard lineStarts.indices.contains(place.line - 1) else { return nil }
    let offset = lineStarts[place.line - 1] + place.column - 1
    return scopes.filter { $0.start <= offset && offset <= $0.end }.map(\.version).max()
  }

  // A guard guarantees to the end of the braces around it; an attribute for its declaration; a condition for the first branch.
  private mutating func walk(_ node: Any, end: Int) {
    if let list = node as? [Any] {
      for item in list { walk(item, end: end) }
      return
    }
    guard let object = node as? [String: Any] else { return }
    let range = AvailabilityScopes.range(object)
    let kind = object["_kind"] as? String
    let inner = kind == "brace_stmt" ? range?.1 ?? end : end
    if let version = AvailabilityScopes.attribute(object), let range { add(range.0, range.1, version) }
    if let version = AvailabilityScopes.condition(object) {
      if kind == "guard_stmt", let range { add(range.1, end, version) }
      let branch = (object["then_stmt"] ?? object["then"]) as? [String: Any]
      if let branch, let range = AvailabilityScopes.range(branch) { add(range.0, range.1, version) }
    }
    for value in object.values { walk(value, end: inner) }
  }

  private mutating func add(_ start: Int, _ end: Int, _ version: AppleVersion) {
    scopes.append(Scope(start: start, end: end, version: version))
  }

  private static func range(_ node: [String: Any]) -> (Int, Int)? {
    guard let range = node["range"] as? [String: Any], let start = range["start"] as? Int,
      let end = range["end"] as? Int
    else { return nil }
    return (start, end)
  }

  private static func attribute(_ node: [String: Any]) -> AppleVersion? {
    ((node["attrs"] as? [Any]) ?? []).compactMap { attribute -> AppleVersion? in
      guard let attribute = attribute as? [String: Any], attribute["_kind"] as? String == "available_attr",
        (attribute["domainIdentifier"] ?? attribute["domain"]) as? String == "iOS"
      else { return nil }
      return (attribute["introduced"] as? String).flatMap(AppleVersion.init)
    }.max()
  }

  private static func condition(_ node: [String: Any]) -> AppleVersion? {
    ((node["conditions"] as? [Any]) ?? []).compactMap { condition -> AppleVersion? in
      guard let condition = condition as? [String: Any], condition["_kind"] as? String == "#available",
        let queries = condition["queries"] as? [[String: Any]]
      else { return nil }
      return queries.filter { $0["domain"] as? String == "iOS" }
        .compactMap { ($0["version"] as? String).flatMap(AppleVersion.init) }.max()
    }.max()
  }
}

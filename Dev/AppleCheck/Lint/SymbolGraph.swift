public import Foundation

/// One declaration of a module, as its symbol graph tells it.
public struct DeclaredSymbol: Hashable, Sendable {
  public var usr: String
  public var row: SymbolRow
  /// Whether the declaration itself, or one around it, says since when it exists.
  public var saysVersion: Bool

  /// Whether it exists only so that a test can play the system: its name, or one around it, begins with “shim”.
  public var isForTests: Bool {
    row.path.split(separator: ".").contains { $0.hasPrefix("shim") || $0.hasPrefix("Shim") }
      || row.declaration.hasPrefix("init(shim") || row.path.contains("(shim")
  }

  var isOfTheLanguage: Bool { SymbolUSR.module(usr).map(SymbolUSR.languageModules.contains) ?? false }
}

/// What a unified symbol resolution says about itself.
enum SymbolUSR {
  /// Modules of the language: their symbols are part of every iOS that runs Swift unless their graph says a version.
  static let languageModules: Set<String> = ["Swift", "_Concurrency", "_StringProcessing"]

  /// What stands over the C library, which is POSIX on both systems.
  static let systemModules: Set<String> = ["Glibc", "SwiftGlibc"]

  /// Whether it is the getter, setter or the like of a property that stands for itself.
  static func isAccessor(_ usr: String) -> Bool {
    ["vg", "vs", "vgZ", "vsZ", "vM", "vr", "ig", "is"].contains { usr.hasSuffix($0) }
  }

  /// Whether the symbol was declared in an extension that one of the modules makes.
  static func extensionModules(_ usr: String, among modules: Set<String>) -> Bool {
    modules.contains { usr.contains("\($0.utf8.count)\($0)E") }
  }

  /// The module that a Swift symbol was declared in, by its first component; `nil` for C.
  static func module(_ usr: String) -> String? {
    guard usr.hasPrefix("s:") else { return nil }
    let rest = usr.dropFirst(2)
    let digits = rest.prefix(while: \.isNumber)
    // What begins with a letter is a substitution of the standard library, such as SS for String and Sc for concurrency.
    guard let count = Int(digits) else { return rest.hasPrefix("Sc") ? "_Concurrency" : "Swift" }
    return String(rest.dropFirst(digits.count).prefix(count))
  }
}

/// The symbol graphs of built modules.
public enum SymbolGraph {
  /// Asks the toolchain for the public declarations of a module.
  ///
  /// - Parameters:
  ///   - module: Its name.
  ///   - modules: The folder of built modules, or `nil` for one of the toolchain's own.
  ///   - toolchain: Where the tools lie.
  public static func declarations(of module: String, modules: URL?, toolchain: Toolchain) throws -> [DeclaredSymbol] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments = [
      "-module-name", module, "-target", toolchain.triple, "-output-dir", folder.path, "-minimum-access-level",
      "public", "-skip-synthesized-members", "-skip-inherited-docs",
    ]
    if let modules { arguments += ["-I", modules.path] }
    _ = try toolchain.run("swift-symbolgraph-extract", arguments)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try files.filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
      .flatMap { try declarations(JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0))) }
  }

  private static func declarations(_ graph: Graph) -> [DeclaredSymbol] {
    var parents: [String: String] = [:]
    var notes: [String: [String]] = [:]
    for relation in graph.relationships {
      let target = relation.targetFallback?.split(separator: ".").last.map(String.init)
      switch relation.kind {
      case "memberOf", "requirementOf", "optionalRequirementOf": parents[relation.source] = relation.target
      case "inheritsFrom": notes[relation.source, default: []].append(target ?? name(relation.target, in: graph))
      case "conformsTo" where relation.target == "s:s8SendableP": notes[relation.source, default: []].append("Sendable")
      default: break
      }
    }
    let byUSR = Dictionary(graph.symbols.map { ($0.identifier.precise, $0) }) { first, _ in first }
    return graph.symbols.compactMap { symbol in
      let usr = symbol.identifier.precise
      guard !usr.contains("::SYNTHESIZED::") else { return nil }
      var version = symbol.iOS
      var around = parents[usr]
      while let next = around {
        if let outer = byUSR[next]?.iOS { version = max(version ?? outer, outer) }
        around = parents[next]
      }
      let path = symbol.pathComponents.joined(separator: ".")
      var text = symbol.declarationFragments?.map(\.spelling).joined() ?? ""
      if let notes = notes[usr], !notes.isEmpty, !text.contains(":") {
        text += ": " + notes.sorted().joined(separator: ", ")
      }
      let row = SymbolRow(
        version: version ?? AppleVersion(0), path: path,
        declaration: DeclarationText.normal(text, owner: SymbolRow.owner(path)))
      return DeclaredSymbol(usr: usr, row: row, saysVersion: version != nil)
    }
  }

  private static func name(_ usr: String, in graph: Graph) -> String {
    graph.symbols.first { $0.identifier.precise == usr }?.pathComponents.joined(separator: ".") ?? usr
  }

  // The format: https://github.com/swiftlang/swift-docc-symbolkit/blob/main/openapi.yaml
  private struct Graph: Decodable {
    var symbols: [Symbol]
    var relationships: [Relation]
  }
  private struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable { var spelling: String }
    struct Availability: Decodable {
      struct Version: Decodable {
        var major: Int
        var minor: Int?
      }
      var domain: String?
      var introduced: Version?
    }
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]?
    var availability: [Availability]?

    var iOS: AppleVersion? {
      availability?.first { $0.domain == "iOS" }?.introduced.map { AppleVersion($0.major, $0.minor ?? 0) }
    }
  }
  private struct Relation: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
  }
}

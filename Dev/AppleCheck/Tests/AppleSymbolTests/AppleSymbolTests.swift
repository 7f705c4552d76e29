import AppleSymbols
import Foundation
import Testing

/// The package's folder and what was built of it.
struct Workbench {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let toolchain: Toolchain

  init() throws { toolchain = try Toolchain() }

  /// The oldest iOS that Package.swift names.
  static let target = AppleVersion(15)

  /// The names of the frameworks that have a shim.
  func shimNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Shims").path).sorted()
  }

  func table(_ name: String) throws -> SymbolTable {
    try SymbolTable(contentsOf: root.appendingPathComponent("Symbols/\(name).txt"))
  }

  func forTests() throws -> Set<String> {
    let text = try String(contentsOf: root.appendingPathComponent("Symbols/ForTests.txt"), encoding: .utf8)
    return Set(text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
  }

  func declared(_ names: [String]) throws -> [String: [DeclaredSymbol]] {
    var result: [String: [DeclaredSymbol]] = [:]
    for name in names {
      result[name] = try SymbolGraph.declarations(of: name, modules: toolchain.modules, toolchain: toolchain)
    }
    return result
  }

  func languageAndFoundation() throws -> [DeclaredSymbol] {
    try [
      "Swift", "_Concurrency", "_StringProcessing", "FoundationEssentials", "FoundationInternationalization",
      "Dispatch",
      "Foundation", "FoundationNetworking",
    ]
    .flatMap { try SymbolGraph.declarations(of: $0, modules: nil, toolchain: toolchain) }
  }

  func scopes(of uses: [SymbolUse]) throws -> [String: AvailabilityScopes] {
    var result: [String: AvailabilityScopes] = [:]
    for file in Set(uses.map(\.place.file)) {
      let url = URL(fileURLWithPath: file)
      guard try String(contentsOf: url, encoding: .utf8).contains("available(") else { continue }
      result[file] = try AvailabilityScopes(file: url, toolchain: toolchain)
    }
    return result
  }

  /// The folders of the real sources that are built here.
  func linkedFolders() throws -> [URL] {
    let files = FileManager.default
    let linked = root.appendingPathComponent("Linked")
    return try files.contentsOfDirectory(atPath: linked.path).map(linked.appendingPathComponent).flatMap { folder in
      let kind = try files.attributesOfItem(atPath: folder.path)[.type] as? FileAttributeType
      return kind == .typeSymbolicLink
        ? [folder] : try files.contentsOfDirectory(atPath: folder.path).map(folder.appendingPathComponent)
    }
  }

  /// The modules that are built from them.
  func ownModules() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Linked").path))
  }

  func lint(shims: [String], tables: [String: SymbolTable]? = nil, own: Set<String>) throws -> SymbolLint {
    let known = try tables ?? Dictionary(uniqueKeysWithValues: shims.map { ($0, try table($0)) })
    return SymbolLint(
      shims: try declared(shims), tables: known, toolchain: try languageAndFoundation(),
      foundation: try table("Foundation"), target: Workbench.target, forTests: try forTests(), ownModules: own)
  }
}

@Suite(.serialized)
struct AppleSymbolTests {
  @Test func `every Apple symbol that the phone's code uses is in a table and no younger than it may be`() throws {
    let bench = try Workbench()
    let folders = try bench.linkedFolders()
    let lint = try bench.lint(shims: bench.shimNames(), own: bench.ownModules())
    let uses = try IndexStore(bench.toolchain).uses(in: folders)
    let findings = lint.findings(in: uses, scopes: try bench.scopes(of: uses))
    for finding in findings { print(finding) }
    #expect(findings.count == 0)
    #expect(lint.unusedFoundationRows(uses) == [])
    // So that an index that was not found cannot look like a clean one.
    #expect(uses.contains { $0.usr.contains("AVSpeechSynthesizer") })
    #expect(uses.count > 1_000)
  }

  @Test func `the shims declare what the tables say, and nothing else`() throws {
    let bench = try Workbench()
    let names = try bench.shimNames()
    let lint = SymbolLint(
      shims: try bench.declared(names),
      tables: Dictionary(uniqueKeysWithValues: try names.map { ($0, try bench.table($0)) }),
      toolchain: [], foundation: SymbolTable(), target: Workbench.target, forTests: try bench.forTests())
    let findings = lint.declarations()
    for finding in findings { print(finding) }
    #expect(findings.count == 0)
  }

  @Test func `finds each planted symbol that is unknown or too new, and no other`() throws {
    let bench = try Workbench()
    let planted = bench.root.appendingPathComponent("Planted")
    let shims = ["PlantedShim", "AVFAudio"]
    let rows = [
      "13 | PlantedPlayer | enum PlantedPlayer", "13 | PlantedPlayer.play() | static func play()",
      "26 | PlantedPlayer.muted() | static func muted()", "17 | PlantedVoice | struct PlantedVoice: Sendable",
      "17 | PlantedVoice.init() | init()", "14 | PlantedPlayer.missing() | static func missing()",
    ]
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("planted-\(UUID().uuidString).txt")
    try rows.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let lint = try bench.lint(
      shims: shims, tables: ["PlantedShim": SymbolTable(contentsOf: file), "AVFAudio": bench.table("AVFAudio")],
      own: ["Planted"])
    let uses = try IndexStore(bench.toolchain).uses(in: [planted])
    let found = lint.findings(in: uses, scopes: try bench.scopes(of: uses)).map { finding -> String in
      switch finding {
      case .unknown(let place, _): "\(place.line) unknown"
      case .tooNew(let place, _, let needs, _): "\(place.line) too new \(needs)"
      default: "\(finding)"
      }
    }
    let lines = try String(contentsOf: planted.appendingPathComponent("Planted.swift"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = lines.enumerated().compactMap { index, line -> String? in
      let parts = line.components(separatedBy: "  // ")
      guard parts.count == 2, !parts[0].allSatisfy(\.isWhitespace) else { return nil }
      return "\(index + 1) \(parts[1])"
    }
    #expect(Set(found) == Set(wanted))
    #expect(wanted.count == 10)
    let declarations = lint.declarations().map(\.description)
    #expect(declarations.contains { $0.contains("PlantedPlayer.invented()") })
    #expect(declarations.contains { $0.contains("PlantedPlayer.missing()") })
  }

  @Test(arguments: [
    ("@discardableResult open func play() -> Bool", "func play() -> Bool"),
    ("class var `default`: Self { get }", "static var `default`: Owner { get }"),
    ("let name: String", "var name: String { get }"),
    ("@available(iOS 15, *) weak var delegate: (any D)?", "var delegate: (any D)? { get set }"),
  ]) func `brings declarations to one form`(_ given: String, _ wanted: String) {
    #expect(DeclarationText.normal(given, owner: "Owner") == wanted)
  }
}

// Room: which Apple symbols a source uses, from the compiler's own index, and whether each is in our table and old enough.
//
// The availability of Apple's API is not checked by a compiler on Linux. So: the index store that every debug build leaves says which symbol
// stands at which line and column; the symbol graphs of the shims say what they declare; the tables in Symbols/ say what Apple declares,
// and since which iOS; the parser's tree says where `@available` and `#available` hold.

/// Where something was found, for a person: file, line, column.
public struct SymbolPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var file: String
  public var line: Int
  public var column: Int

  /// Makes a place; line and column count from one, the column in UTF-8 bytes.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  public var description: String { "\(file):\(line):\(column)" }

  public static func < (left: Self, right: Self) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// One occurrence of a symbol in a source file.
public struct SymbolUse: Hashable, Sendable {
  public var place: SymbolPlace
  /// The unified symbol resolution, such as `s:17UserNotifications21UNNotificationContentC5titleSSvp`.
  public var usr: String
  public var name: String
  /// Whether the symbol is declared here: then it is the source's own.
  public var isDefinition: Bool
}

/// What is wrong with one use, or with one declaration of a shim.
public enum SymbolFinding: Hashable, Sendable, CustomStringConvertible {
  /// The symbol is in no table: invented, or not yet looked up.
  case unknown(SymbolPlace, String)
  /// The symbol is younger than what is guaranteed at this place.
  case tooNew(SymbolPlace, String, needs: AppleVersion, guaranteed: AppleVersion)
  /// A shim declares what the table does not have.
  case invented(module: String, SymbolRow)
  /// The table has what no shim declares.
  case undeclared(module: String, SymbolRow)

  public var description: String {
    switch self {
    case .unknown(let place, let name): "\(place): \(name) is in no table of Dev/AppleCheck/Symbols"
    case .tooNew(let place, let name, let needs, let guaranteed):
      "\(place): \(name) needs iOS \(needs), guaranteed is iOS \(guaranteed)"
    case .invented(let module, let row): "the shim of \(module) declares what the table does not have: \(row)"
    case .undeclared(let module, let row): "the table of \(module) has what no shim declares: \(row)"
    }
  }
}

/// Compares uses with declarations, and declarations with the tables.
public struct SymbolLint: Sendable {
  /// What the shims declare, by module.
  public var shims: [String: [DeclaredSymbol]]
  /// What Apple declares, by module; each module here has a shim of the same name.
  public var tables: [String: SymbolTable]
  /// What the toolchain's own modules declare: Swift, concurrency, Foundation.
  public var toolchain: [DeclaredSymbol]
  /// Foundation as Apple has it, for what the toolchain's Foundation says no version of.
  public var foundation: SymbolTable
  /// The oldest iOS that the sources must run on.
  public var target: AppleVersion
  /// Paths that shims declare for tests only: no table has them, and no source may use them.
  public var forTests: Set<String>
  /// The modules that the sources belong to.
  public var ownModules: Set<String>

  private let languageUSRs: Set<String>

  /// Makes a lint.
  public init(
    shims: [String: [DeclaredSymbol]], tables: [String: SymbolTable], toolchain: [DeclaredSymbol],
    foundation: SymbolTable, target: AppleVersion, forTests: Set<String> = [],
    ownModules: Set<String> = []
  ) {
    self.shims = shims
    self.tables = tables
    self.toolchain = toolchain
    self.foundation = foundation
    self.target = target
    self.forTests = forTests
    self.ownModules = ownModules
    languageUSRs = Set(toolchain.filter(\.isOfTheLanguage).map(\.usr))
  }

  /// What the shims declare and the tables do not have, and the other way round.
  public func declarations() -> [SymbolFinding] {
    Set(shims.keys).union(tables.keys).sorted().flatMap { module -> [SymbolFinding] in
      let declared = Set((shims[module] ?? []).filter { !$0.isForTests && !forTests.contains($0.row.path) }.map(\.row))
      let wanted = Set(tables[module]?.rows ?? [])
      return declared.subtracting(wanted).sorted().map { .invented(module: module, $0) }
        + wanted.subtracting(declared).sorted().map { .undeclared(module: module, $0) }
    }
  }

  /// What is wrong with the uses of Apple's symbols.
  ///
  /// - Parameters:
  ///   - uses: Every use and definition in the sources.
  ///   - scopes: Where more than the target is guaranteed, by file.
  public func findings(in uses: [SymbolUse], scopes: [String: AvailabilityScopes]) -> [SymbolFinding] {
    let known = versions()
    let all = toolchain + shims.values.joined()
    let names = Dictionary(all.map { ($0.usr, $0.row.path) }) { first, _ in first }
    var found: Set<SymbolFinding> = []
    let own = Set(uses.filter(\.isDefinition).map(\.usr))
    for use in uses where !own.contains(use.usr) && isApple(use.usr) {
      guard let version = known[use.usr] ?? synthesised(use, names) else {
        found.insert(.unknown(use.place, names[use.usr] ?? use.name))
        continue
      }
      let guaranteed = max(target, scopes[use.place.file]?.version(at: use.place) ?? target)
      if version > guaranteed {
        found.insert(.tooNew(use.place, use.name, needs: version, guaranteed: guaranteed))
      }
    }
    return found.sorted { "\($0)" < "\($1)" }
  }

  /// The rows of Foundation's table that nothing uses.
  public func unusedFoundationRows(_ uses: [SymbolUse]) -> [String] {
    let used = Set(uses.map(\.usr))
    let paths = Set(toolchain.filter { used.contains($0.usr) }.map(\.row.path))
    let names = Set(uses.map(\.name))
    return foundation.rows.map(\.path)
      .filter { path in !paths.contains(path) && !names.contains { path.hasSuffix("." + $0) } }.sorted()
  }

  // What the compiler makes for Foundation's types is in no graph; it goes by its name, as a row names it.
  private func synthesised(_ use: SymbolUse, _ names: [String: String]) -> AppleVersion? {
    guard names[use.usr] == nil else { return nil }
    return foundation.rows.first { $0.path.hasSuffix("." + use.name) }?.version
  }

  // The version of each symbol that may be used; a symbol of a shim counts only when the table has the very row.
  private func versions() -> [String: AppleVersion] {
    var result: [String: AppleVersion] = [:]
    let byPath = Dictionary(foundation.rows.map { ($0.path, $0.version) }) { max($0, $1) }
    // A requirement that was added later to a protocol has an older twin with a body, which the compiler takes on an older iOS.
    let oldest = Dictionary(toolchain.map { ($0.row.path + $0.row.declaration, $0.row.version) }) { min($0, $1) }
    for symbol in toolchain {
      if let version = byPath[symbol.row.path] {
        result[symbol.usr] = version
      } else if symbol.saysVersion || symbol.isOfTheLanguage {
        result[symbol.usr] = oldest[symbol.row.path + symbol.row.declaration] ?? symbol.row.version
      }
    }
    for (module, symbols) in shims {
      let rows = Set(tables[module]?.rows ?? [])
      for symbol in symbols where rows.contains(symbol.row) { result[symbol.usr] = symbol.row.version }
    }
    return result
  }

  // C's symbols are POSIX here and there. Of Swift's, all must be known but those of the sources' own modules and what the compiler makes
  // for the language's types.
  private func isApple(_ usr: String) -> Bool {
    guard let module = SymbolUSR.module(usr), !SymbolUSR.isAccessor(usr) else { return false }
    if SymbolUSR.extensionModules(usr, among: ownModules) { return false }
    if SymbolUSR.systemModules.contains(module) { return false }
    if SymbolUSR.languageModules.contains(module) { return languageUSRs.contains(usr) }
    return !ownModules.contains(module)
  }
}

internal import Glibc
internal import Store
internal import StorePostgres
internal import StoreSQLite

/// Opens the store that a configuration names.
enum StoreOpener {
  /// Opens it, making the folder and the file where they are missing.
  ///
  /// - Parameters:
  ///   - address: Where.
  ///   - limits: Bounds that keep the store answering.
  ///   - isExclusive: Whether this process serves from it; tools open it beside the server.
  ///   - now: For the schema's notes.
  static func open(
    _ address: DatabaseAddress, isExclusive: Bool, limits: StoreLimits = StoreLimits(), now: Timestamp
  ) throws -> any Store {
    switch address {
    case .memory: return MemoryStore(limits: limits)
    case .sqlite(let path):
      if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o700) }
      return try SQLiteStore(path: path, options: SQLiteOptions(limits: limits, isExclusive: isExclusive), now: now)
    case .postgres(let text):
      let options = PostgresOptions(connection: text, limits: limits, acceptsSoon: isExclusive)
      return try PostgresStore(options: options, now: now)
    }
  }
}

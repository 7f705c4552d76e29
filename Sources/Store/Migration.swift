/// A numbered step of the schema, forwards only.
package struct Migration: Hashable, Sendable {
  /// From 1, without gaps.
  package var version: Int
  /// For people.
  package var name: String
  package var sql: String

  package init(version: Int, name: String, sql: String) {
    self.version = version
    self.name = name
    self.sql = sql
  }

  /// A checksum of the text (FNV-1a, 64 bits, http://www.isthe.com/chongo/tech/comp/fnv/): tells an edited step from the applied one.
  package var checksum: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

/// A step that a database says it has taken.
package struct AppliedMigration: Hashable, Sendable {
  package var version: Int
  package var checksum: String

  package init(version: Int, checksum: String) {
    self.version = version
    self.checksum = checksum
  }
}

extension [Migration] {
  /// The steps still to take, in order.
  ///
  /// Throws when the database is newer, or was made by other steps.
  package func missing(after applied: [AppliedMigration]) throws(StoreError) -> [Migration] {
    let known = last?.version ?? 0
    for step in applied.sorted(by: { $0.version < $1.version }) {
      guard let own = first(where: { $0.version == step.version }) else {
        throw .newerSchema(found: applied.map(\.version).max() ?? step.version, known: known)
      }
      if own.checksum != step.checksum { throw .changedMigration(version: step.version) }
    }
    let done = Set(applied.map(\.version))
    return filter { !done.contains($0.version) }
  }
}

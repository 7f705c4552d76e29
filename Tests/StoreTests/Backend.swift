import CLinux
import Glibc
import ServerTestSupport
import Store
import StorePostgres
import StoreSQLite
import TestSupport
import Testing

/// The stores that the contract suite runs on.
enum Backend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory
  case sqlite
  case postgresql

  var testDescription: String { rawValue }

  /// Runs `body` with an empty store, and clears up after it.
  func withStore<Value>(
    limits: StoreLimits = StoreLimits(), shares: LaneShares = LaneShares(),
    _ body: (any Store) async throws -> Value
  ) async throws -> Value {
    switch self {
    case .memory:
      let store = MemoryStore(limits: limits, shares: shares)
      return try await using(store, body)
    case .sqlite:
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let options = SQLiteOptions(limits: limits, shares: shares)
      return try await using(try SQLiteStore(path: folder.path + "/aloud.db", options: options, now: t0), body)
    case .postgresql:
      let cluster = try PostgresCluster.shared.get()
      let options = PostgresOptions(
        connection: cluster.connection, schema: cluster.freshSchema(), limits: limits, shares: shares)
      return try await Gate.postgres.pass { try await using(try PostgresStore(options: options, now: t0), body) }
    }
  }

  private func using<Value>(_ store: any Store, _ body: (any Store) async throws -> Value) async throws -> Value {
    do {
      let value = try await body(store)
      await store.close()
      return value
    } catch {
      await store.close()
      throw error
    }
  }
}

/// Lets only a few in at a time: each PostgreSQL store takes several connections.
actor Gate {
  static let postgres = Gate(places: 6)

  private var places: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(places: Int) { self.places = places }

  nonisolated func pass<Value>(_ body: () async throws -> Value) async throws -> Value {
    await enter()
    do {
      let value = try await body()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if places > 0 {
      places -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
  }
}

/// Two stores on the same schema, as two processes would be.
func withTwo(_ body: (PostgresStore, PostgresStore, PostgresCluster, String) async throws -> Void)
  async throws
{
  let cluster = try PostgresCluster.shared.get()
  let schema = cluster.freshSchema()
  let options = PostgresOptions(connection: cluster.connection, schema: schema)
  try await Gate.postgres.pass {
    let first = try PostgresStore(options: options, now: t0)
    let second = try PostgresStore(options: options, now: t0)
    do { try await body(first, second, cluster, schema) } catch {
      await first.close()
      await second.close()
      throw error
    }
    await first.close()
    await second.close()
  }
}

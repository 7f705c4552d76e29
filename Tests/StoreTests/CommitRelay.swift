import CLinux
import Glibc
import ServerTestSupport
import Store
import StorePostgres
import TestSupport

/// A Unix socket in front of PostgreSQL's that can lose the answer of a COMMIT: the transaction is stored, the session's
/// connection ends, and its client never hears which.
final class CommitRelay: Sendable {
  private let folder: TemporaryFolder
  private let listener: Int32
  private let stop: Int32
  private let isArmed = StoreLock(false)
  private let thread = StoreLock<BlockingThread?>(nil)

  /// What libpq needs to connect through it.
  var connection: String { "host=\(folder.path) user=postgres dbname=postgres" }

  /// - Parameter server: the folder with the socket of the server
  init(server: String) throws {
    folder = try TemporaryFolder()
    listener = try CommitRelay.socket(folder.path) { bind($0, $1, $2) == 0 && listen($0, 64) == 0 }
    // Nothing here may live on in a child that another test starts meanwhile: it would keep connections open.
    stop = eventfd(0, Int32(EFD_CLOEXEC))
    if stop < 0 { throw TestFailure("No eventfd: \(String(cString: strerror(errno)))") }
    thread.withLock { $0 = BlockingThread { self.work(server) } }
  }

  /// The next COMMIT that PostgreSQL answers ends its connection instead.
  func loseNextAnswer() { isArmed.withLock { $0 = true } }

  /// Whether the answer was lost.
  var hasLost: Bool { isArmed.withLock { !$0 } }

  func close() {
    var one: UInt64 = 1
    _ = Glibc.write(stop, &one, 8)
    thread.withLock { $0 }?.join()
    for descriptor in [listener, stop] { Glibc.close(descriptor) }
    folder.remove()
  }

  private func work(_ server: String) {
    var pairs: [(client: Int32, server: Int32)] = []
    while true {
      let watched = [listener, stop] + pairs.flatMap { [$0.client, $0.server] }
      var ready = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&ready, nfds_t(ready.count), -1)
      if ready[1].revents != 0 { break }
      let ended = pairs.indices.filter { place in
        let (client, server) = pairs[place]
        let isOpen =
          (ready[2 + 2 * place].revents == 0 || pass(from: client, to: server, losing: false))
          && (ready[3 + 2 * place].revents == 0 || pass(from: server, to: client, losing: true))
        return !isOpen
      }
      for place in ended.reversed() {
        let pair = pairs.remove(at: place)
        Glibc.close(pair.client)
        Glibc.close(pair.server)
      }
      guard ready[0].revents != 0 else { continue }
      let client = linux_accept4(listener, Int32(SOCK_CLOEXEC.rawValue))
      if let made = try? CommitRelay.socket(server, { connect($0, $1, $2) == 0 }) {
        pairs.append((client, made))
      } else {
        Glibc.close(client)
      }
    }
    for pair in pairs {
      Glibc.close(pair.client)
      Glibc.close(pair.server)
    }
  }

  /// False: the pair is to end.
  private func pass(from source: Int32, to target: Int32, losing: Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count = recv(source, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    // CommandComplete (https://www.postgresql.org/docs/15/protocol-message-formats.html): its type, its length, the tag.
    let answer: [UInt8] = [UInt8(ascii: "C"), 0, 0, 0, 11] + "COMMIT\0".utf8
    let isLost =
      losing && buffer[..<count].contains(answer)
      && isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
    if isLost { return false }
    var sent = 0
    while sent < count {
      let step = buffer.withUnsafeBytes { send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL)) }
      if step <= 0 { return false }
      sent += step
    }
    return true
  }

  /// The socket that PostgreSQL keeps in a folder, brought into use by `join`.
  private static func socket(
    _ folder: String, _ join: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) throws -> Int32 {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(folder)/.s.PGSQL.5432".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let isJoined = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        join(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if isJoined { return descriptor }
    let reason = String(cString: strerror(errno))
    Glibc.close(descriptor)
    throw TestFailure("The socket in \(folder): \(reason)")
  }
}

/// A store whose sessions go through a relay that can lose the answer of a COMMIT.
func withRelay(_ body: (PostgresStore, CommitRelay) async throws -> Void) async throws {
  let cluster = try PostgresCluster.shared.get()
  let relay = try CommitRelay(server: cluster.folder)
  defer { relay.close() }
  try await Gate.postgres.pass {
    let options = PostgresOptions(connection: relay.connection, schema: cluster.freshSchema())
    let store = try PostgresStore(options: options, now: t0)
    do { try await body(store, relay) } catch {
      await store.close()
      throw error
    }
    await store.close()
  }
}

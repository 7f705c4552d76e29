import Glibc
import HTTPTransport

/// The CPU time of all processes of a PostgreSQL server on this machine.
struct BenchDatabase: Sendable {
  /// The process that starts the others.
  private let postmaster: Int

  /// Asks the server for the number of its first process, which only a superuser is told; nil: it is not told, or not on this machine.
  init?(address: String) {
    let asked = try? BenchProcess.run([
      "psql", "-X", "-A", "-t", "-q", "-c", "SELECT pg_read_file('postmaster.pid')", address,
    ])
    guard let line = asked?.output.split(separator: "\n").first, let number = Int(line) else { return nil }
    postmaster = number
    if BenchProcess.cpuTicks(of: number) == nil { return nil }
  }

  /// User and system seconds so far, those of ended sessions with them.
  func cpuSecondsSoFar() -> Double {
    guard let folder = opendir("/proc"), let own = BenchProcess.cpuTicks(of: postmaster) else { return 0 }
    defer { closedir(folder) }
    var ticks = own.own + own.waitedFor
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let number = Int(name), let child = BenchProcess.cpuTicks(of: number), child.parent == postmaster else {
        continue
      }
      ticks += child.own
    }
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

/// CPU time that a phase takes, in the server's processes and in the database's.
struct BenchMeter {
  /// Microseconds of CPU for each of so many events.
  struct Cost {
    var server: Double
    /// Nil: the database has no processes of its own, or they cannot be seen.
    var database: Double?

    var sum: Double { server + (database ?? 0) }
    var text: String { "\(Int(server)) µs" + (database.map { ", and \(Int($0)) µs in PostgreSQL" } ?? "") }
  }

  private let processes: [BenchProcess]
  private let database: BenchDatabase?
  private let atStart: (server: Double, database: Double)

  /// Begins to count.
  init(_ processes: [BenchProcess], _ database: BenchDatabase?) {
    (self.processes, self.database) = (processes, database)
    atStart = (Self.seconds(processes), database?.cpuSecondsSoFar() ?? 0)
  }

  /// What has been used since the start, shared by so many events.
  func microseconds(_ events: Int) -> Cost {
    let scale = 1e6 / Double(max(1, events))
    return Cost(
      server: (Self.seconds(processes) - atStart.server) * scale,
      database: database.map { ($0.cpuSecondsSoFar() - atStart.database) * scale })
  }

  private static func seconds(_ processes: [BenchProcess]) -> Double {
    processes.reduce(0) { $0 + $1.cpuSecondsSoFar() }
  }
}

/// What this disk needs to make a page durable, again and again beside a phase.
struct BenchFsync: Sendable {
  let folder: String

  /// Seconds of each fsync until the task is cancelled: at most fifty a second, so that the watching is no load.
  func watch() async -> [Double] {
    let path = folder + "/fsync"
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    guard file >= 0 else { return [] }
    defer {
      close(file)
      unlink(path)
    }
    var times: [Double] = []
    while !Task.isCancelled {
      times.append(
        await Thread.run("bench-fsync") {
          let page = [UInt8](repeating: 7, count: 4_096)
          let started = EventLoop.monotonicSeconds()
          _ = write(file, page, page.count)
          fsync(file)
          return EventLoop.monotonicSeconds() - started
        })
      do { try await Task.sleep(nanoseconds: 20_000_000) } catch { break }
    }
    return times
  }
}

internal import APNsClient
internal import APNsWire
internal import CLinux
internal import Glibc
internal import HTTPTransport
internal import PushPayload

/// `aloud bench sender`: CPU time per push of our sender beside the C floor, h2load and aioapns, against one server process.
package struct BenchSender: Sendable {
  package struct Options: Sendable {
    package var count = 20_000
    package var inFlight = 100
    /// Each program runs so often, in turn; the least CPU time counts.
    package var rounds = 5
    /// The server answers so much later: a round-trip time.
    package var delayMilliseconds = 0
    /// The folder with `push_floor.c` and `push_aioapns.py`.
    package var toolsFolder = "Tools/bench"
    /// The program to start as server: this one.
    package var program = "/proc/self/exe"
    package var python = "python3"

    package init() {}
  }

  /// One program's figures.
  package struct Row: Sendable {
    package var name: String
    package var microsecondsPerPush: Double
    package var pushesPerSecond: Double
    package var peakKiB: Int
    package var accepted: Int
    package var note: String
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  let options: Options
  static let topic = "com.example.app"
  static let keyID = "BENCHKEY01"
  static let teamID = "BENCHTEAM1"

  package init(_ options: Options = Options()) { self.options = options }

  /// Runs everything and returns a row for each program that is there, the floor first.
  ///
  /// - Parameter progress: Hears what is being done, one line each.
  package func run(progress: @escaping @Sendable (String) -> Void) async throws -> [Row] {
    let folder = try BenchFolder()
    defer { folder.remove() }
    let files = try folder.prepare()
    let server = try BenchProcess([
      options.program, "bench", "sender", "--serve", "--identity", files.identity, "--delay-ms",
      String(options.delayMilliseconds),
    ])
    guard let port = server.readLine().flatMap({ Int($0) }) else {
      throw Failure(description: "the bench's server did not start")
    }
    var rivals = try makeRivals(files, port)
    var rows: [String: Row] = [:]
    for round in 1...max(1, options.rounds) {
      for index in rivals.indices {
        progress("round \(round): \(rivals[index].name)")
        let row = try await rivals[index].run(options.count)
        if row.microsecondsPerPush < rows[row.name]?.microsecondsPerPush ?? .infinity { rows[row.name] = row }
      }
      rivals.removeAll { $0.runsOnce }
    }
    _ = server.finish()
    return rows.values.sorted { $0.microsecondsPerPush < $1.microsecondsPerPush }
  }

  /// Lines for a terminal, each with its ratio to the floor.
  package static func table(_ rows: [Row]) -> String {
    let floor = rows.first { $0.name == floorName }?.microsecondsPerPush
    let lines = rows.map { row in
      let ratio = floor.map { "\(rounded(row.microsecondsPerPush / $0, 2)) ×" } ?? "–"
      return [
        row.name.padded(26), rounded(row.microsecondsPerPush, 1).padded(-9), ratio.padded(-9),
        String(Int(row.pushesPerSecond)).padded(-9), String(row.peakKiB / 1_024).padded(-7), "  \(row.note)",
      ].joined()
    }
    let title = [
      "sender".padded(26), "µs/push".padded(-9), "floor".padded(-9), "push/s".padded(-9), "MiB".padded(-7),
    ].joined()
    return ([title] + lines).joined(separator: "\n")
  }

  static let floorName = "nghttp2 from C (floor)"

  // MARK: the programs

  private struct Rival: Sendable {
    var name: String
    var runsOnce = false
    var run: @Sendable (Int) async throws -> Row
  }

  private func makeRivals(_ files: BenchFolder.Files, _ port: Int) throws -> [Rival] {
    let floor = files.folder + "/push_floor"
    let built = try BenchProcess.run([
      "cc", "-O2", "-o", floor, options.toolsFolder + "/push_floor.c", "-lnghttp2", "-lssl", "-lcrypto",
    ])
    guard built.exitStatus == 0 else {
      throw Failure(description: "cc cannot build \(options.toolsFolder)/push_floor.c")
    }
    let token = try files.credential.sign(issuedAt: SystemTime.unixSeconds()).text
    let common = [String(port), "COUNT", String(options.inFlight), files.authority, files.payload]
    var rivals = [
      child(Self.floorName, [floor] + common + [token]),
      Rival(name: "aloud, batches") { try await ownRow("aloud, batches", files, port, $0, SenderLoad.batches) },
      Rival(name: "aloud, async") { try await ownRow("aloud, async", files, port, $0, SenderLoad.tasks) },
    ]
    if (try? BenchProcess.run(["h2load", "--version"]))?.exitStatus == 0 {
      rivals.append(
        child(
          "h2load",
          h2load(count: "COUNT", port: port, device: String(repeating: "ab", count: 32), files, token),
          note: "the same token and id each time"))
    }
    if (try? BenchProcess.run([options.python, "-c", "import aioapns"]))?.exitStatus == 0 {
      var aioapns = child(
        "aioapns",
        [options.python, options.toolsFolder + "/push_aioapns.py"] + common + [files.key, Self.keyID, Self.teamID])
      aioapns.runsOnce = true
      rivals.append(aioapns)
    }
    return rivals
  }

  func makeSender(_ files: BenchFolder.Files, _ port: Int) throws -> APNsSender {
    var configuration = APNsSenderConfiguration()
    configuration.services = [.production: .init(host: "localhost", port: port)]
    configuration.trust = .authorities(pem: files.authorityPEM)
    return try APNsSender(configuration, credentials: [files.credential])
  }

  /// h2load's command line for pushes to one device, each with the same id.
  func h2load(count: String, port: Int, device: String, _ files: BenchFolder.Files, _ token: String) -> [String] {
    let headers = [
      "authorization: bearer \(token)", "apns-topic: \(Self.topic)", "apns-push-type: alert", "apns-priority: 10",
      "apns-expiration: 0", "apns-id: 00000000-0000-4000-8000-000000000000",
    ]
    return ["h2load", "-n", count, "-c", "1", "-m", String(options.inFlight), "-d", files.payload]
      + headers.flatMap { ["-H", $0] } + ["https://127.0.0.1:\(port)/3/device/\(device)"]
  }

  private func child(_ name: String, _ arguments: [String], note: String = "") -> Rival {
    Rival(name: name) { count in
      let started = EventLoop.monotonicSeconds()
      let result = try BenchProcess.run(arguments.map { $0 == "COUNT" ? String(count) : $0 })
      let seconds = EventLoop.monotonicSeconds() - started
      guard result.exitStatus == 0 else { throw Failure(description: "\(name) failed: \(result.output.suffix(200))") }
      return Row(
        name: name, microsecondsPerPush: result.cpuSeconds / Double(count) * 1e6,
        pushesPerSecond: Double(count) / seconds,
        peakKiB: result.peakKiB, accepted: count, note: note)
    }
  }

  private func ownRow(
    _ name: String, _ files: BenchFolder.Files, _ port: Int, _ count: Int, _ load: SenderLoad
  ) async throws -> Row {
    let cpu = BenchProcess.ownCPUSeconds()
    let started = EventLoop.monotonicSeconds()
    let sender = try makeSender(files, port)
    let accepted = await load.run(sender, count: count, inFlight: options.inFlight, payload: files.payloadBytes)
    let seconds = EventLoop.monotonicSeconds() - started
    let used = BenchProcess.ownCPUSeconds() - cpu
    await sender.stop()
    guard accepted == count else {
      throw Failure(description: "\(count - accepted) of \(count) pushes were not accepted")
    }
    return Row(
      name: name, microsecondsPerPush: used / Double(count) * 1e6, pushesPerSecond: Double(count) / seconds,
      peakKiB: BenchProcess.memoryKiB("VmHWM:", of: "self"), accepted: accepted, note: "exactly once, one connection")
  }
}

extension String {
  /// Filled with spaces to a width; negative widths align to the right.
  fileprivate func padded(_ width: Int) -> String {
    let fill = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? fill + self : self + fill
  }
}

private func rounded(_ value: Double, _ places: Int) -> String {
  let scale = places == 1 ? 10 : 100
  let whole = Int((value * Double(scale)).rounded())
  let tail = String(whole % scale)
  return "\(whole / scale).\(String(repeating: "0", count: places - tail.count))\(tail)"
}

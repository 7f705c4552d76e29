internal import APNsClient
internal import APNsWire
internal import CLinux
internal import Glibc
internal import HTTPTransport

/// What the sender must reach, each figure from a process that does nothing but push.
extension BenchSender {
  /// One run of the sender in a process of its own.
  private struct Run {
    var pushesPerSecond: Double
    var result: BenchProcess.Result
    var counts: BenchSenderService.Counts
  }

  /// Sends with the files of another bench process; gives pushes a second, connecting excluded, as text.
  func pushOnly(folder: String, port: Int) async throws -> String {
    let files = try BenchFolder(existing: folder).read()
    let sender = try makeSender(files, port)
    // The first push opens the connection and proves it.
    _ = await SenderLoad.batches.run(sender, count: 1, inFlight: 1, payload: files.payloadBytes)
    let started = EventLoop.monotonicSeconds()
    let accepted = await SenderLoad.batches.run(
      sender, count: options.count, inFlight: options.inFlight, payload: files.payloadBytes)
    let seconds = EventLoop.monotonicSeconds() - started
    await sender.stop()
    return "\(Int(Double(options.count) / seconds)) \(accepted)"
  }

  /// The rows, beside the floor and the peers that ran before.
  func musts(beside rows: [Row], progress: @escaping @Sendable (String) -> Void) async throws -> [BenchRow] {
    let folder = try BenchFolder()
    defer { folder.remove() }
    let files = try folder.prepare()
    var lines = besidePeers(rows)
    progress("without delay, a process of its own")
    let plain = try best(3) { try run(files, inFlight: options.inFlight, count: 50_000) }
    let peer = rows.first { $0.name == "h2load" }?.pushesPerSecond
    lines.append(
      BenchRow("pushes/s, no delay", "\(Int(plain.pushesPerSecond))", "≥ 40,000", plain.pushesPerSecond >= 40_000))
    if let peer {
      let share = plain.pushesPerSecond / peer
      lines.append(BenchRow("… of h2load's \(Int(peer))", "\(percent(share))", "≥ 50 %", share >= 0.5))
    }
    progress("20 ms round trip, 100 in flight")
    let slow = try best(3) { try run(files, inFlight: 100, count: 20_000, delay: 20) }
    lines.append(
      BenchRow(
        "20 ms round trip, 100 in flight, one connection", "\(Int(slow.pushesPerSecond))/s", "≥ 4,500/s",
        slow.pushesPerSecond >= 4_500))
    lines.append(
      BenchRow(
        "client resets; connections; doubles, that run",
        "\(slow.counts.resets); \(slow.counts.connections); \(slow.counts.doubles)", "0; 1; 0",
        slow.counts.resets == 0 && slow.counts.connections == 1 && slow.counts.doubles == 0))
    progress("20 ms round trip, 1,000 in flight")
    let wide = try best(5) { try run(files, inFlight: 1_000, count: 100_000, delay: 20) }
    lines.append(
      BenchRow(
        "20 ms round trip, 1,000 in flight", "\(Int(wide.pushesPerSecond))/s", "≥ 45,000/s",
        wide.pushesPerSecond >= 45_000))
    let peak = wide.result.peakKiB
    lines.append(
      BenchRow("memory, 1,000 in flight", "\(peak / 1_024) MiB", "≤ 30 MiB", peak <= 30 * 1_024))
    progress("1 % dead tokens")
    let dead = try best(3) { try run(files, inFlight: 100, count: 20_000, delay: 20, deadEvery: 100) }
    let kept = dead.pushesPerSecond / slow.pushesPerSecond
    lines.append(
      BenchRow("rate with 1 % dead tokens and the squeeze to one stream", percent(kept), "≥ 80 %", kept >= 0.8))
    progress("the sandbox")
    if let sandbox = try BenchSandbox(options: options).row(files) { lines.append(sandbox) }
    progress("instructions, by callgrind")
    if let instructions = try instructionsPerPush(files) {
      lines.append(
        BenchRow("instructions a push", "\(instructions)", "≤ 60,000", instructions <= 60_000))
    }
    return lines
  }

  private func besidePeers(_ rows: [Row]) -> [BenchRow] {
    func cpu(_ name: String) -> Double? { rows.first { $0.name == name }?.microsecondsPerPush }
    guard let own = cpu("aloud, batches") else { return [] }
    var lines = [BenchRow("CPU a push", "\(tenths(own)) µs", "≤ 15 µs", own <= 15)]
    if let floor = cpu(Self.floorName) {
      lines.append(BenchRow("… × the floor", tenths(own / floor), "≤ 2.5", own <= 2.5 * floor))
    }
    if let peer = cpu("aioapns") {
      lines.append(BenchRow("… of aioapns", "1/\(Int(peer / own))", "≤ 1/35", own * 35 <= peer))
    }
    return lines
  }

  private func run(
    _ files: BenchFolder.Files, inFlight: Int, count: Int, delay: Int = 0, deadEvery: Int = 0, wrapper: [String] = []
  ) throws -> Run {
    let server = try BenchProcess([
      options.program, "bench", "sender", "--serve", "--identity", files.identity, "--delay-ms", "\(delay)",
      "--dead-every", "\(deadEvery)",
    ])
    guard let port = server.readLine() else { throw Failure(description: "the bench's server did not start") }
    let result = try BenchProcess.run(
      wrapper + [
        // Under valgrind /proc/self/exe would be valgrind.
        wrapper.isEmpty ? options.program : VoiceLibrary.programPath() ?? options.program, "bench", "sender", "--push",
        files.folder, "--port", port, "--count", "\(count)",
        "--in-flight", "\(inFlight)",
      ])
    let counts = BenchSenderService.Counts(server.finish().output.trimmedLine)
    let numbers = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard result.exitStatus == 0, numbers.count == 2, let counts else {
      throw Failure(description: "the sender's process failed: \(result.output.suffix(200))")
    }
    let dead = deadEvery > 0 ? count / deadEvery + 1 : 0
    guard numbers[1] >= count - dead else {
      throw Failure(description: "\(count - numbers[1]) of \(count) pushes were not accepted")
    }
    return Run(pushesPerSecond: Double(numbers[0]), result: result, counts: counts)
  }

  private func best(_ rounds: Int, _ run: () throws -> Run) throws -> Run {
    var runs: [Run] = []
    for _ in 0..<rounds { runs.append(try run()) }
    return runs.dropFirst().reduce(runs[0]) { $1.pushesPerSecond > $0.pushesPerSecond ? $1 : $0 }
  }

  /// The slope between two counts, so that the start does not count; nil without valgrind.
  private func instructionsPerPush(_ files: BenchFolder.Files) throws -> Int? {
    guard (try? BenchProcess.run(["valgrind", "--version"]))?.exitStatus == 0 else { return nil }
    let output = files.folder + "/callgrind.out"
    defer { unlink(output) }
    func total(_ count: Int) throws -> Int {
      let wrapper = ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=\(output)"]
      _ = try run(files, inFlight: 100, count: count, wrapper: wrapper)
      let text = String(decoding: try FileBytes.read(path: output), as: UTF8.self)
      let line = text.split(separator: "\n").last { $0.hasPrefix("totals:") || $0.hasPrefix("summary:") }
      return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
    let (few, many) = (2_000, 6_000)
    return (try total(many) - total(few)) / (many - few)
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  func tenths(_ value: Double) -> String {
    let whole = Int((value * 10).rounded())
    return "\(whole / 10).\(whole % 10)"
  }
}

extension String {
  /// The last line that is not empty.
  fileprivate var trimmedLine: String { split(separator: "\n").last.map(String.init) ?? "" }
}

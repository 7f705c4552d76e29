import HTTPTransport

/// The phases with rows that wait.
extension BenchServerRun {
  /// Fills the queue while nobody sends, starts again, and lets alarms overtake what waits.
  func backlog(_ key: String) async throws -> [BenchRow] {
    let peer = place.isPostgres ? try BenchPeers(options).pgbench(place.database, clients: options.callers) : nil
    progress("\(place.name): \(options.backlog) reports wait")
    let filling = try place.serve(workers: 0)
    let resident = filling.process.residentKiB()
    let bytes = try BenchTarget(port: filling.port, key: key).storeBytes()
    let fillRate: Double
    let fillCost: BenchMeter.Cost
    do {
      let meter = meter([filling.process])
      fillRate = try await fill("r", BenchTarget(port: filling.port, key: key))
      fillCost = meter.microseconds(options.backlog)
    } catch {
      filling.process.terminate()
      throw error
    }
    let grown = filling.process.residentKiB() - resident
    filling.process.terminate()
    let before = pushes.events
    let began = EventLoop.monotonicSeconds()
    let sending = try place.serve()
    defer { sending.process.terminate() }
    let alarms = 200
    let times = try await waits(
      BenchTarget(port: sending.port, key: key), "\(ids)a-", alarms, 100, Self.alarm)
    let waiting = options.backlog + alarms - (pushes.events - before)
    let seconds = try await drained(before + options.backlog + alarms) - began
    let p99 = times.toPush().milliseconds(0.99)
    var rows = [
      BenchRow("memory, +\(options.backlog) queued", "+" + Self.mebibytes(grown), "≤ +16 MiB", grown <= 16 * 1_024),
      BenchRow(
        "start to ready, \(options.tokens) tokens and \(options.backlog) rows", "\(sending.readyMilliseconds) ms",
        "≤ 300 ms",
        sending.readyMilliseconds <= 300),
      BenchRow(
        "alarms, \(waiting) reports still waiting afterwards",
        "p50 \(text(times.toPush().milliseconds(0.5))), p99 \(text(p99)) ms",
        "p99 ≤ 50 ms", p99 <= 50),
    ]
    if let peer {
      rows.append(
        BenchRow("floor: pgbench, one insert a transaction, \(options.callers) clients", "\(Int(peer))/s"))
      // What pgbench does is to insert and nothing else, and so does the server here, right after it.
      rows.append(
        BenchRow(
          "group insert: accepted, batches of 100, nobody sends",
          "\(Int(fillRate)) events/s, \(text(fillRate / peer)) × pgbench; \(fillCost.text)", "≥ 3 × pgbench",
          fillRate >= 3 * peer))
      sending.process.stop()
      defer { sending.process.resume() }
      rows += try await drains(key)
    } else {
      let rate = Double(options.backlog + alarms) / seconds
      let perCore = Double(options.backlog + alarms) / max(sending.process.cpuSecondsSoFar(), 0.01)
      rows.append(
        BenchRow(
          "drain", "\(Int(rate))/s, \(Int(perCore)) a second of CPU", "≥ 8,000 a second of a core", perCore >= 8_000))
      let size = (try BenchTarget(port: sending.port, key: key).storeBytes() - bytes) / 1_024
      rows.append(
        BenchRow("disk, \(options.backlog) finished events", Self.mebibytes(size), "≤ 40 MiB", size <= 40 * 1_024))
    }
    return rows
  }

  /// The same backlog with one worker process and with two, at once and where APNs is far away.
  ///
  /// Where one worker fills the cores that it shares with the database, a second cannot make it faster; what it costs says whether they
  /// stand in each other's way. Far away, what one worker keeps under way is what limits it, and a second must add its own.
  private func drains(_ key: String) async throws -> [BenchRow] {
    let one = try await drain(key, "t", workers: 1)
    let two = try await drain(key, "u", workers: 2)
    pushes.setDelay(milliseconds: Self.farMilliseconds)
    defer { pushes.setDelay(milliseconds: 0) }
    let far = try await drain(key, "v", workers: 1)
    let bothFar = try await drain(key, "w", workers: 2)
    return [
      BenchRow("drain, one worker", "\(Int(one.rate))/s; \(one.cost.text)", "≥ 3,500/s", one.rate >= 3_500),
      BenchRow(
        "drain, two workers",
        "\(Int(two.rate))/s; \(two.cost.text): \(percent(two.cost.sum / one.cost.sum)) of one's CPU"),
      BenchRow(
        "drain, APNs \(Self.farMilliseconds) ms away: one worker, two",
        "\(Int(far.rate))/s, \(Int(bothFar.rate))/s: \(text(bothFar.rate / far.rate)) ×", "≥ 1.7 ×",
        bothFar.rate >= 1.7 * far.rate),
    ]
  }

  /// A round trip at which a worker's thousand pushes under way are fewer a second than a core can make.
  private static let farMilliseconds = 200

  private func drain(_ key: String, _ name: String, workers count: Int) async throws
    -> (rate: Double, cost: BenchMeter.Cost)
  {
    progress("PostgreSQL: \(count == 1 ? "one worker sends" : "\(count) workers share") \(options.backlog)")
    let filling = try place.serve(workers: 0)
    do { _ = try await fill(name, BenchTarget(port: filling.port, key: key)) } catch {
      filling.process.terminate()
      throw error
    }
    filling.process.terminate()
    let before = pushes.events
    let meter = meter([])
    let workers = try (0..<count).map { _ in try place.worker() }
    defer { for worker in workers { worker.terminate() } }
    // Counted from the first push: the time that a process needs to start is another figure.
    _ = await pushes.wait(events: before + 1, seconds: 60)
    let began = EventLoop.monotonicSeconds()
    let rate = Double(options.backlog) / (try await drained(before + options.backlog) - began)
    var cost = meter.microseconds(options.backlog)
    cost.server = workers.reduce(0) { $0 + $1.cpuSecondsSoFar() } / Double(options.backlog) * 1e6
    return (rate, cost)
  }

  /// Lets so many reports wait as there are phones; events a second.
  private func fill(_ name: String, _ target: BenchTarget) async throws -> Double {
    let began = EventLoop.monotonicSeconds()
    try await post(0..<options.backlog, "\(ids)\(name)", Self.report, target)
    return Double(options.backlog) / (EventLoop.monotonicSeconds() - began)
  }

  private func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }
}

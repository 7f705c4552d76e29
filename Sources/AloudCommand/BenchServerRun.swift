import ExactJSON
import Glibc
import HTTPTransport

/// All phases on one database.
struct BenchServerRun: Sendable {
  private let bench: BenchServer
  let place: BenchPlace
  let progress: @Sendable (String) -> Void
  /// The processes of the database, where it has some of its own.
  let database: BenchDatabase?
  var options: BenchServer.Options { bench.options }
  var pushes: BenchPushService { bench.pushes }
  /// In front of the event ids: both databases push to the same service.
  var ids: String { place.isPostgres ? "p-" : "s-" }

  init(_ bench: BenchServer, _ place: BenchPlace, _ progress: @escaping @Sendable (String) -> Void) {
    (self.bench, self.place, self.progress) = (bench, place, progress)
    database = place.isPostgres ? BenchDatabase(address: place.database) : nil
  }

  /// Start and registry, then single events, batches and paced events, then a backlog.
  func all() async throws -> [BenchRow] {
    var rows: [BenchRow] = []
    let first = try place.serve()
    guard let key = first.key else { throw BenchSender.Failure(description: "the database was not empty") }
    let target = BenchTarget(port: first.port, key: key)
    do {
      rows += try await registry(first.process, target)
      rows += try await single(first.process, target)
      rows += try await batches(first.process, target)
      rows += try await paced(target, perSecond: 200, delay: 0)
      rows += try await paced(target, perSecond: 1_000, delay: 20)
      first.process.terminate()
    } catch {
      first.process.terminate()
      throw error
    }
    rows += try await backlog(key)
    return rows.map { row in
      var row = row
      row.what = "\(place.name): \(row.what)"
      return row
    }
  }

  // MARK: phases

  private func registry(_ server: BenchProcess, _ target: BenchTarget) async throws -> [BenchRow] {
    progress("\(place.name): registering \(options.tokens) phones")
    let idle = server.residentKiB()
    let bytes = try target.storeBytes()
    try await target.spread(options.tokens, over: options.callers) { caller, number in
      let answer = try caller.send("POST", "/v1/devices", Self.device(number))
      guard answer.status == 201 else { throw Self.refused("a phone", answer.status) }
    }
    let all = server.residentKiB()
    let grown = all - idle
    var rows = [
      BenchRow("memory, idle", Self.mebibytes(idle), "≤ 25 MiB", idle <= 25 * 1_024),
      options.tokens < 1_000_000
        ? BenchRow("memory, +\(options.tokens) tokens", "+" + Self.mebibytes(grown), "≤ +24 MiB", grown <= 24 * 1_024)
        : BenchRow("memory, \(options.tokens) tokens, in all", Self.mebibytes(all), "≤ 96 MiB", all <= 96 * 1_024),
    ]
    if !place.isPostgres {
      let size = (try target.storeBytes() - bytes) / 1_024
      let limit = options.tokens / 5_000
      rows.append(
        BenchRow("disk, \(options.tokens) tokens", Self.mebibytes(size), "≤ \(limit) MiB", size <= limit * 1_024))
    }
    return rows
  }

  private func single(_ server: BenchProcess, _ target: BenchTarget) async throws -> [BenchRow] {
    progress("\(place.name): \(options.count) events, one a request, \(options.callers) callers")
    let latencies = Locked<[Double]>([])
    let fsync = BenchFsync(folder: place.scratch)
    let watching = Task { await fsync.watch() }
    let ids = ids
    let round = try await rounds(server) { numbers in
      try await target.spread(numbers.count, over: options.callers) { caller, place in
        let number = numbers.lowerBound + place
        let started = EventLoop.monotonicSeconds()
        try Self.accept(caller, "\(ids)s\(number)", number)
        let seconds = EventLoop.monotonicSeconds() - started
        latencies.withLock { $0.append(seconds) }
      }
    }
    watching.cancel()
    let sync = Percentiles(await watching.value).milliseconds(0.99)
    let (cost, rate) = (round.cost, round.accepted)
    let times = Percentiles(latencies.withLock { $0 })
    let limit = place.isPostgres ? 180.0 : 110
    var rows = [
      BenchRow("CPU an event, REST to written result", cost.text, "≤ \(Int(limit)) µs", cost.server <= limit)
    ]
    if place.isPostgres {
      rows.append(BenchRow("accepted, one a request", "\(Int(rate))/s"))
    } else {
      rows += try BenchPeers(options).sqlite(folder: place.data).map { BenchRow("floor: \($0.what)", $0.figure) }
      rows.append(BenchRow("accepted, one a request", "\(Int(rate))/s", "≥ 5,000/s", rate >= 5_000))
    }
    let p99 = times.milliseconds(0.99)
    rows.append(BenchRow("floor: fsync of a page meanwhile, p99", "\(text(sync)) ms"))
    rows.append(
      BenchRow(
        "accept p50 / p99", "\(text(times.milliseconds(0.5))) / \(text(p99)) ms", "p99 ≤ fsync p99 + 5 ms",
        p99 <= sync + 5))
    rows.append(BenchRow("accepted and pushed", "\(Int(round.pushed))/s"))
    return rows
  }

  private func batches(_ server: BenchProcess, _ target: BenchTarget) async throws -> [BenchRow] {
    progress("\(place.name): \(options.count) events in batches of 100")
    let round = try await rounds(server) { numbers in
      try await post(numbers, "\(ids)b", Self.payment, target)
    }
    let rate = round.accepted
    let cost = BenchRow("CPU an event, batches of 100", round.cost.text)
    let what = "accepted, batches of 100"
    if place.isPostgres { return [cost, BenchRow(what + ", and sent meanwhile", "\(Int(rate)) events/s")] }
    return [cost, BenchRow(what, "\(Int(rate)) events/s", "≥ 15,000/s", rate >= 15_000)]
  }

  private func paced(_ target: BenchTarget, perSecond: Int, delay: Int) async throws -> [BenchRow] {
    progress("\(place.name): \(perSecond) a second" + (delay > 0 ? " at \(delay) ms round trip" : ""))
    pushes.setDelay(milliseconds: delay)
    defer { pushes.setDelay(milliseconds: 0) }
    let before = pushes.events
    let count = perSecond * 5
    let fsync = BenchFsync(folder: place.scratch)
    let watching = Task { await fsync.watch() }
    let times = try await waits(target, "\(ids)p\(perSecond)-", count, perSecond, Self.payment)
    try await drained(before + count)
    watching.cancel()
    let sync = Percentiles(await watching.value).milliseconds(0.99)
    let (p50, p99) = (times.toPush().milliseconds(0.5), times.toPush().milliseconds(0.99))
    let accepted = times.accepted.milliseconds(0.99)
    let (must, isMet) =
      delay > 0
      ? ("p99 ≤ 50 ms", p99 <= 50)
      : place.isPostgres
        ? ("p99 ≤ 40 ms", p99 <= 40) : ("p50 ≤ 3 ms, p99 ≤ 20 ms", p50 <= 3 && p99 <= 20)
    return [
      BenchRow(
        "accept to APNs, \(perSecond)/s" + (delay > 0 ? ", \(delay) ms round trip" : ""),
        "p50 \(text(p50)), p99 \(text(p99)) ms", must, isMet),
      BenchRow(
        "accept p50 / p99 at \(perSecond)/s, beside fsync p99 \(text(sync)) ms",
        "\(text(times.accepted.milliseconds(0.5))) / \(text(accepted)) ms", "p99 ≤ fsync p99 + 5 ms",
        accepted <= sync + 5),
    ]
  }

  // MARK: load

  /// Begins to count CPU time.
  func meter(_ processes: [BenchProcess]) -> BenchMeter { BenchMeter(processes, database) }

  /// What several rounds of a phase cost and gave.
  private struct Rounds {
    /// Of the cheapest: the others only had more neighbours.
    var cost: BenchMeter.Cost
    /// Events accepted, and pushed, a second over all rounds.
    var accepted: Double
    var pushed: Double
  }

  /// Does a phase in five parts of equal size, each after the last event of the one before has been pushed.
  private func rounds(_ server: BenchProcess, _ body: (Range<Int>) async throws -> Void) async throws -> Rounds {
    let size = options.count / 5 / 100 * 100
    var costs: [BenchMeter.Cost] = []
    var (accepting, pushing) = (0.0, 0.0)
    for round in 0..<5 {
      let meter = meter([server])
      let before = pushes.events
      let began = EventLoop.monotonicSeconds()
      try await body(round * size..<(round + 1) * size)
      accepting += EventLoop.monotonicSeconds() - began
      pushing += try await drained(before + size) - began
      costs.append(meter.microseconds(size))
    }
    progress("  rounds: " + costs.map(\.text).joined(separator: "; "))
    guard let least = costs.min(by: { $0.sum < $1.sum }) else { throw BenchSender.Failure(description: "no round") }
    let all = Double(5 * size)
    return Rounds(cost: least, accepted: all / accepting, pushed: all / pushing)
  }

  /// Posts events in batches of 100 over sixteen connections.
  func post(
    _ numbers: Range<Int>, _ name: String, _ event: @escaping @Sendable (String, Int) -> String, _ target: BenchTarget
  ) async throws {
    try await target.spread(numbers.count / 100, over: 16) { caller, batch in
      let first = numbers.lowerBound + batch * 100
      let list = (first..<first + 100).map { event("\(name)\($0)", $0) }.joined(separator: ",")
      let answer = try caller.send("POST", "/v1/events/batch", "[\(list)]")
      guard answer.status == 202 else { throw Self.refused("a batch", answer.status) }
    }
  }

  /// Posts at a steady pace; gives how long the answers took and, once all have come, the times from there until the push's
  /// bytes are at APNs.
  func waits(
    _ target: BenchTarget, _ name: String, _ count: Int, _ perSecond: Int,
    _ event: @escaping @Sendable (String, Int) -> String
  ) async throws -> (accepted: Percentiles, toPush: () -> Percentiles) {
    let taken = Locked<[String: Double]>([:])
    let accepting = Locked<[Double]>([])
    let began = EventLoop.monotonicSeconds()
    // Several connections, so that one slow answer does not delay the next request.
    try await target.spread(count, over: 8) { caller, number in
      let due = began + Double(number) / Double(perSecond)
      let wait = due - EventLoop.monotonicSeconds()
      // The pace is what is measured under; the thread is the caller's own.
      if wait > 0 { usleep(UInt32(wait * 1e6)) }
      let text = event("\(name)\(number)", number)
      let asked = EventLoop.monotonicSeconds()
      let answer = try caller.send("POST", "/v1/events", text)
      guard answer.status == 202 else { throw Self.refused("an event", answer.status) }
      let now = EventLoop.monotonicSeconds()
      accepting.withLock { $0.append(now - asked) }
      taken.withLock { $0["\(name)\(number)"] = now }
    }
    let pushes = pushes
    return (
      Percentiles(accepting.withLock { $0 }),
      { Percentiles(taken.withLock { $0 }.compactMap { id, at in pushes.arrival(id).map { max(0, $0 - at) } }) }
    )
  }

  /// Waits until so many events have come; when the last one did.
  @discardableResult
  func drained(_ events: Int) async throws -> Double {
    guard await pushes.wait(events: events, seconds: 180) else {
      throw BenchSender.Failure(description: "\(events - pushes.events) events did not reach the push service")
    }
    let end = EventLoop.monotonicSeconds()
    // The last outcomes are written in the worker's next round, a few milliseconds later; nothing that is cheap to ask says when.
    try await Task.sleep(nanoseconds: 200_000_000)
    return end
  }

  private static func accept(_ caller: BenchCaller, _ id: String, _ number: Int) throws {
    let answer = try caller.send("POST", "/v1/events", payment(id, number))
    guard answer.status == 202 else { throw refused("an event", answer.status) }
  }

  private static func refused(_ what: String, _ status: Int) -> BenchSender.Failure {
    BenchSender.Failure(description: "\(what) was not accepted: \(status)")
  }

  // MARK: texts

  private static func device(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    let token = String(repeating: "0", count: 64 - digits.count) + digits
    return
      #"{"token":"\#(token)","topic":"\#(BenchSender.topic)","user":"u\#(number)","locale":"zh-CN","pack":{"id":"p","version":"1"}}"#
  }

  @Sendable private static func payment(_ id: String, _ number: Int) -> String {
    #"{"id":"\#(id)","to":{"user":"u\#(number)"},"kind":"payment.received","amount":"28.50","currency":"CNY"}"#
  }

  @Sendable static func report(_ id: String, _ number: Int) -> String {
    #"{"id":"\#(id)","to":{"user":"u\#(number)"},"kind":"text","text":"今天收款三百笔","class":"report"}"#
  }

  @Sendable static func alarm(_ id: String, _ number: Int) -> String {
    #"{"id":"\#(id)","to":{"user":"u\#(number)"},"kind":"approval.requested"}"#
  }

  static func mebibytes(_ kibibytes: Int) -> String {
    let tenths = Int((Double(kibibytes) / 102.4).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) MiB"
  }

  func text(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

internal import APNsWire
internal import HTTPTransport

/// One push on its way through the sender.
///
/// Loop thread only.
final class APNsJob {
  let request: APNsRequest
  let index: Int
  private let report: @Sendable (Int, APNsOutcome) -> Void
  /// Where it is sent now; differs from the request's after the other environment is tried.
  var environment: APNsEnvironment
  /// It waits for a stream until then, loop seconds.
  var waitsUntil: Double
  /// Counts sends that certainly did nothing.
  var resends = 0
  var tokenGeneration = 0
  var hasRenewedToken = false
  var hasChangedConnection = false
  private var isFinished = false

  init(
    _ request: APNsRequest, index: Int, waitsUntil: Double, report: @escaping @Sendable (Int, APNsOutcome) -> Void
  ) {
    self.request = request
    self.index = index
    self.report = report
    environment = request.environment
    self.waitsUntil = waitsUntil
  }

  var hasChangedEnvironment: Bool { environment != request.environment }

  func finish(_ outcome: APNsOutcome) {
    guard !isFinished else { return }
    isFinished = true
    report(index, outcome)
  }
}

/// First in, first out, with a way back to the front; taking from an array's front would move everything.
struct JobQueue {
  private var jobs: [APNsJob?] = []
  private var head = 0
  private var returned: [APNsJob] = []

  var isEmpty: Bool { count == 0 }
  var count: Int { jobs.count - head + returned.count }

  mutating func append(_ job: APNsJob) { jobs.append(job) }

  mutating func putBack(_ job: APNsJob) { returned.append(job) }

  mutating func next() -> APNsJob? {
    if let job = returned.popLast() { return job }
    guard head < jobs.count else { return nil }
    let job = jobs[head]
    jobs[head] = nil
    head += 1
    if head == jobs.count {
      jobs.removeAll(keepingCapacity: jobs.count <= 4_096)
      head = 0
    } else if head > 4_096 && head * 2 > jobs.count {
      jobs.removeFirst(head)
      head = 0
    }
    return job
  }

  /// Takes out those that have waited too long.
  mutating func removeExpired(now: Double) -> [APNsJob] {
    let all = returned.reversed() + jobs[head...].compactMap { $0 }
    let expired = all.filter { $0.waitsUntil <= now }
    guard !expired.isEmpty else { return [] }
    returned = []
    head = 0
    jobs = all.filter { $0.waitsUntil > now }
    return expired
  }

  mutating func removeAll() -> [APNsJob] {
    let all = returned.reversed() + jobs[head...].compactMap { $0 }
    self = JobQueue()
    return Array(all)
  }
}

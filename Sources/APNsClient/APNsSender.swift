package import APNsWire
package import HTTPTransport
internal import PushPayload

/// Sends pushes to APNs: pools of connections for each key, environment and topic, one provider token for each key, everything that may
/// safely be sent again sent again, and what is uncertain said to be uncertain.
package final class APNsSender: Sendable {
  private let core: APNsSenderCore

  package init(
    _ configuration: APNsSenderConfiguration = APNsSenderConfiguration(), credentials: [APNsCredential],
    tokens: (any ProviderTokenSource)? = nil, tokenPolicy: ProviderTokenPolicy = ProviderTokenPolicy()
  ) throws(CryptoError) {
    core = APNsSenderCore(
      configuration, tls: try TLSContext(trust: configuration.trust, protocols: ["h2"]),
      tokens: tokens ?? LocalProviderTokens(policy: tokenPolicy, now: configuration.now), tokenPolicy: tokenPolicy)
    replace(credentials: credentials)
  }

  /// Sends one push and waits for its outcome.
  package func send(_ request: APNsRequest) async -> APNsOutcome {
    await withCheckedContinuation { continuation in
      send([request]) { _, outcome in continuation.resume(returning: outcome) }
    }
  }

  /// Sends many and waits for all; outcomes in the order of the requests.
  package func send(_ requests: [APNsRequest]) async -> [APNsOutcome] {
    if requests.isEmpty { return [] }
    return await withCheckedContinuation { continuation in
      let pending = Locked((outcomes: [APNsOutcome?](repeating: nil, count: requests.count), left: requests.count))
      send(requests) { index, outcome in
        let all = pending.withLock { pending -> [APNsOutcome?]? in
          pending.outcomes[index] = outcome
          pending.left -= 1
          return pending.left == 0 ? pending.outcomes : nil
        }
        if let all { continuation.resume(returning: all.compactMap { $0 }) }
      }
    }
  }

  /// Sends many; `report` is called once for each, on the sender's thread, as the answers come.
  ///
  /// Keep it short. After the stop each is reported as not sent.
  package func send(_ requests: [APNsRequest], report: @escaping @Sendable (Int, APNsOutcome) -> Void) {
    core.loop.perform { [core] in core.accept(requests, report) }
  }

  /// Takes other keys without a restart: new pushes go over new connections, the old ones end when their answers are in.
  package func replace(credentials: [APNsCredential]) {
    let table = APNsCredentials(credentials)
    core.loop.post { [core] in core.replace(table) }
  }

  /// The pools as they are now, for metrics.
  package var status: [APNsPoolStatus] { get async { await core.loop.run { [core] in core.status } } }

  /// Takes nothing more, waits for the answers on their way, and ends; what is still open after `graceSeconds` becomes ambiguous.
  package func stop(graceSeconds: Double = 10) async { await core.stop(graceSeconds: graceSeconds) }
}

/// The part of the sender that lives on the loop.
final class APNsSenderCore: @unchecked Sendable {
  // Sendable: everything mutable is touched on `loop` only.
  let loop = EventLoop(name: "aloud-apns")
  let configuration: APNsSenderConfiguration
  let tokenSource: any ProviderTokenSource
  let tokenPolicy: ProviderTokenPolicy
  var chance = SystemRandomNumberGenerator()
  private(set) var isStopping = false
  private let tls: TLSContext
  private var credentials = APNsCredentials([])
  private var pools: [APNsPool.Name: APNsPool] = [:]
  private var retired: [APNsPool] = []
  private var touched: [APNsPool] = []

  init(
    _ configuration: APNsSenderConfiguration, tls: TLSContext, tokens: any ProviderTokenSource,
    tokenPolicy: ProviderTokenPolicy
  ) {
    self.configuration = configuration
    self.tls = tls
    tokenSource = tokens
    self.tokenPolicy = tokenPolicy
  }

  func accept(_ requests: [APNsRequest], _ report: @escaping @Sendable (Int, APNsOutcome) -> Void) {
    for (index, request) in requests.enumerated() {
      let waitsUntil = loop.now + min(request.waitSeconds ?? .infinity, configuration.queueSeconds)
      let job = APNsJob(request, index: index, waitsUntil: waitsUntil, report: report)
      if let refusal = request.refusal {
        job.finish(.rejected(APNsReason("NotSent"), text: refusal))
      } else if isStopping {
        job.finish(.notSent(text: "the sender is stopping", retryAfterSeconds: nil, isForDevice: false))
      } else {
        route(job)
      }
    }
    let waiting = touched
    touched.removeAll(keepingCapacity: true)
    for pool in waiting { pool.pump() }
  }

  private func route(_ job: APNsJob) {
    let name = APNsPool.Name(
      environment: job.environment, topic: job.request.headers.topic, isQuarantine: !job.request.isProven)
    guard let pool = pool(name) else {
      return job.finish(
        .notSent(
          text: "There is no APNs key for the topic \(name.topic) in the \(name.environment.rawValue) environment.",
          retryAfterSeconds: 60, isForDevice: false))
    }
    pool.enqueue(job)
    if touched.last !== pool { touched.append(pool) }
  }

  private func pool(_ name: APNsPool.Name) -> APNsPool? {
    if let last = touched.last, last.name == name { return last }
    if let known = pools[name] { return known }
    guard let credential = credentials.find(topic: name.topic, environment: name.environment),
      let service = configuration.services[name.environment]
    else { return nil }
    let endpoint = HTTP2Endpoint(
      host: service.host, port: service.port, tls: tls, resolver: configuration.resolver, timing: configuration.timing)
    let made = APNsPool(name, credential: credential, endpoint: endpoint, sender: self)
    pools[name] = made
    return made
  }

  /// A token that one environment calls bad is tried once in the other one, in the lane for unproven tokens.
  func tryOtherEnvironment(_ job: APNsJob, _ reason: APNsReason) {
    let other = APNsPool.Name(
      environment: job.environment.other, topic: job.request.headers.topic, isQuarantine: true)
    guard job.request.triesOtherEnvironment, !job.hasChangedEnvironment, !isStopping, let pool = pool(other) else {
      return job.finish(
        job.hasChangedEnvironment
          ? .unregistered(reason, sinceMilliseconds: nil)
          : .rejected(reason, text: "\(reason.text): \(reason.advice)"))
    }
    job.environment = other.environment
    if job.request.waitSeconds == nil { job.waitsUntil = loop.now + configuration.queueSeconds }
    pool.enqueue(job)
    pool.pump()
  }

  func replace(_ table: APNsCredentials) {
    credentials = table
    var homeless: [APNsJob] = []
    for (name, pool) in pools {
      let fitting = table.find(topic: name.topic, environment: name.environment)
      if fitting?.name == pool.credential.name && fitting?.key === pool.credential.key { continue }
      pools[name] = nil
      retired.append(pool)
      homeless += pool.retire()
    }
    retired.removeAll { $0.status.openConnections == 0 }
    for job in homeless { route(job) }
    let waiting = touched
    touched.removeAll()
    for pool in waiting { pool.pump() }
  }

  func forget(_ pool: APNsPool) { retired.removeAll { $0 === pool } }

  var status: [APNsPoolStatus] {
    pools.values.map(\.status).sorted { ($0.topic, $0.environment.rawValue) < ($1.topic, $1.environment.rawValue) }
  }

  // MARK: the end

  func stop(graceSeconds: Double) async {
    await withCheckedContinuation { continuation in
      loop.post { [self] in
        isStopping = true
        for pool in allPools { pool.stop() }
        endWhenIdle(deadline: loop.now + graceSeconds) { continuation.resume() }
      }
    }
    loop.stop()
  }

  private var allPools: [APNsPool] { Array(pools.values) + retired }

  private func endWhenIdle(deadline: Double, _ done: @escaping () -> Void) {
    if allPools.allSatisfy(\.isIdle) || EventLoop.monotonicSeconds() >= deadline {
      for pool in allPools { pool.close() }
      return done()
    }
    loop.schedule(afterSeconds: 0.01) { [self] in endWhenIdle(deadline: deadline, done) }
  }
}

internal import APNsWire
internal import HTTPTransport
internal import PushPayload

/// The connections of one team, key, environment, topic and lane, and the pushes that wait for a stream.
///
/// Loop thread only.
final class APNsPool {
  struct Name: Hashable {
    var environment: APNsEnvironment
    var topic: String
    var isQuarantine: Bool
  }

  let name: Name
  let credential: APNsCredential
  private unowned let sender: APNsSenderCore
  private let loop: EventLoop
  private let endpoint: HTTP2Endpoint
  private let authority: String
  private var policy: ConnectionPolicy
  private var connections: [HTTP2Connection] = []
  /// Connections that have carried an answer; one that never did counts as a failed attempt.
  private var proven: Set<ObjectIdentifier> = []
  private var queue = JobQueue()
  private var token: ProviderToken?
  private var bearer: [UInt8] = []
  private var tokenGeneration = 0
  private var isAskingForToken = false
  private var tokenFailure: String?
  private var timer: LoopTimer?
  private var lastFailure = "no connection yet"
  private var isRetired = false
  private(set) var inFlight = 0
  private var connectionsMade = 0
  private var goAways = 0
  private var resetsSent = 0
  private var lastPump = 0.0
  /// With pushes waiting, `tick` comes more often than this.
  private static let suspiciousPauseSeconds = 1.0

  init(_ name: Name, credential: APNsCredential, endpoint: HTTP2Endpoint, sender: APNsSenderCore) {
    self.name = name
    self.credential = credential
    self.sender = sender
    self.endpoint = endpoint
    loop = sender.loop
    authority = endpoint.authority
    policy = ConnectionPolicy(maximumConnections: name.isQuarantine ? 1 : sender.configuration.connectionsPerPool)
  }

  var status: APNsPoolStatus {
    APNsPoolStatus(
      credential: credential.name, environment: name.environment, topic: name.topic, isQuarantine: name.isQuarantine,
      openConnections: connections.count,
      streamLimit: connections.reduce(0) { $0 + $1.availableStreams + $1.activeStreams },
      inFlight: inFlight, waiting: queue.count, connectionsMade: connectionsMade, goAways: goAways,
      resetsSent: connections.reduce(resetsSent) { $0 + $1.resetsSent })
  }

  var isIdle: Bool { inFlight == 0 && queue.isEmpty }

  func enqueue(_ job: APNsJob) { queue.append(job) }

  // MARK: sending

  /// Gives waiting pushes to streams, as many as the server allows now.
  func pump() {
    guard !queue.isEmpty, !isRetired else { return }
    // A process that was stopped and goes on must not send what it held meanwhile.
    if loop.now - lastPump > Self.suspiciousPauseSeconds { finishExpired() }
    lastPump = loop.now
    if let connection = roomiest(), refreshToken() { fill(connection) }
    if !queue.isEmpty { growAndWait() }
  }

  private func fill(_ first: HTTP2Connection) {
    var connection: HTTP2Connection? = first
    while let current = connection, current.availableStreams > 0, let job = queue.next() {
      submit(job, on: current)
      if connections.count > 1 { connection = roomiest() }
    }
  }

  private func roomiest() -> HTTP2Connection? {
    connections.max { $0.availableStreams < $1.availableStreams }.flatMap { $0.availableStreams > 0 ? $0 : nil }
  }

  private func submit(_ job: APNsJob, on connection: HTTP2Connection) {
    job.tokenGeneration = tokenGeneration
    inFlight += 1
    connection.submit(makeRequest(job.request)) { [self] outcome in
      inFlight -= 1
      finished(job, outcome, connection)
    }
  }

  /// Indexing as Apple asks: path and authorization never, the three that change once, the rest in the table.
  private func makeRequest(_ push: APNsRequest) -> HTTP2Request {
    var request = HTTP2Request(
      method: "POST", authority: authority, path: "/3/device/" + push.deviceToken, body: push.payload,
      timeoutSeconds: push.timeoutSeconds)
    let headers = push.headers
    request.add("authorization", bearer, .never)
    request.add("apns-topic", headers.topic)
    request.add("apns-push-type", headers.pushType.rawValue)
    request.add("apns-priority", headers.priority == 10 ? "10" : String(headers.priority))
    if let expiration = headers.expiration { request.add("apns-expiration", String(expiration), .firstOnly) }
    if let collapseID = headers.collapseID { request.add("apns-collapse-id", collapseID, .firstOnly) }
    if let id = headers.id { request.add("apns-id", id, .firstOnly) }
    return request
  }

  // MARK: answers

  private func finished(_ job: APNsJob, _ outcome: HTTP2Outcome, _ connection: HTTP2Connection) {
    switch outcome {
    case .response(let response): answered(job, response, connection)
    case .ambiguous(let failure): job.finish(.ambiguous(text: failure.description))
    case .notProcessed(let failure): sendAgain(job, after: failure.description)
    }
  }

  private func answered(_ job: APNsJob, _ raw: HTTP2Response, _ connection: HTTP2Connection) {
    if proven.insert(ObjectIdentifier(connection)).inserted { policy.connected() }
    if raw.status == 200 { return accepted(job, raw) }
    let response = APNsResponse(status: raw.status, body: raw.body, now: sender.configuration.now()) { raw.header($0) }
    switch APNsVerdict(response) {
    case .accepted: accepted(job, raw)
    case .refused(let reason): refused(job, reason)
    case .forgetToken(let reason, let since): job.finish(.unregistered(reason, sinceMilliseconds: since))
    case .tryOtherEnvironment(let reason): sender.tryOtherEnvironment(job, reason)
    case .renewProviderToken: renewToken(job, connection)
    case .openNewConnection(let reason): changeConnection(job, connection, reason)
    case .later(let reason, let seconds, let isForDevice):
      job.finish(.notSent(text: describe(reason), retryAfterSeconds: seconds, isForDevice: isForDevice))
    }
  }

  private func accepted(_ job: APNsJob, _ raw: HTTP2Response) {
    // APNs returns the id it was given; only one that it made itself has to be read.
    let id = job.request.headers.id ?? raw.header("apns-id")
    let unique = job.environment == .development ? raw.header("apns-unique-id") : nil
    job.finish(.accepted(apnsID: id, uniqueID: unique, environment: job.environment))
  }

  private func refused(_ job: APNsJob, _ reason: APNsReason) {
    guard reason.remedy == .correctCredential else { return job.finish(.rejected(reason, text: describe(reason))) }
    // Not this push's fault: it can go when the key has been put right. Nobody hammers APNs until then.
    policy.credentialRefused(now: loop.now)
    lastFailure = describe(reason)
    job.finish(
      .notSent(text: describe(reason), retryAfterSeconds: policy.credentialPauseSeconds, isForDevice: false))
  }

  private func describe(_ reason: APNsReason) -> String {
    reason.advice.isEmpty ? reason.text : "\(reason.text): \(reason.advice)"
  }

  private func sendAgain(_ job: APNsJob, after failure: String) {
    lastFailure = failure
    job.resends += 1
    guard job.resends <= sender.configuration.resends, !isRetired, !sender.isStopping else {
      return job.finish(.notSent(text: failure, retryAfterSeconds: nil, isForDevice: false))
    }
    queue.putBack(job)
    growAndWait()
  }

  private func changeConnection(_ job: APNsJob, _ connection: HTTP2Connection, _ reason: APNsReason) {
    connection.drain()
    guard !job.hasChangedConnection else {
      return job.finish(.notSent(text: describe(reason), retryAfterSeconds: 60, isForDevice: false))
    }
    job.hasChangedConnection = true
    sendAgain(job, after: describe(reason))
  }

  // MARK: the provider token

  /// True when there is a token that may be sent.
  private func refreshToken() -> Bool {
    let now = sender.configuration.now()
    if let token, case .use = sender.tokenPolicy.decide(current: token, refused: nil, now: now) { return true }
    askForToken(refused: nil)
    return token.map { sender.tokenPolicy.mayBridge($0, now: now) } ?? false
  }

  private func renewToken(_ job: APNsJob, _ connection: HTTP2Connection) {
    // A connection on which a token expired has been seen to stay wedged, so the replay goes over a new one.
    connection.drain()
    guard !job.hasRenewedToken else {
      return job.finish(
        .notSent(text: "APNs calls also the new provider token expired.", retryAfterSeconds: 60, isForDevice: false))
    }
    job.hasRenewedToken = true
    if job.tokenGeneration == tokenGeneration, let refused = token {
      token = nil
      askForToken(refused: refused)
    }
    sendAgain(job, after: "the provider token has expired")
  }

  private func askForToken(refused: ProviderToken?) {
    guard !isAskingForToken else { return }
    isAskingForToken = true
    let source = sender.tokenSource
    let credential = credential
    let loop = loop
    let pool = LoopReference(self)
    Task {
      do throws(ProviderTokenError) {
        let token = try await source.token(for: credential, refused: refused)
        loop.post { pool.value?.received(.success(token)) }
      } catch {
        loop.post { pool.value?.received(.failure(error)) }
      }
    }
  }

  private func received(_ result: Result<ProviderToken, ProviderTokenError>) {
    isAskingForToken = false
    switch result {
    case .success(let fresh):
      if fresh.text != token?.text {
        token = fresh
        bearer = Array("bearer \(fresh.text)".utf8)
        tokenGeneration += 1
      }
      pump()
    case .failure(let error):
      let wait: Double = if case .tooEarly(let seconds) = error { seconds } else { 5 }
      for job in queue.removeAll() {
        job.finish(.notSent(text: error.description, retryAfterSeconds: wait, isForDevice: false))
      }
    }
  }

  // MARK: connections

  private func growAndWait() {
    let ready = connections.filter { $0.state == .ready }
    let connecting = connections.filter { $0.state == .connecting }.count
    let streams = ready.reduce(0) { $0 + $1.activeStreams + $1.availableStreams }
    if policy.mayConnect(
      open: ready.count + connecting, connecting: connecting, waiting: queue.count, streams: streams, now: loop.now)
    {
      let connection = HTTP2Connection(loop: loop, endpoint: endpoint, owner: self)
      connections.append(connection)
      connectionsMade += 1
      connection.connect()
    }
    if timer == nil {
      timer = loop.schedule(afterSeconds: min(0.25, sender.configuration.queueSeconds / 4)) { [weak self] in
        self?.tick()
      }
    }
  }

  private func tick() {
    timer = nil
    finishExpired()
    pump()
  }

  private func finishExpired() {
    let retry = policy.waitsUntil(now: loop.now).map { $0 - loop.now }
    for job in queue.removeExpired(now: loop.now) {
      job.finish(.notSent(text: "no stream in time: \(lastFailure)", retryAfterSeconds: retry, isForDevice: false))
    }
  }

  /// Another key takes over: waiting pushes go back, connections end when their answers are in.
  func retire() -> [APNsJob] {
    isRetired = true
    for connection in connections { connection.drain() }
    return queue.removeAll()
  }

  /// Ends everything that waits; streams go on until `close`.
  func stop() {
    for job in queue.removeAll() {
      job.finish(.notSent(text: "the sender is stopping", retryAfterSeconds: nil, isForDevice: false))
    }
    for connection in connections { connection.drain() }
  }

  func close() { for connection in connections { connection.close("the sender has stopped") } }
}

extension APNsPool: HTTP2ConnectionOwner {
  func connectionIsReady(_ connection: HTTP2Connection) { pump() }

  func connectionHasRoom(_ connection: HTTP2Connection) { pump() }

  func connectionIsDraining(_ connection: HTTP2Connection, reason: String) {
    goAways += 1
    if let reason = APNsResponse.goAwayReason(reason), reason.remedy == .correctCredential {
      lastFailure = describe(reason)
      policy.credentialRefused(now: loop.now)
    }
    pump()
  }

  func connectionIsClosed(_ connection: HTTP2Connection, _ failure: HTTP2Failure) {
    connections.removeAll { $0 === connection }
    resetsSent += connection.resetsSent
    if proven.remove(ObjectIdentifier(connection)) == nil {
      lastFailure = failure.description
      policy.failed(now: loop.now, using: &sender.chance)
    }
    if isRetired && connections.isEmpty { sender.forget(self) }
    pump()
  }
}

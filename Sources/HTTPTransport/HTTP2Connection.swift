internal import CNGHTTP2
internal import CLinux
internal import Glibc

/// What a connection tells its owner, on the loop's thread.
package protocol HTTP2ConnectionOwner: AnyObject {
  /// The server's first SETTINGS are in: streams can be opened.
  func connectionIsReady(_ connection: HTTP2Connection)
  /// A stream ended or SETTINGS changed: `availableStreams` may have grown.
  ///
  /// At most once in a turn.
  func connectionHasRoom(_ connection: HTTP2Connection)
  /// GOAWAY came: no new streams, the open ones go on.
  ///
  /// The text is the server's debug data.
  func connectionIsDraining(_ connection: HTTP2Connection, reason: String)
  /// Gone; every stream has had its outcome.
  func connectionIsClosed(_ connection: HTTP2Connection, _ failure: HTTP2Failure)
}

/// One HTTP/2 connection of a client.
///
/// Loop thread only.
///
/// It opens no more streams than the server allows at this moment and never queues: whoever owns it asks `availableStreams`, and so a
/// request that has not been submitted can still go elsewhere.
package final class HTTP2Connection {
  package enum State: Sendable {
    case connecting
    case ready
    case draining
    case closed
  }

  package private(set) var state = State.connecting
  package let endpoint: HTTP2Endpoint
  /// Counts what the peer benchmark asks for: RST_STREAM frames that this client sent.
  package private(set) var resetsSent = 0

  let loop: EventLoop
  weak var owner: (any HTTP2ConnectionOwner)?
  var session: HTTP2ClientSession?
  private var channel: Channel?
  private var pendingAddresses: [SocketAddress] = []
  private var connectTimer: LoopTimer?
  private var tickTimer: LoopTimer?
  /// The tick is the short one that also looks for requests over their time.
  private var ticksOften = false
  private var lastReceived = 0.0
  private var pingSentAt: Double?
  private var goAwayReason = ""
  private var isRoomReported = false

  /// `connect` begins.
  package init(loop: EventLoop, endpoint: HTTP2Endpoint, owner: any HTTP2ConnectionOwner) {
    self.loop = loop
    self.endpoint = endpoint
    self.owner = owner
  }

  /// How many more requests `submit` takes at this moment.
  package var availableStreams: Int {
    guard state == .ready, let session else { return 0 }
    return max(0, session.streamLimit - session.activeStreams)
  }

  package var activeStreams: Int { session?.activeStreams ?? 0 }

  // MARK: connecting

  package func connect() {
    let timing = endpoint.timing
    connectTimer = loop.schedule(afterSeconds: timing.connectSeconds) { [weak self] in
      self?.end(.unreachable("no connection within \(timing.connectSeconds) s"))
    }
    let loop = loop
    let handle = LoopReference(self)
    endpoint.resolver.resolve(endpoint.host, endpoint.port) { answer in
      loop.post { handle.value?.resolved(answer) }
    }
  }

  private func resolved(_ answer: Resolver.Answer) {
    guard state == .connecting else { return }
    switch answer {
    case .failure(let reason): end(.unreachable("\(endpoint.host) was not found: \(reason)"))
    case .addresses(let addresses):
      pendingAddresses = addresses
      tryNextAddress(after: "no address")
    }
  }

  private func tryNextAddress(after failure: String) {
    var reason = failure
    while !pendingAddresses.isEmpty {
      let address = pendingAddresses.removeFirst()
      do {
        try open(address)
        return
      } catch {
        reason = error.message
      }
    }
    end(.unreachable(reason))
  }

  private func open(_ address: SocketAddress) throws(CryptoError) {
    guard let descriptor = Channel.connectingSocket(to: address) else {
      throw CryptoError("\(address): \(SystemError.text(errno))")
    }
    do {
      let tls = try endpoint.tls.clientSession(host: endpoint.host, descriptor: descriptor)
      let channel = Channel(loop: loop, descriptor: descriptor, session: tls, isConnecting: true)
      self.channel = channel
      channel.delegate = self
      channel.start()
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  // MARK: requests

  /// Opens a stream.
  ///
  /// `completion` is called exactly once, on the loop's thread, also when this fails at once.
  package func submit(_ request: HTTP2Request, _ completion: @escaping HTTP2Completion) {
    guard state == .ready, let session else {
      return completion(.notProcessed(.closed("the connection does not take requests")))
    }
    session.submit(request, deadline: loop.now + request.timeoutSeconds, completion)
    channel?.setNeedsWrite()
    if !ticksOften { scheduleTick() }
  }

  /// Takes no more requests and closes when the open streams are done, or after the endpoint's `drainSeconds`.
  package func drain() {
    guard state == .ready || state == .connecting else { return }
    if activeStreams == 0 { return end(.closed("closed by this side")) }
    state = .draining
    loop.schedule(afterSeconds: endpoint.timing.drainSeconds) { [weak self] in self?.end(.closed("drained too long")) }
  }

  /// Closes now; open streams end as not processed or ambiguous, whichever is true.
  package func close(_ reason: String) { end(.closed(reason)) }

  private func end(_ failure: HTTP2Failure) {
    guard state != .closed else { return }
    state = .closed
    for timer in [connectTimer, tickTimer].compactMap({ $0 }) { loop.cancel(timer) }
    if case .closed = failure, let session, let channel {
      // A polite GOAWAY, when the socket takes it at once.
      session.terminate()
      channel.setNeedsWrite()
      channel.turnEnds()
    }
    let written = channel?.bytesWritten ?? 0
    channel?.close()
    let outcomes = session?.finishAll(written: written, failure) ?? []
    for (completion, outcome) in outcomes { completion(outcome) }
    session = nil
    channel = nil
    owner?.connectionIsClosed(self, failure)
  }

  // MARK: time

  private func scheduleTick() {
    let timing = endpoint.timing
    let idle = min(timing.pingAfterIdleSeconds, timing.pingAnswerSeconds)
    ticksOften = activeStreams > 0
    let seconds = ticksOften ? min(0.25, idle / 4) : idle / 2
    if let tickTimer { loop.cancel(tickTimer) }
    tickTimer = loop.schedule(afterSeconds: seconds) { [weak self] in self?.tick() }
  }

  private func tick() {
    tickTimer = nil
    guard let session, let channel, state != .closed else { return }
    let expired = session.expire(now: loop.now, written: channel.bytesWritten)
    resetsSent += expired.count
    for (completion, outcome) in expired { completion(outcome) }
    checkSilence(session)
    guard state != .closed else { return }
    settleAfterStreamsEnded()
    channel.setNeedsWrite()
    if state != .closed { scheduleTick() }
  }

  private func checkSilence(_ session: HTTP2ClientSession) {
    let timing = endpoint.timing
    if let pingSentAt {
      if loop.now - pingSentAt >= timing.pingAnswerSeconds {
        end(.silent(seconds: timing.pingAfterIdleSeconds + timing.pingAnswerSeconds))
      }
    } else if loop.now - lastReceived >= timing.pingAfterIdleSeconds {
      session.ping()
      pingSentAt = loop.now
    }
  }

  private func settleAfterStreamsEnded() {
    if state == .draining && activeStreams == 0 {
      end(goAwayReason.isEmpty ? .closed("drained") : .goingAway(goAwayReason))
    } else if availableStreams > 0 {
      owner?.connectionHasRoom(self)
    }
  }
}

extension HTTP2Connection: ChannelDelegate {
  func channelOpened() {
    guard let channel else { return }
    guard channel.negotiatedProtocol == "h2" else {
      return end(.unreachable("the server at \(endpoint.host):\(endpoint.port) does not speak HTTP/2"))
    }
    guard let session = HTTP2ClientSession() else { return end(.unreachable("no memory for a session")) }
    self.session = session
    lastReceived = loop.now
    scheduleTick()
  }

  func channelReceived(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let session else { return }
    lastReceived = loop.now
    pingSentAt = nil
    if let failure = session.receive(bytes) { return end(.closed(failure)) }
    if state == .connecting && session.hasSettings {
      if let connectTimer { loop.cancel(connectTimer) }
      state = .ready
      owner?.connectionIsReady(self)
    }
    if let reason = session.takeGoAway() {
      goAwayReason = reason
      if state == .ready || state == .connecting {
        state = .draining
        loop.schedule(afterSeconds: endpoint.timing.drainSeconds) { [weak self] in self?.end(.goingAway(reason)) }
        owner?.connectionIsDraining(self, reason: reason)
      }
    }
    for (completion, outcome) in session.takeFinished() { completion(outcome) }
    if state != .closed { settleAfterStreamsEnded() }
  }

  func channelProduce(into output: inout [UInt8]) {
    guard let session, let channel else { return }
    if let failure = session.produce(into: &output, alreadyProduced: channel.bytesProduced) { end(.closed(failure)) }
    for (completion, outcome) in session.takeFinished() { completion(outcome) }
  }

  func channelClosed(_ reason: ChannelClose) {
    if state == .connecting && session == nil {
      channel?.close()
      channel = nil
      return tryNextAddress(after: reason.text)
    }
    end(goAwayReason.isEmpty ? .closed(reason.text) : .goingAway(goAwayReason))
  }
}

/// Carries a loop-confined object through a `@Sendable` closure back to its loop.
package final class LoopReference<Value: AnyObject>: @unchecked Sendable {
  // Sendable: the reference is only read on the loop's thread, by closures given to `EventLoop.post`.
  package weak var value: Value?
  package init(_ value: Value) { self.value = value }
}
